"""Finds known records on changed pages, and repairs the wrapper that no longer finds them."""
