"""Wrappers: programs in OXPath that extract records from Web pages; run, induced from examples, repaired."""
