"""Chooses which URLs to fetch next: the most promising link classes first, at the end a second look.

The crawl ends when no class promises enough, after a look at the large classes that only words spoke against: a wrong
word then costs requests, rarely content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from zlib import crc32

from siteseer.strategies.learned.online_learner.learner import OnlineLearner
from siteseer.strategies.learned.online_learner.link_classes import (
    ARRANGEMENT,
    BESIDE,
    FIRST,
    PAGER,
    SUSPECTED,
    WORTHWHILE,
    LinkClass,
)
from siteseer.strategies.learned.online_learner.link_facts import LISTED, ONWARD
from siteseer.strategies.learned.online_learner.url_templates import AT
from siteseer.strategies.learned.online_learner.url_words import SEARCHES, SECTIONS, directory, is_feed

THRESHOLD = 0.12
"""A class that promises less is left alone."""
DEMOTED = 0.3
"""Other names of known pages come last: their estimate is lowered by this for the order, not for the end."""
LONGER = 0.3
"""So are kinds of URL with parameters or endings that a promising one has not: they may show its pages."""
ARRANGED = 0.6
"""So do other arrangements of the same content (people, dates, tags, categories): plain lists come first."""
LISTED_FIRST = 1.5
"""What a sitemap lists needs no list to be found: it comes before the site's own lists."""
PATIENCE = 0.6
"""What promises less than this share of what an answer promised that is still out waits until it is there."""
TRIALS = 8
"""So many URLs of a class are picked at random, as lists begin with the newest; then first come, first served.

From the second look on they are picked at random again: those that have come first are no sample of the others."""
TWINS = 2
"""So many URLs of a class are picked for having the numbers of a page that is known under another name."""
SECOND_LOOKS, SECOND_LOOK_SHARE, SECOND_LOOK_SIZE = 5, 0.05, 5
"""Classes of five URLs or more are looked at, with five requests and a twentieth of all requests at most."""
MOST_HELD = 4
"""Where so many URLs of a class wait for answers that are out, so do the others."""
FIRST_TRIALS = 2
"""So many URLs of each large class are tried before any class is followed further."""
URLS_PER_LOOK, MOST_LOOKS = 20, 6
"""A class that has brought content before it was given up gets one look, and one more for so many waiting URLs."""
LOOKS_AT_NAMES = 3
"""So many further pages of lists are tried that seem to be other names of better ones, unless their URLs say so."""
SEARCHES_IN_VAIN = 2
"""So many searches that the site itself links are looked at in vain."""
FEW_PAGES = 5
"""Beside so many worthwhile pages another one is a page too, whatever its name."""
THIRD_LOOK_SHARE, THIRD_LOOK_SIZES = 0.02, (10, 100)
"""While this share is not spent, larger classes get a look more for each size: a page in three may say nothing new."""
BUDGET_FACTOR, BUDGET_BASE = 3, 200
"""The crawl ends at three requests for each worthwhile page and 200 more, whatever the estimates say."""
FAILED = 0.1
"""Where a smaller share of the pages was worthwhile there is nothing to learn from, as posts of a few words."""
_ENDING = re.compile(r"[.;]")
_VALUE = re.compile(r"\?(?:.*=)?[^=&]")


@dataclass(frozen=True, slots=True)
class Choice:
    """A URL to ask for, with the class that it stands for and what is expected of it."""

    number: int
    family: str
    estimate: float
    because: str


