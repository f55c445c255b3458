"""ACEBot: samples a site, learns which link positions lead to content, follows those (Faheem's thesis, chapter 5)."""
