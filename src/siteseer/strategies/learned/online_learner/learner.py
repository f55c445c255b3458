"""The learner's memory: all that is known about a site, as a fold over the events of the crawl.

Instead of a sample that is paid for before anything is used, every fetched page teaches: URLs fall into link classes,
and each class has an estimate of what one more of its URLs would bring. `next_urls` asks for the most promising ones.

Whatever the learner knows follows from the sequence of `happened` values, which are plain JSON, so that a crawl that
was interrupted goes on exactly where it was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from siteseer.model import JSON
from siteseer.page.slot_values import NO_VALUES, SlotValues, read_row
from siteseer.page.two_grams import DistinctGrams
from siteseer.strategies.learned.online_learner.identity_rules import name_of, parts
from siteseer.strategies.learned.online_learner.learned_patterns import LinkPattern, PatternMatcher
from siteseer.strategies.learned.online_learner.link_classes import (
    ARRANGEMENT,
    BESIDE,
    FIRST,
    OVERVIEW,
    SUSPECTED,
    WORTHWHILE,
    LinkClass,
    LinkClasses,
)
from siteseer.strategies.learned.online_learner.link_classes import PAGER as GOES_ON
from siteseer.strategies.learned.online_learner.link_facts import LISTED, NOFOLLOW, ONWARD, PAGER, PLACE
from siteseer.strategies.learned.online_learner.list_orders import ORDERINGS, Lists, list_of
from siteseer.strategies.learned.online_learner.near_duplicates import Duplicates, shows_new_texts
from siteseer.strategies.learned.online_learner.prose import MIN_WORDS, unpack
from siteseer.strategies.learned.online_learner.rewards import ARRANGED, ENTRY, MANY_VALUES, Record, Rewards
from siteseer.strategies.learned.online_learner.rewards import USUAL as PROSE
from siteseer.strategies.learned.online_learner.slot_novelty import SlotNovelty
from siteseer.strategies.learned.online_learner.url_aliases import Aliases
from siteseer.strategies.learned.online_learner.url_shapes import numbers_of
from siteseer.strategies.learned.online_learner.url_templates import Templates
from siteseer.strategies.learned.online_learner.url_words import (
    USUAL,
    Words,
    directory,
    is_first,
    suspicious_word,
    suspicious_words,
)

NO_END = 100
"""So many pages in a row, each found on the one before, that show nothing but other numbers are an endless list."""
WAITING, ASKED, DONE = range(3)


@dataclass(slots=True)
class KnownUrl:
    """The raw facts of one URL."""

    url: str
    text: str
    flags: int
    source: int | None
    depth: int
    state: int = WAITING
    kind: str = ""
    word: str = ""
    before: int | None = None
    """The page of a list that goes on with this one."""


class OnlineLearner:
    """Learns a site while it is crawled."""

    def __init__(self, seed: int = 0, words: Words = USUAL, earlier: Sequence[LinkPattern] = ()) -> None:
        self.seed, self.words = seed, words
        self.earlier = PatternMatcher(earlier)
        self.known: list[KnownUrl] = []
        self.templates = Templates()
        self.rewards = Rewards()
        self.classes = LinkClasses(self.rewards.worth, self.is_demoted)
        self.classes.earlier = self._earlier_worth
        self.aliases = Aliases(
            self.templates.of,
            lambda name, source: self.classes.shown_on[name, source],
            self.rewards,
            lambda name: self.classes.first[name],
        )
        self.slots = SlotNovelty()
        self.duplicates = Duplicates(self.slots.is_template)
        self.new_values: dict[int, int] = {}
        """How many values each page was the first to show."""
        self.lists: set[int] = set()
        """Pages that mostly list others."""
        self.counts_records = True
        """Whether new values are content, beside prose."""
        self.further: dict[int, int] = {}
        """How many pages of its kind led to a page, each to the next."""
        self._lists = Lists()
        self._numbers: dict[str, int] = {}
        self.listing: set[int] = set()
        """Further pages of lists that were the first to show some entries, whatever words they have in common."""
        self.grams = DistinctGrams()
        self.fetched: dict[int, int] = {}
        """Number of each fetched page to its HTTP status, in the order of fetching."""
        self.out: dict[int, None] = {}
        """The URLs that were asked for and have not answered yet."""
        self._asked_with: dict[tuple[str, ...], list[int]] = defaultdict(list)
        """The URLs that were asked for, by the numbers in them."""
        self.found_by: dict[int, range] = {}
        """The URLs that each page was the first to show."""
        self.requests = self.worthwhile = self.second_looks = 0
        self.directories = Counter[str]()
        """How many worthwhile pages each directory has."""
        self.other_names: Callable[[str], str] = name_of
        """Where URLs say nothing about pages: names that do, from the event `renamed` on."""
        self._naming: Callable[[str], str] = name_of
        self._looking: set[int] = set()
        self._unlisted_home = False

    # ── what happened ─────────────────────────────────────────────────────────────────────────────────────────────

    def happened(self, event: JSON) -> None:
        """Take in one event: its name and its facts."""
        steps: dict[str, Callable[..., None]] = {
            "found": self._found,
            "listed": self._listed,
            "onward": self._onward,
            "again": self._again,
            "asked": self._asked,
            "page": self._page,
            "other": self._other,
            "left": self._done,
            "renamed": self._renamed,
        }
        steps[event[0]](*event[1:])

    def _found(self, source: int | None, urls: Sequence[JSON]) -> None:
        depth = 0 if source is None else self.known[source].depth + 1
        for url in (*(one[0] for one in urls if one[2] & ONWARD), *(one[0] for one in urls)):
            self._lists.meet(url)
        for url, text, flags, *place in urls:
            number = self.templates.add(self._naming(url), *place)
            kind, word = self._opinion(url, text, flags, source)
            self._numbers.setdefault(url, number)
            before = source if flags & ONWARD else None
            self.known.append(KnownUrl(url, text, flags, source, depth, WAITING, kind, word, before))
            template = self.templates.of(number)
            self.classes.count(template.name, number, self._source_name(source))
            self.classes.add(number, template, kind)
        if self.templates.rebuild():
            self._rebuild()

    def _listed(self, numbers: list[int]) -> None:
        """Take in that a sitemap lists URLs that are known."""
        for number in numbers:
            self.known[number].flags |= LISTED

    def _onward(self, source: int, numbers: list[int]) -> None:
        """Take in that a page shows URLs that are known as further pages of its list."""
        for number in numbers:
            known = self.known[number]
            known.flags |= PAGER | ONWARD
            known.before = source
            if known.state == WAITING and known.kind in SUSPECTED:
                self.class_of(number).remove(number)
                known.source = source
                known.kind, known.word = self._opinion(known.url, known.text, known.flags, source)
                self.class_of(number).add(number)

    def _again(self, source: int, numbers: list[int]) -> None:
        """Take in that a page shows URLs that arrangements were the first to show: it would have led to them as well.

        Which of the two came first says nothing of what arrangements are worth.
        """
        changed = {source}
        for number in numbers:
            known = self.known[number]
            if known.source is not None:
                changed.add(known.source)
                self.rewards.move_credit(number, known.source, source)
            known.source = source
        self.classes.refresh({self.templates.of(one) for one in changed})

    def is_found_by_arrangement(self, number: int) -> bool:
        """Say whether an arrangement was the first to show a URL."""
        source = self.known[number].source
        return source is not None and self.known[source].kind == ARRANGEMENT

    def is_arranged(self, number: int) -> bool:
        """Say whether there is an arrangement, or something suspected, on the way on which a page was found."""
        at: int | None = number
        while at is not None:
            if self.known[at].kind in (ARRANGEMENT, *SUSPECTED):
                return True
            at = self.known[at].source
        return False

    def _asked(self, numbers: list[int], second_look: bool) -> None:
        for number in numbers:
            known = self.known[number]
            if known.state == WAITING:
                link_class = self.class_of(number)
                link_class.remove(number)
                link_class.in_flight += 1
                known.state = ASKED
                self.out[number] = None
                self._asked_with[numbers_of(known.url)].append(number)
                self.requests += 1
        if second_look:
            self.second_looks += len(numbers)
            self._looking.update(numbers)
            for number in numbers:
                self.classes.sampled.setdefault(self.templates.of(number).name, [])

    def _page(
        self, number: int, status: int, new: Sequence[JSON] = (), grams: str = "", blocks: str = "", *more: JSON
    ) -> None:
        """Take in a page: the URLs that it showed first, its new 2-grams, its blocks, what it calls canonical.

        Then come its new texts, whether it asks not to be indexed, which says nothing where the first page of the site
        does, and its slot values.
        """
        first = len(self.known)
        self._found(number, new)
        self.found_by[number] = range(first, len(self.known))
        self._done(number)
        self.fetched[number] = status
        gain = len(self.grams.add(unpack(grams)))
        source = self.known[number].source
        before = None if source is None else self.known[source].source
        changed = [number]
        unlisted = len(more) > 2 and bool(more[2])
        if len(self.fetched) == 1:
            self._unlisted_home = unlisted
        values = read_row(more[3]) if len(more) > 3 else NO_VALUES
        shown = unpack(blocks).tolist()
        repeats = gain < MIN_WORDS and self._repeats(number, shown)
        record = self._record(number, source, values, len(more) > 1 and len(unpack(more[1])) > 0, repeats)
        unlisted = unlisted and not self._unlisted_home
        rescaled = self.rewards.add(number, gain, source, before, unlisted=unlisted, record=record)
        template = self.templates.of(number)
        if (sample := self.classes.sampled.get(template.name)) is not None:
            sample.append(number)
        self.classes.observe(number, template, self.known[number].kind)
        if more and more[0] is not None and self.known[number].kind != FIRST:
            self.aliases.vote(number, more[0])
        is_new = len(more) > 1 and shows_new_texts(len(unpack(more[1])), len(shown))
        if self._lists_entries(number, len(new)):
            self.listing.add(number)
        for earlier in self.duplicates.add(number, shown, values):
            if (
                not is_new
                and number not in self.listing
                and FIRST not in (self.known[number].kind, self.known[earlier].kind)
            ):
                changed += self.aliases.pair(number, earlier)
        if rescaled:
            self.classes.refresh_all()
        changed += [one for one in (source, before) if one is not None and self.rewards.own(number)]
        self.classes.refresh({self.templates.of(one) for one in changed})
        if self.rewards.own(number) > WORTHWHILE:
            self.worthwhile += 1
            self.directories[directory(self.known[number].url)] += 1
        for looked in self._looking.intersection(one for one in (number, source, before) if one is not None):
            if self.rewards.worth(looked) > WORTHWHILE:
                self._looking.discard(looked)
                self._pardon(looked)

    def _record(
        self, number: int, source: int | None, values: SlotValues, has_words: bool, repeats: bool
    ) -> Record | None:
        """Count what is new among the slot values of a page; return it where such values are content.

        A long row of pages, each found on the one before, that have no new words but only other numbers has no end.
        Beside a text that a larger page shows, a heading and a date in another form are no record.
        """
        template, kind = self.templates.of(number), self.known[number].kind
        is_further = source is not None and self.templates.of(source).name == template.name
        self.further[number] = self.further.get(source, 0) + 1 if source is not None and is_further else 0
        new = self.slots.add(values, template.path, is_further, repeats)
        new = self.new_values[number] = new if has_words or self.further[number] < NO_END else 0
        if self.slots.is_list:
            self.lists.add(number)
        if repeats and (new < MANY_VALUES or kind in (ARRANGEMENT, OVERVIEW)):
            new = self.new_values[number] = 0
        if not new or not self.counts_records or kind in SUSPECTED or kind == FIRST:
            return None
        if kind in (ARRANGEMENT, OVERVIEW):
            return Record(new, ARRANGED)
        return Record(new, ENTRY if self._is_entry(number, source) else "")

    def _repeats(self, number: int, blocks: Sequence[int]) -> bool:
        """Say whether a page shows texts of other pages: a part of a larger one, or the same in another arrangement."""
        if self.known[number].kind in (ARRANGEMENT, OVERVIEW):
            return bool(self.duplicates.known(blocks))
        return self.duplicates.is_part(blocks)

    def _is_entry(self, number: int, source: int | None) -> bool:
        """Say whether a list led to a page whose URL is not that of a page of prose with something added to it."""
        if source not in self.lists or self.rewards.gains.get(source, 0) >= PROSE:
            return False
        url = self.known[number].url
        shorter = {url.rpartition(sign)[0] for sign in "/;?."} | {left for _, left in parts(url)}
        bases = (self._numbers.get(one) for one in shorter)
        return not any(base is not None and self.rewards.gains.get(base, 0) >= PROSE for base in bases)

    def _lists_entries(self, number: int, new: int) -> bool:
        """Say whether a page goes on in a list, and the last so many URLs that it showed are entries of the list."""
        kind = self.templates.of(number).name
        found = range(len(self.known) - new, len(self.known))
        return bool(self.known[number].flags & ONWARD) and any(self.templates.of(one).name != kind for one in found)

    def _other(self, number: int, counts: bool) -> None:
        """Take in that a URL gave no page: a redirect to something known, an error, a refusal."""
        self._done(number)
        if counts:
            self.fetched[number] = 0
            self.rewards.add(number, 0)
            self.classes.observe(number, self.templates.of(number), self.known[number].kind)

    def _renamed(self) -> None:
        """Take in that URLs are known by their other names from now on."""
        self._naming = self.other_names
        for number, known in enumerate(self.known):
            self.templates.rename(number, self._naming(known.url))
        self.templates.rebuild()
        self._rebuild()

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _opinion(self, url: str, text: str, flags: int, source: int | None) -> tuple[str, str]:
        """Return the first opinion on a URL: that it goes on in a list that is wanted comes before all words."""
        kind, word = suspicious_word(url, text, self.words)
        is_wanted_list = source is None or self.known[source].kind not in SUSPECTED
        if flags & ONWARD and kind not in BESIDE and is_wanted_list:
            return (kind, word) if kind in (ARRANGEMENT, OVERVIEW) else (GOES_ON, "")
        if word in ORDERINGS and is_wanted_list and self._is_only_order(url, text):
            kind, word = "", ""
        if kind in ("function", OVERVIEW, *BESIDE):
            return kind, word
        if flags & PLACE and "place" not in self.words.cleared:
            return "place", "place"
        if flags & NOFOLLOW and "nofollow" not in self.words.cleared:
            return "function", "nofollow"
        if kind:
            return kind, word
        return ("", "") if not flags & PAGER else (FIRST if is_first(text) else GOES_ON, "")

    def _is_only_order(self, url: str, text: str) -> bool:
        """Say whether nothing but its order speaks against a list, which no other URL shows."""
        return self._lists.is_first_order(url) and not suspicious_word(list_of(url), text, self.words)[0]

    def referrer(self, number: int) -> str:
        """Return the page on which a URL was found first; empty where it was found otherwise."""
        source = self.known[number].source
        return "" if source is None else self.known[source].url

    def _source_name(self, source: int | None) -> str:
        return "" if source is None else self.templates.of(source).name

    def is_demoted(self, name: str) -> bool:
        """Say whether a template is only another name of pages that another one shows."""
        return self.preferred_to(name) is not None

    def preferred_to(self, name: str) -> str | None:
        """Return the template that shows the same pages under a better name, if there is one."""
        return self.aliases.preferred_to(name, len(self.classes.observed.get(f"L {name}", ())))

    def pages_of(self, link_class: LinkClass) -> int:
        """Return how many pages of a class's template were fetched."""
        return len(self.classes.observed.get(f"L {link_class.template.name}", ()))

    def has_twin(self, number: int) -> bool:
        """Say whether a URL of another kind with the same numbers was asked for."""
        numbers, name = numbers_of(self.known[number].url), self.templates.of(number).name
        return bool(numbers) and any(self.templates.of(one).name != name for one in self._asked_with.get(numbers, ()))

    def failed_looks(self, name: str) -> int:
        """Return how many pages of a template brought nothing since the last one that did, from its second look on."""
        count = 0
        for page in reversed(self.classes.sampled.get(name, ())):
            if self.rewards.worth(page) > WORTHWHILE:
                break
            count += 1
        return count

    def looks_in_vain(self, words: Collection[str]) -> int:
        """Return at how many URLs with one of these words a second look brought nothing."""
        return sum(self.known[number].word in words for number in self._looking if number in self.fetched)

    def _earlier_worth(self, name: str) -> float | None:
        found = self.earlier.find(name)
        return None if found is None else found.worth

    def class_of(self, number: int) -> LinkClass:
        """Return the class of a URL."""
        return self.classes.of(self.templates.of(number), self.known[number].kind)

    def _done(self, number: int) -> None:
        known = self.known[number]
        link_class = self.class_of(number)
        if known.state == ASKED:
            link_class.in_flight -= 1
        link_class.remove(number)
        self.out.pop(number, None)
        known.state = DONE

    def _pardon(self, number: int) -> None:
        """Hold no word of a URL that was worthwhile against others any more."""
        known = self.known[number]
        words = suspicious_words(known.url, known.text) | {
            {"place": "place", "nofollow": "nofollow"}.get(known.word, "")
        }
        self.words = Words(self.words.others, self.words.cleared | words)
        for one in self.known:
            if one.kind in SUSPECTED:
                one.kind, one.word = self._opinion(one.url, one.text, one.flags, one.source)
        self._rebuild()

    def _rebuild(self) -> None:
        """Build classes and observations again from the facts, as templates have changed."""
        self.classes.clear()
        for number, known in enumerate(self.known):
            template = self.templates.of(number)
            self.classes.count(template.name, number, self._source_name(known.source))
            if known.state == WAITING:
                self.classes.add(number, template, known.kind)
            elif known.state == ASKED:
                self.classes.of(template, known.kind).in_flight += 1
        for number in self.fetched:
            self.classes.observe(number, self.templates.of(number), self.known[number].kind)
        self.aliases.rebuild()
        self.classes.refresh_all()
