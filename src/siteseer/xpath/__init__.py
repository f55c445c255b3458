"""The XPath fragment in which detection patterns and crawling actions are written (`grammar.lark`)."""