def choose(
    learner: OnlineLearner,
    room: int,
    patient: bool = True,
    waits: Callable[[int, Sequence[int]], bool] = lambda number, chosen: False,
) -> list[Choice]:
    """Return up to `room` URLs to ask for, the most promising first.

    One who is patient leaves room unused rather than ask for what promises much less than an answer that is still out:
    the next page of a list may lead to better URLs. `waits` says whether a URL waits for answers that are out, and for
    those chosen so far; where a few of a class do, the others are left for now, too.
    """
    chosen: list[Choice] = []
    if learner.requests > BUDGET_FACTOR * learner.worthwhile + BUDGET_BASE:
        return chosen
    held: dict[int, list[int]] = defaultdict(list)
    promising = _promising(learner)
    ranked = {id(one): _ranked(learner, one, promising) for one in learner.classes if one.waiting or one.in_flight}
    while len(chosen) < room:
        best, value = _best(learner, ranked.values(), promising, patient)
        if best is None:
            break
        number = _pick(learner, best, held[id(best)])
        if waits(number, [choice.number for choice in chosen]):
            held[id(best)].append(number)
        else:
            pages = learner.pages_of(best)
            because = f"{value:.2f} expected of URLs like {best.template.name} after {pages} of them"
            chosen.append(Choice(number, best.template.name, value, because))
            best.remove(number)
            best.in_flight += 1
        is_held = len(held[id(best)]) >= min(MOST_HELD, max(1, len(best.waiting)))
        ranked[id(best)] = (best, 0.0, 0.0, False) if is_held else _ranked(learner, best, promising)
    for choice in chosen:  # nothing is changed here: asking is an event of its own
        link_class = learner.class_of(choice.number)
        link_class.add(choice.number)
        link_class.in_flight -= 1
    return chosen


@dataclass(frozen=True, slots=True)
class Promising:
    """The kinds of URL that may be followed now, by name, and what they add to each path: parameters, endings."""

    names: set[str]
    added: dict[str, set[frozenset[str]]]


def _promising(learner: OnlineLearner) -> Promising:
    """Return the kinds of URL that may be followed now."""
    found = Promising(set(), {})
    for one in learner.classes:
        name = one.template.name
        if (one.waiting or one.in_flight) and learner.classes.promise(one) >= THRESHOLD:
            found.names.add(name)
        if (
            one.kind == ""
            and one.waiting
            and learner.classes.estimate(one) >= THRESHOLD
            and not learner.is_demoted(name)
        ):
            path, added = additions(one.template.names)
            found.added.setdefault(path, set()).add(added)
    return found


@lru_cache(maxsize=10_000)
def additions(names: str) -> tuple[str, frozenset[str]]:
    """Return the path of a kind of URL without the endings of its last segment, and what it adds to that.

    >>> [(path, sorted(added)) for path, added in map(additions, ("/b/*.print.html", "/b/*.html?page"))]
    [('/b/*', ['html', 'print']), ('/b/*', ['html', 'page'])]
    """
    path, _, query = names.partition(AT)[0].partition("?")
    above, slash, last = path.rpartition("/")
    stem, *endings = _ENDING.split(last)
    return above + slash + stem, frozenset(filter(None, (*endings, *query.split("&"))))


def _ranked(
    learner: OnlineLearner, link_class: LinkClass, promising: Promising
) -> tuple[LinkClass, float, float, bool]:
    """Return a class with what is expected of it, its rank, and whether it is to be tried before all others."""
    value = learner.classes.estimate(link_class)
    rank = value * _order(learner, link_class, promising)
    if link_class.kind == "":
        path, added = additions(link_class.template.names)
        rank *= LONGER if any(fewer < added for fewer in promising.added.get(path, ())) else 1.0
    return link_class, value, rank, _is_untried(learner, link_class)


def _is_untried(learner: OnlineLearner, link_class: LinkClass) -> bool:
    """Say whether a class of many URLs was not tried yet: it may show the same pages as the one that does well so far.

    Which of the two is asked for then does not hang on which was met first.
    """
    tried = learner.pages_of(link_class) + link_class.in_flight
    if link_class.kind not in ("", PAGER) or len(link_class.waiting) + link_class.in_flight < SECOND_LOOK_SIZE:
        return False
    name = link_class.template.name
    return tried < FIRST_TRIALS and not learner.is_demoted(name) and not _is_below_another(learner, name)


def _is_below_another(learner: OnlineLearner, name: str) -> bool:
    """Say whether the same kind of URL exists without its first segment, as `/post/0` beside `/m/post/0`."""
    _, slash, rest = name[1:].partition("/")
    return bool(slash) and rest != "" and f"/{rest}" in learner.classes.known


