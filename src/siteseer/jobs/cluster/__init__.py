"""Campaigns on many machines: slices of sites as tasks of a queue, checkpoints in shared storage."""
