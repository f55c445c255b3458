"""The values that flow through Siteseer: frozen dataclasses, no logic.

A `Seed` enters the crawl and is fetched into a `Page`; a `Recognition` says what kind of page it is; a strategy
answers with `Action`s; an extraction action finds a `WebObject`; every URL ends with an `Outcome`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Headers = tuple[tuple[str, str], ...]
JSON = Any


@dataclass(frozen=True, slots=True)
class Seed:
    """Where a crawl starts.

    >>> Seed("http://example.org/").url
    'http://example.org/'
    """

    url: str


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched document: where, when, and the bytes after content decoding. Everything else is a function in `page/`.

    >>> Page("http://example.org/", 200, (("Content-Type", "text/html"),), b"<p>hi").header("content-type")
    'text/html'
    """

    url: str
    status: int = 200
    headers: Headers = ()
    body: bytes = b""
    fetched_at: datetime | None = None
    redirected_from: tuple[str, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Where the cached functions of `page/` keep their results, so that they live exactly as long as the page."""

    def header(self, name: str, default: str = "") -> str:
        """Return the first header of that name, in any case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), default)


@dataclass(frozen=True, slots=True)
class Link:
    """One reference found in a page.

    `url` is absolute and as it goes on the wire (no fragment). `path` is the tag path from the root to the link, one
    step per element, written `tag#id.class.class`.
    """

    url: str
    text: str = ""
    rel: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    kind: Literal["anchor", "asset", "frame", "next", "prev", "canonical", "alternate", "refresh"] = "anchor"
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One pattern that matched a page."""

    pattern: str
    where: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Recognition:
    """The software and level of a page: application and level are None where unknown."""

    application: str | None = None
    category: str | None = None
    level: str | None = None
    terminal: bool = False
    evidence: tuple[Evidence, ...] = ()
    version: str | None = None
    """The application's version, where the page says it."""


@dataclass(frozen=True, slots=True)
class Capture:
    """Where a response lies in the archive."""

    file: str
    offset: int
    length: int
    time: datetime
    digest: str
    record: str
    """The WARC-Record-ID, `urn:uuid:...`, without angle brackets."""


ObjectKind = Literal["post", "comment", "article", "page", "thread", "board", "user", "record"]


@dataclass(frozen=True, slots=True)
class WebObject:
    """A post, comment, article, page, thread, board, user or record, with its fields."""

    kind: ObjectKind
    id: str
    """The object's IRI."""
    url: str
    """The page it was found on."""
    permalink: str | None = None
    title: str | None = None
    author: str | None = None
    author_url: str | None = None
    published: str | None = None
    """ISO 8601 in UTC; a day alone (`2020-05-01`) where the page shows no time."""
    modified: str | None = None
    text: str | None = None
    html: str | None = None
    parent: str | None = None
    thread: str | None = None
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    """Further attributes of a record, by name."""
    because: str = ""
    confidence: float = 1.0


AnnotationKind = Literal["entity", "topic", "opinion"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """An entity, topic or opinion that an analyser found in an object."""

    kind: AnnotationKind
    label: str
    """The name of the entity or topic; of an opinion what it is about, empty where it is the whole text."""
    degree: float
    """How much of the topic, from 0 to 1; of an opinion from -1, against, to 1, in favour; of an entity 1."""
    confidence: float = 1.0
    start: int | None = None
    """Where the evidence stands in the object's text, in characters; None where it stands elsewhere."""
    end: int | None = None
    quote: str = ""
    """The evidence itself."""
    sort: str = ""
    """What kind of entity, as the analyser calls it (`PERSON`); empty where it cannot tell."""


# ── actions: what a strategy may ask for; each says why ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Follow:
    """Fetch this URL. `family` is a name under which waiting URLs can be re-ranked; higher priority comes first."""

    url: str
    because: str
    family: str = "links"
    priority: float = 0.0
    state: JSON = None
    """What the strategy wants to be told again with the outcome; JSON."""
    referrer: str = ""
    depth: int = 0
    hops: int = 0
    """How many redirects led here."""
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class Rank:
    """Give all waiting URLs of a family this priority over other families."""

    family: str
    priority: float
    because: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Store this object."""

    object: WebObject
    because: str


@dataclass(frozen=True, slots=True)
class Submit:
    """Send this form. For GET the URL carries the fields already; for POST they go into the body."""

    url: str
    because: str
    method: Literal["GET", "POST"] = "GET"
    fields: tuple[tuple[str, str], ...] = ()
    encoding: str = "application/x-www-form-urlencoded"
    family: str = "forms"
    priority: float = 0.0
    state: JSON = None
    referrer: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Skip:
    """Do not fetch this URL. `rule` is what the reason is counted under.

    `referrer` is the page that links to it, where that is not the page at hand.
    """

    url: str
    because: str
    rule: str = ""
    referrer: str = ""


@dataclass(frozen=True, slots=True)
class Remember:
    """Commit this row of the strategy's memory with the page; JSON. A later row of the same key replaces it."""

    kind: str
    key: str
    value: JSON
    because: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Attach a message to the page: its recognition, level and title reach pages.jsonl, the log and the reports."""

    because: str
    recognition: Recognition | None = None
    event: str = ""
    """A word that is counted: `failed_action`, `adapted_action`, `recognised`, `changed_strategy`, ..."""
    details: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Weigh:
    """Store the relevance of the page to the campaign's topic, from 0 to 1, with its capture."""

    degree: float
    because: str


@dataclass(frozen=True, slots=True)
class Vote:
    """Give a URL a score from 0 to 1, by one source; the scores of distinct sources make its priority."""

    url: str
    score: float
    because: str
    source: str
    group: int = 0
    """Links that stand together have one number; see `Appraise`."""


@dataclass(frozen=True, slots=True)
class Appraise:
    """Report what one link of a group brought: the scores of the others in the group then rise or fall."""

    group: int
    degree: float
    because: str


Action = Follow | Rank | Keep | Submit | Skip | Remember | Note | Weigh | Vote | Appraise

OutcomeKind = Literal["page", "redirect", "error", "not-modified", "refused"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a URL.

    `page` for status 200-299 and for error statuses too (look at `page.status`); `redirect` has `target`;
    `not-modified` carries the page as archived before; `error` and `refused` (robots, addresses) have no page.
    """

    url: str
    kind: OutcomeKind
    reason: str = ""
    page: Page | None = None
    target: str | None = None
    duplicate_of: str | None = None
    """URL of an earlier capture with the same payload."""
