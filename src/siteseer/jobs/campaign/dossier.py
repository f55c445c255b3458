"""What belongs to a running campaign: its definition, its directory, its ledger, and what it has learned."""

from __future__ import annotations

import json
import time
from pathlib import Path

from siteseer.crawl.state import state_path
from siteseer.decide.focused.apprentice import Apprentice
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.gazetteer import Gazetteer
from siteseer.decide.focused.strategy import OUTBOX
from siteseer.jobs.campaign.ledger import Ledger, SiteRow, folder_name
from siteseer.jobs.campaign.reweighing import WEIGHED, mark_of, weigh_anew
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

    def weigh_anew(self) -> None:
        """Weigh what earlier runs have gathered, where they were given another definition."""
        mark = mark_of(self.definition)
        if self.ledger.about(WEIGHED) == mark:
            return
        visits = visits_of(self.definition)
        for row in self.ledger.sites("requests > 0"):
            place = self.place(row)
            if state_path(place.folder).is_file():  # others may have what they crawl
                sitting = open_site(place, self.definition, self.text, visits, self.apprentice)
                try:
                    weigh_anew(sitting.state, self.definition)
                    self.ledger.reweigh(row.host, report_of(sitting))
                finally:
                    sitting.close()
        self.ledger.say(WEIGHED, mark)

    def recover(self, row: SiteRow) -> None:
        """Tell the ledger what a site has of a slice that was cut off by a kill."""
        sitting = open_site(self.place(row), self.definition, self.text, visits_of(self.definition), self.apprentice)
        try:
            self.ledger.end(row.host, 0, report_of(sitting), sitting.remembered(OUTBOX, row.delivered))
        finally:
            sitting.close()
