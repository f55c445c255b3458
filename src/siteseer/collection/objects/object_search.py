"""Lists and searches the objects of a collection by filter and by keywords."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from siteseer.collection.objects import full_text
from siteseer.collection.objects.object_store import ObjectStore, mark, set_mark
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.page.dates import normal_form
from siteseer.page.object_iris import site_key

KINDS = ("post", "comment", "article", "page", "thread", "board", "user", "record")
INDEX_BATCH = 1_000
"""Objects indexed in one transaction: others who write wait for no more than these."""

RANKED = 20_000
"""Words that stand in more objects than this say nothing about relevance, and ranking them all takes its time."""

Order = Literal["found", "newest", "oldest", "relevance"]
_ORDERS = {
    "found": "o.key",
    "newest": "o.published DESC, o.key DESC",
    "oldest": "o.published NULLS LAST, o.key",
    "relevance": "w.rank, o.key",
}


@dataclass(frozen=True, slots=True)
class Filter:
    """Which objects, in which order. `since` and `until` are dates of publication; `until` includes its whole day.

    >>> Filter(kind="post", author="ann").kind
    'post'
    """

    kind: str | None = None
    author: str | None = None
    since: str | None = None
    until: str | None = None
    text: str | None = None
    site: str | None = None
    thread: str | None = None
    ids: tuple[str, ...] = ()
    order: Order | None = None
    """Where none is given: relevance for a search with few enough hits, else the order in which objects were found."""
    limit: int | None = None
    offset: int = 0
    author_part: str | None = None
    """Letters that occur in the author's name."""
    keys: tuple[int, ...] = ()
    """Numbers of objects within this collection, as `numbered` gives them."""


class Search:
    """Answers filters from the rows of a ledger."""

    def __init__(self, ledger: ObjectStore) -> None:
        self.ledger = ledger

    def settle(self) -> None:
        """Bring the full-text index up to date."""
        while self._behind():
            with self.ledger.transaction() as db:
                last = full_text.index(db, mark(db, "words"), INDEX_BATCH, self.ledger.object_of_row)
                if last is not None:
                    set_mark(db, "words", last)

    def objects(self, wanted: Filter) -> Iterator[dict[str, JSON]]:
        """Return the objects that pass the filter, as JSON, one by one."""
        return (found for _, found in self.numbered(wanted))

    def numbered(self, wanted: Filter) -> Iterator[tuple[int, dict[str, JSON]]]:
        """Return the objects that pass the filter, each with its number within the collection."""
        source, values = self._source(wanted)
        order = _ORDERS[self._order(wanted)]
        page = f"LIMIT {-1 if wanted.limit is None else int(wanted.limit)} OFFSET {int(wanted.offset)}"
        annotated = "(SELECT json_group_array(json(a.json)) FROM annotation a WHERE a.object = key AND a.json <> '[]')"
        rows = f"(SELECT o.key FROM {source} ORDER BY {order} {page}) JOIN told USING (key)"
        for key, told, read in self.ledger.read(f"SELECT key, json, {annotated} FROM {rows}", values):
            found = [one for of_analyser in json.loads(read) for one in of_analyser]
            yield int(key), json.loads(told) | ({"annotations": found} if found else {})

    def count(self, wanted: Filter) -> int:
        """Return how many objects pass the filter."""
        source, values = self._source(wanted)
        return int(next(self.ledger.read(f"SELECT count(*) FROM {source}", values))[0])

    def kinds(self) -> dict[str, int]:
        """Return how many objects of each kind there are."""
        return dict(self.ledger.read("SELECT kind, count(*) FROM object GROUP BY kind"))

    def kinds_by_page(self) -> Iterator[tuple[str, str, int]]:
        """Yield page, kind and number of the objects whose capture is one of that page."""
        sql = "SELECT c.url, o.kind, count(*) FROM object o JOIN capture c ON c.key = o.capture GROUP BY c.url, o.kind"
        return iter(self.ledger.read(sql))

    def captures(self, ids: list[str]) -> dict[str, dict[str, JSON]]:
        """Return where the capture of each of these objects lies; what is no object is left out."""
        sql = """SELECT id, json_extract(json, '$.capture') FROM object JOIN told USING (key)
                 WHERE id IN (SELECT value FROM json_each(?))"""
        return {found: json.loads(place) for found, place in self.ledger.read(sql, (json.dumps(ids),))}

    def _order(self, wanted: Filter) -> Order:
        if not wanted.text:
            return "found" if wanted.order in (None, "relevance") else wanted.order
        if wanted.order is not None:
            return wanted.order
        sought = full_text.fts_query(wanted.text)
        if sought is None:
            return "found"
        (hits,) = next(self.ledger.read("SELECT count(*) FROM words WHERE words MATCH ?", (sought,)))
        return "relevance" if hits <= RANKED else "found"

    def _behind(self) -> bool:
        sql = "SELECT coalesce(max(key), 0) > coalesce((SELECT value FROM mark WHERE name = 'words'), 0) FROM object"
        return bool(next(self.ledger.read(sql))[0])

    def _source(self, wanted: Filter) -> tuple[str, list[JSON]]:
        tables, clauses, values = "object o", ["1"], []
        if wanted.text is not None:
            self.settle()
            tables = "words w JOIN object o ON o.key = w.rowid"
            sought = full_text.fts_query(wanted.text)
            clauses.append("w.words MATCH ?" if sought else "0")
            values += [sought] if sought else []
        for clause, value in _comparisons(wanted):
            clauses.append(clause)
            values.append(value)
        return f"{tables} WHERE {' AND '.join(clauses)}", values


def _comparisons(wanted: Filter) -> Iterator[tuple[str, JSON]]:
    # A plus sign keeps SQLite from an index that is worse than the one of the words.
    own = "+" if wanted.text is not None else ""
    if wanted.kind is not None:
        if wanted.kind not in KINDS:
            raise UsageError(f"there is no kind {wanted.kind!r}; choose one of {', '.join(KINDS)}")
        yield f"{own}o.kind = ?", wanted.kind
    if wanted.author is not None:
        yield f"{own}o.author = ?", wanted.author.strip().casefold()
    if wanted.author_part is not None:
        yield "instr(o.author, ?)", wanted.author_part.strip().casefold()
    if wanted.keys:
        yield f"{own}o.key IN (SELECT value FROM json_each(?))", json.dumps(wanted.keys)
    if wanted.site is not None:
        yield f"{own}o.site = ?", site_key(wanted.site)
    if wanted.thread is not None:
        yield f"{own}o.thread = ?", wanted.thread
    if wanted.since is not None:
        yield f"{own}o.published >= ?", _date("since", wanted.since)
    if wanted.until is not None:
        # Everything that begins with the given day, month or year still belongs to it.
        yield f"{own}o.published < ?", _date("until", wanted.until) + "~"
    if wanted.ids:
        yield f"{own}o.id IN (SELECT value FROM json_each(?))", json.dumps(wanted.ids)


def _date(name: str, text: str) -> str:
    when = normal_form.read(text)
    if when is None:
        raise UsageError(f"{name} {text!r} is no date; write it as 2014-03-01 or 2014-03-01T10:12:00Z")
    return when.text
