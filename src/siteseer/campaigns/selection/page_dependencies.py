"""Collects the WARC records that a page needs for replay: responses, redirects and page requisites."""

from __future__ import annotations

from collections.abc import Iterable

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.errors import ArchiveError
from siteseer.page.links import requisites
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import identity

MOST_HOPS = 10


class PageDependencies:
    """Collects the ids of records, site by site; records that two sites archived alike are taken once."""

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def records(self, state: State, captures: Iterable[int]) -> set[str]:
        """Return the records that pages need in all their captures; each page is given by one of its captures."""
        found: set[str] = set()
        assets = _Assets(state)
        for number in (one for page in captures for one in _versions(state, page)):
            self._capture(state, number, found)
            self._redirects(state, number, found)
            for asset in assets.of(number):
                self._asset(state, asset, found)
        return found

    @staticmethod
    def _capture(state: State, number: int, found: set[str]) -> None:
        """A capture, the original that a revisit stands for, and the page as its scripts made it."""
        rows = state.rows(
            "SELECT c.record, o.record, r.record FROM captures c LEFT JOIN captures o ON o.id = c.original "
            "LEFT JOIN renderings r ON r.capture IN (c.id, o.id) WHERE c.id = ?",
            (number,),
        )
        found.update(record for row in rows for record in row if record)

    def _redirects(self, state: State, number: int, found: set[str]) -> None:
        for _ in range(MOST_HOPS):
            row = next(
                iter(
                    state.rows(
                        "SELECT c.id FROM captures p JOIN urls u ON u.crawl = p.crawl AND u.key = p.key AND u.hops > 0 "
                        "JOIN captures c ON c.crawl = p.crawl AND c.url = u.referrer AND c.status BETWEEN 300 AND 399 "
                        "WHERE p.id = ? AND c.status <> 304",
                        (number,),
                    )
                ),
                None,
            )
            if row is None:
                return
            number = int(row[0])
            self._capture(state, number, found)

    def _asset(self, state: State, number: int, found: set[str]) -> None:
        url, digest = next(iter(state.rows("SELECT url, digest FROM captures WHERE id = ?", (number,))))
        name = hash_of(f"{digest} {identity(url)}")
        if name not in self._taken:
            self._taken.add(name)
            self._capture(state, number, found)


def _versions(state: State, number: int) -> list[int]:
    """Return all captures of the page that a capture shows."""
    rows = state.rows(
        "SELECT id FROM captures WHERE key = (SELECT key FROM captures WHERE id = ?) AND status IN (200, 304) "
        "ORDER BY id",
        (number,),
    )
    return [int(one) for (one,) in rows]


class _Assets:
    """What pages of one site need besides: pictures, styles, scripts, and what style sheets name."""

    def __init__(self, state: State) -> None:
        self.state = state
        rows = state.rows(
            "SELECT url, max(id), coalesce(mime, '') FROM captures WHERE status = 200 AND title IS NULL GROUP BY key"
        )
        self._known = {hash_of(identity(url)): (int(number), mime) for url, number, mime in rows}

    def of(self, page: int) -> set[int]:
        """Return the captures of a page's requisites; none is read where the site archived none."""
        found: set[int] = set()
        waiting = [page] if self._known else []
        while waiting:
            for url in self._requisites(waiting.pop()):
                number, mime = self._known.get(hash_of(identity(url)), (0, ""))
                if number and number not in found:
                    found.add(number)
                    if mime == "text/css":
                        waiting.append(number)
        return found

    def _requisites(self, number: int) -> tuple[str, ...]:
        place = self.state.body_at(number)
        if place is None:
            return ()
        try:
            return requisites(read_capture(self.state.archive / place[1], place[2]))
        except ArchiveError:
            return ()  # damaged: the page itself is copied as it is
