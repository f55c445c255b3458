"""The learned strategy: an unknown site, crawled with little more than the requests that its content needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.decide.common import follow_redirect
from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import JSON, Action, Follow, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.navigation.economical.facts import LISTED, found_links, is_other_file
from siteseer.navigation.economical.learner import DONE, WAITING, Choice, Learner
from siteseer.navigation.economical.prose import pack, prose
from siteseer.navigation.economical.sitemaps import MAX_FILES, read_sitemap, sitemaps_named
from siteseer.navigation.economical.vocabulary import Words
from siteseer.page.links import canonical
from siteseer.page.tree import is_html
from siteseer.page.urls import identity, origin_of

ROBOTS, SITEMAP = "robots", "sitemap"
MEMORY = "learned"


class Learned:
    """Follows what promises new text, class of links by class of links."""

    def __init__(self, context: StrategyContext, words: Words = Words()) -> None:
        self.context = context
        self.learner = Learner(context.options.random_seed, words)
        self._numbers: dict[str, int] = {}
        self._sitemaps: dict[str, bool] = {}
        self._events = 0
        self._in_flight: set[str] = set()
        self._outcomes_since_refill = True

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the seeds, or take up what was remembered."""
        rows = list(memory.recall(MEMORY))
        for _, event in rows:
            self._take(event)
        if rows:
            return
        yield self._remember(["found", None, [[seed.url, "", 0] for seed in seeds]])
        for number, seed in enumerate(seeds):
            yield self._remember(["asked", [number], False])
            yield Follow(seed.url, "seed", "seed", 1.0, number)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Learn from what came back."""
        self._outcomes_since_refill = True
        if why.family == ROBOTS:
            if outcome.page is not None:
                yield from self._ask_sitemaps(sitemaps_named(outcome.page), why)
        elif why.family == SITEMAP:
            yield from self._sitemap(outcome, why)
        elif (number := self._number(outcome, why)) is not None:
            if outcome.kind == "redirect":
                yield from self._redirect(number, outcome, why)
            elif outcome.page is not None:
                yield from self._page(number, outcome.page, why)
            else:
                yield self._remember(["other", number, outcome.kind == "error"])

    def refill(self, room: int) -> Iterable[Action]:
        """Ask for the most promising URLs; at the end, say of every URL left why it was left."""
        chosen = self.learner.choose(room)
        second_look = False
        if not chosen:
            if self._waits():
                return
            look = self.learner.second_look()
            chosen, second_look = ([look] if look else []), True
        self._outcomes_since_refill = False
        if chosen:
            yield self._remember(["asked", [choice.number for choice in chosen], second_look])
            for choice in chosen:
                yield self._follow(choice)
            return
        for url, because, rule in self.learner.leftovers():
            yield Skip(url, because, rule)

    # ── outcomes ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _page(self, number: int, page: Page, why: Follow | Submit) -> Iterator[Action]:
        if not self._sitemaps:
            yield from self._ask_sitemaps([origin_of(page.url) + "/sitemap.xml"], why)
        if page.status >= 400 or not is_html(page):
            yield self._remember(["page", number, page.status, "", "", None])
            return
        yield from self._discover(number, page)
        found = prose(page)
        new = self.learner.grams.new(found.grams)
        named = canonical(page)
        yield self._remember(
            ["page", number, page.status, pack(new), pack(found.blocks), named and self._numbers.get(identity(named))]
        )

    def _discover(self, source: int, page: Page) -> Iterator[Action]:
        new: list[JSON] = []
        depth = self.learner.known[source].depth + 1
        seen: set[str] = set()
        links = [(one.url, one.text, one.flags) for one in found_links(page)]
        if named := canonical(page):
            links.append((named, "", 0))
        for url, text, flags in links:
            key = identity(url)
            if key in self._numbers or key in seen:
                continue
            seen.add(key)
            verdict = self.context.scope.verdict(url, depth)
            if verdict.allowed:
                new.append([url, text, flags])
            else:
                yield Skip(url, verdict.because, verdict.rule)
        if new:
            yield self._remember(["found", source, new])

    def _redirect(self, number: int, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        target = outcome.target
        known = target and self._numbers.get(identity(target))
        if target is None or (known is not None and self.learner.known[known].state != WAITING):
            yield self._remember(["other", number, True])
            return
        yield self._remember(["other", number, True])
        if not self.context.scope.verdict(target).allowed:
            yield from follow_redirect(outcome, why)
            return
        if known is None:
            known = len(self.learner.known)
            yield self._remember(["found", number, [[target, "", 0]]])
        yield self._remember(["asked", [known], False])
        for action in follow_redirect(outcome, why):
            yield Follow(target, action.because, why.family, why.priority, known, outcome.url, why.depth, action.hops) if isinstance(action, Follow) else action

    # ── sitemaps ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask_sitemaps(self, urls: Iterable[str], why: Follow | Submit) -> Iterator[Action]:
        for url in urls:
            if len(self._sitemaps) >= MAX_FILES or url in self._sitemaps or not self.context.scope.verdict(url).allowed:
                continue
            yield self._remember(["sitemap", url])
            yield Follow(url, "a sitemap lists the pages of the site", SITEMAP, 2.0, None, "", 0)

    def _sitemap(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        if outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
        if outcome.page is None or outcome.page.status >= 400:
            return
        further, pages = read_sitemap(outcome.page)
        yield from self._ask_sitemaps(further, why)
        new = [
            [url, "", LISTED]
            for url in pages
            if identity(url) not in self._numbers and not is_other_file(url) and self.context.scope.verdict(url).allowed
        ]
        if new:
            yield self._remember(["found", None, new])

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _remember(self, event: JSON) -> Remember:
        key = str(self._events)
        self._take(event)
        return Remember(MEMORY, key, event)

    def _take(self, event: JSON) -> None:
        self._events += 1
        if event[0] == "sitemap":
            self._sitemaps[event[1]] = True
            return
        before = len(self.learner.known)
        self.learner.happened(event)
        for number in range(before, len(self.learner.known)):
            self._numbers.setdefault(identity(self.learner.known[number].url), number)

    def _number(self, outcome: Outcome, why: Follow | Submit) -> int | None:
        if isinstance(why.state, int) and why.state < len(self.learner.known):
            return why.state
        return self._numbers.get(identity(outcome.url))

    def _waits(self) -> bool:
        """Say whether answers are still out; a refill without an outcome since the last one means that none will come."""
        return self._outcomes_since_refill and any(c.in_flight for c in self.learner.classes)

    def _follow(self, choice: Choice) -> Follow:
        known = self.learner.known[choice.number]
        referrer = "" if known.source is None else self.learner.known[known.source].url
        return Follow(known.url, choice.because, choice.family, choice.estimate, choice.number, referrer, known.depth)


def make(context: StrategyContext) -> Learned:
    """Return the learned strategy."""
    return Learned(context)
