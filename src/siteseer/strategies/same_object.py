"""Identifies which observations on many pages are one and the same object (deduplication of posts and comments).

A post stands in its thread, on a page of its own, in listings that show it whole and in listings that show how it
begins. In this order an object is identified by the id that its site gives it, by its position (two records of one page
are two objects, however alike), and by its whole text with author and date. A text that another contains is the same
object where neither author nor date contradicts: the same beginning, or the same author at the same moment, only
selects which ones are worth comparing, as form letters, minutes and release notes begin alike.

Texts are compared by the smallest hashes of their word triples (a bottom-k sketch: Broder, On the resemblance and
containment of documents, 1997), so that a text costs the same few hundred bytes whatever its length.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from siteseer.model import WebObject
from siteseer.page.text import WORD
from siteseer.page.two_grams import distinct, hash_words

BEGINNING, LONGEST_BEGINNING = 12, 2_000
"""Words by which texts that are worth comparing are found: a listing often shows only how a post begins."""
TELLING_WORDS = 12
"""A text of fewer words says little: many people write it."""
SKETCH = 128
CONTAINED = 0.75
"""Share of the shorter text that stands in the longer one, where nothing else speaks for one object or for two."""
CONTAINED_OF_ONE = 0.5
"""The same where author or date, or the site's own id, say that it is one object."""
NEARLY_ALL = 0.95
"""The same for two pages of one template of which neither author nor date are known."""
MOST_COMPARED = 60
"""Objects with which an observation is compared; of more that begin alike, only those of its day and its text."""
OTHER_ZONE = timedelta(hours=14)
"""How far apart two templates may write one moment, each in its own time zone."""
QUARTER = timedelta(minutes=15)
FETCHED_LATER = timedelta(hours=1)
"""How far apart one template may write the moment of one text: `2 hours ago` was read on two pages."""
COUNTED = 0.2
"""Share of ids that stand for other texts on other pages, above which they only count the records of a page."""
FEWEST_PAIRS, AGREE = 4, 0.5
"""Where two templates give the same texts other authors (or dates) more often than not, one of them is misread."""
_NUMBER = re.compile(r"\d+")
Sketch = NDArray[np.uint32]


class Observation(NamedTuple):
    """One occurrence of an object on a page, kept until its best page is found."""

    place: int
    """The number of the page."""
    template: int
    kind: str
    title: int
    length: int
    rank: float
    confidence: float
    begins: int
    """How its text begins."""
    goes_on: int
    """How it goes on after its first line; 0 where there is little more."""
    whole: int
    is_telling: bool
    """Whether its text has more than a few words."""
    author: str
    published: str
    """Empty, like the author, where the page tells of the last edit: another version has other ones."""
    own: str
    """The id that its site gives it, among the records of its page or as the address of the page."""
    name: int
    """Its IRI."""
    is_lone: bool
    """Whether it is what its page is about, rather than one record of a list."""
    sketch: Sketch


def observe(one: WebObject, place: int, template: int, rank: float) -> Observation:
    """Return the observation of an object."""
    words = WORD.findall((one.text or "").lower())
    return Observation(
        place,
        template,
        one.kind,
        _hash(WORD.findall((one.title or "")[:LONGEST_BEGINNING].lower())),
        len(one.text or ""),
        rank,
        one.confidence,
        *beginnings(one),
        _hash(words),
        len(words) >= TELLING_WORDS,
        "" if one.modified else " ".join(WORD.findall((one.author or "").lower())),
        "" if one.modified else one.published or "",
        own_id(one),
        _hash((one.id,)),
        one.thread is None and one.parent is None,
        sketch(words),
    )


def beginnings(one: WebObject) -> tuple[int, int]:
    """Return how a text begins, with author and date where it is short, and how it goes on after its first line."""
    _, _, rest = (one.text or "").partition("\n")
    begins = _first_words(one.text or "")
    if len(begins) < BEGINNING:
        begins += [one.author or "", one.published or ""]
    goes_on = _first_words(rest)
    return _hash(begins), _hash(goes_on) if len(goes_on) == BEGINNING else 0


def _first_words(text: str) -> list[str]:
    return WORD.findall(text[:LONGEST_BEGINNING].lower())[:BEGINNING]


