"""Learns online which link classes lead to new text, with a saturating reward, in one pass over an unknown site."""
