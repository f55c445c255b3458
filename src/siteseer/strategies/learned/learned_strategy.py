"""The learned strategy: crawls an unknown site with little more than the requests that its content needs.

The thinking is in `strategies.learned.online_learner`; here outcomes become events, events are remembered, and choices
become actions. Whatever the strategy knows follows from the rows that it remembered, one for each page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from siteseer.interfaces import Expectation, Memory, StrategyContext, Verdict
from siteseer.model import JSON, Action, Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.page.links import canonical, requisites
from siteseer.page.slot_values import slot_values
from siteseer.page.tree import is_html
from siteseer.page.two_grams import Grams
from siteseer.page.urls import identity, origin_of
from siteseer.strategies.learned.followed_classes import followed_classes
from siteseer.strategies.learned.knowledge_entry.site_entry import NavigationWays
from siteseer.strategies.learned.lists_ahead import ListsAhead
from siteseer.strategies.learned.online_learner.class_report import leftovers, link_patterns
from siteseer.strategies.learned.online_learner.expected_requests import brought_by, expected_requests, is_list_page
from siteseer.strategies.learned.online_learner.learned_patterns import Patterns, read_patterns
from siteseer.strategies.learned.online_learner.learner import WAITING, OnlineLearner
from siteseer.strategies.learned.online_learner.link_facts import (
    LISTED,
    ONWARD,
    found_links,
    is_other_file,
    is_unlisted,
    places,
)
from siteseer.strategies.learned.online_learner.next_urls import (
    Choice,
    choose,
    everything,
    has_failed,
    onward,
    second_look,
)
from siteseer.strategies.learned.online_learner.prose import pack, prose
from siteseer.strategies.learned.online_learner.remaining_text import remaining_text
from siteseer.strategies.learned.online_learner.sitemap_urls import (
    GUESSED_SITEMAP,
    MAX_FILES,
    read_sitemap,
    sitemaps_named,
)
from siteseer.strategies.learned.online_learner.slot_novelty import ENOUGH
from siteseer.strategies.learned.online_learner.url_words import USUAL, Words, suspicious_words
from siteseer.strategies.learned.provisional_count import ProvisionalCount
from siteseer.strategies.learned.record_extraction import harvest_sites
from siteseer.strategies.learned.talk_scope import with_chosen_talk
from siteseer.strategies.redirects_and_assets import follow_redirect
from siteseer.strategies.traps.content_traps import ENDLESS, SAME_PAGE, TrapGuard, kind_of
from siteseer.strategies.traps.soft404 import PROBE, Soft404, skip_links

ROBOTS, SITEMAP = "robots", "sitemap"
MEMORY = "learned"
MOST_PLACES = 500
"""So many URLs are known with the place of their link; from then on only where URLs alone tell nothing."""
LEADING_STEPS = 8
"""So many pages back it is looked whether a kind of page leads to itself."""
MAX_SKIPPED = 100_000
"""So many URLs out of scope are remembered as told, so that each is told once."""


class LearnedStrategy:
    """Follows what promises new text, class of links by class of links."""

    def __init__(
        self,
        context: StrategyContext,
        words: Words = USUAL,
        earlier: Patterns | None = None,
        content: Callable[[Page], Grams] | None = None,
    ) -> None:
        self.context, self.earlier = with_chosen_talk(context), earlier
        self._content = content or (lambda page: prose(page).grams)
        """What of a page is content: its 2-grams, sorted and distinct."""
        started = earlier or Patterns()
        own = frozenset(word for seed in context.options.seeds for word in suspicious_words(seed))
        words = Words(words.others, words.cleared | own)
        self.learner = OnlineLearner(context.options.random_seed, words, started.links)
        self.learner.counts_records = content is None
        self.guard = TrapGuard(started.idle, self.learner.slots.is_template)
        self._soft = Soft404(context.options.random_seed, "learned")
        self._numbers: dict[str, int] = {}
        self._sitemaps: dict[str, str] = {}
        self._skipped: set[str] = set()
        self._lists = ListsAhead()
        self._provisional = ProvisionalCount()
        self._events = 0
        self._hosts: set[str] = set()
        """The hosts that have answered with a page."""
        self._failed = False
        self.further: Callable[[], list[Action]] = list
        """What else may be tried before URLs are given up."""
        self._heard = True
        """Whether an outcome came since the last refill."""

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the seeds, or take up what was remembered."""
        self._soft.restore(memory)
        for _, event in memory.recall(MEMORY):
            self._take(event)
        if self._events:
            return
        yield self._remember(["found", None, [[seed.url, "", 0] for seed in seeds]])
        yield self._remember(["asked", list(range(len(seeds))), False])
        for number, seed in enumerate(seeds):
            yield Follow(seed.url, "seed", "seed", 1.0, number)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Learn from what came back."""
        self._heard = True
        self._lists.fetched(outcome.url)
        if why.family == ROBOTS:
            if outcome.page is not None:
                yield from self._ask_sitemaps(sitemaps_named(outcome.page))
        elif why.family in (SITEMAP, GUESSED_SITEMAP):
            yield from self._sitemap(outcome, why)
        elif why.family == PROBE:
            yield from self._soft.hear(outcome, why)
        else:
            number = self._number(outcome, why)
            if number is None:
                number = len(self.learner.known)
                yield from self._take_over(number, outcome.url)
            if outcome.kind == "redirect":
                yield from self._redirect(number, outcome, why)
            elif outcome.page is not None:
                yield from self._page(number, outcome.page, why)
            else:
                yield self._remember(["other", number, outcome.kind == "error"])

    def _take_over(self, number: int, url: str) -> Iterator[Action]:
        """Take in a URL that was asked for elsewhere, such as the seed of another site, as a seed of this strategy."""
        yield self._remember(["found", None, [[url, "", 0]]])
        yield self._remember(["asked", [number], False])
        if self.earlier is None and origin_of(url) not in map(origin_of, self._sitemaps):
            yield from self._ask_sitemaps([origin_of(url) + "/sitemap.xml"], GUESSED_SITEMAP)

    def refill(self, room: int) -> Iterator[Action]:
        """Ask for the most promising URLs; at the end, say of every URL left why it was left."""
        chosen: list[Choice] = []
        room = self._room_left(room)
        while not chosen and (offered := choose(self.learner, room, self._heard, self._waits_for)):
            yield from self._sift(offered, chosen)
        while not chosen and not self._waits() and (offered := onward(self.learner, room)):
            yield from self._sift(offered, chosen)
        while not chosen and not self._waits() and (offered := remaining_text(self.learner, room)):
            yield from self._sift(offered, chosen)
        if chosen:
            yield from self._ask(chosen, False)
        elif not self._waits():
            if look := second_look(self.learner):
                yield from self._ask([look], True)
            else:
                yield from self.further() or self._end(room)
        self._heard = False

    def expected(self) -> Expectation:
        """Return what waits in classes that are worth it, what lists announce, and what must be tried first."""
        sure, doubtful = expected_requests(self.learner, self._failed)
        announced = self._lists.announced(lambda page: brought_by(self.learner, page), self._is_list_page)
        return Expectation(sure, announced, doubtful)

    def count_on(self) -> bool:
        """Count the objects of the pages so far a little further."""
        return self._provisional.step()

    def objects_so_far(self) -> int:
        """Return about how many objects the pages so far hold; `harvest` finds them."""
        return self._provisional.so_far()

    def _is_list_page(self, url: str) -> bool:
        number = self._numbers.get(self.guard.key(url))
        return number is not None and is_list_page(self.learner, number)

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Learn the records of the kept pages, and keep them as objects."""
        for page, one in harvest_sites(pages, self.context.options.random_seed):
            yield page, Keep(one, one.because)

    def lessons(self) -> dict[str, str]:
        """Return the navigation patterns, for later crawls of this site or a similar one."""
        return {"patterns.jsonl": "".join(f"{line}\n" for line in self.patterns().lines())}

    def patterns(self) -> Patterns:
        """Return what was learned, for a later crawl of this or a similar site."""
        fruitful = tuple(url for url, state in self._sitemaps.items() if state == "lists pages")
        return Patterns(tuple(link_patterns(self.learner)), self.guard.idle, fruitful)

    def ways(self) -> NavigationWays:
        """Return which kinds of URL are worth following, for an entry of the knowledge base."""
        return followed_classes(self.learner, self.patterns())

    def ask(self, url: str, because: str) -> Iterator[Action]:
        """Ask for a URL that the learner would leave alone, if it was not asked for before."""
        number = self._numbers.get(self.guard.key(url))
        if number is None:
            number = len(self.learner.known)
            yield self._remember(["found", None, [[url, "", 0]]])
        if self.learner.known[number].state == WAITING:
            yield from self._ask([Choice(number, "asked for", 1.0, because)], False)

    def offer(self, urls: Iterable[str]) -> Iterator[Action]:
        """Take in URLs that were found otherwise than by links; those that are pages wait for their turn."""
        keys = {self.guard.key(url): url for url in urls if self._is_page(url) and self.guard.verdict(url).allowed}
        if new := [[url, "", 0] for key, url in keys.items() if key not in self._numbers]:
            yield self._remember(["found", None, new])

    def rename(self) -> Remember:
        """Know URLs by the learner's other names from now on."""
        return self._remember(["renamed"])

    # ── outcomes ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _page(self, number: int, page: Page, why: Follow | Submit) -> Iterator[Action]:
        if not self._sitemaps and (self.earlier is None or self.earlier.sitemaps):
            yield from self._ask_sitemaps([origin_of(page.url) + "/sitemap.xml"], GUESSED_SITEMAP)
        if page.status >= 400 or not is_html(page):
            yield self._remember(["page", number, page.status])
            return
        is_soft_404, said = self._soft.look(page, why) if has_failed(self.learner) else (False, [])
        yield from said
        if is_soft_404:
            yield self._remember(["page", number, 404])
            yield from skip_links(page, self.context.scope, why.depth + 1)
            return
        new: dict[str, JSON] = {}
        for url, verdict, link in self._discover(number, page):
            if verdict.allowed:
                new[self.guard.key(url)] = link
            elif url not in self._skipped and len(self._skipped) < MAX_SKIPPED:
                self._skipped.add(url)
                yield Skip(url, verdict.because, verdict.rule)
        grams, texts = pack(self.learner.grams.new(self._content(page))), self.guard.new_texts(page)
        blocks, named = pack(prose(page).blocks), self._canonical(page, list(new))
        values = self.learner.slots.own(slot_values(page)).row()
        idle = len(self.guard.idle)
        seen = [list(new.values()), grams, blocks, named, texts, is_unlisted(page), values]
        yield self._remember(["page", number, page.status, *seen])
        if onward := list(self._onward(page)):
            yield self._remember(["onward", number, onward])
        if again := list(self._again(number, page)):
            yield self._remember(["again", number, again])
        self._provisional.add(page)
        self._lists.hear(page, [link[0] for link in new.values()], number)
        yield from (Note(f"{part} does not change the page", event="idle_part") for part in self.guard.idle[idle:])

    def _onward(self, page: Page) -> Iterator[int]:
        """Return the waiting URLs that were met before, but not as further pages of a list."""
        for link in found_links(page):
            number = self._numbers.get(self.guard.key(link.url)) if link.flags & ONWARD else None
            if number is not None:
                known = self.learner.known[number]
                if known.state == WAITING and not known.flags & ONWARD:
                    yield number

    def _again(self, number: int, page: Page) -> Iterator[int]:
        """Return the URLs that a page shows which only arrangements of the same content had shown before."""
        if self.learner.is_arranged(number):
            return
        for link in found_links(page):
            shown = self._numbers.get(self.guard.key(link.url))
            if shown is not None and self.learner.is_found_by_arrangement(shown) and shown != number:
                yield shown

    def _discover(self, source: int, page: Page) -> Iterator[tuple[str, Verdict, JSON]]:
        """Return the URLs of a page that are not known yet, with the verdict on each."""
        depth = self.learner.known[source].depth + 1
        embedded = frozenset(requisites(page)) if self.context.options.assets == "all" else frozenset()
        where = places(page) if self._wants_places() else {}
        links: list[list[JSON]] = [[one.url, one.text, one.flags] for one in found_links(page)]
        for link in links if where else ():
            link.append(where.get(link[0], ""))
        if named := canonical(page):
            links.append([named, "", 0])
        for link in links:
            url = str(link[0])
            if self.guard.key(url) in self._numbers or url in embedded:
                continue
            verdict = self.context.scope.verdict(url, depth)
            yield url, self._guarded(url, source) if verdict.allowed else verdict, link

    def _wants_places(self) -> bool:
        """Say whether places of links are kept: until it is known that URLs tell the kinds of pages."""
        return self.learner.templates.is_divided or len(self.learner.known) < MOST_PLACES

    def _canonical(self, page: Page, new: list[str]) -> int | None:
        """Return the number of the URL that a page calls canonical; new URLs are numbered on from those known."""
        named = canonical(page)
        if named is None:
            return None
        key = self.guard.key(named)
        return len(self.learner.known) + new.index(key) if key in new else self._numbers.get(key)

    def _redirect(self, number: int, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        yield self._remember(["other", number, True])
        target = outcome.target
        if target is None:
            return
        known = self._numbers.get(self.guard.key(target))
        if known is not None and self.learner.known[known].state != WAITING:
            return
        for action in follow_redirect(outcome, why):
            if isinstance(action, Follow) and self.context.scope.verdict(target).allowed:
                if known is None:
                    known = len(self.learner.known)
                    yield self._remember(["found", number, [[target, "", 0]]])
                yield self._remember(["asked", [known], False])
                because, hops = action.because, action.hops
                action = Follow(target, because, why.family, why.priority, known, outcome.url, why.depth, hops)
            yield action

    # ── sitemaps ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask_sitemaps(self, urls: Iterable[str], family: str = SITEMAP) -> Iterator[Action]:
        for url in urls:
            if (
                len(self._sitemaps) < MAX_FILES
                and url not in self._sitemaps
                and self.guard.key(url) not in self._numbers  # a page of the site that answers for it
                and self.context.scope.verdict(url).allowed
            ):
                yield self._remember(["sitemap", url, "asked"])
                yield Follow(url, "a sitemap lists the pages of the site", family, 2.0)

    def _sitemap(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        further, pages = read_sitemap(outcome.page) if outcome.page and outcome.page.status < 400 else ([], [])
        yield self._remember(["sitemap", why.url, "lists pages" if pages else "lists none"])
        if outcome.target is not None:
            yield from self._ask_sitemaps([outcome.target], why.family)
        yield from self._ask_sitemaps(further)
        keys = {self.guard.key(url): url for url in pages if self._is_page(url)}
        if known := [self._numbers[key] for key in keys if key in self._numbers]:
            yield self._remember(["listed", known])
        if new := [[url, "", LISTED] for key, url in keys.items() if key not in self._numbers]:
            yield self._remember(["found", None, new])

    def _is_page(self, url: str) -> bool:
        return not is_other_file(url) and self.context.scope.verdict(url).allowed

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _remember(self, event: JSON) -> Remember:
        key = str(self._events)
        self._take(event)
        return Remember(MEMORY, key, event)

    def _take(self, event: JSON) -> None:
        """Take in an event: the whole of what the strategy knows follows from the sequence of them."""
        self._events += 1
        if event[0] == "sitemap":
            self._sitemaps[event[1]] = event[2]
            return
        before = len(self.learner.known)
        self.learner.happened(event)
        if event[0] == "page":
            self._hosts.add(origin_of(self.learner.known[event[1]].url))
        if event[0] == "page" and len(event) > 3:
            name = identity(self.learner.known[event[1]].url)
            glance = [name, event[5], event[7], *event[9:]]
            if self.guard.learn(glance, event[1] in self.learner.listing, self._is_new(event[1])):
                self._numbers.clear()
                before = 0
        for number in range(before, len(self.learner.known)):
            self._numbers.setdefault(self.guard.key(self.learner.known[number].url), number)

    def _is_new(self, number: int) -> bool:
        """Say whether a page brought content whatever its words: prose, a page that is wanted, or values of its own."""
        return self.learner.new_values.get(number, 0) >= ENOUGH or self.learner.rewards.gains.get(number, 0) > 0

    def _number(self, outcome: Outcome, why: Follow | Submit) -> int | None:
        if isinstance(why.state, int) and why.state < len(self.learner.known):
            return why.state
        return self._numbers.get(self.guard.key(outcome.url))

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _end(self, room: int) -> Iterator[Action]:
        """Where learning failed, follow everything while it shows anything new; else say why URLs are left."""
        chosen: list[Choice] = []
        while not chosen and self.guard.stale < ENDLESS and (offered := everything(self.learner, room)):
            yield from self._sift(offered, chosen)
        if not chosen:
            yield from leftovers(self.learner)
            return
        if not self._failed:
            self._failed = True
            yield Note(f"{chosen[0].because}; everything is followed but traps", event="changed_strategy")
        yield from self._ask(chosen, False)

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _sift(self, offered: list[Choice], chosen: list[Choice]) -> Iterator[Action]:
        """Add to the chosen ones what may still be asked for, and leave the rest."""
        for choice in offered:
            verdict = self._verdict(choice.number)
            if verdict.allowed:
                chosen.append(choice)
            else:
                yield self._remember(["left", choice.number])
                url, referrer = self.learner.known[choice.number].url, self.learner.referrer(choice.number)
                yield Skip(url, verdict.because, verdict.rule, referrer)

    def _verdict(self, number: int) -> Verdict:
        """Say whether a waiting URL is still worth asking for, after what was learned since it was found."""
        url = self.learner.known[number].url
        first = self._numbers.get(self.guard.key(url), number)
        if first != number and self.learner.known[first].state != WAITING:
            known = self.learner.known[first].url
            return Verdict(False, f"shows the same as {known}", SAME_PAGE)
        return self._guarded(url, self.learner.known[number].source)

    def _guarded(self, url: str, source: int | None) -> Verdict:
        """Say whether a URL that was found on a page leads into a trap."""
        verdict = self.guard.verdict(url)
        return verdict if verdict.allowed else self.guard.verdict(url, self._is_led_to(url, source))

    def _is_led_to(self, url: str, source: int | None) -> bool:
        """Say whether a page of the same kind led to a URL, at once or by way of a few others."""
        kind, steps = kind_of(identity(url)), 0
        while source is not None and steps < LEADING_STEPS:
            known = self.learner.known[source]
            if kind_of(identity(known.url)) == kind:
                return True
            source, steps = known.source, steps + 1
        return False

    def _room_left(self, room: int) -> int:
        """Return how many URLs may be asked for beside those whose answers are out: the answers decide on all others.

        Each host has room of its own.
        """
        return max(1, room * len(self._hosts) - self._out())

    def _waits(self) -> bool:
        """Say whether answers are still out."""
        return self._out() > 0

    def _out(self) -> int:
        """Count the answers that are still out; none will come if no outcome was heard since the last refill."""
        if not self._heard:
            return 0
        return len(self.learner.out) + list(self._sitemaps.values()).count("asked")

    def _waits_for(self, number: int, chosen: Sequence[int]) -> bool:
        """Say whether a URL waits, as one that is out or chosen will tell whether both show the same.

        So of many session ids, print views or mirrors no more are asked for at once than when one goes at a time.
        """
        urls = [self.learner.known[one].url for one in (*(self.learner.out if self._heard else ()), *chosen)]
        if not urls or not (mine := self.guard.undecided(self.learner.known[number].url, urls)):
            return False
        return any(mine & self.guard.undecided(url, urls[:place]) for place, url in enumerate(urls))

    def _ask(self, chosen: list[Choice], looking: bool) -> Iterator[Action]:
        yield self._remember(["asked", [choice.number for choice in chosen], looking])
        for choice in chosen:
            known = self.learner.known[choice.number]
            referrer = "" if known.source is None else self.learner.known[known.source].url
            family, value = choice.family, choice.estimate
            yield Follow(known.url, choice.because, family, value, choice.number, referrer, known.depth)


def make(context: StrategyContext) -> LearnedStrategy:
    """Return the learned strategy; it starts from the patterns of an earlier crawl where a file of them is given."""
    path = context.options.patterns
    return LearnedStrategy(context, earlier=read_patterns(path) if path else None)
