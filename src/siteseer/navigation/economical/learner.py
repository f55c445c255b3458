"""What was fetched in, what to fetch next out: one online pass over a site that nobody knows.

Instead of a sample that is paid for before anything is used, every fetched page teaches: URLs fall into link classes,
each class has an estimate of what one more of its URLs would bring, and the most promising is asked for next. The crawl
ends when no class promises enough, after a second look at the large classes that only words spoke against.

The learner is a fold over events: whatever it knows follows from the sequence of `happened` values, which are plain
JSON, so that a crawl that was interrupted goes on exactly where it was.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.model import JSON
from siteseer.navigation.economical.aliases import Aliases
from siteseer.navigation.economical.classes import SUSPECTED, LinkClass, LinkClasses
from siteseer.navigation.economical.duplicates import Duplicates
from siteseer.navigation.economical.facts import LISTED, NOFOLLOW, PAGER, PLACE
from siteseer.navigation.economical.patterns import LinkPattern, PatternMatcher
from siteseer.navigation.economical.prose import unpack
from siteseer.navigation.economical.rewards import Rewards
from siteseer.navigation.economical.templates import Templates
from siteseer.navigation.economical.vocabulary import Words, is_feed, suspicion, suspicious_words
from siteseer.page.grams import DistinctGrams

THRESHOLD = 0.12
"""A class that promises less is left alone."""
DEMOTED = 0.3
"""Other names of known pages come last: their estimate is lowered by this for the order, not for the end."""
ARRANGED = 0.6
"""So do other arrangements of the same content (people, dates, tags, categories): plain lists come first."""
LISTED_FIRST = 1.5
"""What a sitemap lists needs no list to be found: it comes before the site's own lists."""
TRIALS = 8
"""So many URLs of a class are picked at random, as lists begin with the newest; then first come, first served."""
SECOND_LOOKS, SECOND_LOOK_SHARE, SECOND_LOOK_SIZE = 5, 0.05, 5
"""Classes of five URLs or more are looked at, with five requests and a twentieth of all requests at most."""
THIRD_LOOK_SHARE, THIRD_LOOK_SIZE = 0.02, 10
"""While this share is not spent, larger classes are looked at again: one page in three may have nothing to say."""
WORTHWHILE = 0.5
BUDGET_FACTOR, BUDGET_BASE = 3, 200
"""The crawl ends at three requests for each worthwhile page and 200 more, whatever the estimates say."""
WAITING, ASKED, DONE = range(3)


