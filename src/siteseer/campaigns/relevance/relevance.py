"""Measures the relevance of a page and of its text blocks to a campaign's topic, from 0 to 1, with reasons.

The degree grows with the weights of the terms found, falls with the length of the text that they were found in, and
never reaches 1. One word of the topic in a long page is noise; in a heading or the text of a link it is a hint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.relevance_blocks import Block, FirstOccurrence, Resting, Template, new_blocks
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.campaigns.relevance.term_matcher import TermMatcher, words_of
from siteseer.campaigns.relevance.time_and_language import (
    first_date,
    language_factor,
    names_other_years,
    time_factor,
    whole_years,
    written_day,
)
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.text_hash import hash_of
from siteseer.page.tree import title
from siteseer.page.urls import readable

MOST_MET = 50_000
"""Blocks of a site that are remembered, to know its template again; 6 MB."""
MOST_LABELS = 10_000
_LONGEST_EXTENSION = 5
ENOUGH = 600
"""Words from which the language is told."""
_LABEL = 3
"""The text of a link counts as one of so many words."""
TITLE = 3
"""Words; a link text of so many is the title of what it leads to."""
NAMED = 4
"""Terms that a reason names."""
MOST = 2.0
"""What one of many terms counts at most, however often it is found; where it is the only one, twice as much."""
_WORTH_SAYING = 0.05
_HINTED = "it uses words of relevant pages"


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """A page with its relevance, the reason for it, and its blocks."""

    degree: float
    because: str
    blocks: list[Block]
    resting: list[Resting]
    """Links of its template that other pages spoke for."""


@dataclass(slots=True)
class Label:
    """The text of a link, or its URL, with the term learner's evidence as of a version of its weights."""

    words: list[str]
    found: dict[int, int]
    is_telling: bool
    """Whether its text tells something of the target, as titles do and `more` does not."""
    because: str = ""
    degree: float = 0.0
    hints: float = -1.0
    edition: int = -1


