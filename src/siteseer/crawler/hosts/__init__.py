"""Watches how hosts answer: health, failing paths, walls."""
