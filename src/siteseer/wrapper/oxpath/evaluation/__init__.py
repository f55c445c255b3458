"""Evaluates OXPath wrappers in a browser."""
