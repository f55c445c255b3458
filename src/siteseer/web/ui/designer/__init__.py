"""The views of the wrapper designer."""
