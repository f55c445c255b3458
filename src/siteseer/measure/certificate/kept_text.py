"""Reads the kept pages of a collection for an audit: their passages, links and forms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from siteseer.archive.archived_pages import pages
from siteseer.collection.layout import archive_of
from siteseer.measure.certificate.beside_content import IsKnown, beside_content, is_aside
from siteseer.measure.certificate.passages import passages
from siteseer.measure.certificate.skipped_urls import LinkFact
from siteseer.model import Page
from siteseer.page.links import Query
from siteseer.page.tree import is_html, tree
from siteseer.page.two_grams import DistinctGrams
from siteseer.page.urls import identity
from siteseer.strategies.learned.online_learner.link_facts import PAGER, found_links, is_unlisted

_FORMS: Query = etree.XPath("//form", smart_strings=False)
_NAMES: Query = etree.XPath(".//input/@name | .//textarea/@name | .//select/@name", smart_strings=False)
FormNames = frozenset[str]
MOST_NOISE, LEAST_NOISE, NOISE_SHARE = 20, 6, 0.25
"""Fewer new passages than this share of what a page usually adds, within these bounds, are titles and notices."""
SUSPECT_SHARE = 0.5
"""A list, or a page whose URL names a function, has something to say from this share of what a page usually adds."""


@dataclass(slots=True)
class KeptText:
    """The passages of the kept pages, and the link facts of skipped URLs."""

    passages: DistinctGrams = field(default_factory=DistinctGrams)
    _content: DistinctGrams = field(default_factory=DistinctGrams)
    _unlisted: DistinctGrams = field(default_factory=DistinctGrams)
    facts: dict[str, LinkFact] = field(default_factory=dict)
    """What the links to skipped URLs say, by the identity of the URL."""
    forms: set[FormNames] = field(default_factory=set)
    """The forms of kept pages: those of an ordinary page say nothing of what the page is for."""
    pages: int = 0
    speaking: int = 0
    """Pages that hold enough passages to be read."""
    unlisted: int = 0

    @property
    def is_unlisted(self) -> bool:
        """Whether the site as a whole asks not to be indexed: then a page that does so is no different."""
        return 2 * self.unlisted > self.pages

    @property
    def content(self) -> int:
        """How many passages the pages hold that are content: forms, older versions and the like are not."""
        unlisted = len(self._content.new(self._unlisted.values())) if self.is_unlisted else 0
        return len(self._content) + unlisted

    @property
    def usual(self) -> float:
        """How many passages a page with something to say adds on average."""
        return self.content / max(1, self.speaking)

    def noise(self, is_suspect: bool) -> float:
        """Return how many new passages a page may hold that says nothing new."""
        usual = max(LEAST_NOISE, min(MOST_NOISE, NOISE_SHARE * self.usual))
        return max(usual, SUSPECT_SHARE * self.usual) if is_suspect else usual

    def add(self, page: Page, skipped: Collection[str], is_known: IsKnown) -> None:
        """Add a kept page."""
        self.pages += 1
        self.unlisted += is_unlisted(page)
        found = passages(page)
        self.passages.add(found)
        if not beside_content(page, "", is_known):
            content = self._unlisted if is_aside(page) else self._content
            self.speaking += len(content.new(found)) >= LEAST_NOISE
            content.add(found)
        self.forms.update(forms_of(page))
        for link in found_links(page):
            name = identity(link.url)
            if name in skipped:
                before = self.facts.get(name, LinkFact())
                self.facts[name] = LinkFact(before.text or link.text, before.is_pager or bool(link.flags & PAGER))


def read_kept(collection: Path, skipped: Collection[str], is_known: IsKnown) -> KeptText:
    """Read the kept pages of a collection; `skipped` are the identities of the URLs of which links are noted."""
    kept = KeptText()
    for page, _ in pages(archive_of(collection)):
        if page.status == 200 and is_html(page):
            kept.add(page, skipped, is_known)
    return kept


def forms_of(page: Page) -> set[FormNames]:
    """Return the names of the fields of each form of a page."""
    return {frozenset(_NAMES(form)) for form in _FORMS(tree(page))[:100]}
