"""The aware strategy: recognises each page, and follows only the links that the knowledge base says lead to content.

Every other link in scope is skipped with the rule that says why. A document is requested once, however its URL is
spelt. Pages of unknown software are crawled breadth first. The state that must survive an interruption is stored with
each page: which documents were requested, which objects were kept, what software each site runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from siteseer.extract.by_knowledge import extract
from siteseer.interfaces import Expectation, Memory, Scope, StrategyContext
from siteseer.knowledge.avoid_rules import AvoidRules
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import FullRecognition, is_json, recognise_in_full
from siteseer.knowledge.types import Application, Level, Navigation
from siteseer.knowledge.url_identity import clean_url, document_key
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip, Submit, WebObject
from siteseer.page.links import canonical
from siteseer.page.links import targets as link_targets
from siteseer.page.pagination.further_pages import further_pages
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of, resolve
from siteseer.strategies.aware.crawl_policies import AwareOptions, left_out, options_of, wanted_after_all
from siteseer.strategies.aware.failed_actions import Failures
from siteseer.strategies.aware.navigation_targets import (
    NOT_FOLLOWED,
    Target,
    root_of,
    sitemap_urls,
    targets,
    usable_actions,
)
from siteseer.strategies.aware.url_memory import HashSet, RecentTexts, hash_key
from siteseer.strategies.learned.lists_ahead import ListsAhead
from siteseer.strategies.redirects_and_assets import follow_redirect
from siteseer.strategies.traps.soft404 import PROBE, Soft404, skip_links
from siteseer.strategies.traps.url_chains import Chain, in_own_session

NOT_TOWARDS_CONTENT = "not towards content"
UNKNOWN_LEVEL_PRIORITY = -5.0
CHOSEN = " by choice"
"""Ends the family of what is fetched only because a person chose so."""
CHOSEN_PRIORITY = -20.0
MOST_KEYS = 50_000
NEXT = "next"
"""The role of actions that go on in a list."""
LEVEL = "level"
"""The name under which a level's own patterns are told to fail."""

Row = dict[str, list[Any]]
"""The keys of the documents `asked` for and of the objects `kept` because of one page."""


class StrategyMonitor(Protocol):
    """A monitor of the aware strategy that steps in where the knowledge base fails."""

    def adopts(self, page: Page) -> bool:
        """Take a page of unknown software; True where the software of its site is known from now on."""
        ...

    def lost(self, page: Page, why: Follow | Submit, seen: FullRecognition) -> bool:
        """Take a page whose level is unknown or whose actions find no link; True where the monitor takes care of it."""
        ...

    def found(self, page: Page, seen: FullRecognition, objects: Sequence[WebObject]) -> Sequence[WebObject]:
        """Take the objects that were found on a page, and return those to be kept."""
        ...

    def led(self, page: Page, why: Follow | Submit, seen: FullRecognition, found: Sequence[Target]) -> None:
        """Take the URLs that the actions of a page lead to."""
        ...


