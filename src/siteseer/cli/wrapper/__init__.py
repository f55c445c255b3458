"""The commands of wrappers."""
