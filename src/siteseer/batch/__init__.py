"""Describes existing archives of any size, without the network."""
