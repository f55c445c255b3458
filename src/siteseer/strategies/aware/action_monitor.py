"""Monitors the aware strategy site by site: notices failing actions, and starts exploration or repair.

A page that the knowledge base does not explain goes to the site's explorer; what was extracted from a page of a known
level is watched until it is proven, or until it is time to repair it (`due`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from siteseer.interfaces import Memory
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import FullRecognition
from siteseer.knowledge.types import Application, Site
from siteseer.model import Follow, Note, Page, Submit, WebObject
from siteseer.page.links import links
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, identity, origin_of
from siteseer.strategies.aware.adaptation.failure_detection import is_gone
from siteseer.strategies.aware.adaptation.learned_application import with_learned
from siteseer.strategies.aware.adaptation.match_earlier_objects import as_stored
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from siteseer.strategies.aware.adaptation.software_fallback import relaxed_type
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.aware.navigation_targets import Target

MOST_SUSPECTS = 8
MOST_UNKNOWN = 3


class ActionMonitor:
    """Monitors the sites of a crawl for adaptation: the `StrategyMonitor` of the aware strategy."""

    def __init__(self, known: KnowledgeBase, aware: AwareStrategy) -> None:
        self.known, self.aware = known, aware
        self.sites: dict[str, SiteAdaptation] = {}
        self.memory: Memory | None = None
        self.earlier: Mapping[str, str] = {}
        """The levels that pages had on the last crawl."""
        self.due: list[tuple[SiteAdaptation, str]] = []
        """Levels of which it is time to look for failures."""
        self.notes: list[Note] = []
        """What is to be said of the page at hand."""
        self._unknown: Counter[str] = Counter()
        """Pages of each site of unknown software that were asked whether they are of a known type after all."""

    def recall(self, memory: Memory) -> None:
        """Use the knowledge of the last crawl."""
        self.memory = memory
        self.earlier = {identity(url): level for url, level in memory.earlier_pages() if level}

    def adopts(self, page: Page) -> bool:
        """Say whether a page of unknown software is of a known type whose patterns fail; its site then counts as of
        that type.
        """
        origin = origin_of(page.url)
        self._unknown[origin] += 1
        if self._unknown[origin] > MOST_UNKNOWN or self.aware.application_at(page.url) or not is_html(page):
            return False
        found = relaxed_type(page, self.known.applications)
        if found is None:
            return False
        known = found.application
        site = Application(known.id, known.category, known.name, sites=(Site(host_of(page.url)),))
        self.known = with_learned(self.known, [site])
        self.aware.use(self.known)
        old = " | ".join(pattern.text for _, pattern in known.patterns())
        details = {"level": "", "field": "type", "old": old, "new": found.said, "relaxations": []}
        details |= {"method": "relaxed type", "example": page.url}
        self.notes.append(Note(f"taken for {known.id}: {found.said}", event="adapted_action", details=details))
        return True

    def lost(self, page: Page, why: Follow | Submit, seen: FullRecognition) -> bool:
        """Take a page that the knowledge base does not explain."""
        if seen.application is None or not is_html(page):
            return False
        if self._is_gone(page):
            return True
        site = self._site(page.url, seen.application)
        if seen.level is not None and site.ways.leads_elsewhere(seen.level):
            return True
        level = seen.level.id if seen.level else None
        terminal = False
        if level is None and (earlier := self.earlier.get(identity(page.url))):
            known = site.application.level(earlier)
            terminal = known is not None and known.is_terminal
        self._explore_page(site, page, seen, why, level, terminal)
        return True

    def _is_gone(self, page: Page) -> bool:
        """Say, and note, that what a page showed on the last crawl was deleted."""
        stored = self._stored(page.url)
        if not stored or not all(is_gone(one, page) for one in stored if one.text):
            return False
        because = f"{len(stored)} objects of the last crawl are gone from {page.url}"
        self.notes.append(Note(because, event="gone", details={"page": page.url, "objects": len(stored)}))
        return True

    def _explore_page(
        self,
        site: SiteAdaptation,
        page: Page,
        seen: FullRecognition,
        why: Follow | Submit,
        level: str | None,
        terminal: bool,
    ) -> None:
        """Give the explorer a page that was recognised wrongly."""
        assert seen.application is not None
        allowed = self._allowed(page, seen.application, why.depth)
        site.explorer.add(page, level, terminal, why.depth, *allowed, promised=_promised(why))
        site.ways.lost += 1

    def found(self, page: Page, seen: FullRecognition, objects: Sequence[WebObject]) -> Sequence[WebObject]:
        """Watch what known actions extract; objects of the last crawl keep their IRIs."""
        if seen.application is None or seen.level is None or not seen.level.is_terminal or not is_html(page):
            return objects
        site = self._site(page.url, seen.application)
        site.ways.mistaken.discard(identity(page.url))
        if site.ways.shows_again(page):
            return ()
        if site.is_mistaken(page, seen.level, objects):
            site.ways.mistaken.add(identity(page.url))
            site.explorer.add(page, None, False, 1, *self._allowed(page, seen.application, 1))
            site.ways.lost += 1
            return ()
        if not objects and self._is_gone(page):
            self.aware.failures.works(page.url, seen.level.id, f"{seen.level.extractions[0].of}/record")
            return ()
        if site.watch(page, seen.level, objects):
            self.due.append((site, seen.level.id))
        objects, stored = site.complete(seen.level, objects), site.stored(page.url)
        return as_stored(objects, stored) if stored else objects

    def led(self, page: Page, why: Follow | Submit, seen: FullRecognition, found: Sequence[Target]) -> None:
        """Take pages that the explorer requested, and pages whose level requires navigation that was never found."""
        if seen.application is None or seen.level is None or not is_html(page) or seen.application.is_generic:
            return
        site = self._site(page.url, seen.application)
        if identity(page.url) in site.ways.mistaken:
            return
        if misplaced := site.ways.promises.hear(page, _promised(why), seen.level):
            for one in misplaced:
                self._explore_page(site, one, seen, why, None, False)
            return
        site.ways.hear(page, seen.level, [target.action.to for target in found])
        site.ways.passes(page, seen.level, why.depth)
        asked = site.explorer.classes.of(page.url)
        is_open = asked is not None and asked.verdict in ("", "later")
        children = [target.url for target in found if target.action.role == "child"]
        leads_on = any(not self.aware.was_asked(url, seen.application) for url in children)
        if site.ways.lacks_a_way(page, seen.level, {target.action.role for target in found}, leads_on) or is_open:
            for one in (*site.ways.suspects.pop(seen.level.id, ()), page):
                allowed = self._allowed(one, seen.application, why.depth)
                site.explorer.add(one, seen.level.id, seen.level.is_terminal, why.depth, *allowed)
        else:
            if children and not leads_on:
                site.ways.suspects.setdefault(seen.level.id, []).append(page)
                del site.ways.suspects[seen.level.id][:-MOST_SUSPECTS]
            if site.explorer.looks:
                site.explorer.hear(page, seen.level.is_terminal)

    def unreached(self, site: SiteAdaptation) -> None:
        """At the end, give the explorer the pages from which no list of the content was reached."""
        for page in site.ways.unreached():
            site.explorer.add(page, None, False, 1, *self._allowed(page, site.application, 1))

    def _allowed(self, page: Page, application: Application, depth: int) -> tuple[list[str], list[str]]:
        """Return the URLs of a page that may be followed, and those of them that were asked for."""
        rules = self.aware.avoids(application)
        urls = dict.fromkeys(link.url for link in links(page))
        allowed = [url for url in urls if not rules.first(url) and self.aware.scope.verdict(url, depth + 1).allowed]
        return allowed, [url for url in allowed if self.aware.was_asked(url, application)]

    def _site(self, url: str, application: Application) -> SiteAdaptation:
        origin = origin_of(url)
        if origin not in self.sites:
            known = self.known.of_site(application.id, host_of(url)) if application.id in self.known else application
            related = [one for one in self.known.applications if one.category == known.category and one.id != known.id]
            self.sites[origin] = SiteAdaptation(known, host_of(url), self._stored, self._earlier_level, related)
        return self.sites[origin]

    def site_of(self, url: str) -> SiteAdaptation | None:
        """Return the site of a URL whose software is known."""
        name = self.aware.application_at(url)
        return self._site(url, self.known[name]) if name else None

    def _stored(self, url: str) -> Sequence[WebObject]:
        return self.memory.earlier_objects(url) if self.memory is not None else ()

    def _earlier_level(self, url: str) -> str | None:
        return self.earlier.get(identity(url))


def _promised(why: Follow | Submit) -> str:
    """Return the level that the link to a page promised."""
    return str(why.state.get("to", "")) if isinstance(why.state, dict) else ""
