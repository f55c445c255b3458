"""The equations of PARIS: instances (E1, E2), relations (E3) and classes (E4) of two sources."""
