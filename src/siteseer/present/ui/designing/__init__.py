"""The designer on the screen."""
