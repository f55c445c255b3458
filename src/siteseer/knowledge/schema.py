"""The elements and attributes of a knowledge file: one table for the loader, the writer, the checks and the manual."""

from __future__ import annotations

from dataclasses import dataclass

CATEGORIES = ("blog", "forum", "wiki", "news", "social", "shop", "other")
LEVELS = ("index", "list", "thread", "post", "page", "profile", "other")
LEVEL_KINDS = ("intermediate", "terminal")
ROLES = ("child", "next", "comments", "thread", "profile", "sitemap", "api", "feed", "same", "permalink", "media")
OBJECTS = ("post", "comment", "article", "page", "thread", "board", "user", "record")
READINGS = ("text", "html", "url", "attribute", "date", "number", "json")
EVIDENCE = ("markup", "asset", "generator", "header", "cookie", "url", "text", "data")
FIELDS = (
    *("id", "title", "author", "author_url", "published", "modified", "body", "html", "permalink", "parent", "thread"),
    *("tags", "category", "attachment", "edited", "quote", "signature", "field"),
)
DEEDS = ("click-until-gone", "scroll-until-still", "expand", "accept")
YES_NO = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of the schema: a choice of words, a regular expression, a number, or any text."""

    is_required: bool = False
    choices: tuple[str, ...] = ()
    holds: str = "text"
    """`text`, `number`, `regex`, `name` (letters, digits, hyphen), or `xpaths` (expressions separated by commas)."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the schema."""

    attributes: dict[str, Attribute]
    children: tuple[str, ...] = ()
    holds: str = "nothing"
    """The text inside: `nothing`, `xpath`, `words`, `either` (an expression, or nothing where `url` is given), or
    `pressed` (an expression, except for scrolling)."""


ANY = Attribute()
REQUIRED = Attribute(is_required=True)
NAME = Attribute(is_required=True, holds="name")
NUMBER = Attribute(holds="number")
REGEX = Attribute(holds="regex")
YES = Attribute(choices=YES_NO)
WHEN = {"policy": ANY, "is": ANY}

ELEMENTS: dict[str, Element] = {
    "application": Element(
        {
            "id": NAME,
            "category": Attribute(True, CATEGORIES),
            "name": ANY,
            "versions": ANY,
            "generic": YES,
        },
        ("detect", "version", "identity", "avoid", "policy", "entry", "template", "follow", "level", "site", "learned"),
    ),
    "detect": Element({"priority": NUMBER, "needs": Attribute(choices=("any", "all"))}, ("pattern",)),
    "pattern": Element(
        {"kind": Attribute(choices=EVIDENCE), "decisive": YES, "absent": YES, "same-site": YES}, holds="xpath"
    ),
    "version": Element({"regex": REGEX}, holds="xpath"),
    "identity": Element({}, ("drop-parameter", "paging")),
    "drop-parameter": Element({"name": REQUIRED, "value": REGEX, "path": REGEX, "because": REQUIRED}),
    "paging": Element({"parameter": ANY, "path": REGEX, "matches": REGEX, "first": ANY}),
    "avoid": Element({}, ("url",)),
    "url": Element(
        {"contains": ANY, "parameter": ANY, "value": REGEX, "path": REGEX, "unless": ANY, "because": REQUIRED, **WHEN},
    ),
    "policy": Element({"name": NAME, "default": REQUIRED}, holds="words"),
    "entry": Element(
        {
            "role": Attribute(True, ("sitemap", "api", "child", "feed")),
            "url": REQUIRED,
            "to": Attribute(choices=LEVELS),
            "because": REQUIRED,
            **WHEN,
        },
    ),
    "template": Element({"id": NAME, "name": ANY}, ("pattern",)),
    "level": Element(
        {
            "id": Attribute(True, LEVELS),
            "kind": Attribute(True, LEVEL_KINDS),
            "name": ANY,
            "format": Attribute(choices=("html", "json")),
        },
        ("detect", "interact", "follow", "extract", "signed", "learned"),
    ),
    "interact": Element({"do": Attribute(True, DEEDS), "most": NUMBER}, holds="pressed"),
    "follow": Element(
        {
            "role": Attribute(True, ROLES),
            "to": Attribute(choices=LEVELS),
            "priority": NUMBER,
            "matches": REGEX,
            "value": Attribute(holds="xpaths"),
            "url": ANY,
            "read": Attribute(choices=("url", "json", "link-header")),
            "take": Attribute(choices=("all", "first", "last")),
            "template": ANY,
            **WHEN,
        },
        ("learned",),
        holds="either",
    ),
    "extract": Element(
        {
            "type": Attribute(True, ("record",)),
            "of": Attribute(True, OBJECTS),
            "scope": Attribute(True, holds="scope"),
            "take": Attribute(choices=("all", "first")),
            "template": ANY,
        },
        ("field", "learned"),
    ),
    "signed": Element({"of": Attribute(True, OBJECTS), "scope": Attribute(True, holds="scope")}, ("field",)),
    "field": Element(
        {
            "type": Attribute(True, FIELDS),
            "read": Attribute(choices=READINGS),
            "name": ANY,
            "format": Attribute(choices=("day-first", "month-first")),
            "without": Attribute(holds="xpaths"),
            "regex": REGEX,
            "until": ANY,
            "template": ANY,
        },
        ("learned",),
        holds="xpath",
    ),
    "site": Element({"host": REQUIRED}, ("level", "avoid", "learned")),
    "learned": Element(
        {"from": ANY, "at": ANY, "method": ANY, "confidence": NUMBER, "evidence": ANY, "replaces": ANY},
    ),
}
