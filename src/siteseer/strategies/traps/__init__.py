"""Recognises crawler traps: soft 404s, walls, endless lists, growing paths, repeated pages."""
