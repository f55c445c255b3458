"""What commands print: summaries, tables, files."""
