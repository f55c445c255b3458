"""Repairs the extraction actions of a level."""
