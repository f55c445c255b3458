"""Writes what was learned about a site as an entry of the knowledge base: URLs, levels, and the application itself."""
