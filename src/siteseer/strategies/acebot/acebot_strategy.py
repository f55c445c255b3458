"""ACEBot as a strategy: samples the site, learns where its content is, then downloads along the learned patterns.

Every event is stored as a row in its order: a URL taken from the queue, a page, a redirect, a failure. The same rows
make the same queue, site graph and reached URLs again, so an interrupted crawl continues as it would have. With stored
patterns nothing is sampled: the download begins at once. Where they select no link of the entry points, as on a site
with another template, the site is sampled after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from siteseer.errors import ConfigurationError
from siteseer.interfaces import Expectation, Memory, Scope, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.page.pagination.further_pages import further_pages
from siteseer.page.tree import is_html
from siteseer.page.two_grams import DistinctGrams, grams
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.follow_patterns import Automaton, Reach
from siteseer.strategies.acebot.learn_patterns import LearnedNavigation, learn, stored_lines
from siteseer.strategies.acebot.link_labels import labelled_links
from siteseer.strategies.acebot.oxpath_patterns import Pattern
from siteseer.strategies.acebot.site_graph import FURTHER, SiteGraph
from siteseer.strategies.acebot.site_sample import Sample
from siteseer.strategies.acebot.stored_patterns import PATTERNS, lines_of, patterns_of
from siteseer.strategies.learned.knowledge_entry.navigation_actions import Route
from siteseer.strategies.learned.knowledge_entry.site_entry import NavigationWays
from siteseer.strategies.learned.online_learner.identity_rules import name_of
from siteseer.strategies.learned.online_learner.url_templates import Templates
from siteseer.strategies.redirects_and_assets import follow_redirect
from siteseer.strategies.traps.soft404 import PROBE, Soft404, skip_links
from siteseer.strategies.traps.url_chains import Chain

ROWS = "acebot"
LEARNED = "acebot-learned"
LEARNED_PATTERN = "acebot-pattern"
NO_PATTERN = "no navigation pattern"
_ATTRIBUTES = ("id", "class")
FEWEST_PAGES, FEWEST_GRAMS = 3, 30
"""A route is judged by so many pages; one that brings fewer new 2-grams a page is worth following as a list only."""


class AcebotStrategy:
    """Samples, learns and downloads; with `only_learn` it ends when the patterns are selected."""

    def __init__(
        self,
        scope: Scope,
        options: AcebotOptions | None = None,
        *,
        seed: int = 0,
        patterns: Sequence[Pattern] = (),
        only_learn: bool = False,
    ) -> None:
        self.scope, self.options, self.only_learn = scope, options or AcebotOptions(), only_learn
        self.graph, self.sample = SiteGraph(), Sample(seed)
        self.learned: LearnedNavigation | None = None
        self.seeds: list[str] = []
        self.reach: Reach | None = None
        self._given = tuple(patterns)
        self._attributes: tuple[str, ...] = self.options.attributes
        self._outstanding: set[int] = set()
        self._rows = 0
        self._heard = True
        self._skipped: set[str] = set()
        self._soft = Soft404(seed, "acebot")
        self._stored: list[JSON] = []
        """The selected patterns as they are kept."""

    # ── beginning, and beginning again ────────────────────────────────────────────────────────────────────────────

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Request the entry points; after an interruption replay the stored rows."""
        self.seeds = [seed.url for seed in seeds]
        numbers = [self.graph.number(url) for url in self.seeds]
        for number in numbers:
            self._take(number)
        if self._given:
            self._begin(self._given)
        for _, row in memory.recall(ROWS) if memory is not None else ():
            self._replay(row)
        self._soft.restore(memory)
        self._stored = [row for _, row in memory.recall(LEARNED_PATTERN)] if memory is not None else []
        for seed in seeds:
            yield Follow(seed.url, "entry point", "entry")

    def _replay(self, row: JSON) -> None:
        self._rows += 1
        if "taken" in row:
            self.sample.take_again(row["taken"])
            self._outstanding.add(row["taken"])
        elif "lost" in row:
            self._outstanding.discard(row["lost"])
        elif "patterns" in row:
            self._begin(patterns_of(row["patterns"]))
        elif "unfit" in row:
            self._sample_instead()
        else:
            self.graph.replay(row)
            self._grown(row)

    def _begin(self, patterns: Sequence[Pattern]) -> list[int]:
        """Begin the download; return the numbers of the URLs that the patterns reach already."""
        used = {name for one in patterns for step in one.steps for node in step.path for name, _ in node.attributes}
        self._attributes = tuple(name for name in _ATTRIBUTES if name in used or name in self._attributes)
        self.reach = Reach(self.graph, Automaton(patterns))
        return self.reach.start([self.graph.number(url) for url in self.seeds])

    # ── what became of a URL ──────────────────────────────────────────────────────────────────────────────────────

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Take a page into the site graph, and in the download follow what the patterns select."""
        if why.family == PROBE:
            yield from self._soft.hear(outcome, why)
            return
        number = self.graph.known(why.url)
        if number is None:
            return
        self._heard = True
        page, is_soft_404 = outcome.page, False
        if page is not None:
            is_soft_404, said = self._soft.look(page, why)
            yield from said
        if outcome.kind == "redirect" and outcome.target is not None:
            yield from self._redirect(outcome, why)
        elif page is not None and page.status < 400 and is_html(page) and not is_soft_404:
            yield from self._page(page, why, number)
        else:
            self._outstanding.discard(number)
            yield self._remember({"lost": number})
            if page is not None and is_soft_404:
                yield from skip_links(page, self.scope, why.depth + 1)

    def _redirect(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        assert outcome.target is not None
        onward = list(follow_redirect(outcome, why))
        row = self.graph.add_alias(why.url, outcome.target)
        row["inside"] = self.scope.verdict(outcome.target, why.depth).allowed
        yield self._remember(row)
        found = self._grown(row)
        yield from onward
        yield from self._follow(found, why.url)

    def _page(self, page: Page, why: Follow | Submit, number: int) -> Iterator[Action]:
        depth = self.graph.depths[number] + 1
        inside: dict[str, bool] = {}
        links = []
        further = ((link.url, FURTHER) for link in further_pages(page) if link.said != "head")
        for url, label in (*labelled_links(page, self._attributes), *further):
            if url not in inside:
                inside[url] = self.scope.verdict(url, depth).allowed
            if inside[url]:
                links.append((url, label))
        if self.reach is None or self._is_entry(number):
            row = self.graph.add_page(why.url, links, grams(page))
        else:
            used = self.reach.automaton.is_used
            row = self.graph.add_page(why.url, [link for link in links if used(link[1])])
        yield self._remember(row)
        yield from self._follow(self._grown(row), page.url, Chain(page, why))
        if self.reach is not None:
            yield from self._skip(dict(links), page.url)

    def _grown(self, row: JSON) -> list[int]:
        """Take a row that was added to the graph; return the URLs that the patterns reach for the first time."""
        source = row["page"] if "page" in row else row["alias"]
        self._outstanding.discard(source)
        if self.reach is not None:
            return self.reach.page(source) if "page" in row else self.reach.alias(source)
        if "page" in row:
            self.sample.offer(target for _, targets in self.graph.links[source] for target in targets)
        elif row["inside"]:
            self._take(row["to"])
        return []

    def _take(self, number: int) -> None:
        if self.sample.withdraw(number):
            self._outstanding.add(number)

    # ── sampling and learning ─────────────────────────────────────────────────────────────────────────────────────

    def refill(self, room: int) -> Iterator[Action]:
        """Take URLs from the queue; when the sample is complete, learn, and begin to download."""
        if self._given and self.reach is not None and not self._outstanding and not self.reach.leads_on():
            yield self._remember({"unfit": len(self._given)})
            yield Note("the stored patterns select nothing here: the site is sampled", event="changed_strategy")
            self._sample_instead()
        if self.reach is not None:
            return
        if not self._heard:
            self._outstanding.clear()  # asked twice, nothing heard in between: what is outstanding never comes
        self._heard = False
        yield from self._take_some(room)
        if not self._outstanding:
            yield from self._learn()

    def expected(self) -> Expectation:
        """Return no estimate while the site is sampled: afterwards the URLs to download wait in the frontier."""
        return Expectation(announced=None if self.reach is None else 0)

    def _sample_instead(self) -> None:
        """Leave the stored patterns; the entry points, whose links are all known, are the beginning of the sample."""
        self.reach, self._given = None, ()
        for links in self.graph.links.values():
            self.sample.offer(target for _, targets in links for target in targets)

    def _is_entry(self, number: int) -> bool:
        return self.reach is not None and 0 in self.reach.states.get(number, ())

    def _take_some(self, room: int) -> Iterator[Action]:
        most = self.options.sample
        for _ in range(room):
            if most is not None and len(self.graph.grams) + len(self._outstanding) >= most:
                return
            number = self.sample.take()
            if number is None:
                return
            self._outstanding.add(number)
            yield self._remember({"taken": number})
            url, depth = self.graph.urls[number], self.graph.depths[number]
            yield Follow(url, "sample of the site", "sample", 0.0, None, "", depth)

    def _learn(self) -> Iterator[Action]:
        """Select the patterns and begin the download with the sampled pages, which are not fetched again."""
        learned = self.learned = learn(self.graph, self.seeds, self.options)
        lines = self._stored = stored_lines(learned, self.options)
        for line in lines:
            yield Remember(LEARNED_PATTERN, str(line["rank"]), line, "selected navigation pattern")
        figures = {"pages": learned.pages, "two_grams": learned.two_grams, "covered": learned.covered}
        yield Remember(LEARNED, "1", {**figures, "candidates": learned.candidates, "patterns": len(lines)})
        yield self._remember({"patterns": lines if not self.only_learn else []})
        found = self._begin([one.pattern for one in learned.patterns] if not self.only_learn else [])
        fetched = self.graph.links.keys()
        waiting = [number for number in found if number not in fetched]
        yield Note(
            f"{len(lines)} navigation patterns cover {learned.covered:.1%} of the 2-grams of {learned.pages} sampled "
            f"pages; {len(waiting)} further pages are known to lie on them",
            event="learned",
            details=figures,
        )
        yield from self._follow(waiting, "")
        yield from self._skip(dict.fromkeys(self.graph.urls, ""), "")

    # ── following and skipping ────────────────────────────────────────────────────────────────────────────────────

    def _follow(self, numbers: Iterable[int], referrer: str, chain: Chain | None = None) -> Iterator[Action]:
        for number in numbers:
            assert self.reach is not None
            if number in self.graph.links:
                continue
            url, rank, depth = self.graph.urls[number], self.reach.rank(number), self.graph.depths[number]
            if chain is not None and not (verdict := chain.verdict(url)).allowed:
                yield Skip(url, verdict.because, verdict.rule)
                continue
            because = f"navigation pattern {rank}" if rank else "entry point"
            state = chain.state_for(url) if chain is not None else None
            yield Follow(url, because, "patterns", -float(rank), state, referrer, depth)

    def _skip(self, urls: Iterable[str], referrer: str) -> Iterator[Action]:
        """Say why links in scope are not followed."""
        assert self.reach is not None
        for url in urls:
            number = self.graph.known(url)
            if url in self._skipped or (
                number is not None and (number in self.reach.states or self._was_asked(number))
            ):
                continue
            self._skipped.add(url)
            yield Skip(url, "no selected navigation pattern leads there", NO_PATTERN)

    # ── what was learned, for later crawls ────────────────────────────────────────────────────────────────────────

    def lessons(self) -> dict[str, str]:
        """Return the selected patterns, for later crawls of this site or a similar one."""
        return {PATTERNS: lines_of(self._stored)} if self._stored else {}

    def ways(self) -> NavigationWays:
        """Return the links that the selected patterns follow, for an entry of the knowledge base."""
        patterns = [one.pattern for one in self.learned.patterns] if self.learned else patterns_of(self._stored)
        reach = Reach(self.graph, Automaton(patterns or self._given))
        reach.start([self.graph.number(url) for url in self.seeds])
        templates = Templates()
        for url in self.graph.urls:
            templates.add(name_of(url))
        templates.rebuild()
        urls: dict[tuple[str, str], dict[int, None]] = {}
        for label, number in reach.followed():
            urls.setdefault((label, templates.of(number).name), {})[number] = None
        routes = []
        for (label, template), found in urls.items():
            rank = min(map(reach.rank, map(self.graph.resolved, found)))
            told = f"navigation pattern {rank}, {len(found)} URLs"
            targets = tuple(self.graph.urls[number] for number in found)
            routes.append(Route(template, targets, f"{label}/@href", 1 / (1 + rank), because=told))
        routes.sort(key=lambda route: -route.worth)
        worthless = list(self._worthless(routes, reach))
        followed = [route for route in routes if route not in worthless]
        return NavigationWays(self.seeds[0], "navigation patterns", followed, left=worthless)

    def _worthless(self, routes: Sequence[Route], reach: Reach) -> Iterator[Route]:
        """Return routes whose pages say nothing, and lead to nothing, that better routes do not."""
        said, led = DistinctGrams(), {number for number, states in reach.states.items() if 0 in states}
        for route in routes:
            numbers = {self.graph.resolved(self.graph.number(url)) for url in route.urls} & self.graph.grams.keys()
            new = sum(len(said.add(self.graph.grams[number])) for number in sorted(numbers))
            onward = {target for number in numbers for target in reach.onward(number)} - led
            led |= onward
            if len(numbers) >= FEWEST_PAGES and new < FEWEST_GRAMS * len(numbers) and len(onward) < len(numbers):
                yield route

    def _was_asked(self, number: int) -> bool:
        return number in self.graph.links or number in self.graph.aliases or self.sample.was_taken(number)

    def _remember(self, row: JSON) -> Remember:
        self._rows += 1
        return Remember(ROWS, str(self._rows), row)


def _patterns(path: Path) -> list[Pattern]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    return patterns_of(text, str(path))


def make(context: StrategyContext) -> AcebotStrategy:
    """Return the strategy; patterns come from `--patterns`, or in a recrawl from what the collection learned before."""
    options = context.options
    path = options.patterns
    if path is None and options.recrawl and context.learned and (earlier := context.learned / PATTERNS).exists():
        path = earlier
    patterns = _patterns(path) if path is not None else ()
    return AcebotStrategy(context.scope, options.acebot, seed=options.random_seed, patterns=patterns)


def make_sample(context: StrategyContext) -> AcebotStrategy:
    """Return the offline phase alone: sample, learn, end."""
    options = context.options
    return AcebotStrategy(context.scope, options.acebot, seed=options.random_seed, only_learn=True)