class AwareStrategy:
    """Follows what the knowledge base says leads to content, and keeps the objects it finds."""

    def __init__(self, knowledge: KnowledgeBase, scope: Scope, options: AwareOptions | None = None) -> None:
        self.knowledge, self.scope = knowledge, scope
        self.options = options or AwareOptions()
        self._applications: dict[str, str] = {}
        """What software each origin runs, as first recognised; a page is still decided by what it shows itself."""
        self._settled: set[str] = set()
        """Origin and software, separated by a space, whose entry points were asked for."""
        self._asked = HashSet()
        self._kept = HashSet()
        self._told = RecentTexts()
        """Links of which nothing more is to be said: asked for, skipped with a reason, or out of scope."""
        self._keys: dict[tuple[str, str], int] = {}
        self._rules: dict[str, AvoidRules] = {}
        self._wanted: dict[str, AvoidRules] = {}
        self._soft = Soft404(owner="aware")
        self.monitor: StrategyMonitor | None = None
        self._has_led = False
        """Whether any action has found a way: until then, a page whose actions find none is crawled blindly."""
        self.failures = Failures()
        self._lists = ListsAhead()
        self._moved: dict[str, str] = {}
        """Where made URLs led that were redirected: the same page with further parameters is there, too."""

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Request the seeds; after an interruption restore what was requested and kept."""
        self._soft.restore(memory)
        if memory is not None:
            for place, name in memory.recall("aware-application"):
                self._applications.setdefault(place.partition(" ")[0], str(name))
                self._settled.add(place)
            for _, row in memory.recall("aware-page"):
                self._asked.update(row["asked"])
                self._kept.update(row["kept"])
            self._has_led = any(True for _ in memory.recall("aware-led"))
            self.failures.restore(memory)
        for seed in seeds:
            self._asked.add(self._key(seed.url, None))
            yield Follow(seed.url, "seed", priority=100.0, state={"role": "seed"})

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Return what to do with a page, and which links to follow."""
        self._lists.fetched(outcome.url)
        if why.family == PROBE:
            yield from self._soft.hear(outcome, why)
        elif outcome.kind == "redirect":
            yield from self._redirect(outcome, why)
        elif outcome.page is not None and outcome.page.status < 400:
            found: list[str] = []
            for action in self._page(outcome.page, why):
                if isinstance(action, Follow):
                    found.append(action.url)
                yield action
            self._lists.hear(outcome.page, found)

    def refill(self, room: int) -> Iterable[Action]:
        """Return no more actions: all links to follow are in the frontier."""
        return ()

    def expected(self) -> Expectation:
        """Return the URLs that followed lists announce: everything else waits in the frontier."""
        return Expectation(announced=self._lists.announced(int, lambda url: self.was_asked(url, self._of(url))))

    def use(self, knowledge: KnowledgeBase) -> None:
        """Continue with another knowledge base, to which something was added."""
        self.knowledge = knowledge
        self._rules.clear()
        self._wanted.clear()
        self._keys.clear()

    def application_at(self, url: str) -> str | None:
        """Return what software the site of a URL is known to run."""
        return self._applications.get(origin_of(url))

    def was_asked(self, url: str, application: Application | None) -> bool:
        """Say whether a document was requested, however its URL is spelt."""
        return self._key(url, application) in self._asked

    def objects(self, page: Page, seen: FullRecognition, again: Collection[str] = ()) -> Iterator[Action]:
        """Return the objects of a recognised page that were not kept before, or are of a kind to be kept `again`."""
        row: Row = {"asked": [], "kept": []}
        yield from self._objects(page, seen, f"{seen.recognition.application}/{seen.recognition.level}", row, again)
        if row["kept"]:
            yield Remember("aware-page", f"{page.url} again", row)

    # ── one page ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _redirect(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        application = self._of(outcome.target or "")
        key = self._key(outcome.target or "", application)
        if outcome.target and isinstance(why.state, dict) and why.state.get("made"):
            self._moved[outcome.url] = outcome.target
        if key not in self._asked or key == self._key(outcome.url, application):
            self._asked.add(key)
            yield Remember("aware-page", outcome.url, {"asked": [key], "kept": []})
            yield from follow_redirect(outcome, why)

    def _page(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        role = why.state.get("role", "") if isinstance(why.state, dict) else ""
        if role == "sitemap":
            yield from self._sitemap(page, why)
            return
        if not (is_html(page) or is_json(page)):
            return
        origin = origin_of(page.url)
        seen = recognise_in_full(page, self.knowledge, self._applications.get(origin))
        if seen.application is None and self.monitor is not None and self.monitor.adopts(page):
            seen = recognise_in_full(page, self.knowledge)
        row: Row = {"asked": [], "kept": []}
        if seen.application is None or (seen.application.is_generic and seen.level is None):
            yield from self._unknown(page, why, seen, row)
        else:
            yield from self._settle(origin, seen, page, row)
            yield from self._recognised(page, why, seen, row)
        yield Remember("aware-page", page.url, row, "documents asked for and objects kept")

    def _unknown(self, page: Page, why: Follow | Submit, seen: FullRecognition, row: Row) -> Iterator[Action]:
        """Follow the links of a page of unknown software, unless the page does not exist."""
        is_soft_404, said = self._soft.look(page, why)
        yield from said
        if is_soft_404:
            yield from skip_links(page, self.scope, why.depth + 1)
        else:
            yield Note("unknown application: links are followed breadth first", seen.recognition, "unknown_application")
            yield from self._all_links(page, why, seen.application, row, -float(why.depth + 1))

    def _settle(self, origin: str, seen: FullRecognition, page: Page, row: Row) -> Iterator[Action]:
        """Note what software a site runs when it is first recognised, and ask for its entry points."""
        application = seen.application
        place = f"{origin} {application.id if application else ''}"
        if application is None or application.is_generic or place in self._settled:
            return
        self._settled.add(place)
        self._applications.setdefault(origin, application.id)
        yield Remember("aware-application", place, application.id, f"{application.name or application.id} recognised")
        for entry in application.entries:
            url = resolve(*root_of(page, seen.level, entry.url))
            if url and application.applies(entry.when, dict(self.options.policies)):
                state = {"role": entry.role, "to": entry.to}
                yield from self.ask(
                    url, application, row, Follow(url, entry.because, entry.role, 50.0, state, page.url)
                )

    def _recognised(self, page: Page, why: Follow | Submit, seen: FullRecognition, row: Row) -> Iterator[Action]:
        application, level = seen.application, seen.level
        assert application is not None
        where = f"{application.id}/{level.id if level else 'unknown level'}"
        yield Note(where, seen.recognition, "recognised")
        self._mark_same(page, application, row, is_home=level is not None and level.id in ("index", "page"))
        if level is not None and level.extractions:
            yield from self._objects(page, seen, where, row)
        actions = usable_actions(page, application, level, self.options.policies)
        found = list(targets(page, actions, level, application))
        self._mark([target.url for target in found if target.action.role == "same"], application, row)
        self._note_what_works(page, level, found)
        if not self._has_led and any(target.action.role not in NOT_FOLLOWED for target in found):
            self._has_led = True
            yield Remember("aware-led", "yes", True, "an action has found a way")
        if self.monitor is not None:
            self.monitor.led(page, why, seen, found)
        for target in (*found, *self._further(page, actions, found)):
            if target.action.role not in NOT_FOLLOWED:
                yield from self._target(target, application, why, page, where, row)
        if level is None and why.family.endswith(CHOSEN):
            yield Note(f"{where}: kept as it is", event="unknown_level")
        elif level is None or application.is_generic:
            if not application.is_generic and self.monitor is not None and self.monitor.lost(page, why, seen):
                return
            yield Note(f"{where}: links are followed breadth first", event="unknown_level")
            if level is None and (to := expected_level(why)) is not None:
                yield from self.failures.doubt(page.url, to, LEVEL, f"{where}: no pattern of a level holds")
            yield from self._all_links(page, why, application, row, UNKNOWN_LEVEL_PRIORITY - why.depth)
        elif level.kind == "intermediate" and not found and any(one.role == "child" for one in actions):
            wanted = next(f"child to {one.to}" if one.to else "child" for one in actions if one.role == "child")
            yield from self.failures.doubt(page.url, level.id, wanted, f"{where}: no action found a link")
            if self.monitor is not None and self.monitor.lost(page, why, seen):
                return
            if not self._has_led:
                yield from self._all_links(page, why, application, row, UNKNOWN_LEVEL_PRIORITY - why.depth)
        yield from self._rest(page, why, application, where, row)

    def _note_what_works(self, page: Page, level: Level | None, found: Sequence[Target]) -> None:
        if level is not None:
            self.failures.works(page.url, level.id, LEVEL)
            for target in found:
                action = target.action
                name = f"{action.role} to {action.to}" if action.to else action.role
                self.failures.works(page.url, level.id, name)

    def _objects(
        self, page: Page, seen: FullRecognition, where: str, row: Row, again: Collection[str] = ()
    ) -> Iterator[Action]:
        assert seen.level is not None
        found: Sequence[WebObject] = extract(page, seen.level, seen.application)
        if self.monitor is not None:
            found = self.monitor.found(page, seen, found)
        wanted = f"{seen.level.extractions[0].of}/record"
        if found:
            self.failures.works(page.url, seen.level.id, wanted)
        else:
            yield from self.failures.doubt(page.url, seen.level.id, wanted, f"{where}: no object found")
        for one in found:
            key = hash_key(one.id)
            if key not in self._kept:
                self._kept.add(key)
                row["kept"].append(key)
                yield Keep(one, one.because)
            elif one.kind in again:
                yield Keep(one, one.because)

    def _target(
        self,
        target: Target,
        application: Application,
        why: Follow | Submit,
        page: Page,
        where: str,
        row: Row,
    ) -> Iterator[Action]:
        url = redirected_url(target.url, self._moved) if target.action.url else target.url
        if self.was_asked(url, application):
            return
        rule = self.avoids(application).first(target.url)
        if rule is not None and not (target.action.role == NEXT and goes_on(page, target.url)):
            yield from self._skip(target.url, rule.because, application)
            return
        follow = self._follow(url, target.action, application, why, page, where)
        yield from self.ask(url, application, row, follow)

    @staticmethod
    def _further(page: Page, actions: Sequence[Navigation], found: Sequence[Target]) -> Iterator[Target]:
        """Return what goes on in the list of a page where the actions that should do so found nothing."""
        following = next((action for action in actions if action.role == NEXT), None)
        if following is not None and not any(target.action.role == NEXT for target in found):
            yield from (Target(link.url, following) for link in further_pages(page) if link.said != "head")

    def _follow(
        self, url: str, action: Navigation, application: Application, why: Follow | Submit, page: Page, where: str
    ) -> Follow:
        state = {"role": action.role, "to": action.to, **({"made": True} if action.url else {})}
        family = f"{application.id} {action.to or action.role}"
        because = f"{where}: {action.role}" + (f" to {action.to}" if action.to else "")
        return Follow(url, because, family, action.priority, state, page.url, why.depth + 1)

    # ── asking and skipping, each document once ───────────────────────────────────────────────────────────────────

    def ask(self, url: str, application: Application | None, row: Row, follow: Follow) -> Iterator[Action]:
        """Request a document that was not requested before; `row` records it."""
        key = self._key(url, application)
        if key in self._asked or not self.scope.verdict(url, follow.depth).allowed:
            return
        self._asked.add(key)
        row["asked"].append(key)
        yield replace(follow, url=clean_url(url, application))

    def _all_links(
        self,
        page: Page,
        why: Follow | Submit,
        application: Application | None,
        row: Row,
        priority: float,
    ) -> Iterator[Action]:
        """Follow every link that no rule forbids."""
        rules = self.avoids(application) if application else AvoidRules(())
        chain = Chain(page, why)
        for url in in_own_session(page.url, link_targets(page)):
            if (rule := rules.first(url)) and not goes_on(page, url):
                yield from self._skip(url, rule.because, application)
            elif not (verdict := chain.verdict(url)).allowed or not (verdict := self._soft.verdict(url)).allowed:
                yield Skip(url, verdict.because, verdict.rule)
            else:
                state = {"role": "link", **(chain.state_for(url) or {})}
                yield from self.ask(
                    url, application, row, Follow(url, "link", "links", priority, state, page.url, why.depth + 1)
                )

    def _rest(
        self, page: Page, why: Follow | Submit, application: Application, where: str, row: Row
    ) -> Iterator[Action]:
        """Skip the links that no action follows, but for what is only left out unless a person wants it."""
        rules, wanted = self.avoids(application), self._wanted[application.id]
        because = f"no action of {where} leads there"
        for url in link_targets(page):
            if url not in self._told:
                if self.was_asked(url, application):
                    self._told.is_new(url)
                    continue
                rule = rules.first(url)
                if rule is None and wanted.rules and (choice := wanted.first(url)):
                    reason = f"{where}: {choice.because} are wanted ({choice.when.policy})"
                    family = f"{application.id} {choice.when.policy}{CHOSEN}"
                    follow = Follow(url, reason, family, CHOSEN_PRIORITY, {"role": "child"}, page.url, why.depth + 1)
                    yield from self.ask(url, application, row, follow)
                else:
                    yield from self._skip(url, rule.because if rule else because, application, rule is None)

    def _skip(self, url: str, because: str, application: Application | None, is_rest: bool = False) -> Iterator[Action]:
        if self._told.is_new(url) and self.scope.verdict(url).allowed:
            yield Skip(url, because, NOT_TOWARDS_CONTENT if is_rest else because)

    def _sitemap(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        application = self._of(page.url)
        rules = self.avoids(application) if application else AvoidRules(())
        maps, pages = sitemap_urls(page)
        row: Row = {"asked": [], "kept": []}
        yield Note(f"sitemap with {len(maps)} sitemaps and {len(pages)} pages")
        for url in maps + pages:
            role = "sitemap" if url in maps else "child"
            follow = Follow(url, "listed in a sitemap", role, 40.0, {"role": role}, page.url, why.depth + 1)
            if rule := rules.first(url):
                yield from self._skip(url, rule.because, application)
            else:
                yield from self.ask(url, application, row, follow)
        yield Remember("aware-page", page.url, row)

    def _mark_same(self, page: Page, application: Application, row: Row, is_home: bool) -> None:
        """Count the page's own spellings as asked for: as the application spells it, and its canonical one."""
        self._mark([page.url, canonical(page) or page.url] if is_home else [page.url], application, row)

    def _mark(self, urls: list[str], application: Application, row: Row) -> None:
        for url in urls:
            key = self._key(url, application)
            if key not in self._asked:
                self._asked.add(key)
                row["asked"].append(key)

    def _key(self, url: str, application: Application | None) -> int:
        """Return the key of a document; links repeat from page to page."""
        name = (application.id if application else "", url)
        known = self._keys.get(name)
        if known is None:
            if len(self._keys) >= MOST_KEYS:
                self._keys.clear()
            known = self._keys[name] = hash_key(document_key(url, application))
        return known

    def _of(self, url: str) -> Application | None:
        name = self._applications.get(origin_of(url))
        return self.knowledge[name] if name else None

    def avoids(self, application: Application) -> AvoidRules:
        """Return the rules under which URLs of an application are not fetched."""
        if application.id not in self._rules:
            chosen = dict(self.options.policies)
            self._rules[application.id] = AvoidRules(left_out(application, chosen))
            self._wanted[application.id] = AvoidRules(wanted_after_all(application, chosen))
        return self._rules[application.id]


def redirected_url(url: str, known: Mapping[str, str]) -> str:
    """Return where a URL leads, if all that it adds to a URL that was redirected is parameters.

    >>> redirected_url("http://e.org/Special:AllPages?namespace=1", {"http://e.org/Special:AllPages": "http://e.org/Alle_Seiten"})
    'http://e.org/Alle_Seiten?namespace=1'
    """
    for source, target in known.items():
        added = url.removeprefix(source)
        if added != url and added[:1] in ("?", "&"):
            return f"{target}{'&' if '?' in target else '?'}{added[1:]}"
    return url


def goes_on(page: Page, url: str) -> bool:
    """Say whether a URL surely leads to a further page of the list that a page shows: that takes precedence over all
    rules.
    """
    return any(link.url == url for link in further_pages(page) if link.said != "head")


def expected_level(why: Follow | Submit) -> str | None:
    """Return the level that the way to a page promised, empty for a seed; None where nothing was promised."""
    state = why.state if isinstance(why.state, dict) else {}
    return str(state["to"]) if state.get("to") else ("" if state.get("role") == "seed" else None)


def make(context: StrategyContext) -> AwareStrategy:
    """Return the aware strategy."""
    return AwareStrategy(context.knowledge(), context.scope, options_of(context))
