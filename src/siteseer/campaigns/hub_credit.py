"""Credits the pages that a hub (a list of links) leads to with links to the hub that are found later.

A list is read as soon as one page links to it; that many others link to it, and so its score, turns out later.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from siteseer.campaigns.relevance.link_scoring import PASSED_BY_HUBS
from siteseer.crawler.link_scores import MOST_TOLD, WORTH_TELLING
from siteseer.strategies.noisy_or import joined_score

AT_READING = ""
"""The source that stands for all that was said before a list was read."""


@dataclass(frozen=True, slots=True)
class RaisedLink:
    """A link of a hub whose score has risen."""

    url: str
    score: float
    because: str
    team: int


def raise_hub_credit(
    db: sqlite3.Connection, url: str, source: str, score: float, social: float
) -> Iterator[RaisedLink]:
    """Record a source's score for a URL; return the links of that hub whose scores have risen."""
    (told,) = db.execute("SELECT max(inherited) FROM cited WHERE referrer = ?", (url,)).fetchone()
    if told is None:  # no list, or not read yet
        return
    db.execute("INSERT OR IGNORE INTO heard VALUES (?, ?, ?)", (url, AT_READING, told / PASSED_BY_HUBS))
    db.execute(
        "INSERT INTO heard VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET score = max(score, excluded.score)",
        (url, source, score),
    )
    scores = [one for (one,) in db.execute("SELECT score FROM heard WHERE url = ? LIMIT ?", (url, MOST_TOLD))]
    promise = round(PASSED_BY_HUBS * joined_score(scores, social), 4)
    if promise < told + WORTH_TELLING:
        return
    db.execute("UPDATE cited SET inherited = ? WHERE referrer = ?", (promise, url))
    because = f"the list that names it was linked by {len(scores) - 1} more since it was read"
    links = db.execute("SELECT url, team FROM cited WHERE referrer = ? LIMIT ?", (url, MOST_TOLD)).fetchall()
    for named, team in links:
        yield RaisedLink(named, promise, because, team)
