"""The site graph: pages with their 2-grams, and links with their labels; built row by row.

Everything that happens is a row, a small JSON value; the same rows in the same order make the same graph again. URLs
and labels are numbered in the order in which they are met, so that rows are small.
Reference: thesis, Definition 1. Differs: a page may link to another under several labels.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.model import JSON
from siteseer.page.two_grams import Grams
from siteseer.page.urls import identity

Links = Iterable[tuple[str, str]]
"""URL and label of each link."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The links between fetched pages; pages are numbered in the order in which they were fetched."""

    source: NDArray[np.int64]
    label: NDArray[np.int64]
    target: NDArray[np.int64]


FURTHER = "further page of the list"
"""The label of links between the pages of a list: followed from every state, and no pattern is learned of them."""


class SiteGraph:
    """Pages and links met so far.

    >>> graph = SiteGraph(); row = graph.add_page("http://e.org/", [("http://e.org/a", "/html/a")])
    >>> again = SiteGraph(); again.replay(row); again.urls
    ['http://e.org/', 'http://e.org/a']
    """

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.depths: list[int] = []
        """Clicks from the entry point when the URL was first met."""
        self.labels: list[str] = []
        self.links: dict[int, list[tuple[int, list[int]]]] = {}
        """Of each fetched page, by URL number: label numbers, each with the numbers of the URLs that it leads to."""
        self.grams: dict[int, Grams] = {}
        self.aliases: dict[int, int] = {}
        """Where redirects led."""
        self._url_numbers: dict[str, int] = {}
        self._label_numbers: dict[str, int] = {}

    # ── growing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def number(self, url: str, depth: int = 0) -> int:
        """Return the number of a URL; a new one gets the next."""
        found = self._url_numbers.setdefault(identity(url), len(self.urls))
        if found == len(self.urls):
            self.urls.append(url)
            self.depths.append(depth)
        return found

    def known(self, url: str) -> int | None:
        """Return the number of a URL that was met before."""
        return self._url_numbers.get(identity(url))

    def add_page(self, url: str, links: Links, grams: Grams | None = None) -> JSON:
        """Add a fetched page; return the row that adds it again. Links to itself are left out."""
        urls, labels, source = len(self.urls), len(self.labels), self.number(url)
        out: dict[int, dict[int, None]] = {}
        for target, label in links:
            number = self.number(target, self.depths[source] + 1)
            if number != source:
                out.setdefault(self._label(label), {})[number] = None
        self.links[source] = [(label, list(targets)) for label, targets in out.items()]
        row: dict[str, JSON] = {"page": source, "urls": self.urls[urls:], "labels": self.labels[labels:]}
        row["out"] = [[label, *targets] for label, targets in self.links[source]]
        if grams is not None:
            self.grams[source] = grams
            row["grams"] = base64.b64encode(grams.astype("<u8").tobytes()).decode("ascii")
        return row

    def add_alias(self, url: str, target: str) -> JSON:
        """Add a redirect; return the row that adds it again."""
        urls, source = len(self.urls), self.number(url)
        number = self.number(target, self.depths[source])
        if number != source:
            self.aliases[source] = number
        return {"alias": source, "to": number, "urls": self.urls[urls:]}

    def replay(self, row: JSON) -> None:
        """Repeat what `add_page` or `add_alias` did when it returned this row."""
        source = row["page"] if "page" in row else row["alias"]
        depth = self.depths[source] if source < len(self.depths) else 0
        for url in row["urls"]:
            is_source = len(self.urls) == source
            self.number(url, depth if is_source or "alias" in row else depth + 1)
        if "alias" in row:
            if row["to"] != source:
                self.aliases[source] = row["to"]
            return
        for label in row["labels"]:
            self._label(label)
        self.links[source] = [(label, targets) for label, *targets in row["out"]]
        if "grams" in row:
            self.grams[source] = np.frombuffer(base64.b64decode(row["grams"]), "<u8").astype(np.uint64)

    def _label(self, label: str) -> int:
        found = self._label_numbers.setdefault(label, len(self.labels))
        if found == len(self.labels):
            self.labels.append(label)
        return found

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    def resolved(self, number: int) -> int:
        """Return where a URL leads after redirects."""
        for _ in range(20):
            if number not in self.aliases:
                break
            number = self.aliases[number]
        return number

    def pages(self) -> list[int]:
        """Return the URL numbers of the pages whose content is known, in the order in which they were fetched."""
        return list(self.grams)

    def edges(self) -> Edges:
        """Return the links between pages whose content is known, redirects followed."""
        place = {number: index for index, number in enumerate(self.grams)}
        found: list[tuple[int, int, int]] = []
        for number, source in place.items():
            for label, targets in self.links.get(number, ()):
                if self.labels[label] == FURTHER:
                    continue
                ends = {place.get(self.resolved(target)) for target in targets}
                found.extend((source, label, end) for end in ends if end is not None and end != source)
        table = np.array(found, np.int64).reshape(-1, 3)
        return Edges(table[:, 0], table[:, 1], table[:, 2])

    def roots(self, urls: Sequence[str]) -> list[int]:
        """Return the places among `pages()` of the entry points."""
        place = {number: index for index, number in enumerate(self.grams)}
        numbers = (self.known(url) for url in urls)
        found = (place.get(self.resolved(number)) for number in numbers if number is not None)
        return list(dict.fromkeys(index for index in found if index is not None))