@dataclass(slots=True)
class Known:
    """The raw facts of one URL."""

    url: str
    text: str
    flags: int
    source: int | None
    depth: int
    state: int = WAITING
    kind: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A URL to ask for, with the class that it stands for and what is expected of it."""

    number: int
    family: str
    estimate: float
    because: str


class Learner:
    """Learns a site while it is crawled."""

    def __init__(self, seed: int = 0, words: Words = Words(), earlier: Sequence[LinkPattern] = ()) -> None:
        self.seed, self.words = seed, words
        self._earlier = PatternMatcher(earlier)
        self.known: list[Known] = []
        self.templates = Templates()
        self.rewards = Rewards()
        self.classes = LinkClasses(self.rewards.worth, self._is_demoted)
        self.classes.earlier = self._earlier_worth
        self.aliases = Aliases(self.templates.of, lambda name: self.classes.known[name], self.rewards)
        self.duplicates = Duplicates()
        self.grams = DistinctGrams()
        self.fetched: dict[int, int] = {}
        """Number of each fetched page to its HTTP status, in the order of fetching."""
        self.requests = self.worthwhile = self.second_looks = 0
        self._looking: set[int] = set()

    # ── what happened ─────────────────────────────────────────────────────────────────────────────────────────────

    def happened(self, event: JSON) -> None:
        """Take in one event, as `decide` wrote it."""
        steps = {"found": self._found, "asked": self._asked, "page": self._page, "other": self._other, "left": self._done}
        steps[event[0]](*event[1:])

    def _found(self, source: int | None, urls: list[JSON]) -> None:
        depth = 0 if source is None else self.known[source].depth + 1
        for url, text, flags in urls:
            number = self.templates.add(url)
            kind, word = self._opinion(url, text, flags)
            self.known.append(Known(url, text, flags, source, depth, WAITING, kind, word))
            template = self.templates.of(number)
            self.classes.known[template.name] += 1
            self.classes.add(number, template, kind)
        if self.templates.rebuild():
            self._rebuild()

    def _asked(self, numbers: list[int], second_look: bool) -> None:
        for number in numbers:
            known = self.known[number]
            if known.state == WAITING:
                link_class = self._class(number)
                link_class.waiting.pop(number, None)
                link_class.in_flight += 1
                link_class.asked += 1
                known.state = ASKED
                self.requests += 1
        if second_look:
            self.second_looks += len(numbers)
            self._looking.update(numbers)

    def _page(
        self, number: int, status: int, grams: str, blocks: str, canonical: int | None, *more: JSON
    ) -> None:
        self._done(number)
        self.fetched[number] = status
        new = self.grams.add(unpack(grams)) if grams else ()
        source = self.known[number].source
        before = None if source is None else self.known[source].source
        changed = [number]
        rescaled = self.rewards.add(number, len(new), source, before)
        self.classes.observe(number, self.templates.of(number))
        if canonical is not None:
            self.aliases.vote(number, canonical)
        for earlier in self.duplicates.add(number, unpack(blocks).tolist()) if blocks else ():
            changed += self.aliases.pair(number, earlier)
        if rescaled:
            self.classes.refresh_all()
        changed += [one for one in (source, before) if one is not None and len(new)]
        self.classes.refresh({self.templates.of(one) for one in changed})
        if self.rewards.own(number) > WORTHWHILE:
            self.worthwhile += 1
        if number in self._looking and self.rewards.worth(number) > WORTHWHILE:
            self._pardon(number)

    def _other(self, number: int, counts: bool) -> None:
        """Take in that a URL gave no page: a redirect to something known, an error, a refusal."""
        self._done(number)
        if counts:
            self.fetched[number] = 0
            self.rewards.add(number, 0)
            self.classes.observe(number, self.templates.of(number))

    # ── what next ─────────────────────────────────────────────────────────────────────────────────────────────────

    def choose(self, room: int) -> list[Choice]:
        """Return up to `room` URLs to ask for, the most promising classes first."""
        chosen: list[Choice] = []
        if self.requests > BUDGET_FACTOR * self.worthwhile + BUDGET_BASE:
            return chosen
        while len(chosen) < room:
            best, value = self._best()
            if best is None:
                break
            number = self._pick(best, len(chosen))
            chosen.append(self._choice(best, number, value))
            best.waiting.pop(number)
            best.in_flight += 1
        for choice in chosen:  # asking is an event of its own
            link_class = self._class(choice.number)
            link_class.waiting[choice.number] = None
            link_class.in_flight -= 1
        return chosen

    def second_look(self) -> Choice | None:
        """Return a URL of the largest class that nothing but words speaks against, if such a look can be afforded."""
        if self.second_looks >= SECOND_LOOKS + SECOND_LOOK_SHARE * self.requests:
            return None
        again = self.second_looks < SECOND_LOOKS + THIRD_LOOK_SHARE * self.requests
        candidates = [(looks, one) for one in self.classes if (looks := self._looks_left(one, again)) > 0]
        if not candidates:
            return None
        _, largest = max(candidates, key=lambda one: (one[0], len(one[1].waiting)))
        number = self._pick(largest, 0)
        because = f"second look at {len(largest.waiting)} URLs like {largest.template.name}: words may mislead"
        return Choice(number, largest.template.name, self.classes.estimate(largest), because)

    def _looks_left(self, link_class: LinkClass, again: bool) -> int:
        """Return how many looks a class still deserves: none if anything but words speaks against it."""
        size, name = len(link_class.waiting), link_class.template.name
        if size < SECOND_LOOK_SIZE or link_class.kind == "older" or self._is_demoted(name):
            return 0
        if is_feed(self.known[next(iter(link_class.waiting))].url) or self._earlier.find(name) is not None:
            return 0
        deserved = 1 + (again and size >= THIRD_LOOK_SIZE and link_class.kind in SUSPECTED)
        return deserved - len(self.classes.observed.get(link_class.template.nodes[0], ()))

    def _best(self) -> tuple[LinkClass | None, float]:
        best, best_value, best_rank = None, 0.0, 0.0
        for link_class in self.classes:
            if not link_class.waiting:
                continue
            value = self.classes.estimate(link_class)
            rank = value * self._order(link_class)
            if value >= THRESHOLD and rank > best_rank:
                best, best_value, best_rank = link_class, value, rank
        return best, best_value

    def _order(self, link_class: LinkClass) -> float:
        if self._is_demoted(link_class.template.name):
            return DEMOTED
        if link_class.kind == "arrangement":
            return ARRANGED
        return LISTED_FIRST if self.known[next(iter(link_class.waiting))].flags & LISTED else 1.0

    def _pick(self, link_class: LinkClass, count: int) -> int:
        if len(self.classes.observed.get(link_class.template.nodes[0], ())) >= TRIALS:
            return next(iter(link_class.waiting))
        waiting = list(link_class.waiting)
        return waiting[random.Random(f"{self.seed} {self.requests + count}").randrange(len(waiting))]

    def _choice(self, link_class: LinkClass, number: int, value: float) -> Choice:
        pages = len(self.classes.observed.get(link_class.template.nodes[0], ()))
        name = link_class.template.name
        because = f"URLs like {name} are expected to bring {value:.2f} after {pages} of them"
        return Choice(number, name, value, because)

    # ── what is left ──────────────────────────────────────────────────────────────────────────────────────────────

    def leftovers(self) -> Iterator[tuple[str, str, str]]:
        """Return URL, reason and rule of everything that is left alone."""
        for link_class in self.classes:
            if not link_class.waiting:
                continue
            rule, because = self._reason(link_class)
            for number in link_class.waiting:
                yield self.known[number].url, because, rule

    def _reason(self, link_class: LinkClass) -> tuple[str, str]:
        name = link_class.template.name
        pages = len(self.classes.observed.get(link_class.template.nodes[0], ()))
        value = self.classes.estimate(link_class)
        if value >= THRESHOLD:
            return f"{name}: beyond the budget", f"{self.requests} requests for {self.worthwhile} worthwhile pages"
        if preferred := self.aliases.demoted.get(name):
            return f"{name}: other name of {preferred}", f"the pages that were fetched repeat {preferred}"
        if link_class.kind in SUSPECTED:
            word = self.known[next(iter(link_class.waiting))].word
            return f"{name}: {word}", f"{word} in URL or link text; {pages} tried, {value:.2f} expected of one more"
        return f"{name}: nothing new", f"{pages} such pages brought little: {value:.2f} expected of one more"

    def patterns(self) -> list[LinkPattern]:
        """Return what was learned about each kind of URL."""
        pages: dict[str, list[int]] = defaultdict(list)
        examples: dict[str, str] = {}
        for number in self.fetched:
            pages[self.templates.of(number).name].append(number)
        for number, known in enumerate(self.known):
            name = self.templates.of(number).name
            examples[name] = examples.get(name) or known.text
        return [self._pattern(name, pages[name], text) for name, text in examples.items()]

    def _pattern(self, name: str, pages: list[int], text: str) -> LinkPattern:
        worth = [self.rewards.worth(page) for page in pages]
        mean = sum(worth) / len(worth) if worth else 0.0
        own = sum(map(self.rewards.own, pages)) / len(pages) if pages else 0.0
        if preferred := self.aliases.demoted.get(name):
            leads_to = f"other name of {preferred}"
        elif not pages:
            leads_to = "nothing tried"
        else:
            leads_to = "nothing new" if mean < THRESHOLD else "content" if own >= mean / 2 else "lists"
        return LinkPattern(name, leads_to, round(mean, 4), len(pages), self.classes.known[name], len(pages), text)

    def _earlier_worth(self, name: str) -> float | None:
        found = self._earlier.find(name)
        return None if found is None else found.worth

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _opinion(self, url: str, text: str, flags: int) -> tuple[str, str]:
        kind, word = suspicion(url, text, self.words)
        if kind in ("function", "older"):
            return kind, word
        if flags & PLACE and "place" not in self.words.cleared:
            return "place", "place"
        if flags & NOFOLLOW and "nofollow" not in self.words.cleared:
            return "function", "nofollow"
        if kind:
            return kind, word
        return ("pager", "") if flags & PAGER else ("", "")

    def _class(self, number: int) -> LinkClass:
        return self.classes.of(self.templates.of(number), self.known[number].kind)

    def _is_demoted(self, name: str) -> bool:
        return name in self.aliases.demoted

    def _done(self, number: int) -> None:
        known = self.known[number]
        link_class = self._class(number)
        if known.state == ASKED:
            link_class.in_flight -= 1
        link_class.waiting.pop(number, None)
        known.state = DONE

    def _pardon(self, number: int) -> None:
        """Hold no word of a URL that was worthwhile against others any more."""
        known = self.known[number]
        words = suspicious_words(known.url, known.text) | {{"place": "place", "nofollow": "nofollow"}.get(known.word, "")}
        self.words = Words(self.words.others, self.words.cleared | words)
        for one in self.known:
            if one.kind in SUSPECTED:
                one.kind, one.word = self._opinion(one.url, one.text, one.flags)
        self._rebuild()

    def _rebuild(self) -> None:
        """Build classes and observations again from the facts, as templates have changed."""
        self.classes.clear()
        for number, known in enumerate(self.known):
            template = self.templates.of(number)
            self.classes.known[template.name] += 1
            if known.state == WAITING:
                self.classes.add(number, template, known.kind)
            elif known.state == ASKED:
                self.classes.of(template, known.kind).in_flight += 1
        for number in self.fetched:
            self.classes.observe(number, self.templates.of(number))
        self.aliases.rebuild()
        self.classes.refresh_all()
