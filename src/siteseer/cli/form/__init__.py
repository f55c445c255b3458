"""The commands about search forms."""
