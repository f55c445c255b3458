"""The truth about a demo site, against which a crawl of it is scored."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

TextKind = Literal["post", "comment", "page", "record"]


@dataclass(frozen=True, slots=True)
class TrueText:
    """One text that a person came to the site for.

    >>> TrueText("post", "/1", "/1", "Tea", "Ada", "2021-03-01T08:00:00Z", "All about tea.").tags
    ()
    """

    kind: TextKind
    page: str
    """Path and query of a page that shows it in full."""
    thread: str
    """Path and query of the first page of the discussion that it belongs to."""
    title: str
    author: str
    date: str
    """ISO 8601 in UTC; empty where the software shows none."""
    text: str
    tags: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    """Attributes of a record: name and value as shown."""


@dataclass(frozen=True, slots=True)
class SearchTruth:
    """The truth about the search form on a site's first page.

    >>> dict(SearchTruth((("q", "title"),), ("title",), "and", True, frozenset()).fields)
    {'q': 'title'}
    """

    fields: tuple[tuple[str, str], ...]
    """The name of each field, and the attribute that it asks for; both ends of a range ask for the same."""
    listed: tuple[str, ...]
    """Attributes that answers show; further ones stand on the pages of the records."""
    joined: Literal["and", "or", "phrase"]
    """What several words in one field mean; `phrase`: they are looked for as they stand, also inside words."""
    has_stop_words: bool
    """Whether words such as "the" find anything."""
    reachable: frozenset[str]
    """Pages of the records that the form can list."""
    constraints: tuple[tuple[str, str], ...] = ()
    """Attributes that depend on another: the first must lie in the second."""
    form: str = "/"
    """The page that shows it."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything that is true of a demo site."""

    kind: str
    seed: int
    template: str
    texts: tuple[TrueText, ...]
    content_paths: frozenset[str]
    """Pages that hold the texts; on the hostile site, every path that must end with an outcome."""
    external_links: frozenset[str]
    """Links to other hosts inside the texts, without what the template adds."""
    oracle_requests: int
    """The fewest requests with which everything can be seen by following links and submitting search forms."""
    oracle_paths: frozenset[str] = frozenset()
    """Those requests."""
    search: SearchTruth | None = None

    def to_json(self, origin: str = "http://127.0.0.1", blind_requests: int = 0) -> str:
        """Return the truth as JSON, in the shape that scoring scripts read."""
        document: dict[str, Any] = {
            "site": f"{self.kind}-{self.template}-{self.seed}",
            "software": "siteseer demo",
            "theme": self.template,
            "kind": self.kind,
            "entry": "/",
            "origin": origin.rstrip("/"),
            "blind_requests": blind_requests,
            "blind_capped": False,
            "oracle_requests": self.oracle_requests,
            "texts": [{**asdict(text), "fields": dict(text.fields)} for text in self.texts],
            "external_links": sorted(self.external_links),
        }
        if self.search is not None:
            document["search"] = {
                **asdict(self.search), "fields": dict(self.search.fields), "reachable": sorted(self.search.reachable)
            }  # fmt: skip
        return json.dumps(document, ensure_ascii=False)
