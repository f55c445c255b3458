"""Samples the skipped URLs, and the unknown pages to which they lead: two steps at most.

Further pages of a list are no step: they belong to the page that led to them. What a page leads to is what the crawl's
own strategy would follow from it, as far as the collection does not know it.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Mapping

import numpy as np

from siteseer.measure.certificate.audit_visits import AuditVisits
from siteseer.measure.certificate.estimate import Stratum, first_draws, further_draws
from siteseer.measure.certificate.examined_pages import (
    ExaminedPage,
    UnknownLink,
    Way,
    choose_ways,
    few_of_each,
    without_parents,
)
from siteseer.measure.certificate.kept_text import KeptText
from siteseer.measure.certificate.list_pages import list_pages
from siteseer.measure.certificate.missing_pages import MissingPages
from siteseer.measure.certificate.page_worth import Worth, worth_of
from siteseer.measure.certificate.skipped_urls import KnownUrls, SkippedUrl, kinds_of
from siteseer.measure.certificate.strategy_check import StrategyChecks
from siteseer.model import Page
from siteseer.page.links import canonical
from siteseer.page.two_grams import Grams
from siteseer.page.urls import identity
from siteseer.strategies.learned.online_learner.link_facts import found_links

STEPS = 2
FURTHER = (0.5, 1.0, 1.0)
"""What of the rest of the sample is drawn next, each time after what was learned from the draws before."""
EARLY_SHARE = 0.2
"""This share of what is left of the budget may be spent to see where the draws lead, before more are drawn."""
ROUNDS = 40
CHAIN_SHARE = 0.4
"""This share of what is left of the budget may be spent on lists that do not say how long they are."""
PAGER = "further pages of lists · "
OTHER_NAME = "another name of a page that counts by itself"
SAME_TEXT = 0.5
"""A page that holds this share of another one's new passages may be the same page."""


