"""Runs live browsers on this machine for the wrapper designer, shown as snapshots without scripts."""
