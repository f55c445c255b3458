"""The syntax of OXPath: syntax nodes, parser, checks."""
