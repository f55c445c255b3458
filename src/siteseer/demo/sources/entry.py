"""The values of a searchable demo site: entries with attributes, and the fields of its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from siteseer.demo.prose import Passage

TITLE = "title"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record; an attribute without a value is left out.

    >>> Entry(1, {"title": "Tea", "year": "1999"}, Passage("", ())).get("country")
    ''
    """

    number: int
    values: Mapping[str, str]
    passage: Passage
    more: Mapping[str, str] | None = None
    """Attributes that only its own page shows."""

    def get(self, attribute: str) -> str:
        """Return the value of an attribute, or nothing."""
        return self.values.get(attribute, "")


@dataclass(frozen=True, slots=True)
class Question:
    """One field of the search form."""

    key: str
    """What the field is called in every language of the site."""
    attribute: str
    asks: Literal["words", "choice", "lowest", "highest", "dependent"]
    on: str = ""
    """The key of the question on which the choices of a dependent one depend."""


@dataclass(frozen=True, slots=True)
class TemplateWords:
    """The words of a template: names of fields, attributes and everything else."""

    language: str
    fields: Mapping[str, str]
    """Key of a question, and the name of its field."""
    labels: Mapping[str, str]
    """Key of a question or attribute, and what stands beside it."""
    says: Mapping[str, str]
    entry: str
    """The address of an entry's page."""
    path: str
    """The address that the form is sent to."""
    page: str = "page"
    by_number: bool = False
    """Whether the choices of lists are numbered instead of named."""


@dataclass(frozen=True, slots=True)
class Source:
    """A site behind a search form."""

    kind: str
    title: str
    entries: tuple[Entry, ...]
    attributes: tuple[str, ...]
    """What answers show, the title first."""
    questions: tuple[Question, ...]
    joined: Literal["and", "or"]
    has_stop_words: bool
    author: str = ""
    """The attribute that says who made the thing."""

    def choices(self, attribute: str, within: tuple[str, str] | None = None) -> list[str]:
        """Return the values of an attribute that an entry has, in order; `within` names another and its value."""
        return sorted(
            {
                entry.get(attribute)
                for entry in self.entries
                if entry.get(attribute) and (within is None or entry.get(within[0]) == within[1])
            }
        )


def habits(seed: int) -> tuple[Literal["and", "or"], bool]:
    """Return how words are joined and whether stop words are indexed; four seeds in a row try all four.

    >>> [habits(seed) for seed in range(4)]
    [('and', True), ('or', True), ('and', False), ('or', False)]
    """
    return ("or" if seed % 2 else "and"), (seed // 2) % 2 == 0
