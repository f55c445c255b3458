"""A reference ontology for the searchable demo sites: a part of a site's records, and many others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from siteseer.demo.catalogue import make_site
from siteseer.demo.ontology.reference_facts import describe_books, describe_films, describe_places
from siteseer.demo.ontology.turtle_writer import Writer
from siteseer.demo.truth import TrueText
from siteseer.errors import UsageError

DESCRIBERS: dict[str, Callable[[Writer, tuple[TrueText, ...], int], dict[str, str]]] = {
    "shop": describe_books,
    "films": describe_films,
    "places": describe_places,
}


@dataclass(frozen=True, slots=True)
class Ontology:
    """An ontology, and which of its instances a site's records are."""

    turtle: str
    same: dict[str, str]
    """The page of a record, and the IRI of the instance that it is; records that the ontology lacks are left out."""


def make_ontology(kind: str, seed: int = 0, template: str | None = None, size: int | None = None) -> Ontology:
    """Make the reference ontology for a demo site made with the same arguments.

    The Turtle is the same for both templates; only the pages of `same` differ.

    >>> made = make_ontology("films", seed=1)
    >>> 40 <= len(made.same) <= 65, "created" in make_ontology("shop").turtle
    (True, True)
    """
    if kind not in DESCRIBERS:
        raise UsageError(f"There is no ontology for a demo {kind!r}; choose one of {', '.join(DESCRIBERS)}.")
    truth = make_site(kind, seed, template, size).truth
    writer = Writer(kind, seed)
    same = DESCRIBERS[kind](writer, truth.texts, seed)
    return Ontology(writer.turtle(), same)
