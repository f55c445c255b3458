"""Reads objects: the entities that they name, their topics and their sentiment."""
