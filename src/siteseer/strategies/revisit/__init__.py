"""The revisit strategy: comes back for what is new or changed."""
