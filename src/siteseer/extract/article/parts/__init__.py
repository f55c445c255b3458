"""Divides articles into parts, and writes these as Markdown, HTML and JSON."""