def _best(
    learner: OnlineLearner,
    ranked: Iterable[tuple[LinkClass, float, float, bool]],
    promising: Promising,
    patient: bool,
) -> tuple[LinkClass | None, float]:
    """Return the class that comes first, and what is expected of it."""
    best, best_value, best_rank, out = None, 0.0, (False, 0.0), 0.0
    for link_class, value, rank, is_untried in ranked:
        if link_class.in_flight:
            out = max(out, learner.classes.promise(link_class) * _order(learner, link_class, promising))
        if link_class.waiting and value >= THRESHOLD and (is_untried, rank) > best_rank:
            best, best_value, best_rank = link_class, value, (is_untried, rank)
    return (None, 0.0) if patient and best_rank[1] < PATIENCE * out else (best, best_value)


def _order(learner: OnlineLearner, link_class: LinkClass, promising: Promising) -> float:
    name, aliases = link_class.template.name, learner.aliases
    if learner.is_demoted(name) or aliases.demoted.get(name) in promising.names:
        return DEMOTED
    if aliases.repeats_itself(name, learner.pages_of(link_class)):
        return DEMOTED
    if link_class.kind in (ARRANGEMENT, FIRST):
        return ARRANGED
    first = next(iter(link_class.waiting), None)
    return LISTED_FIRST if first is not None and learner.known[first].flags & LISTED else 1.0


def _pick(learner: OnlineLearner, link_class: LinkClass, held: Collection[int] = ()) -> int:
    waiting = (number for number in link_class.waiting if number not in held)
    if learner.pages_of(link_class) + link_class.in_flight < TWINS:
        return _pick_twin(learner, waiting)
    if learner.pages_of(link_class) >= TRIALS and link_class.template.name not in learner.classes.sampled:
        return next(waiting)
    return pick(learner, waiting)


def pick(learner: OnlineLearner, waiting: Iterable[int]) -> int:
    """Return one of the waiting URLs by a hash: the same for the same seed, whatever order they were found in."""
    return min(waiting, key=lambda number: _hash(learner, number))


def _hash(learner: OnlineLearner, number: int) -> int:
    return crc32(f"{learner.seed} {learner.known[number].url}".encode())


def _pick_twin(learner: OnlineLearner, waiting: Iterable[int]) -> int:
    """Return a waiting URL with the numbers of one of another kind that was asked for, as `/last/7` and `/thread/7`.

    If both show the same, it is known at once that one kind of URL is another name of the other.
    """
    return min(waiting, key=lambda number: (not learner.has_twin(number), _hash(learner, number)))


def onward(learner: OnlineLearner, room: int) -> list[Choice]:
    """Return further pages of lists of which the page before was worthwhile, whatever others of their kind brought.

    One list among many may be the only way to its entries.
    """
    found = (
        (number, one.template.name)
        for one in learner.classes
        if one.kind not in SUSPECTED
        for number in one.waiting
        if learner.known[number].flags & ONWARD and _led_on(learner, number)
    )
    because = "the list that it goes on with has led to something new"
    return [Choice(number, name, THRESHOLD, because) for number, name in nsmallest(room, found)]


def _led_on(learner: OnlineLearner, number: int) -> bool:
    before = learner.known[number].before
    return before is not None and learner.rewards.worth(before) >= WORTHWHILE


def has_failed(learner: OnlineLearner) -> bool:
    """Say whether there is nothing to learn from: hardly a page was worthwhile."""
    return learner.worthwhile <= FAILED * len(learner.fetched)


def everything(learner: OnlineLearner, room: int) -> list[Choice]:
    """Return what was found first, where learning failed: all but what words speak against, other names last."""
    if not has_failed(learner):
        return []
    waiting = (
        (is_demoted, number, one.template.name)
        for one in learner.classes
        if one.kind not in SUSPECTED
        for is_demoted in (learner.is_demoted(one.template.name),)
        for number in nsmallest(room, one.waiting)
    )
    because = f"{learner.worthwhile} of {len(learner.fetched)} pages were worthwhile: nothing to learn from"
    return [Choice(number, name, 0.0, because) for _, number, name in nsmallest(room, waiting)]


