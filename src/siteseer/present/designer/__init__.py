"""The designer's doing: live browsers on this machine, shown as pictures that run nothing."""