def _hash(words: Sequence[str]) -> int:
    return xxh3_64_intdigest(" ".join(words).encode("utf-8", "replace"))


def own_id(one: WebObject) -> str:
    """Return the id that a site gives a record: its fragment or last number, the whole address of what stands alone.

    >>> own_id(WebObject("post", "i", "u", permalink="http://f.example/t?p=7&sid=1a#p77", thread="t"))
    'p77'
    >>> own_id(WebObject("post", "i", "u", permalink="http://f.example/msg304", thread="t"))
    '304'
    """
    if not one.permalink:
        return ""
    if one.thread is None and one.parent is None:
        return one.permalink
    address, _, fragment = one.permalink.partition("#")
    if any(letter.isdigit() for letter in fragment):
        return fragment
    numbers = _NUMBER.findall(address.partition("//")[2].partition("/")[2])
    return numbers[-1] if numbers else one.permalink


def sketch(words: list[str]) -> Sketch:
    """Return the smallest hashes of a text's word triples, sorted."""
    if len(words) < 3:
        return np.empty(0, np.uint32)
    pairs = hash_words(words)
    triples = distinct(((pairs[:-1] * np.uint64(0xD6E8FEB86659FD93)) ^ pairs[1:]) >> np.uint64(32))
    return triples[:SKETCH].astype(np.uint32)


def containment(one: Observation, other: Observation) -> float:
    """Return the share of the shorter text that the longer one holds, as far as the sketches tell."""
    if one.whole == other.whole:
        return 1.0
    limit = min((int(s[-1]) for s in (one.sketch, other.sketch) if len(s) == SKETCH), default=1 << 32)
    left, right = (s[: int(np.searchsorted(s, limit, side="right"))] for s in (one.sketch, other.sketch))
    if not len(left) or not len(right):
        return CONTAINED if one.begins == other.begins else 0.0
    return len(np.intersect1d(left, right, assume_unique=True)) / min(len(left), len(right))


@dataclass(slots=True)
class Cluster:
    """The observations of one object, the longest first."""

    rows: list[int] = field(default_factory=list)
    places: dict[int, set[str]] = field(default_factory=dict)
    """The ids under which each page shows it."""


