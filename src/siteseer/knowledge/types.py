"""The values of the knowledge base: an application type, its levels, and the actions of each level.

Expressions stay the text that a person wrote; `expression` and `expressions` parse them when they are first needed, so
that reading all files costs little. A file with the same application id adds to what is known (see `merge.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import re2

from siteseer.model import ObjectKind
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import Expression

LevelKind = Literal["intermediate", "terminal"]
Format = Literal["html", "json"]
Reading = Literal["text", "html", "url", "attribute", "date", "number", "json"]
Role = Literal["child", "next", "comments", "thread", "profile", "sitemap", "api", "feed", "same", "permalink", "media"]
Deed = Literal["click-until-gone", "scroll-until-still", "expand", "accept"]
EvidenceKind = Literal["markup", "asset", "generator", "header", "cookie", "url", "text", "data"]


@lru_cache(maxsize=4096)
def regex(expression: str) -> Any:
    """Compile a regular expression of a knowledge file: RE2, which takes linear time on any input.

    >>> regex(r"/page/([0-9]+)").search("/page/12").group(1)
    '12'
    """
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    return re2.compile(expression, options)


@dataclass(frozen=True, slots=True)
class Learned:
    """The origin of an entry that was learned, not written by a person."""

    source: str = ""
    at: str = ""
    method: str = ""
    confidence: float | None = None
    evidence: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A detection pattern: an expression over the page and its HTTP metadata, and what kind of evidence it is."""

    text: str
    kind: EvidenceKind = "markup"
    is_decisive: bool = False
    """Cannot occur elsewhere: enough alone."""
    is_absence: bool = False
    """Must not hold."""
    same_site: bool = False
    """Only URLs on the page's own host count."""
    line: int = 0

    @property
    def expression(self) -> Expression:
        """The parsed pattern."""
        return parse(self.text)


@dataclass(frozen=True, slots=True)
class Detection:
    """Patterns that recognise a type or a level; a higher priority wins."""

    patterns: tuple[Pattern, ...]
    priority: int = 0
    needs: Literal["any", "all"] = "any"


@dataclass(frozen=True, slots=True)
class VersionPattern:
    """Where a page states the version of its application. Several are alternatives, tried in order."""

    text: str
    regex: str = ""
    """The part of the text that is the version: its first group; without it, the first number with a point in it."""
    line: int = 0

    @property
    def expression(self) -> Expression:
        """The parsed expression, over the page and its HTTP metadata."""
        return parse(self.text)


@dataclass(frozen=True, slots=True)
class When:
    """The policy value under which something applies."""

    policy: str = ""
    value: str = "yes"


@dataclass(frozen=True, slots=True)
class Navigation:
    """A navigation action: which URLs of a page lead where."""

    role: Role
    text: str = ""
    to: str = ""
    """The level expected there."""
    priority: float = 0.0
    matches: str = ""
    """Only URLs in which this regular expression finds something (path and query)."""
    url: str = ""
    """Or: make this URL; `{1}` is a group of `matches` on the page's URL, `{name.name}` a value of a JSON record."""
    value: str = ""
    """Where `matches` is asked of something else than URLs: what this expression selects on the page."""
    read: Reading | Literal["link-header"] = "url"
    take: Literal["all", "first", "last"] = "all"
    when: When = When()
    template: str = ""
    learned: Learned | None = None
    line: int = 0

    @property
    def expression(self) -> Expression:
        """The parsed expression."""
        return parse(self.text)


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a record. Several fields of one type are alternatives, tried in order."""

    type: str
    text: str
    read: Reading = "text"
    name: str = ""
    """The attribute's own name where the type is `field`."""
    format: str = ""
    """How a date is written where the page is ambiguous: `day-first` or `month-first`."""
    without: str = ""
    """What inside is left out; alternatives separated by commas."""
    regex: str = ""
    """The part of the text that counts: its first group, or all that it finds."""
    template: str = ""
    learned: Learned | None = None
    line: int = 0
    until: str = ""
    """A mark in the text at which the value ends."""

    @property
    def expression(self) -> Expression:
        """The parsed expression."""
        return parse(self.text)

    @property
    def exclusions(self) -> tuple[str, ...]:
        """The expressions of what is left out."""
        return _split(self.without)


@dataclass(frozen=True, slots=True)
class Extraction:
    """An extraction action: where the records of a level are, and their fields."""

    of: ObjectKind
    scope: str
    fields: tuple[Field, ...] = ()
    template: str = ""
    learned: Learned | None = None
    take: Literal["all", "first"] = "all"
    line: int = 0

    @property
    def expression(self) -> Expression:
        """The parsed scope."""
        return parse(self.scope)


