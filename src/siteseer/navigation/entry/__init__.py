"""What was learned about a site as an entry of the knowledge base: addresses, levels, and the application itself."""
