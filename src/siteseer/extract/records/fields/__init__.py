"""Learns the short fields of records: author, date, title, permalink, labels."""