@dataclass(frozen=True, slots=True)
class Interaction:
    """What a browser does with a page before it is read: press a button until it is gone, scroll until nothing new
    comes.
    """

    do: Deed
    text: str = ""
    """What is pressed."""
    most: int = 0
    """How often at most; 0 leaves it to the limits."""
    line: int = 0

    @property
    def expression(self) -> Expression:
        """The parsed expression."""
        return parse(self.text)


@dataclass(frozen=True, slots=True)
class Avoid:
    """URLs that need not be fetched, and why in plain words."""

    because: str
    contains: str = ""
    parameter: str = ""
    value: str = ""
    path: str = ""
    when: When = When()
    line: int = 0
    unless: str = ""
    """A parameter with which the rule does not hold."""


@dataclass(frozen=True, slots=True)
class DropParameter:
    """A query parameter that does not change the document."""

    name: str
    because: str
    value: str = ""
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Paging:
    """The part of a URL that only turns the pages of one object or list: a parameter, or what `path` finds."""

    parameter: str = ""
    path: str = ""
    matches: str = ""
    """Or: its first group is the part, in path and query."""
    first: str = ""
    """The value of the first page: the same document as without it."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Identity:
    """The rules by which two URLs are one document, and several pages one object."""

    drops: tuple[DropParameter, ...] = ()
    pagings: tuple[Paging, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """A choice of the user, in plain words."""

    name: str
    default: str
    question: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A page from which many URLs are found with few requests: a sitemap, a list of all pages, an API."""

    role: Role
    url: str
    because: str
    to: str = ""
    when: When = When()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Template:
    """A template (theme) of the application: actions that name it are used only where its patterns match."""

    id: str
    patterns: tuple[Pattern, ...] = ()
    name: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of page that the application makes."""

    id: str
    kind: LevelKind
    name: str = ""
    format: Format = "html"
    detections: tuple[Detection, ...] = ()
    navigations: tuple[Navigation, ...] = ()
    extractions: tuple[Extraction, ...] = ()
    signed: tuple[Extraction, ...] = ()
    """Posts without a box around them, each ending in the name of its author and a time."""
    interactions: tuple[Interaction, ...] = ()
    """What a browser does with such pages, in order; a level that has any is shown by a browser."""
    learned: Learned | None = None
    line: int = 0

    @property
    def is_terminal(self) -> bool:
        """Whether pages of this level hold objects."""
        return self.kind == "terminal"

    @property
    def priority(self) -> int:
        """The highest priority among the level's detections."""
        return max((detection.priority for detection in self.detections), default=0)


@dataclass(frozen=True, slots=True)
class Site:
    """The particulars of one site of the type."""

    host: str
    levels: tuple[Level, ...] = ()
    avoids: tuple[Avoid, ...] = ()
    learned: Learned | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Application:
    """An application type: the software behind a site."""

    id: str
    category: str
    name: str = ""
    versions: str = ""
    is_generic: bool = False
    """Ranks below all named software."""
    detections: tuple[Detection, ...] = ()
    version_patterns: tuple[VersionPattern, ...] = ()
    identity: Identity = Identity()
    avoids: tuple[Avoid, ...] = ()
    policies: tuple[Policy, ...] = ()
    entries: tuple[Entry, ...] = ()
    templates: tuple[Template, ...] = ()
    navigations: tuple[Navigation, ...] = ()
    """Actions on every level."""
    levels: tuple[Level, ...] = ()
    sites: tuple[Site, ...] = ()
    learned: Learned | None = None
    source: str = field(default="", compare=False)

    def level(self, name: str) -> Level | None:
        """Return the first level of that id."""
        return next((level for level in self.levels if level.id == name), None)

    def choice(self, name: str, chosen: dict[str, str] | None = None) -> str:
        """Return the value of a policy: what was chosen, else its default."""
        if chosen and name in chosen:
            return chosen[name]
        return next((policy.default for policy in self.policies if policy.name == name), "no")

    def applies(self, when: When, chosen: dict[str, str] | None = None) -> bool:
        """Say whether something that depends on a policy applies."""
        return not when.policy or self.choice(when.policy, chosen) == when.value

    def patterns(self) -> Iterator[tuple[Detection, Pattern]]:
        """Return the type's detection patterns."""
        for detection in self.detections:
            for pattern in detection.patterns:
                yield detection, pattern


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, ...]:
    return tuple(split_commas(text))


def split_commas(text: str) -> list[str]:
    """Split at the commas outside quotes, brackets and parentheses.

    >>> split_commas("blockquote, p[contains(.,'a,b')], .signature")
    ['blockquote', "p[contains(.,'a,b')]", '.signature']
    """
    parts, depth, quote, start = [], 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "[(":
            depth += 1
        elif letter in "])":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]