class SameObjects:
    """Groups observations by object."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        self._all = observations
        self._clusters: list[Cluster] = []
        self._by_key: dict[int, list[int]] = defaultdict(list)
        self._by_day: dict[tuple[int, str], list[int]] = defaultdict(list)
        self._by_whole: dict[int, list[int]] = defaultdict(list)
        self._by_name: dict[int, list[int]] = defaultdict(list)
        self._by_moment: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._shared: dict[int, set[int]] = defaultdict(set)
        self._misread = misread_fields(observations)
        self._counting = templates_that_count(observations)
        for number in sorted(range(len(observations)), key=lambda n: (-observations[n].length, n)):
            self._add(number)

    def groups(self) -> list[list[int]]:
        """Return the numbers of the observations of each object, the longest text first."""
        return [cluster.rows for cluster in self._clusters]

    def _add(self, number: int) -> None:
        row = self._all[number]
        chosen, best = -1, 0.0
        for candidate in self._candidates(row):
            certainty = self._certainty(row, self._clusters[candidate])
            if certainty > best:
                chosen, best = candidate, certainty
        if chosen < 0:
            chosen = len(self._clusters)
            self._clusters.append(Cluster())
            self._register(row, chosen)
        cluster = self._clusters[chosen]
        cluster.rows.append(number)
        cluster.places.setdefault(row.place, set()).add(row.own)
        if len(cluster.places) > 1:
            for place in cluster.places:
                self._shared[place].add(chosen)

    def _register(self, row: Observation, cluster: int) -> None:
        for key in {row.begins, row.goes_on} - {0}:
            self._by_key[key].append(cluster)
            self._by_day[key, row.published[:10]].append(cluster)
        self._by_whole[row.whole].append(cluster)
        self._by_name[row.name].append(cluster)
        if moment := _author_and_moment(row):
            self._by_moment[moment].append(cluster)

    def _candidates(self, row: Observation) -> Iterator[int]:
        """Yield the objects that may be this one, each once."""
        found: dict[int, None] = {}
        for key in (row.begins, row.goes_on):
            alike = self._by_key.get(key, []) if key else []
            if len(alike) > MOST_COMPARED:
                days = ("", *_days_around(row.published)) if row.published else ("",)
                alike = [number for day in days for number in self._by_day.get((key, day), ())]
            found.update(dict.fromkeys(alike[-MOST_COMPARED:]))
        found.update(dict.fromkeys(self._by_whole.get(row.whole, ())[:MOST_COMPARED]))
        found.update(dict.fromkeys(self._by_name.get(row.name, ())[:MOST_COMPARED]))
        if moment := _author_and_moment(row):
            found.update(dict.fromkeys(self._by_moment.get(moment, ())[:MOST_COMPARED]))
        yield from found

    def _certainty(self, row: Observation, cluster: Cluster) -> float:
        """Return how surely an observation is that of an object; 0 where it is not."""
        longest = self._all[cluster.rows[0]]
        if row.place in cluster.places:
            is_shown_twice = bool(row.own) and row.own in cluster.places[row.place] and row.kind == longest.kind
            return 1.0 if is_shown_twice and containment(row, longest) >= CONTAINED_OF_ONE else 0.0
        evidence = self._evidence(row, longest)
        if evidence < 0:
            return 0.0
        is_known = evidence >= 2 or self._is_page_known(row, cluster) or self._is_misdated(row, cluster)
        if not row.is_telling and not is_known:
            return 0.0
        held = containment(row, longest)
        least = CONTAINED_OF_ONE if evidence else CONTAINED if row.template != longest.template else NEARLY_ALL
        return held + evidence if held >= least else 0.0

    def _is_page_known(self, row: Observation, cluster: Cluster) -> bool:
        """Say whether the page of a short remark shows other objects that a page of the cluster shows, too."""
        mine = self._shared.get(row.place, set())
        return any(mine & self._shared.get(place, set()) for place in cluster.places)

    def _is_misdated(self, row: Observation, cluster: Cluster) -> bool:
        """Say whether a short remark of one author is shown by templates of which one misreads dates."""
        others = [self._all[number] for number in cluster.rows]
        if not row.author or any((row.whole, row.author) != (other.whole, other.author) for other in others):
            return False
        misread = ["published" in self._misread.get(_pair(row, other), ()) for other in others]
        pairs = zip(misread, others, strict=True)
        return any(misread) and all(is_misread or _says_the_same(row, other) for is_misread, other in pairs)

    def _evidence(self, one: Observation, other: Observation) -> float:
        """Count what speaks for one object besides the text; -1 where something speaks against it."""
        misread = self._misread.get(_pair(one, other), frozenset())
        evidence = 2.0 if one.name == other.name else 0.0
        if not evidence and one.template == other.template:
            evidence = self._ids_evidence(one, other)
        if evidence < 0:
            return evidence
        if "author" not in misread and one.author and other.author:
            if not _same_name(one.author, other.author):
                return -1
            evidence += 1
        if "published" not in misread and one.published and other.published:
            agreed = _same_time(one.published, other.published, _apart(one, other))
            if agreed < 0:
                return -1
            evidence += agreed + (agreed == 1 and one.whole == other.whole)  # one text at one minute
        return evidence

    def _ids_evidence(self, one: Observation, other: Observation) -> float:
        """The same for the ids of two observations of one template."""
        if not one.own or not other.own or (not one.is_lone and one.template in self._counting):
            return 0.0
        if one.own == other.own:
            return 2.0
        if one.is_lone != other.is_lone:
            return 0.0
        if not one.is_lone:
            return -1.0
        if one.title == other.title:  # versions and views of a page that says nothing of author and date
            return 1.0 if one.kind == other.kind == "page" else 0.0
        return 0.0 if one.whole == other.whole else -1.0


def _author_and_moment(row: Observation) -> tuple[str, str] | None:
    """Return who wrote an object at which minute, where both are known: listings add lines to how its text begins."""
    return (row.author, row.published[:16]) if row.author and len(row.published) > len("2020-05-01") else None


def templates_that_count(observations: Iterable[Observation]) -> frozenset[int]:
    """Return the templates whose ids only number the records of a page: other pages have other texts under them."""
    texts: dict[tuple[int, str], set[int]] = defaultdict(set)
    places: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in observations:
        if row.own and not row.is_lone:
            texts[row.template, row.own].add(row.begins)
            places[row.template, row.own].add(row.place)
    met, several = Counter[int](), Counter[int]()
    for (template, own), found in texts.items():
        if len(places[template, own]) > 1:
            met[template] += 1
            several[template] += len(found) > 1
    return frozenset(template for template, count in met.items() if several[template] > COUNTED * count)


def _apart(one: Observation, other: Observation) -> timedelta:
    """Return how far apart the dates of one object may be read."""
    if one.template != other.template:
        return OTHER_ZONE
    return FETCHED_LATER if one.whole == other.whole else timedelta(0)


def misread_fields(observations: Iterable[Observation]) -> dict[tuple[int, int], frozenset[str]]:
    """Return for pairs of templates the fields in which they mostly disagree about texts.

    Only texts count to which a template gives one author and one date, on however many pages.
    """
    once: dict[int, dict[int, Observation | None]] = defaultdict(dict)
    for row in observations:
        if row.is_telling:
            known = once[row.begins]
            earlier = known.get(row.template, row)
            known[row.template] = row if earlier and _says_the_same(earlier, row) else None
    met: dict[tuple[int, int], list[tuple[Observation, Observation]]] = defaultdict(list)
    for known in once.values():
        rows = [row for row in known.values() if row is not None]
        for place, one in enumerate(rows):
            for other in rows[place + 1 :]:
                met[_pair(one, other)].append((one, other))
    return {templates: frozenset(_disagreements(pairs)) for templates, pairs in met.items()}


def _says_the_same(one: Observation, other: Observation) -> bool:
    return (one.author, one.published) == (other.author, other.published)


def _disagreements(pairs: Sequence[tuple[Observation, Observation]]) -> Iterator[str]:
    names = [_same_name(one.author, other.author) for one, other in pairs if one.author and other.author]
    days = [
        _same_time(one.published, other.published, OTHER_ZONE) >= 0
        for one, other in pairs
        if one.published and other.published
    ]
    for name, agreements in (("author", names), ("published", days)):
        if len(agreements) >= FEWEST_PAIRS and sum(agreements) < AGREE * len(agreements):
            yield name


def _pair(one: Observation, other: Observation) -> tuple[int, int]:
    return min(one.template, other.template), max(one.template, other.template)


def _same_name(one: str, other: str) -> bool:
    """Say whether two names may be one: all words of the shorter stand in the longer.

    >>> _same_name("ann lee", "lee"), _same_name("ann lee", "ann may")
    (True, False)
    """
    left, right = set(one.split()), set(other.split())
    return left <= right or right <= left


def _same_time(one: str, other: str, apart: timedelta) -> float:
    """Return 1 for one moment, less for one day, 0 where both may be meant, -1 for two moments.

    Templates may write a moment in two time zones, which differ by quarters of an hour.

    >>> [_same_time("2020-05-01", day, timedelta(0)) for day in ("2020-05-01T10:00:00Z", "2020-05-02")]
    [0.5, -1.0]
    >>> [_same_time("2020-05-01T23:30:00Z", f"2020-05-02T01:{minute}:00Z", OTHER_ZONE) for minute in (30, 31)]
    [0.0, -1.0]
    """
    is_day = min(len(one), len(other)) == 10
    if one[: 10 if is_day else 16] == other[: 10 if is_day else 16]:
        return 0.5 if is_day else 1.0
    left, right = _moment(one), _moment(other)
    if left is None or right is None or not apart:
        return -1.0
    between = abs(left.replace(second=0) - right.replace(second=0))
    if apart == OTHER_ZONE:
        may_be = between <= 2 * apart if is_day else between <= apart and not between % QUARTER
    else:
        may_be = between <= apart
    return 0.0 if may_be else -1.0


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _days_around(published: str) -> tuple[str, ...]:
    moment = _moment(published)
    if moment is None:
        return (published[:10],)
    return tuple((moment + timedelta(days=days)).date().isoformat() for days in (0, -1, 1))
