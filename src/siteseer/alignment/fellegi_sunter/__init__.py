"""Scores candidate pairs by record linkage (Fellegi–Sunter) and estimates how many matches are false (target–decoy)."""
