"""Measures the similarity of pages as trees: tree edit distance (RTDM), differences, page signatures."""
