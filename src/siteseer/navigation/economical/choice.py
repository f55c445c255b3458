"""What is known in, what to fetch next out: the most promising link classes first, at the end a second look.

The crawl ends when no class promises enough, after a look at the large classes that only words spoke against: a wrong
word then costs requests, rarely content.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from siteseer.navigation.economical.classes import ARRANGEMENT, BESIDE, FIRST, SUSPECTED, LinkClass
from siteseer.navigation.economical.facts import LISTED, ONWARD
from siteseer.navigation.economical.learner import WORTHWHILE, Learner
from siteseer.navigation.economical.vocabulary import is_feed

THRESHOLD = 0.12
"""A class that promises less is left alone."""
DEMOTED = 0.3
"""Other names of known pages come last: their estimate is lowered by this for the order, not for the end."""
ARRANGED = 0.6
"""So do other arrangements of the same content (people, dates, tags, categories): plain lists come first."""
LISTED_FIRST = 1.5
"""What a sitemap lists needs no list to be found: it comes before the site's own lists."""
PATIENCE = 0.6
"""What promises less than this share of what is out waits until the answer is there."""
TRIALS = 8
"""So many URLs of a class are picked at random, as lists begin with the newest; then first come, first served."""
SECOND_LOOKS, SECOND_LOOK_SHARE, SECOND_LOOK_SIZE = 5, 0.05, 5
"""Classes of five URLs or more are looked at, with five requests and a twentieth of all requests at most."""
THIRD_LOOK_SHARE, THIRD_LOOK_SIZE = 0.02, 10
"""While this share is not spent, larger classes are looked at again: one page in three may have nothing to say."""
BUDGET_FACTOR, BUDGET_BASE = 3, 200
"""The crawl ends at three requests for each worthwhile page and 200 more, whatever the estimates say."""
FAILED = 0.1
"""Where a smaller share of the pages was worthwhile there is nothing to learn from, as posts of a few words."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A URL to ask for, with the class that it stands for and what is expected of it."""

    number: int
    family: str
    estimate: float
    because: str


def choose(learner: Learner, room: int, patient: bool = True) -> list[Choice]:
    """Return up to `room` URLs to ask for, the most promising first.

    One who is patient leaves room unused rather than ask for what promises much less than an answer that is still out:
    the next page of a list may lead to better URLs.
    """
    chosen: list[Choice] = []
    if learner.requests > BUDGET_FACTOR * learner.worthwhile + BUDGET_BASE:
        return chosen
    ranked = {id(one): _ranked(learner, one) for one in learner.classes if one.waiting or one.in_flight}
    while len(chosen) < room:
        best, value = _best(ranked.values(), patient)
        if best is None:
            break
        number = _pick(learner, best, len(chosen))
        pages = learner.pages_of(best)
        because = f"{value:.2f} expected of URLs like {best.template.name} after {pages} of them"
        chosen.append(Choice(number, best.template.name, value, because))
        best.remove(number)
        best.in_flight += 1
        ranked[id(best)] = _ranked(learner, best)
    for choice in chosen:  # nothing is changed here: asking is an event of its own
        link_class = learner.class_of(choice.number)
        link_class.add(choice.number)
        link_class.in_flight -= 1
    return chosen


def _ranked(learner: Learner, link_class: LinkClass) -> tuple[LinkClass, float, float]:
    """Return a class with what is expected of it, and its rank."""
    value = learner.classes.estimate(link_class)
    return link_class, value, value * _order(learner, link_class)


def _best(ranked: Iterable[tuple[LinkClass, float, float]], patient: bool) -> tuple[LinkClass | None, float]:
    """Return the class that comes first, and what is expected of it."""
    best, best_value, best_rank, out = None, 0.0, 0.0, 0.0
    for link_class, value, rank in ranked:
        if link_class.in_flight:
            out = max(out, rank)
        if link_class.waiting and value >= THRESHOLD and rank > best_rank:
            best, best_value, best_rank = link_class, value, rank
    return (None, 0.0) if patient and best_rank < PATIENCE * out else (best, best_value)


def _order(learner: Learner, link_class: LinkClass) -> float:
    if learner.is_demoted(link_class.template.name):
        return DEMOTED
    if link_class.kind in (ARRANGEMENT, FIRST):
        return ARRANGED
    first = next(iter(link_class.waiting), None)
    return LISTED_FIRST if first is not None and learner.known[first].flags & LISTED else 1.0


def _pick(learner: Learner, link_class: LinkClass, count: int) -> int:
    if learner.pages_of(link_class) >= TRIALS:
        return next(iter(link_class.waiting))
    waiting = list(link_class.waiting)
    return waiting[random.Random(f"{learner.seed} {learner.requests + count}").randrange(len(waiting))]


def onward(learner: Learner, room: int) -> list[Choice]:
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


def _led_on(learner: Learner, number: int) -> bool:
    source = learner.known[number].source
    return source is not None and learner.rewards.worth(source) >= WORTHWHILE


def has_failed(learner: Learner) -> bool:
    """Say whether there is nothing to learn from: hardly a page was worthwhile."""
    return learner.worthwhile <= FAILED * len(learner.fetched)


def everything(learner: Learner, room: int) -> list[Choice]:
    """Return what was found first, where learning failed: all but what words speak against, other names last."""
    if not has_failed(learner):
        return []
    waiting = (
        (learner.is_demoted(one.template.name), number, one.template.name)
        for one in learner.classes
        if one.kind not in SUSPECTED
        for number in one.waiting
    )
    because = f"{learner.worthwhile} of {len(learner.fetched)} pages were worthwhile: nothing to learn from"
    return [Choice(number, name, 0.0, because) for _, number, name in nsmallest(room, waiting)]


def second_look(learner: Learner) -> Choice | None:
    """Return a URL of the largest class that nothing but words speaks against, if such a look can be afforded."""
    looks, requests = learner.second_looks, learner.requests
    if looks >= SECOND_LOOKS + SECOND_LOOK_SHARE * requests:
        return None
    again = looks < SECOND_LOOKS + THIRD_LOOK_SHARE * requests
    candidates = [(left, one) for one in learner.classes if (left := _looks_left(learner, one, again)) > 0]
    if not candidates:
        return None
    _, largest = max(candidates, key=lambda candidate: (candidate[0], len(candidate[1].waiting)))
    number = _pick(learner, largest, 0)
    because = f"second look at {len(largest.waiting)} URLs like {largest.template.name}: words may mislead"
    return Choice(number, largest.template.name, learner.classes.estimate(largest), because)


def _looks_left(learner: Learner, link_class: LinkClass, again: bool) -> int:
    """Return how many looks a class still deserves: none if anything but words speaks against it."""
    size, name = len(link_class.waiting), link_class.template.name
    if size < SECOND_LOOK_SIZE or link_class.kind in BESIDE or learner.is_demoted(name):
        return 0
    if is_feed(learner.known[next(iter(link_class.waiting))].url) or learner.earlier.find(name) is not None:
        return 0
    deserved = 1 + (again and size >= THIRD_LOOK_SIZE and link_class.kind in SUSPECTED)
    return deserved - learner.pages_of(link_class)
