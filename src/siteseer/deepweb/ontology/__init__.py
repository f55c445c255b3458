"""Aligns the records of a source with an ontology, and proposes what they add to it."""
