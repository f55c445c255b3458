"""What the designer thinks: clicks on a page in, a wrapper out, one step at a time."""
