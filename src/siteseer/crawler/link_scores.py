"""Stores the scores that sources give URLs, and how well the links of each group have done so far.

A URL's priority is what its votes make of it (`campaigns.relevance.link_scoring.joined`): one vote for each source, the
highest that the source gave, and one for what the other links of its groups brought. Votes are believed less where the
links of their group brought less than was promised. Memory stays flat however many there are.
"""

from __future__ import annotations

from siteseer.collection.state import State
from siteseer.model import Appraise, Vote
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import url_key
from siteseer.strategies.noisy_or import belief, group_score, joined_score

SIBLINGS = -1
"""The source under which the other links of a group vote."""
WORTH_TELLING = 0.03
"""Groups whose standing changed by less are left as they are."""
MOST_TOLD = 500
"""So many waiting links of a group are told at once."""
_RECENT = 20_000


class LinkScores:
    """The votes of one crawl; it costs nothing where nobody votes."""

    def __init__(self, state: State, crawl: int) -> None:
        self.db, self.crawl = state.db, crawl
        self.social = 0.5
        self._has_any = bool(self.db.execute("SELECT 1 FROM votes WHERE crawl = ? LIMIT 1", (crawl,)).fetchone())
        self._recent: dict[tuple[str, str], float] = {}

    def take(self, vote: Vote) -> None:
        """Count a vote: of one source the highest counts."""
        self._has_any = True
        recent = vote.url, vote.source
        if self._recent.get(recent, -1.0) >= vote.score:  # menus say the same on every page
            return
        if len(self._recent) >= _RECENT:
            self._recent.clear()
        self._recent[recent] = vote.score
        key = url_key(vote.url)
        cursor = self.db.execute(
            "INSERT INTO votes VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET score = excluded.score, "
            "team = excluded.team WHERE excluded.score > score",
            (self.crawl, key, hash_of(vote.source), vote.score, vote.group),
        )
        if cursor.rowcount:
            self.apply(key)

    def apply(self, key: bytes) -> None:
        """Give a waiting URL the priority that its votes make."""
        if not self._has_any:
            return
        rows = self.db.execute(
            "SELECT v.source, v.score, coalesce(t.degrees, 0.0), coalesce(t.pages, 0) FROM votes v "
            "LEFT JOIN teams t ON t.crawl = v.crawl AND t.team = v.team WHERE v.crawl = ? AND v.key = ?",
            (self.crawl, key),
        )
        found = {source: score * belief(degrees, pages) for source, score, degrees, pages in rows}
        if found:
            siblings = found.pop(SIBLINGS, 0.0)
            self.db.execute(
                "UPDATE urls SET priority = ? WHERE crawl = ? AND key = ? AND status = 0",
                (round(joined_score(list(found.values()), self.social, siblings), 4), self.crawl, key),
            )

    def appraise(self, said: Appraise) -> None:
        """Hear what a link of a group brought, and let the others promise accordingly."""
        pages, degrees, told = self.db.execute(
            "INSERT INTO teams VALUES (?, ?, 1, ?, 0) ON CONFLICT DO UPDATE SET pages = pages + 1, "
            "degrees = degrees + excluded.degrees RETURNING pages, degrees, told",
            (self.crawl, said.group, said.degree),
        ).fetchone()
        promise = group_score(degrees, pages)
        standing = promise + belief(degrees, pages)  # both rise and fall together
        if abs(standing - told) < WORTH_TELLING:
            return
        self.db.execute("UPDATE teams SET told = ? WHERE crawl = ? AND team = ?", (standing, self.crawl, said.group))
        waiting = self.db.execute(
            "SELECT DISTINCT v.key FROM votes v JOIN urls u ON u.crawl = v.crawl AND u.key = v.key AND u.status = 0 "
            "WHERE v.crawl = ? AND v.team = ? LIMIT ?",
            (self.crawl, said.group, MOST_TOLD),
        ).fetchall()
        for (key,) in waiting:
            self.db.execute(
                "INSERT INTO votes VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET score = excluded.score",
                (self.crawl, key, SIBLINGS, promise),
            )
            self.apply(key)