class RelevanceScorer:
    """Measures the relevance of the pages of one site.

    >>> scorer = RelevanceScorer(Definition("Kelp", ("http://e.org/",), keywords=("kelp", "kelp forest", "harvest")))
    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp: harvest<p>Kelp, a kelp forest")
    >>> scorer.score(page).because
    'kelp (2), harvest, kelp forest'
    """

    def __init__(self, definition: Definition, term_learner: TermLearner | None = None) -> None:
        self.definition = definition
        self.term_learner = term_learner or TermLearner()
        self.term_matcher = TermMatcher.of(definition)
        self._dates = definition.since is not None or definition.until is not None
        self._years = whole_years(definition)
        self.template = Template()
        self._labels: dict[tuple[str, str], Label] = {}
        self._inherited: dict[tuple[str, int], tuple[float, float, int]] = {}
        """What the links of templates inherited at most, the term learner's hints, and the edition of its weights."""

    def score(self, page: Page) -> ScoredPage:
        """Return how relevant a page is, without what its template repeats."""
        heading = words_of(title(page))
        total = dict.fromkeys(self.term_matcher.find(heading), 1)
        page_key, words, prose, named = hash_of(page.url), len(heading), list(heading), f" {' '.join(heading)} "
        if len(self.template.met) > MOST_MET:
            self.template = Template()
        self.template.edition = self.term_learner.edition
        met = self.template.met
        blocks, resting = new_blocks(page, self.template)
        for block in blocks:
            first = met.get(block.key)
            if first is not None and first[0] != page_key:
                _, block.found, block.words, led = first
                block.is_template = True
                if not block.object:
                    block.author = ""  # the site says so
                block.leads_anew = led != block.led
                continue
            block.read = read = words_of(block.text)
            block.found = here = self.term_matcher.find(read)
            block.words = len(read)
            met[block.key] = FirstOccurrence(page_key, here, len(read), block.led)
            if not block.links or not is_mostly_links(block):
                words += len(read)
                if len(prose) < ENOUGH:
                    prose += read
                if here and (len(read) > len(heading) or f" {' '.join(read)} " not in named):  # not the title once more
                    for number in here:  # in how many blocks: what is said once is noise, however often
                        total[number] = total.get(number, 0) + 1
            if self._dates and block.links and names_other_years(block.text, self._years):
                block.time = time_factor(first_date(block.text, context_of(page)), self.definition)[0]
        return ScoredPage(*self._summed(page, total, words, prose, blocks), blocks, resting)

    def _summed(
        self, page: Page, total: Mapping[int, int], words: int, prose: list[str], found: list[Block]
    ) -> tuple[float, str]:
        degree = self.degree(total, words)
        self.term_learner.learn(prose, degree)
        reasons = [self.named(total)]
        if degree:
            when = written_day(page) if self._dates else None
            if self._dates and when is None:
                texts = (one.text for one in found if not one.is_template)
                when = next((day for one in texts if (day := first_date(one, context_of(page)))), None)
            for factor, reason in (time_factor(when, self.definition), language_factor(page, prose, self.definition)):
                degree *= factor
                reasons.append(reason)
        return round(degree, 4), "; ".join(filter(None, reasons)) or "nothing of the topic"

    def score_text(self, text: str) -> tuple[float, str]:
        """Return how relevant a text is, and why."""
        words = words_of(text)
        found = self.term_matcher.find(words)
        return round(self.degree(found, len(words)), 4), self.named(found)

    def label(self, link: tuple[str, str]) -> Label:
        """Return the score of a link's anchor text, or of its URL's path where the anchor says nothing."""
        known = self._labels.get(link)
        if known is None:
            if len(self._labels) >= MOST_LABELS:
                self._labels.clear()
            known = self._labels[link] = self._read_label(*link)
        if known.edition != self.term_learner.edition:
            known.edition, hints = self.term_learner.edition, self.term_learner.evidence(known.words)
            if hints != known.hints:
                known.hints, known.degree = hints, self.degree(known.found, _LABEL, hints)
                said = f"the link says {self.named(known.found)}" if known.found else ""
                known.because = "; ".join(filter(None, (said, _HINTED if hints >= _WORTH_SAYING else "")))
        return known

    def _read_label(self, url: str, anchor: str) -> Label:
        words = words_of(anchor)
        path = url.split("/", 3)[-1][:300]
        name, _, extension = path.rpartition(".")
        if len(extension) <= _LONGEST_EXTENSION and extension.isalnum():
            path = name
        in_path = words_of(readable(path) if "%" in path else path)
        found = self.term_matcher.find(words) or self.term_matcher.find(in_path)
        return Label(words + in_path, dict.fromkeys(found, 1), anchor.count(" ") >= TITLE - 1)

    def inherited_score(self, block: Block) -> float:
        """Return the highest score that the links of a template inherited; below 0 where no valid score is known."""
        key = block.author, block.led
        most, hints, edition = self._inherited.get(key, (-1.0, 0.0, 0))
        if most >= 0.0 and edition != self.term_learner.edition:
            if hints != self._hints(block):
                return -1.0
            self._inherited[key] = most, hints, self.term_learner.edition
        return most

    def keep_inherited_score(self, block: Block, inherited: float) -> None:
        """Remember the score that the links of a template inherited."""
        if len(self._inherited) >= MOST_LABELS:
            self._inherited.clear()
        self._inherited[block.author, block.led] = inherited, self._hints(block), self.term_learner.edition

    def _hints(self, block: Block) -> float:
        return sum([self.label(link).hints for link in block.links])

    def degree(self, found: Mapping[int, int], words: int, hints: float = 0.0) -> float:
        """Return the relevance of a text of so many words with these matches and the term learner's evidence."""
        if not found and not hints:
            return 0.0
        sought = self.term_matcher.sought
        evidence, few = hints, 1.0 + 1.0 / max(1, len(sought))
        for one, count in found.items():
            evidence += sought[one].weight * (min(MOST * few, 1.0 + few * math.log(count)) if count > 1 else 1.0)
        wanted = 0.7 + 0.6 * math.log1p(words / 10)
        return evidence * evidence / (evidence * evidence + wanted * wanted)

    def named(self, found: Mapping[int, int]) -> str:
        """Return the matched terms in words, the heaviest first."""
        sought = self.term_matcher.sought
        order = sorted(found, key=lambda one: (-sought[one].weight * (1 + math.log(found[one])), sought[one].name))
        return ", ".join(
            f"{sought[one].name} ({found[one]})" if found[one] > 1 else sought[one].name for one in order[:NAMED]
        )


def is_mostly_links(block: Block) -> bool:
    """Say whether a block consists mostly of links: its text describes other pages."""
    return bool(block.links) and 10 * sum([len(anchor) for _, anchor in block.links]) >= 7 * len(block.text)
