"""Time: when a page was written, what changed between two captures, how often, and when to come back."""
