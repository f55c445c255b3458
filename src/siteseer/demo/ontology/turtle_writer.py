"""Collects the facts of the reference ontology and writes them as Turtle; labels are sometimes spelled differently."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from random import Random

BASE = "http://ontology.example.org/"
SCHEMA = BASE + "schema#"
PREFIXES = f"""@prefix : <{SCHEMA}> .
@prefix e: <{BASE}entity/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
SHARE = 0.6
"""The part of a site's records that the ontology knows."""
ODD = 0.2
"""The part of labels that are spelled differently."""
PERSONS = ("capitals", "accents")
"""The ways in which the name of a person is spelled differently."""
TITLES = (*PERSONS, "remark", "subtitle")


class Writer:
    """Collects facts. The same kind and seed always draw the same.

    >>> writer = Writer("shop", 1)
    >>> book = writer.instance("Book", "Tea")
    >>> writer.fact(book, "publicationYear", "1999")
    >>> ':publicationYear "1999"' in writer.turtle()
    True
    """

    def __init__(self, kind: str, seed: int) -> None:
        self.random = Random(f"ontology/{kind}/{seed}")
        self.lines: list[str] = []
        self.named: dict[tuple[str, str], str] = {}
        self.numbers: set[int] = set()

    def knows(self) -> bool:
        """Draw whether the ontology knows a record."""
        return self.random.random() < SHARE

    def instance(self, of: str, label: str, ways: Sequence[str] = ()) -> str:
        """Write an instance of a class, its label perhaps spelled in one of these ways. Return its IRI."""
        while (number := self.random.randrange(1_000, 10_000_000)) in self.numbers:
            pass
        self.numbers.add(number)
        iri = f"{BASE}entity/Q{number}"
        shown = respelled(label, self.random.choice(ways)) if ways and self.random.random() < ODD else label
        self.lines.append(f"{_short(iri)} a :{of} ; rdfs:label {quoted(shown)} .")
        return iri

    def known(self, of: str, label: str, ways: Sequence[str] = ()) -> str:
        """Return the instance of a class with that name, written when it is first spoken of."""
        key = (of, label)
        if key not in self.named:
            self.named[key] = self.instance(of, label, ways)
        return self.named[key]

    def fact(self, subject: str, relation: str, value: str) -> None:
        """Write a fact; the value is an instance's IRI or plain text."""
        spelled = _short(value) if value.startswith(BASE) else quoted(value)
        self.lines.append(f"{_short(subject)} :{relation} {spelled} .")

    def subclass(self, narrow: str, wide: str) -> None:
        """Write that one class lies within another."""
        self.lines.append(f":{narrow} rdfs:subClassOf :{wide} .")

    def turtle(self) -> str:
        """Return everything written."""
        return PREFIXES + "\n".join(self.lines) + "\n"


def _short(iri: str) -> str:
    return "e:" + iri.rpartition("/")[2]


def quoted(text: str) -> str:
    r"""Return text as a literal of Turtle.

    >>> print(quoted('a "b"'))
    "a \"b\""
    """
    return json.dumps(text, ensure_ascii=False)


def respelled(label: str, way: str) -> str:
    """Return a label as somebody else would spell it.

    >>> [respelled("Zoë's tea", way) for way in TITLES]
    ["ZOË'S TEA", "Zoe's tea", "Zoë's tea (1)", "Zoë's tea: a story"]
    """
    if way == "accents":
        return "".join(one for one in unicodedata.normalize("NFKD", label) if not unicodedata.combining(one))
    return {"capitals": label.upper(), "remark": f"{label} (1)", "subtitle": f"{label}: a story"}[way]
