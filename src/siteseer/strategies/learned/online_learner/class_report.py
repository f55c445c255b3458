"""What is known in, an account out: what each kind of URL led to, and why the rest was left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from siteseer.model import Skip
from siteseer.navigation.economical.choice import THRESHOLD
from siteseer.navigation.economical.classes import SUSPECTED, LinkClass
from siteseer.navigation.economical.learner import Learner
from siteseer.navigation.economical.patterns import LinkPattern

OTHER_NAME = "other name of"
BEYOND_BUDGET = "beyond the budget"
"""Ends the rule of URLs that may hold content, and are left because too many requests have brought too little."""


def leftovers(learner: Learner) -> Iterator[Skip]:
    """Return every URL that is left alone, with the rule and the reason."""
    for link_class in learner.classes:
        if link_class.waiting:
            rule, because = _reason(learner, link_class)
            for number in link_class.waiting:
                yield Skip(learner.known[number].url, because, rule, learner.referrer(number))


def _reason(learner: Learner, link_class: LinkClass) -> tuple[str, str]:
    name, pages = link_class.template.name, learner.pages_of(link_class)
    value = learner.classes.estimate(link_class)
    expected = f"{pages} tried, {value:.2f} expected of one more"
    if value >= THRESHOLD:
        spent = f"{learner.requests} requests for {learner.worthwhile} worthwhile pages: more would be a trap"
        return f"{name}: {BEYOND_BUDGET}", spent
    if preferred := learner.preferred_to(name):
        return f"{name}: {OTHER_NAME} {preferred}", f"such pages repeat {preferred}; {expected}"
    if link_class.kind in SUSPECTED:
        word = learner.known[next(iter(link_class.waiting))].word
        return f"{name}: {word}", f"{word} speaks against URL or link; {expected}"
    return f"{name}: nothing new", f"such pages bring little: {expected}"


def link_patterns(learner: Learner) -> list[LinkPattern]:
    """Return what was learned about each kind of URL."""
    pages: dict[str, list[int]] = defaultdict(list)
    labels: dict[str, str] = {}
    for number in learner.fetched:
        pages[learner.templates.of(number).name].append(number)
    for number, known in enumerate(learner.known):
        name = learner.templates.of(number).name
        labels[name] = labels.get(name) or known.text
    return [_pattern(learner, name, pages[name], label) for name, label in labels.items()]


def _pattern(learner: Learner, name: str, pages: list[int], label: str) -> LinkPattern:
    worth = sum(map(learner.rewards.worth, pages)) / max(1, len(pages))
    own = sum(map(learner.rewards.own, pages)) / max(1, len(pages))
    if preferred := learner.preferred_to(name):
        leads_to = f"other name of {preferred}"
    elif not pages:
        leads_to = "nothing tried"
    else:
        leads_to = "nothing new" if worth < THRESHOLD else "content" if own >= worth / 2 else "lists"
    good = sum(1 for page in pages if learner.fetched[page] and learner.fetched[page] < 400)
    return LinkPattern(name, leads_to, round(worth, 4), good, learner.classes.known[name], len(pages), label)