class SkippedSample:
    """The sample of one audit."""

    def __init__(
        self,
        strata: Mapping[str, list[SkippedUrl]],
        trial: StrategyChecks,
        visits: AuditVisits,
        kept: KeptText,
        known: KnownUrls,
        seed: int = 0,
    ) -> None:
        self.strata, self.trial, self.visits, self.kept, self.known = strata, trial, visits, kept, known
        self._random = random.Random(seed)
        self._waiting = {name: self._random.sample(list(urls), len(urls)) for name, urls in strata.items()}
        self.roots: dict[str, list[ExaminedPage]] = {name: [] for name in strata}
        self.found: dict[str, ExaminedPage] = {}
        """What was looked at beyond the sample, by identity."""
        self._tried: set[str] = set()
        self._skipped = {identity(one.url) for urls in strata.values() for one in urls}
        self.unreachable = 0
        self.closed = 0
        """Skipped URLs that robots.txt asks to leave alone: they are in no stratum."""
        self._missing = MissingPages(visits)
        self._suspects: dict[str, list[ExaminedPage]] = defaultdict(list)

    # ── the sample ────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self, sample: int, worths: Callable[[SkippedSample], Mapping[ExaminedPage, float]]) -> None:
        """Draw the sample and fetch it, then what it leads to; `worths` returns the worth of the draws so far."""
        await self._draw(first_draws({name: len(urls) for name, urls in self.strata.items()}, sample))
        for share in FURTHER if any(self.roots.values()) else ():
            await self._look_at(self._few_of_each_kind(int(EARLY_SHARE * self.visits.left)))
            room = sample - sum(map(len, self.roots.values()))
            await self._draw(further_draws(self._drawn(worths), math.ceil(share * room), self.kept.usual))
        await self._follow()
        self._leave_missing()
        self.lift()

    def _leave_missing(self) -> None:
        """Count nothing of pages that do not exist: several that all say what the site says of such addresses."""
        for looks in self._suspects.values():
            for look in looks if len(looks) > 1 else ():
                look.worth, look.leads = Worth(_NONE, "no such page", False), {}

    def _drawn(self, worths: Callable[[SkippedSample], Mapping[ExaminedPage, float]]) -> dict[str, Stratum]:
        """Return what is known of the strata from which more can be drawn, where URLs could be looked at at all."""
        left = {name: len(waiting) for name, waiting in self._waiting.items() if waiting and self.roots[name]}
        known = worths(self)
        return {
            name: Stratum(count + len(self.roots[name]), tuple(known[look] for look in self.roots[name]))
            for name, count in left.items()
        }

    def _rough(self, look: ExaminedPage) -> float:
        """Return what a page seems to be worth: of what it leads to, what was looked at, and else what is usual."""
        behind = (self.found.get(name) for name in self.leads_of(look))
        return len(look.worth.new) + sum(self.kept.usual if one is None else len(one.worth.new) for one in behind)

    async def _draw(self, wanted: Mapping[str, int]) -> None:
        """Look at so many further URLs of each stratum."""
        drawn = [(name, one) for name, count in wanted.items() for one in self._take(name, count)]
        visited = await self.visits.fetch_all([one.url for _, one in drawn], self.known.__contains__)
        for (name, one), found in zip(drawn, visited, strict=True):
            if found.is_open:
                self.unreachable += 1
            elif found.page is None:
                self.roots[name].append(ExaminedPage(one.url, 0, Worth(_NONE, found.because, False), skipped=one))
            else:
                self.roots[name].append(await self._look(found.page, ExaminedPage(one.url, 0, _UNJUDGED, skipped=one)))
        self.trial.settle()
        self.lift()

    def _take(self, name: str, count: int) -> list[SkippedUrl]:
        waiting = self._waiting[name]
        return [waiting.pop() for _ in range(min(count, len(waiting)))]

    def lift(self) -> None:
        """Treat the rules that lost content as lifted: URLs that they would skip again count, too."""
        for looks in self.roots.values():
            for look in looks:
                if look.skipped and len(look.worth.new):
                    self.trial.lifted.add(look.skipped.rule)

    # ── one page ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _look(self, page: Page, look: ExaminedPage) -> ExaminedPage:
        """Judge a page, and note where it leads."""
        referrer = look.parent.url if look.parent else look.skipped.referrer if look.skipped else ""
        depth = (look.skipped.depth if look.skipped else 1) + look.depth
        heard = self.trial.show(page, referrer, depth)
        about = look.skipped or SkippedUrl(page.url, "", is_pager=look.is_pager)
        worth = worth_of(page, about, heard, self.kept, self.known.__contains__)
        if len(worth.new) and (where := await self._missing.looks_missing(page)):
            self._suspects[where].append(look)
        look.worth = Worth(without_parents(worth.new, look.parent), worth.because, worth.leads_on)
        look.asked = frozenset(map(identity, heard.follows))
        if worth.leads_on and look.depth < STEPS:
            await self._note_leads(page, look)
        if len(worth.new) and not about.is_pager:
            self._count_once(page, look)
        page.memo.clear()
        return look

    def _count_once(self, page: Page, look: ExaminedPage) -> None:
        """Count a page under its canonical URL: several URLs may be one page.

        Its own URL is where a redirect led, or what it calls canonical. Some sites call all their pages by one name: a
        name is believed as long as the same text stands behind it.
        """
        name = page.url if identity(page.url) != identity(look.url) else canonical(page)
        if name is None or identity(name) == identity(look.url) or not self.trial.scope.verdict(name).allowed:
            return
        if identity(name) in self._skipped:
            look.worth, look.leads = Worth(_NONE, OTHER_NAME, False), {}
        elif name not in self.known:
            self._name(name, look)

    def _name(self, url: str, look: ExaminedPage) -> None:
        """Note what was looked at as the page at another URL, to which this one leads."""
        name = identity(url)
        named = self.found.get(name)
        if named is None:
            parent = look.parent if look.parent is not None and name in look.parent.leads else look
            named = ExaminedPage(url, look.depth, look.worth, parent, leads=look.leads, asked=look.asked)
            self.found[name] = named
            self._tried.add(name)
        elif len(np.intersect1d(named.worth.new, look.worth.new)) < SAME_TEXT * len(look.worth.new):
            return
        look.worth, look.leads = Worth(_NONE, OTHER_NAME), {name: UnknownLink(url)}
        look.asked = frozenset({name})

    async def _note_leads(self, page: Page, look: ExaminedPage) -> None:
        own, links = {identity(page.url), identity(look.url)}, found_links(page)
        look.links = frozenset(identity(link.url) for link in links)
        others = list_pages(page)
        is_chain = all(one.is_shown for one in others) and len(others) <= 2
        for one in others:
            await self._note(look.owner, UnknownLink(one.url, True, one.is_shown, is_chain), own)
        for link in links:
            await self._note(look, UnknownLink(link.url), own)

    async def _note(self, look: ExaminedPage, lead: UnknownLink, own: set[str]) -> None:
        name = identity(lead.url)
        if name in look.owner.leads or name in own or lead.url in self.known:
            return
        if not await self.visits.refused(lead.url):
            look.leads[name] = lead

    def leads_of(self, look: ExaminedPage) -> dict[str, UnknownLink]:
        """Return the unknown URLs that count as targets of a page."""
        followed = {
            name: lead
            for name, lead in look.leads.items()
            if not lead.is_pager and (name in look.asked or name in self.found or self.trial.would_follow(lead.url))
        }
        if not (followed or len(look.worth.new) or look.is_pager or (look.skipped and look.skipped.is_pager)):
            return {}
        return followed | {name: lead for name, lead in look.leads.items() if lead.is_pager}

    # ── what it leads to ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def looks(self) -> list[ExaminedPage]:
        """All pages that were examined."""
        return [look for looks in self.roots.values() for look in looks] + list(self.found.values())

    def kinds(self) -> dict[str, str]:
        """Return the kind of every URL that was skipped or that something leads to, by its identity."""
        leads = {name: lead for look in self.looks for name, lead in look.leads.items()}
        skipped = {identity(one.url): one for urls in self.strata.values() for one in urls}
        kinds = kinds_of([*(one.url for one in skipped.values()), *(one.url for one in leads.values())])
        goes_on = {name for name, one in (skipped | leads).items() if one.is_pager}
        return {name: (PAGER if name in goes_on else "") + kinds[name] for name in (skipped | leads)}

    async def _follow(self) -> None:
        """Look at pages of each kind until enough is known of it; follow lists that do not say how long they are."""
        chains = int(CHAIN_SHARE * self.visits.left)
        for _ in range(ROUNDS):
            waiting = self._waiting_leads()
            chosen = {identity(lead.url): (look, lead) for look, lead in waiting if lead.is_chain}
            chosen = dict(list(chosen.items())[: max(0, chains)])
            chains -= len(chosen)
            chosen |= {identity(lead.url): (look, lead) for look, lead in self._chosen(waiting)}
            if not chosen or not self.visits.left:
                return
            await self._look_at(list(chosen.values()))

    def _waiting_leads(self) -> list[Way]:
        """Return what might be looked at next, in random order, each with a page that leads there."""
        found = {
            name: (look, lead)
            for look in self.looks
            for name, lead in self.leads_of(look).items()
            if lead.is_shown and name not in self._tried
        }
        return self._random.sample(list(found.values()), len(found))

    def _few_of_each_kind(self, room: int) -> list[Way]:
        groups, worths = self._grouped(self._waiting_leads())
        return few_of_each(groups, worths)[:room]

    def _chosen(self, waiting: list[Way]) -> list[Way]:
        groups, worths = self._grouped(waiting)
        return choose_ways(groups, worths, self.visits.left, self.kept.usual, self.kept.content)

    def _grouped(self, waiting: list[Way]) -> tuple[dict[str, list[Way]], dict[str, list[float]]]:
        """Return what waits, and what those seem to be worth that were looked at, by kind."""
        kinds = self.kinds()
        worths: dict[str, list[float]] = defaultdict(list)
        for name, look in self.found.items():
            worths[kinds.get(name, "")].append(self._rough(look))
        groups: dict[str, list[Way]] = defaultdict(list)
        for look, lead in waiting:
            groups[kinds[identity(lead.url)]].append((look, lead))
        return groups, worths

    def _is_lead(self, url: str) -> bool:
        name = identity(url)
        return name in self.found or any(name in look.leads for look in self.looks)

    async def _look_at(self, chosen: list[Way]) -> None:
        visited = await self.visits.fetch_all([lead.url for _, lead in chosen], self.known.__contains__)
        for (parent, lead), found in zip(chosen, visited, strict=True):
            name, depth = identity(lead.url), parent.depth + (not lead.is_pager)
            self._tried.add(name)
            look = ExaminedPage(lead.url, depth, Worth(_NONE, found.because, False), parent, is_pager=lead.is_pager)
            if found.page is not None and found.page.redirected_from and self._is_lead(found.page.url):
                look.worth = Worth(_NONE, "leads to a page that counts by itself", False)
            elif found.page is not None:
                look = await self._look(found.page, look)
            if not found.is_open:
                self.found[name] = look
        self.trial.settle()


_NONE: Grams = np.empty(0, np.uint64)
_UNJUDGED = Worth(_NONE)
