"""Estimates how many URLs will still be requested: those that are certain, and those that must be tried first."""

from __future__ import annotations

from siteseer.strategies.learned.online_learner.learner import DONE, WAITING, OnlineLearner
from siteseer.strategies.learned.online_learner.link_classes import FIRST, PAGER, PRIORS, SUSPECTED, LinkClass
from siteseer.strategies.learned.online_learner.link_facts import LISTED
from siteseer.strategies.learned.online_learner.next_urls import THRESHOLD, TRIALS

SURE = max(PRIORS.values())
"""A class of which more is expected has shown its worth: hardly one is given up afterwards."""
STEADY = 1.5 * THRESHOLD
"""So has one of which as much is still expected when it was tried often enough."""
GOES_ON = (PAGER, FIRST)
"""Pages of lists are asked for as long as nothing speaks against them."""


def expected_requests(learner: OnlineLearner, follows_everything: bool = False) -> tuple[int, int]:
    """Return how many waiting URLs will be asked for, and how many more may be.

    A class that was not tried yet may be worth all of its URLs; one that showed little so far, or that only arranges
    what other pages show, gets a few more trials. Where learning failed, all is followed that no word speaks against.
    """
    sure = doubtful = 0
    for link_class in learner.classes:
        waiting = len(link_class.waiting)
        if follows_everything:
            sure += waiting if link_class.kind not in SUSPECTED else 0
        elif waiting and learner.classes.estimate(link_class) >= THRESHOLD:
            if is_sure(learner, link_class):
                sure += waiting
            else:
                is_new = not link_class.kind and not learner.pages_of(link_class)
                doubtful += waiting if is_new else min(waiting, TRIALS)
    return sure, doubtful


def is_sure(learner: OnlineLearner, link_class: LinkClass) -> bool:
    """Say whether the URLs of a class will be asked for, as far as is known now."""
    value = learner.classes.estimate(link_class)
    goes_on = link_class.kind in GOES_ON and value >= THRESHOLD
    has_shown = value >= STEADY and learner.pages_of(link_class) >= TRIALS
    return (value > SURE or goes_on or has_shown) and not learner.is_demoted(link_class.template.name)


def is_list_page(learner: OnlineLearner, number: int) -> bool:
    """Say whether a URL that was not fetched yet continues a list that is worth following."""
    link_class = learner.class_of(number)
    return learner.known[number].state != DONE and link_class.kind == PAGER and is_sure(learner, link_class)


def brought_by(learner: OnlineLearner, page: int) -> int:
    """Return how many URLs a page was the first to show that were asked for, or will be.

    Page links do not count, nor what a sitemap lists as well: further pages of the list then bring nothing new.
    """
    count = 0
    for number in learner.found_by.get(page, ()):
        known = learner.known[number]
        if known.kind != PAGER and not known.flags & LISTED:
            count += known.state != WAITING or is_sure(learner, learner.class_of(number))
    return count
