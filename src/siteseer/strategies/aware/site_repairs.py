"""Repairs the failing actions of a site: extraction level by level, navigation by exploring a few links.

Repairs are used for this site at once, and the pages that came before are read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application, Site
from siteseer.model import Action, Follow, Note, Outcome, Page, Remember, WebObject
from siteseer.page.urls import identity, origin_of
from siteseer.strategies.aware.action_monitor import ActionMonitor
from siteseer.strategies.aware.adaptation.extraction.expected_records import main_kind
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change
from siteseer.strategies.aware.adaptation.failure_detection import Failure
from siteseer.strategies.aware.adaptation.learned_application import change_rows, with_learned
from siteseer.strategies.aware.adaptation.navigation.exploration_order import next_trials
from siteseer.strategies.aware.adaptation.navigation.url_classes import UrlClass
from siteseer.strategies.aware.adaptation.single_page_object import by_article, by_level
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from siteseer.strategies.aware.aware_strategy import LEVEL

LEARNED = "adapting-learned"
NOT_WORTHWHILE = "nothing new behind links of this kind"


class SiteRepairs:
    """Repairs the failures that the monitor noticed, and keeps the repairs of each site."""

    def __init__(self, known: KnowledgeBase, oversight: ActionMonitor) -> None:
        self.known, self.oversight, self.aware = known, oversight, oversight.aware
        self.by_origin: dict[str, Application] = {}
        self.now: datetime | None = None
        """When the latest page was fetched."""
        self._completed: dict[tuple[str, str, str], datetime] = {}
        """When a field of a kind of objects was last repaired, by origin, level and kind."""

    def repair_due(self) -> Iterator[Action]:
        """Repair the levels of which it is time to look for failures."""
        due, self.oversight.due = self.oversight.due, []
        for site, name in due:
            level = site.application.level(name)
            if level is not None and (failing := site.failing(level)):
                yield from self.repair(site, name, failing)

    def repair(self, site: SiteAdaptation, name: str, failing: Sequence[Failure]) -> Iterator[Action]:
        """Repair the failing actions of a level, report it, and read the level's pages again."""
        level = site.application.level(name)
        assert level is not None
        watched = site.watched[name]
        for one in failing:
            if one.field != "record" or one.kind != main_kind(level):
                continue  # a site need not have comments, and not every page names its author
            action = f"{one.kind}/{one.field}"
            yield from self.aware.failures.tell(one.example, one.level, action, f"{one.level}: {action} {one.because}")
        pages = [page for page, _ in watched.pages]
        changes = site.repair(level, failing)
        if (example := site.put_off.get(name)) and name not in site.said:
            site.said.add(name)
            because = f"{name}: not repaired yet, its pages are more than adaptation may learn from"
            yield Note(because, event="adaptation_put_off", details={"level": name, "example": example})
        if changes:
            yield from self._learn(site, changes)
            for page in pages:
                yield from self._again(page, 1)

    def explore(self, site: SiteAdaptation) -> Iterator[Action]:
        """Evaluate the links that were tried, write levels and actions, and follow the worthwhile ones."""
        explorer = site.explorer
        if not explorer.looks:
            return
        site.ways.judge_by_last_crawl()
        changes: list[Change] = []
        explorer.judge()
        if any(site.ways.judge_by_records(one) for one in explorer.to_learn()):
            explorer.judge()
        if explorer.has_content and (site.ways.lost or explorer.has_judged):
            explorer.has_judged = False
            before = [kept for kept in explorer.looks.values() if kept.level is None or not kept.terminal]
            changes += site.compose()
            if changes:
                yield from self._learn(site, changes)
                looked = {kept.page.url for kept in before}
                passed = [one for one in site.ways.passed_before(changes) if one[0].url not in looked]
                for page, depth in (*((kept.page, kept.depth) for kept in before), *passed):
                    yield from self._again(page, depth)
            site.ways.lost = 0
        for one in list(explorer.classes):
            if one.verdict in ("terminal", "list", "prose"):
                yield from self._follow_all(site, one)

    def try_links(self, site: SiteAdaptation, room: int) -> Iterator[Action]:
        """Try links of unexplored classes; a recrawl knows them, unless URLs are new."""
        if site.explorer.has_content and site.ways.keeps_addresses():
            return
        has_asked = False
        while not has_asked and (chosen := list(next_trials(site.explorer, room))):
            for one, url, referrer in chosen:
                for action in self._ask(site, url, f"a link of a kind to be tried ({one.matches})", 0.0, referrer):
                    has_asked = True
                    yield action

    @staticmethod
    def settle(site: SiteAdaptation) -> Iterator[Action]:
        """Take for the content what else has objects where no page of the main level was found."""
        site.explorer.is_settled = True
        yield from ()

    def _follow_all(self, site: SiteAdaptation, one: UrlClass) -> Iterator[Action]:
        because = f"links of this kind lead to {'objects' if one.verdict == 'terminal' else one.verdict}"
        urls = list(one.urls.items())
        for url, referrer in urls[one.followed :]:
            yield from self._ask(site, url, because, 5.0 if one.verdict == "terminal" else 6.0, referrer)
        one.followed = len(urls)

    def _ask(self, site: SiteAdaptation, url: str, because: str, priority: float, referrer: str) -> Iterator[Action]:
        row: dict[str, list[Any]] = {"asked": [], "kept": []}
        depth = getattr(site.explorer.looks.get(identity(referrer)), "depth", 0) + 1
        follow = Follow(url, because, "adaptation", priority, {"role": "child", "to": ""}, referrer, depth)
        yield from self.aware.ask(url, site.application, row, follow)
        if row["asked"]:
            yield Remember("aware-page", f"{url} asked", row)

    def _again(self, page: Page, depth: int) -> Iterator[Action]:
        """Look again at a page with what was learned."""
        why = Follow(page.url, "looked at again", state={"role": "again"}, depth=depth)
        yield from self.aware.decide(Outcome(page.url, "page", page=page), why)

    def _learn(self, site: SiteAdaptation, changes: Sequence[Change]) -> Iterator[Action]:
        """Use what was learned from now on, and say what changed."""
        learned = site.learned(self.now)
        if learned is None:
            return
        origin = next(origin for origin, one in self.oversight.sites.items() if one is site)
        self.by_origin[origin] = learned
        self.use_learned()
        for one in changes:
            kind, slash, _ = one.field.partition("/")
            if slash and self.now is not None:
                self._completed[origin, one.level, kind] = self.now
        yield Remember(LEARNED, origin, to_xml(learned).decode(), f"{len(changes)} actions adapted")
        for details in change_rows(changes):
            if details["old"]:
                level, name, example = (str(details[key]) for key in ("level", "field", "example"))
                yield from self.aware.failures.tell(example, level, name, f"{level}: {name} gives nothing")
            because = f"{details['level']}: {details['field']} adapted by {details['method']}: {details['new']}"
            yield Note(because, event="adapted_action", details=details)

    def incomplete(self, page: Page, level: str) -> set[str]:
        """Return the kinds of objects a field of which was repaired only after a page had been read."""
        origin = origin_of(page.url)
        return {
            kind
            for (where, name, kind), when in self._completed.items()
            if (where, name) == (origin, level) and (page.fetched_at is None or page.fetched_at <= when)
        }

    def beside(self, page: Page) -> WebObject | None:
        """Return the object of a page of unknown level that has text of its own, on sites with one object a page."""
        site = self.oversight.sites.get(origin_of(page.url))
        if site is None or not (why := site.stands_alone(page)):
            return None
        application = self.aware.knowledge.of_site(site.application.id, site.host)
        level = application.level(site.explorer.main)
        if level is None:
            return None
        return by_level(page, level, application) or (by_article(page) if why == "prose" else None)

    def use_learned(self) -> None:
        """Use the repairs beside the knowledge base."""
        self.aware.use(with_learned(self.oversight.known, self.by_origin.values()))

    def learned(self) -> list[Application]:
        """Return what was learned, in this crawl and before it, as applications to be saved beside the collection."""
        found: dict[str, Application] = {}
        for one in self.by_origin.values():
            before = found.get(one.id) or replace(one, sites=self._sites_learned_before(one.id))
            found[one.id] = merge(before, one)
        return list(found.values())

    def _sites_learned_before(self, name: str) -> tuple[Site, ...]:
        sites = self.known[name].sites if name in self.known else ()
        return tuple(site for site in sites if any(level.learned for level in site.levels))

    def unrepaired(self, origin: str, site: SiteAdaptation) -> Iterator[tuple[Page, Action]]:
        """Report pages that were expected to be of some level, where no repair was found."""
        for look in site.explorer.looks.values() if origin not in self.by_origin else ():
            if look.level is None and (look.promised or look.depth == 0):
                because = f"{look.page.url}: no pattern of a level holds, and no repair could be proven"
                for action in self.aware.failures.doubt(look.page.url, look.promised, LEVEL, because):
                    yield look.page, action

    def left(self, site: SiteAdaptation) -> Iterator[tuple[str, str]]:
        """Yield the URLs that were not requested because their class is not worthwhile, with the reason."""
        for one in site.explorer.classes:
            if one.verdict in ("nothing", "later", ""):
                for url in one.urls:
                    if not self.aware.was_asked(url, site.application):
                        tried = f"{len(one.tried)} of {len(one.urls)} links like {one.matches} were tried"
                        yield url, f"{NOT_WORTHWHILE}: {tried}"
