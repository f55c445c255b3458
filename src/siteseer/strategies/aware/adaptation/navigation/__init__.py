"""Repairs the navigation actions of a level by exploring a few links."""
