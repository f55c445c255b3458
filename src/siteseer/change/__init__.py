"""Dates and changes of pages: what changed between two captures, how often pages change, when to revisit them."""
