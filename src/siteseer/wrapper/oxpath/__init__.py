"""OXPath: a language for data extraction that adds actions, iteration and markers to XPath."""
