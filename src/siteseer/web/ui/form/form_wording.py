"""Words the names and figures of an understanding for people."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from siteseer.deepweb.understanding_model import Column, Understanding
from siteseer.web.ui.texts import texts_form as texts

BETWEEN = " / "
LONGEST_NAME = 60
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def name_of(iri: str) -> str:
    """Return the name at the end of an IRI.

    >>> name_of("http://e.org/schema#created~"), name_of("http://e.org/entity/Q7"), name_of("plain")
    ('created~', 'Q7', 'plain')
    """
    named = iri.removesuffix("#this").rstrip("/#").replace("#", "/").rpartition("/")[2]
    return unquote(named or iri)[:LONGEST_NAME]


def path_words(path: Sequence[str]) -> str:
    """Return a path of relations as it is read.

    >>> path_words(("http://e.org/created~", "http://www.w3.org/2000/01/rdf-schema#label")), path_words(())
    ('created~ / label', 'no relation')
    """
    return BETWEEN.join(map(name_of, path)) or texts.NO_RELATION


def column_name(column: Column) -> str:
    """Return what a column is called: by the page, else by us.

    >>> column_name(Column("c1", "price", "", "price", "p", 1.0, 2))
    'price'
    """
    return column.label or column.name or column.id


def known_paths(found: Understanding) -> dict[str, str]:
    """Return every relation that was found for some column, as it is kept and as it is read."""
    paths = [one.relation for one in found.relations] + [one.relation for one in found.fields]
    return {BETWEEN.join(path): path_words(path) for path in paths if path}


def sure(confidence: float) -> str:
    """Return a probability as it is read.

    >>> sure(0.987), sure(0.0)
    ('98.7 %', '–')
    """
    return f"{confidence * 100:.1f} %" if confidence > 0 else texts.UNKNOWN


def titles(found: Understanding) -> dict[str, str]:
    """Return what records, the instances that they are, and proposed instances are called, by their IRIs."""
    named = {one.subject: one.value for one in found.proposals if one.predicate == LABEL and one.is_literal}
    first = next((column.id for column in found.columns if column.type == "text"), "")
    named |= {record.id: record.values[first][0] for record in found.records if record.values.get(first)}
    return named | {one.instance: named[one.record] for one in found.instances if one.record in named}
