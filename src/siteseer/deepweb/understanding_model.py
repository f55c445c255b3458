"""The results of understanding a form: frozen values that can be stored as JSON, read again and corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from siteseer.model import JSON

Role = Literal["text", "option", "lowest", "highest", "order", "none", ""]


@dataclass(frozen=True, slots=True)
class Column:
    """An attribute of the records that a form finds."""

    id: str
    name: str
    label: str
    """What the page says before the values, or at the head of the column."""
    type: str
    """`text`, `number`, `price` or `date`."""
    path: str
    """The path inside the record."""
    filled: float
    """The share of the records that have it."""
    distinct: int
    examples: tuple[str, ...] = ()
    source: str = "answer"
    """`answer`, `details` (the page behind the record's link) or `form` (what was chosen; records do not show it)."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record, as all answers together show it."""

    id: str
    """Its IRI."""
    url: str
    """The answer that showed it first."""
    values: Mapping[str, tuple[str, ...]]
    """By column."""
    permalink: str = ""
    query: tuple[tuple[str, str], ...] = ()
    """What was asked for in the answer that showed it first."""


@dataclass(frozen=True, slots=True)
class FieldMeaning:
    """What a field of the form asks for."""

    name: str
    label: str
    type: str
    role: Role = ""
    columns: tuple[str, ...] = ()
    """The columns in which its values come back."""
    relation: tuple[str, ...] = ()
    """The relation of the ontology, or the path of relations, that leads from a record to its values."""
    range_class: str = ""
    """The class of the instances whose names belong in it."""
    confidence: float = 0.0
    because: str = ""
    confirmed: bool | None = None
    samples: tuple[str, ...] = ()
    """Names from the ontology that may be searched for."""


@dataclass(frozen=True, slots=True)
class RelationMatch:
    """A column and its relation in the ontology."""

    column: str
    relation: tuple[str, ...]
    """Relations in a row; `~` after one that is followed backwards."""
    confidence: float
    support: int
    confirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class InstanceMatch:
    """A record and its instance in the ontology."""

    record: str
    instance: str
    confidence: float
    confirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class ClassMatch:
    """A class of the ontology to which the records belong."""

    cls: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Dependency:
    """A field whose values depend on another field: a city must lie in its state."""

    field: str
    on: str
    values: Mapping[str, tuple[str, ...]]
    because: str


@dataclass(frozen=True, slots=True)
class SearchBehaviour:
    """How the source searches; empty where that could not be found out."""

    as_it_stands: str = ""
    """What the untouched form brings: `records`, `nothing` or `error`."""
    stop_words: str = ""
    """Whether words such as "the" are found: `yes` or `no`."""
    joined: str = ""
    """How several words are joined: `and`, `or` or `phrase`."""
    parts_of_words: str = ""
    """Whether a part of a word is found: `yes` or `no`."""
    spelling: str = ""
    """Whether a misspelt word is found: `yes` or `no`."""
    error_place: str = ""
    """Where an answer that finds nothing repeats what was asked for, or how else it is told apart."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that the source can add to the ontology."""

    kind: Literal["instance", "fact", "relation"]
    subject: str
    predicate: str
    value: str
    is_literal: bool
    confidence: float
    because: str
    confirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """How well the records known at that point could be aligned."""

    submissions: int
    records: int
    relations: int
    confidence: float
    """The mean over the accepted relations."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The result of understanding a form."""

    url: str
    form: JSON
    fields: tuple[FieldMeaning, ...] = ()
    columns: tuple[Column, ...] = ()
    records: tuple[Record, ...] = ()
    relations: tuple[RelationMatch, ...] = ()
    instances: tuple[InstanceMatch, ...] = ()
    classes: tuple[ClassMatch, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    habits: SearchBehaviour = field(default_factory=SearchBehaviour)
    proposals: tuple[Proposal, ...] = ()
    rounds: tuple[Round, ...] = ()
    submissions: int = 0
    stopped_by: str | None = None
    """`budget` where more could have been asked."""
    shortfalls: tuple[str, ...] = ()
    """What could not be read, in sentences."""

    def column(self, name: str) -> Column | None:
        """Return a column by its id."""
        return next((column for column in self.columns if column.id == name), None)

    def as_json(self) -> JSON:
        """Return it as JSON."""
        return asdict(self)

    @staticmethod
    def of_json(stored: JSON) -> Understanding:
        """Return the understanding from its stored JSON.

        >>> one = Understanding("http://e.org/", {}, (FieldMeaning("q", "Words", "text", columns=("title",)),))
        >>> Understanding.of_json(one.as_json()) == one
        True
        """
        parts = {name: tuple(_made(kind, one) for one in stored[name]) for name, kind in _PARTS.items()}
        told = {"habits": SearchBehaviour(**stored["habits"]), "shortfalls": tuple(stored.get("shortfalls", ()))}
        return Understanding(**{**stored, **parts, **told})


_PARTS: dict[str, type[Any]] = {
    "fields": FieldMeaning, "columns": Column, "records": Record, "relations": RelationMatch,
    "instances": InstanceMatch, "classes": ClassMatch, "dependencies": Dependency, "proposals": Proposal,
    "rounds": Round,
}  # fmt: skip


def _made(kind: type[Any], stored: JSON) -> Any:
    known = {one.name for one in fields(kind)}
    return kind(**{name: _frozen(value) for name, value in stored.items() if name in known})


def _frozen(value: JSON) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {name: _frozen(one) for name, one in value.items()}
    return value
