"""What belongs to a running campaign: its definition, its directory, its ledger, and what it has learned."""

from __future__ import annotations

import json
import time
from pathlib import Path

from siteseer.decide.focused.apprentice import Apprentice
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.gazetteer import Gazetteer
from siteseer.decide.focused.strategy import OUTBOX
from siteseer.jobs.campaign.ledger import Ledger, SiteRow, folder_name
from siteseer.jobs.campaign.slices import Place, open_site, report_of, visits_of

SAVED_SECONDS = 2.0
"""How often what was learned is written: a kill costs guesses, no pages."""


class Dossier:
    """The open papers of a campaign."""

    def __init__(self, definition: Definition, text: str, folder: Path, lock: int) -> None:
        self.definition, self.text, self.folder = definition, text, folder
        self.lock = lock
        """The open file that holds the campaign's directory, for processes that work there with us."""
        self.ledger = Ledger(folder, definition.sites.most, definition.social)
        self.apprentice = Apprentice(Gazetteer.of(definition).words())
        """Learns from the pages of all sites."""
        if (stored := self.ledger.about("apprentice")) is not None:
            self.apprentice.recall(json.loads(stored))
        self._learned, self._saved = self.lessons, time.monotonic()

    @property
    def lessons(self) -> int:
        """How many examples the apprentice has seen."""
        return sum(self.apprentice.pages)

    def save(self, at_once: bool = False) -> None:
        """Write down what was learned, now and then."""
        if self._learned != self.lessons and (at_once or time.monotonic() - self._saved > SAVED_SECONDS):
            self.ledger.say("apprentice", json.dumps(self.apprentice.to_json()))
            self._learned, self._saved = self.lessons, time.monotonic()

    def place(self, row: SiteRow) -> Place:
        """Return a site with the directory of its collection."""
        return Place(row.host, row.first, self.ledger.origin(row.first), self.folder / "sites" / folder_name(row.host))

    def recover(self, row: SiteRow) -> None:
        """Tell the ledger what a site has of a slice that was cut off by a kill."""
        sitting = open_site(self.place(row), self.definition, self.text, visits_of(self.definition), self.apprentice)
        try:
            self.ledger.end(row.host, 0, report_of(sitting), sitting.remembered(OUTBOX, row.delivered))
        finally:
            sitting.close()
