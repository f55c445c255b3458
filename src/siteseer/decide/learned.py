"""The learned strategy: an unknown site, crawled with little more than the requests that its content needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.decide.common import follow_redirect
from siteseer.decide.traps import TrapGuard, blocks_of
from siteseer.interfaces import Memory, StrategyContext, Verdict
from siteseer.model import JSON, Action, Follow, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.navigation.economical.facts import LISTED, found_links, is_other_file
from siteseer.navigation.economical.learner import WAITING, Choice, Learner
from siteseer.navigation.economical.patterns import Patterns, read_patterns
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

    def __init__(self, context: StrategyContext, words: Words = Words(), earlier: Patterns | None = None) -> None:
        self.context, self.earlier = context, earlier
        started = earlier or Patterns()
        self.learner = Learner(context.options.random_seed, words, started.links)
        self._numbers: dict[str, int] = {}
        self.guard = TrapGuard(context.options.random_seed, started.idle)
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
                yield from self._ask_sitemaps(sitemaps_named(outcome.page))
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
        chosen: list[Choice] = []
        while not chosen and (offered := self.learner.choose(room)):
            for choice in offered:
                verdict = self._verdict(choice.number)
                if verdict.allowed:
                    chosen.append(choice)
                else:
                    yield self._remember(["left", choice.number])
                    yield Skip(self.learner.known[choice.number].url, verdict.because, verdict.rule)
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

    def patterns(self) -> Patterns:
        """Return what was learned, for a later crawl of this or a similar site."""
        fruitful = tuple(url for url, listed in self._sitemaps.items() if listed)
        return Patterns(tuple(self.learner.patterns()), self.guard.idle, fruitful)

    # ── outcomes ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _page(self, number: int, page: Page, why: Follow | Submit) -> Iterator[Action]:
        if not self._sitemaps and (self.earlier is None or self.earlier.sitemaps):
            yield from self._ask_sitemaps([origin_of(page.url) + "/sitemap.xml"])
        if page.status >= 400 or not is_html(page):
            yield self._remember(["page", number, page.status, "", "", None])
            return
        yield from self._discover(number, page)
        found = prose(page)
        grams, texts = pack(self.learner.grams.new(found.grams)), self.guard.new_texts(page)
        named = canonical(page)
        other = named and self._numbers.get(self.guard.key(named))
        yield self._remember(["page", number, page.status, grams, pack(blocks_of(page)), other, texts])

    def _discover(self, source: int, page: Page) -> Iterator[Action]:
        new: list[JSON] = []
        depth = self.learner.known[source].depth + 1
        seen: set[str] = set()
        links = [(one.url, one.text, one.flags) for one in found_links(page)]
        if named := canonical(page):
            links.append((named, "", 0))
        for url, text, flags in links:
            key = self.guard.key(url)
            if key in self._numbers or key in seen:
                continue
            seen.add(key)
            verdict = self.context.scope.verdict(url, depth)
            if verdict.allowed:
                verdict = self.guard.verdict(url)
            if verdict.allowed:
                new.append([url, text, flags])
            else:
                yield Skip(url, verdict.because, verdict.rule)
        if new:
            yield self._remember(["found", source, new])

    def _redirect(self, number: int, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        target = outcome.target
        known = self._numbers.get(self.guard.key(target)) if target else None
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

    def _ask_sitemaps(self, urls: Iterable[str]) -> Iterator[Action]:
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
        yield from self._ask_sitemaps(further)
        new = [
            [url, "", LISTED]
            for url in pages
            if self.guard.key(url) not in self._numbers and not is_other_file(url) and self.context.scope.verdict(url).allowed
        ]
        if new:
            yield self._remember(["found", None, new])
            yield self._remember(["sitemap", outcome.url])

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _remember(self, event: JSON) -> Remember:
        key = str(self._events)
        self._take(event)
        return Remember(MEMORY, key, event)

    def _take(self, event: JSON) -> None:
        self._events += 1
        if event[0] == "sitemap":
            self._sitemaps[event[1]] = event[1] in self._sitemaps
            return
        before = len(self.learner.known)
        self.learner.happened(event)
        if event[0] == "page" and len(event) > 6:
            name = identity(self.learner.known[event[1]].url)
            if self.guard.learn(["page", name, event[4], event[6], 0]):
                self._numbers.clear()
                before = 0
        for number in range(before, len(self.learner.known)):
            self._numbers.setdefault(self.guard.key(self.learner.known[number].url), number)

    def _number(self, outcome: Outcome, why: Follow | Submit) -> int | None:
        if isinstance(why.state, int) and why.state < len(self.learner.known):
            return why.state
        return self._numbers.get(self.guard.key(outcome.url))

    def _verdict(self, number: int) -> Verdict:
        """Say whether a waiting URL is still worth asking for, after what was learned since it was found."""
        url = self.learner.known[number].url
        first = self._numbers.get(self.guard.key(url), number)
        if first != number and self.learner.known[first].state != WAITING:
            known = self.learner.known[first].url
            return Verdict(False, f"shows the same as {known}", "same page under another name")
        return self.guard.verdict(url)

    def _waits(self) -> bool:
        """Say whether answers are still out; a refill without an outcome since the last one means that none will come."""
        return self._outcomes_since_refill and any(c.in_flight for c in self.learner.classes)

    def _follow(self, choice: Choice) -> Follow:
        known = self.learner.known[choice.number]
        referrer = "" if known.source is None else self.learner.known[known.source].url
        return Follow(known.url, choice.because, choice.family, choice.estimate, choice.number, referrer, known.depth)


def make(context: StrategyContext) -> Learned:
    """Return the learned strategy; it starts from the patterns of an earlier crawl where a file of them is given."""
    path = context.options.patterns
    return Learned(context, earlier=read_patterns(path) if path else None)
