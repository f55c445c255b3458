"""The panels of the view of an understood form."""
