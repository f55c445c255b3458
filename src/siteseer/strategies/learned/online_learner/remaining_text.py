"""Finds kinds of pages that were given up although much text is left there.

What one more page of a kind is worth is measured against the richest pages, so many pages of a few sentences each look
worthless where lists have shown how every text begins. Taken together they may hold a large part of the site.
"""

from __future__ import annotations

from collections.abc import Iterator

from siteseer.strategies.learned.online_learner.learner import OnlineLearner
from siteseer.strategies.learned.online_learner.link_classes import LinkClass
from siteseer.strategies.learned.online_learner.next_urls import Choice, pick

LEFT = 0.01
"""A kind of page is left alone where less than this share of all text is expected there."""
FEWEST, LATEST, IN_VAIN = 3, 24, 10
"""So many pages of a kind, the latest, tell what one more of them brings; when so many brought nothing it ends."""
FEWEST_GRAMS, SMALLEST_SHARE = 4, 0.04
"""What a page must bring at least: so many new 2-grams, and this share of what a request has brought so far."""


def remaining_text(learner: OnlineLearner, room: int) -> list[Choice]:
    """Return up to `room` URLs of the kinds of pages that still hold much text, the richest first."""
    found = sorted(_rich_classes(learner), key=lambda pair: -pair[0])
    chosen: list[Choice] = []
    for gain, one in found:
        because = f"{gain:.0f} new word pairs expected of each of {len(one.waiting)} URLs like {one.template.name}"
        waiting = list(one.waiting)
        while waiting and len(chosen) < room:
            number = pick(learner, waiting)
            waiting.remove(number)
            chosen.append(Choice(number, one.template.name, learner.classes.estimate(one), because))
    return chosen


def _rich_classes(learner: OnlineLearner) -> Iterator[tuple[float, LinkClass]]:
    """Yield the classes of pages that still hold much text, with what one more page brings."""
    least = max(FEWEST_GRAMS, SMALLEST_SHARE * len(learner.grams) / max(1, learner.requests))
    for one in learner.classes:
        pages = learner.classes.observed.get(f"L {one.template.name}", ())[-LATEST:]
        if one.kind or not one.waiting or len(pages) < FEWEST or learner.is_demoted(one.template.name):
            continue
        gains = [learner.rewards.gains.get(page, 0) for page in pages]
        gain = sum(gains) / len(gains)
        if (
            gain >= least
            and max(gains[-IN_VAIN:]) >= FEWEST_GRAMS
            and gain * len(one.waiting) >= LEFT * len(learner.grams)
        ):
            yield gain, one
