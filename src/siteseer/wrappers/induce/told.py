"""Ranked expressions as plain values: what the command line prints and the service answers."""

from __future__ import annotations

from siteseer.model import JSON
from siteseer.wrappers.induce.emit import Ranked

LONGEST = 200
MOST_HITS = 500


def told(name: str, rank: int, one: Ranked) -> JSON:
    """Return an expression with what is known about it and what it finds on each page."""
    shown = [[value[:LONGEST] for value in page[:MOST_HITS]] for page in one.hits]
    return {
        "name": name, "rank": rank, "xpath": one.xpath, "value": one.value, "score": one.score, "f1": one.f1,
        "precision": one.precision, "recall": one.recall, "robustness": one.robustness,
        "plausibility": one.plausibility, "agreement": one.agreement, "hits": shown,
    }  # fmt: skip
