"""Reports what each kind of URL led to, and why the remaining URLs were left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from siteseer.model import Skip
from siteseer.strategies.learned.online_learner.learned_patterns import LinkPattern
from siteseer.strategies.learned.online_learner.learner import OnlineLearner
from siteseer.strategies.learned.online_learner.link_classes import SUSPECTED, LinkClass
from siteseer.strategies.learned.online_learner.next_urls import THRESHOLD, has_brought

OTHER_NAME = "other name of"
BEYOND_BUDGET = "beyond the budget"
"""Ends the rule of URLs that may hold content, and are left because too many requests have brought too little."""


def leftovers(learner: OnlineLearner) -> Iterator[Skip]:
    """Return every URL that is left alone, with the rule and the reason."""
    for link_class in learner.classes:
        if link_class.waiting:
            rule, because = _reason(learner, link_class)
            for number in link_class.waiting:
                yield Skip(learner.known[number].url, because, rule, learner.referrer(number))


def _reason(learner: OnlineLearner, link_class: LinkClass) -> tuple[str, str]:
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
    if has_brought(learner, link_class):
        looks = learner.failed_looks(name)
        return (
            f"{name}: nothing new",
            f"they brought content until other pages had shown it; {looks} looks since: {expected}",
        )
    return f"{name}: nothing new", f"such pages bring little: {expected}"


def link_patterns(learner: OnlineLearner) -> list[LinkPattern]:
    """Return what was learned about each kind of URL."""
    pages: dict[str, list[int]] = defaultdict(list)
    labels: dict[str, str] = {}
    for number in learner.fetched:
        pages[learner.templates.of(number).name].append(number)
    for number, known in enumerate(learner.known):
        name = learner.templates.of(number).name
        labels[name] = labels.get(name) or known.text
    return [_pattern(learner, name, pages[name], label) for name, label in labels.items()]


def _pattern(learner: OnlineLearner, name: str, pages: list[int], label: str) -> LinkPattern:
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
