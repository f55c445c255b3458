"""Finds literals that may be equal: keys, numbers, spelling, shingles, rare words."""
