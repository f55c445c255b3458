"""Samples a source through its form: first queries, further queries, within a budget."""
