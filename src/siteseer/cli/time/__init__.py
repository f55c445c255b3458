"""The commands about time: timestamps, changes, feeds, revisits."""
