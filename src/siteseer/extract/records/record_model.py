"""The values of a record model: rules for bodies, fields, titles and permalinks, and their JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from siteseer.extract.records.bodies.alternation import Side
from siteseer.extract.records.element_keys import KeyScheme
from siteseer.model import JSON
from siteseer.page.dates.date_context import Order

RecordKind = Literal["list", "single"]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """Where a field of a record stands: the atom of this key that is nearest to the body on this side."""

    key: str
    side: Side
    score: float = 1.0
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    edited: bool = False


@dataclass(frozen=True, slots=True)
class BodyRule:
    """What the bodies of one kind of record are, and where their fields stand."""

    key: str
    kind: RecordKind
    dates: tuple[FieldRule, ...] = ()
    authors: tuple[FieldRule, ...] = ()
    time: FieldRule | None = None
    extensions: tuple[str, ...] = ()
    permalink: FieldRule | None = None
    heading: FieldRule | None = None
    """Where the heading of each record of a list stands, which links to its own page."""
    id_stem: str | None = None
    """The id, digits folded, that an element around each body carries."""
    scope: str | None = None
    """The key of the element around each record, where every record has one of its own."""
    keeps_quotes: bool = False
    citations: tuple[str, ...] = ()
    """Keys of elements inside the body that quote other records, though neither tag nor class says so."""
    heads: tuple[str, ...] = ()
    """Keys of boxes inside the body that only tell about the record: who wrote it and when, its tags."""
    fit: float = 1.0
    """How well the body covers what is unique and leaves out what is not (F1)."""
    evidence: float = 0.0
    cover: float = 0.0
    """Share of the sample's unique text that it holds."""

    @property
    def labels_inside(self) -> frozenset[str]:
        """The labels of its fields that stand inside the body."""
        inside = (rule.key.rpartition("|")[2] for rule in (*self.dates, *self.authors) if rule.side == "inside")
        return frozenset(way.split(":")[1] for way in inside if way.startswith("label:"))

    @property
    def confidence(self) -> float:
        """How sure a record of this rule is."""
        return round(self.fit * min(1.0, 0.5 + 0.5 * self.evidence), 3)


@dataclass(frozen=True, slots=True)
class TitleRule:
    """Where the title of a page stands; without key it is the title element without these common words."""

    key: str | None = None
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True)
class Wrapper:
    """Everything learned about the pages of one template."""

    scheme: KeyScheme
    order: Order | None
    bodies: tuple[BodyRule, ...]
    title: TitleRule
    core: frozenset[int] = frozenset()
    """Root paths that the pages of this template have."""

    @property
    def quality(self) -> float:
        """Share of the unique text explained by records that fit well and have dates and authors."""
        return round(sum(body.cover * body.fit * min(1.0, body.evidence) for body in self.bodies), 4)

    def to_json(self) -> JSON:
        """Return plain values."""
        return {
            "ids": sorted(self.scheme.ids),
            "tokens": self.scheme.tokens,
            "variants": sorted(self.scheme.variants),
            "numbered": sorted(self.scheme.numbered),
            "shapes": {
                place: [sorted(shape) for shape in shapes] for place, shapes in self.scheme.shapes.items() if shapes
            },
            "order": self.order,
            "bodies": [asdict(body) for body in self.bodies],
            "title": asdict(self.title),
            "core": sorted(self.core),
        }

    @classmethod
    def from_json(cls, value: JSON) -> Wrapper:
        """Read what `to_json` wrote."""
        variants, numbered = frozenset(value["variants"]), frozenset(value["numbered"])
        scheme = KeyScheme(frozenset(value["ids"]), dict(value["tokens"]), variants, numbered)
        for place, shapes in value["shapes"].items():
            scheme.shapes[place] = [frozenset(shape) for shape in shapes]
        bodies = tuple(_body(body) for body in value["bodies"])
        return cls(scheme, value["order"], bodies, TitleRule(**value["title"]), frozenset(value["core"]))


def _field(value: JSON) -> FieldRule:
    return FieldRule(**{**value, "first": tuple(value["first"]), "last": tuple(value["last"])})


def _body(value: JSON) -> BodyRule:
    fields = dict(value)
    for name in ("dates", "authors"):
        fields[name] = tuple(_field(rule) for rule in value[name])
    for name in ("time", "permalink", "heading"):
        fields[name] = _field(value[name]) if value.get(name) else None
    for name in ("extensions", "citations", "heads"):
        fields[name] = tuple(value.get(name, ()))
    return BodyRule(**fields)


@dataclass(frozen=True, slots=True)
class Record:
    """A record found in a page: its own text and what the page says about it."""

    kind: RecordKind
    text: str
    html: str = ""
    author: str | None = None
    author_url: str | None = None
    published: str | None = None
    modified: str | None = None
    """Set where the date is known to be that of the last edit."""
    title: str | None = None
    permalink: str | None = None
    native_id: str | None = None
    """The site's own id of the record, where an element around the body carries one."""
    path: str = ""
    """The body element, as an XPath expression from the root."""
    quotes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    confidence: float = 1.0
    continuations: tuple[str, ...] = ()
    """Elements beside the body with which its text goes on, as expressions like `path`."""
    citations: tuple[str, ...] = ()
    """Elements inside the body that quote others, as expressions like `path`."""
    heads: tuple[str, ...] = ()
    """Elements inside the body that only tell about the record, as expressions like `path`."""
