"""ACEBot: sample a site, learn which link positions lead to content, follow those (Faheem's thesis, chapter 5)."""