def second_look(learner: OnlineLearner) -> Choice | None:
    """Return a URL of the largest class that deserves another look, if such a look can be afforded.

    That is a class that nothing but words speaks against, or one that brought content until other pages had shown it:
    there the order of the answers may have decided. So it may where a few pages of a class repeated others.
    """
    looks, requests = learner.second_looks, learner.requests
    if looks >= SECOND_LOOKS + SECOND_LOOK_SHARE * requests:
        return None
    again = looks < SECOND_LOOKS + THIRD_LOOK_SHARE * requests
    candidates = [(left, one) for one in learner.classes if (left := _looks_left(learner, one, again)) > 0]
    if not candidates:
        return None
    _, largest = max(candidates, key=lambda candidate: (candidate[0], len(candidate[1].waiting)))
    number = _pick(learner, largest)
    doubt = "others of them brought content" if has_brought(learner, largest) else "words may mislead"
    if learner.is_demoted(largest.template.name):
        doubt = "not all of them may be other names"
    because = f"second look at {len(largest.waiting)} URLs like {largest.template.name}: {doubt}"
    return Choice(number, largest.template.name, learner.classes.estimate(largest), because)


def _looks_left(learner: OnlineLearner, link_class: LinkClass, again: bool) -> int:
    """Return how many looks a class still deserves."""
    size, name = len(link_class.waiting), link_class.template.name
    if not size or link_class.kind in BESIDE or learner.earlier.find(name) is not None:
        return 0
    if is_feed(learner.known[next(iter(link_class.waiting))].url):
        return 0
    if has_brought(learner, link_class):
        return min(1 + size // URLS_PER_LOOK, MOST_LOOKS) - learner.failed_looks(name)
    if size < SECOND_LOOK_SIZE and not _is_linked_search(learner, link_class):
        may_be_page = not learner.is_demoted(name) and _may_be_page(learner, link_class)
        return int(may_be_page and not learner.pages_of(link_class))
    if learner.is_demoted(name):
        if link_class.kind != PAGER or learner.aliases.is_certain(name):
            return 0
        return min(1 + size // URLS_PER_LOOK, LOOKS_AT_NAMES) - learner.pages_of(link_class)
    more = sum(size >= least for least in THIRD_LOOK_SIZES) if again and link_class.kind in SUSPECTED else 0
    return 1 + more - learner.pages_of(link_class)


def _is_linked_search(learner: OnlineLearner, link_class: LinkClass) -> bool:
    """Say whether a class holds searches with their words that the site itself links: one may list all there is.

    Where a few of them did not, as lists of new and unanswered posts, neither will others.
    """
    known = learner.known[next(iter(link_class.waiting))]
    if known.word not in SEARCHES or _VALUE.search(known.url) is None:
        return False
    return learner.looks_in_vain(SEARCHES) < SEARCHES_IN_VAIN


def _may_be_page(learner: OnlineLearner, link_class: LinkClass) -> bool:
    """Say whether a word that speaks against a few URLs may be the name of a page or of a part of the site.

    So it is in the path of `/api/first-steps.html`, or where it stands beside pages that brought content, as
    `/guide/search.html` does. A link to such a part may be the only one.
    """
    if link_class.kind != "function" or "?" in link_class.template.name:
        return False
    known = learner.known[next(iter(link_class.waiting))]
    below_root = directory(known.url)
    return known.word in SECTIONS or (below_root != "/" and learner.directories[below_root] >= FEW_PAGES)


def has_brought(learner: OnlineLearner, link_class: LinkClass) -> bool:
    """Say whether the pages of a class, all taken together, were worth asking for: it hung on their order that it ends.

    The last ones alone, which decide whether to go on, may all have repeated what other kinds of pages showed first.
    """
    pages = learner.classes.observed.get(f"L {link_class.template.name}", ())
    return link_class.kind not in SUSPECTED and sum(map(learner.rewards.worth, pages)) >= THRESHOLD * len(pages) > 0
