"""The view of an understood form, panel by panel."""
