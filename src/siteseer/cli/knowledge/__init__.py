"""The commands about the knowledge base."""
