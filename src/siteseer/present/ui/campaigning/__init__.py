"""The parts of the view of a campaign: its definition, what the reference crawl proposes, how far it is."""
