"""The state of a running campaign: its definition, directory, ledger and term learner."""

from __future__ import annotations

import json
import time
from pathlib import Path

from siteseer.campaigns.analysis.rescore import WEIGHED, mark_of, rescore_site
from siteseer.campaigns.campaign_ledger import CampaignLedger, SiteRow
from siteseer.campaigns.engines.site_slice import CampaignSite, open_site, report_of, visits_of
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.focused_strategy import OUTBOX
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.campaigns.relevance.term_matcher import TermMatcher
from siteseer.collection.layout import folder_name, state_path
from siteseer.work_progress import tracked

SAVED_SECONDS = 2.0
"""How often what was learned is written: a kill costs guesses, no pages."""


class CampaignState:
    """The open files and learned state of a running campaign."""

    def __init__(self, definition: Definition, text: str, folder: Path, lock: int) -> None:
        self.definition, self.text, self.folder = definition, text, folder
        self.lock = lock
        """The open file that holds the campaign's directory, for processes that work there with us."""
        self.ledger = CampaignLedger(folder, definition.sites.most, definition.social)
        self.term_learner = TermLearner(TermMatcher.of(definition).words())
        """Learns from the pages of all sites."""
        if (stored := self.ledger.about("apprentice")) is not None:
            self.term_learner.recall(json.loads(stored))
        self._learned, self._saved = self.lessons, time.monotonic()

    @property
    def lessons(self) -> int:
        """How many pages the term learner has learned from."""
        return sum(self.term_learner.pages)

    def save(self, at_once: bool = False) -> None:
        """Save what the term learner has learned, now and then."""
        if self._learned != self.lessons and (at_once or time.monotonic() - self._saved > SAVED_SECONDS):
            self.ledger.say("apprentice", json.dumps(self.term_learner.to_json()))
            self._learned, self._saved = self.lessons, time.monotonic()

    def place(self, row: SiteRow) -> CampaignSite:
        """Return a site with the directory of its collection."""
        return CampaignSite(
            row.host, row.first, self.ledger.origin(row.first), self.folder / "sites" / folder_name(row.host)
        )

    def rescore_sites(self) -> None:
        """Rescore what earlier runs have captured if the definition has changed."""
        mark = mark_of(self.definition)
        if self.ledger.about(WEIGHED) == mark:
            return
        visits = visits_of(self.definition)
        rows = list(self.ledger.sites("requests > 0"))
        for row in tracked(rows, "weighing what earlier runs captured", len(rows)):
            place = self.place(row)
            if state_path(place.folder).is_file():  # others may have what they crawl
                site_crawl = open_site(place, self.definition, self.text, visits, self.term_learner)
                try:
                    rescore_site(site_crawl.state, self.definition)
                    self.ledger.rescore(row.host, report_of(site_crawl))
                finally:
                    site_crawl.close()
        self.ledger.say(WEIGHED, mark)

    def recover(self, row: SiteRow) -> None:
        """Record in the ledger what a site has of a slice that was interrupted by a kill."""
        site_crawl = open_site(
            self.place(row), self.definition, self.text, visits_of(self.definition), self.term_learner
        )
        try:
            self.ledger.end(row.host, 0, report_of(site_crawl), site_crawl.remembered(OUTBOX, row.delivered))
        finally:
            site_crawl.close()
