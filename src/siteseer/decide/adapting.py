"""The aware strategy with adaptation: where known actions fail, it explores a little, repairs them, and remembers.

Known actions come first and are only watched. Where a level is not recognised or a list leads nowhere, a few links of
each kind are tried instead of all (`adaptation/explore.py`); where objects are missing, extraction is repaired from the
pages themselves or from what the last crawl stored (`adaptation/extraction.py`). What is learned becomes ordinary
knowledge of this site at once, and the pages that came before are looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from siteseer.adaptation.classes import UrlClass
from siteseer.adaptation.extraction import Change
from siteseer.adaptation.learned import with_learned
from siteseer.adaptation.notice import Failure, is_gone
from siteseer.adaptation.recrawl import as_stored
from siteseer.adaptation.reference import main_kind
from siteseer.adaptation.site import SiteAdaptation, described
from siteseer.decide.aware import Aware
from siteseer.decide.aware import make as make_aware
from siteseer.decide.aware_policies import AwareOptions, options_of
from siteseer.decide.aware_targets import Target
from siteseer.interfaces import Memory, Scope, StrategyContext
from siteseer.knowledge.base import KnowledgeBase
from siteseer.knowledge.load import load_trusted
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application, Site
from siteseer.model import Action, Follow, Note, Outcome, Page, Remember, Seed, Skip, Submit, WebObject
from siteseer.page.links import links
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, identity, origin_of
from siteseer.recognise import Recognised, look

LEARNED = "adapting-learned"
LOOKED = "adapting-look"
MOST_SUSPECTS = 8
NOT_WORTHWHILE = "nothing new behind links of this kind"


class Adapting:
    """Follows what the knowledge base says, and repairs it where it fails."""

    def __init__(self, knowledge: KnowledgeBase, scope: Scope, options: AwareOptions | None = None) -> None:
        self.known = knowledge
        self.aware = Aware(knowledge, scope, options)
        self.aware.overseer = self
        self.sites: dict[str, SiteAdaptation] = {}
        self._memory: Memory | None = None
        self._earlier: dict[str, str] = {}
        self._due: list[tuple[SiteAdaptation, str]] = []
        self._learned: dict[str, Application] = {}
        self._now: datetime | None = None
        self._gone: list[tuple[str, int]] = []
        self._outstanding: set[str] = set()
        """What was asked for and not heard of yet: nothing is tried before the answers are in."""
        self._heard = True

    # ── the strategy ──────────────────────────────────────────────────────────────────────────────────────────────

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Ask for the seeds; recall what was learned before an interruption and what the last crawl knew."""
        self._memory = memory
        if memory is not None:
            for origin, text in memory.recall(LEARNED):
                self._learned[origin] = load_trusted(str(text).encode(), f"learned of {origin}")
            self._earlier = {identity(url): level for url, level in memory.earlier_pages() if level}
            self._use_learned()
        yield from self.aware.start(seeds, memory)
        if memory is not None:
            for url, row in memory.recall(LOOKED):
                if site := self.sites.get(origin_of(url)) or self._site_of(url):
                    site.explorer.recall(url, row)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Let the aware strategy decide, then repair what failed."""
        page = outcome.page
        if page is not None and page.fetched_at:
            self._now = max(self._now or page.fetched_at, page.fetched_at)
        self._heard = True
        self._outstanding.discard(identity(why.url))
        yield from self._noting(self._decide(outcome, why))

    def _noting(self, actions: Iterable[Action]) -> Iterator[Action]:
        """Note what is asked for."""
        for action in actions:
            if isinstance(action, Follow):
                self._outstanding.add(identity(action.url))
            yield action

    def _decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        page = outcome.page
        yield from self.aware.decide(outcome, why)
        if page is not None and is_html(page):
            yield from self._repair_due()
            for url, count in self._gone:
                details = {"page": url, "objects": count}
                yield Note(f"{count} objects of the last crawl are gone from {url}", event="gone", details=details)
            self._gone.clear()
            site = self.sites.get(origin_of(page.url))
            if site is not None:
                site.allowance.earn()
                if (found := site.explorer.looks.get(identity(page.url))) is not None:
                    yield Remember(LOOKED, page.url, site.explorer.row(found))
                if site.has_news() and (site.explorer.has_content or self._earlier):
                    yield from self._explore(site)

    def refill(self, room: int) -> Iterator[Action]:
        """Try links where it is not known yet where the content is; then say what was not followed."""
        if not self._heard:
            self._outstanding.clear()  # asked twice and nothing heard in between: what is outstanding never comes
        self._heard = False
        yield from self._noting(self._refill(room))

    def _refill(self, room: int) -> Iterator[Action]:
        for site in list(self.sites.values()):
            for way in (self._explore, lambda one: self._try(one, max(room, 2)), self._settle, self._explore):
                if self._outstanding:
                    return
                yield from way(site)

    @staticmethod
    def _settle(site: SiteAdaptation) -> Iterator[Action]:
        """Take for the content what else has objects where no page of the main level was found."""
        site.explorer.is_settled = True
        yield from ()

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Apply what was learned late to the pages that came before."""
        for site in self.sites.values():
            for name in list(site.watched):
                level = site.application.level(name)
                if level is None or site.watched[name].repaired or not site.watched[name].pages:
                    continue
                if failing := site.failing(level):
                    example = site.watched[name].pages[0][0]
                    for action in self._repair(site, name, failing):
                        yield example, action
        if not self._learned:
            return
        for page in pages():
            if page.status >= 400 or not is_html(page) or origin_of(page.url) not in self._learned:
                continue
            seen = look(page, self.aware.knowledge, self.aware.application_at(page.url))
            if seen.level is not None and seen.level.extractions:
                for action in self.aware.objects(page, seen):
                    yield page, action
        for site in self.sites.values():
            for url, because in self._left(site):
                yield Page(url), Skip(url, because, NOT_WORTHWHILE)

    def learned(self) -> list[Application]:
        """Return what was learned, in this crawl and before it, as applications to be saved beside the collection."""
        found: dict[str, Application] = {}
        for one in self._learned.values():
            before = found.get(one.id) or replace(one, sites=self._sites_learned_before(one.id))
            found[one.id] = merge(before, one)
        return list(found.values())

    def lessons(self) -> Mapping[str, str]:
        """Return what was learned as knowledge files: name to text."""
        return {f"{one.id}.xml": to_xml(one).decode() for one in self.learned()}

    def _sites_learned_before(self, name: str) -> tuple[Site, ...]:
        sites = self.known[name].sites if name in self.known else ()
        return tuple(site for site in sites if any(level.learned for level in site.levels))

    # ── looking over the shoulder of the aware strategy ───────────────────────────────────────────────────────────

    def lost(self, page: Page, why: Follow | Submit, seen: Recognised) -> bool:
        """Take in a page that knowledge does not explain."""
        if seen.application is None or not is_html(page):
            return False
        stored = self._stored(page.url)
        if stored and all(is_gone(one, page) for one in stored if one.text):
            self._gone.append((page.url, len(stored)))
            return True
        site = self._site(page.url, seen.application)
        level = seen.level.id if seen.level else None
        terminal = False
        if level is None and (earlier := self._earlier.get(identity(page.url))):
            known = site.application.level(earlier)
            terminal = known is not None and known.is_terminal
        self._explore_page(site, page, seen, why, level, terminal)
        return True

    def _explore_page(
        self,
        site: SiteAdaptation,
        page: Page,
        seen: Recognised,
        why: Follow | Submit,
        level: str | None,
        terminal: bool,
    ) -> None:
        """Let the explorer have a page that is not what knowledge takes it for."""
        assert seen.application is not None
        allowed = self._allowed(page, seen.application, why.depth)
        site.explorer.add(page, level, terminal, why.depth, *allowed, promised=_promised(why))
        site.lost_since_composed += 1

    def found(self, page: Page, seen: Recognised, objects: Sequence[WebObject]) -> Sequence[WebObject]:
        """Watch what known actions find; objects of the last crawl keep their names."""
        if seen.application is None or seen.level is None or not seen.level.is_terminal or not is_html(page):
            return objects
        site = self._site(page.url, seen.application)
        if site.shows_again(page):
            return ()
        if site.is_mistaken(page, seen.level, objects):
            site.explorer.add(page, None, False, 1, *self._allowed(page, seen.application, 1))
            site.lost_since_composed += 1
            return ()
        if site.watch(page, seen.level, objects):
            self._due.append((site, seen.level.id))
        objects, stored = site.complete(seen.level, objects), site.stored(page.url)
        return as_stored(objects, stored) if stored else objects

    def led(self, page: Page, why: Follow | Submit, seen: Recognised, found: Sequence[Target]) -> None:
        """Take in pages that the explorer asked for, and pages whose level requires a way that was never found."""
        if seen.application is None or seen.level is None or not is_html(page) or seen.application.is_generic:
            return
        site = self._site(page.url, seen.application)
        if misplaced := site.promises.hear(page, _promised(why), seen.level):
            for one in misplaced:
                self._explore_page(site, one, seen, why, None, False)
            return
        asked = site.explorer.classes.of(page.url)
        is_open = asked is not None and asked.verdict in ("", "later")
        children = [target.url for target in found if target.action.role == "child"]
        leads_on = any(not self.aware.was_asked(url, seen.application) for url in children)
        if site.lacks_a_way(page, seen.level, {target.action.role for target in found}, leads_on) or is_open:
            for one in (*site.suspects.pop(seen.level.id, ()), page):
                allowed = self._allowed(one, seen.application, why.depth)
                site.explorer.add(one, seen.level.id, seen.level.is_terminal, why.depth, *allowed)
        else:
            if children and not leads_on:
                site.suspects.setdefault(seen.level.id, []).append(page)
                del site.suspects[seen.level.id][:-MOST_SUSPECTS]
            if site.explorer.looks:
                site.explorer.hear(page, seen.level.is_terminal)

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
            self.sites[origin] = SiteAdaptation(known, host_of(url), self._stored, self._earlier_level)
        return self.sites[origin]

    def _site_of(self, url: str) -> SiteAdaptation | None:
        name = self.aware.application_at(url)
        return self._site(url, self.known[name]) if name else None

    def _stored(self, url: str) -> Sequence[WebObject]:
        return self._memory.earlier_objects(url) if self._memory is not None else ()

    def _earlier_level(self, url: str) -> str | None:
        return self._earlier.get(identity(url))

    # ── repairing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _repair_due(self) -> Iterator[Action]:
        due, self._due = self._due, []
        for site, name in due:
            level = site.application.level(name)
            if level is not None and (failing := site.failing(level)):
                yield from self._repair(site, name, failing)

    def _repair(self, site: SiteAdaptation, name: str, failing: Sequence[Failure]) -> Iterator[Action]:
        level = site.application.level(name)
        assert level is not None
        watched = site.watched[name]
        for one in failing:
            if one.field != "record" or one.kind != main_kind(level):
                continue  # a site need not have comments, and not every page names its author
            details = {"level": one.level, "field": f"{one.kind}/{one.field}", "example": one.example}
            yield from self._failed(site, details, f"{one.level}: {one.kind}/{one.field} {one.because}")
        pages = [page for page, _ in watched.pages]
        changes = site.repair(level, failing)
        if (example := site.put_off.get(name)) and (name, "") not in site.said:
            site.said.add((name, ""))
            because = f"{name}: not repaired yet, its pages are more than adaptation may learn from"
            yield Note(because, event="adaptation_put_off", details={"level": name, "example": example})
        if changes:
            yield from self._learn(site, changes)
            for page in pages:
                yield from self._again(page, 1)

    def _explore(self, site: SiteAdaptation) -> Iterator[Action]:
        """Judge what was tried, write down what it means, and follow what is worthwhile."""
        explorer = site.explorer
        if not explorer.looks:
            return
        site.judge_by_last_crawl()
        changes: list[Change] = []
        explorer.judge()
        if any(site.judge_by_records(one) for one in explorer.to_learn()):
            explorer.judge()
        if explorer.has_content and (site.lost_since_composed or explorer.has_judged):
            explorer.has_judged = False
            before = [kept for kept in explorer.looks.values() if kept.level is None or not kept.terminal]
            changes += site.compose()
            if changes:
                yield from self._learn(site, changes)
                for kept in before:
                    yield from self._again(kept.page, kept.depth)
            site.lost_since_composed = 0
        for one in list(explorer.classes):
            if one.verdict in ("terminal", "list", "prose"):
                yield from self._follow_all(site, one)

    def _try(self, site: SiteAdaptation, room: int) -> Iterator[Action]:
        """Try links of kinds of which it is not known where they lead; a recrawl knows already."""
        if not (self._earlier and site.explorer.has_content):
            for one, url, referrer in site.explorer.next(room):
                yield from self._ask(site, url, f"a link of a kind to be tried ({one.matches})", 0.0, referrer)

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
        learned = site.learned(self._now)
        if learned is None:
            return
        origin = next(origin for origin, one in self.sites.items() if one is site)
        self._learned[origin] = learned
        self._use_learned()
        yield Remember(LEARNED, origin, to_xml(learned).decode(), f"{len(changes)} actions adapted")
        for details in described(changes):
            if details["old"]:
                failed = {name: details[name] for name in ("level", "field", "example")}
                yield from self._failed(site, failed, f"{details['level']}: {details['field']} gives nothing")
            because = f"{details['level']}: {details['field']} adapted by {details['method']}: {details['new']}"
            yield Note(because, event="adapted_action", details=details)

    @staticmethod
    def _failed(site: SiteAdaptation, details: Mapping[str, object], because: str) -> Iterator[Action]:
        """Say once of each action that it fails."""
        place = (str(details["level"]), str(details["field"]))
        if place not in site.said:
            site.said.add(place)
            yield Note(because, event="failed_action", details=details)

    def _use_learned(self) -> None:
        self.aware.use(with_learned(self.known, self._learned.values()))

    def _left(self, site: SiteAdaptation) -> Iterator[tuple[str, str]]:
        for one in site.explorer.classes:
            if one.verdict in ("nothing", "later", ""):
                for url in one.urls:
                    if not self.aware.was_asked(url, site.application):
                        tried = f"{len(one.tried)} of {len(one.urls)} links like {one.matches} were tried"
                        yield url, f"{NOT_WORTHWHILE}: {tried}"


def _promised(why: Follow | Submit) -> str:
    """Return the level that the link to a page promised."""
    return str(why.state.get("to", "")) if isinstance(why.state, dict) else ""


def make(context: StrategyContext) -> Adapting | Aware:
    """Return the aware strategy with adaptation; without it where the user wants known actions only."""
    if not context.options.adapt:
        return make_aware(context)
    return Adapting(context.knowledge(), context.scope, options_of(context))
