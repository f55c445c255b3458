"""Records in, Turtle out: a blank node for each record, its types, its values, and the page on which it was found."""

from __future__ import annotations

import re

from siteseer.wrappers.records import Record

PREFIXES = {
    "schema": "https://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "sioc": "http://rdfs.org/sioc/ns#",
    "bibo": "http://purl.org/ontology/bibo/",
    "gr": "http://purl.org/goodrelations/v1#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}
"""Prefixes that labels and types may use; what has another prefix, or none, is named in a namespace of its own."""
OWN = "urn:x-siteseer:label:"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(r"[\\\"\n\r\t\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_UNSAFE = re.compile(r"[\x00-\x20<>\"{}|^`\\\ud800-\udfff]")


def name(label: str) -> str:
    """Return the IRI of a label.

    >>> name("schema:price"), name("Price")
    ('<https://schema.org/price>', '<urn:x-siteseer:label:Price>')
    """
    prefix, _, local = label.rpartition(":")
    return f"<{PREFIXES[prefix]}{local}>" if prefix in PREFIXES else f"<{OWN}{label}>"


def literal(text: str) -> str:
    r"""Write a text as a literal.

    >>> print(literal('say "hi"\n'))
    "say \"hi\"\n"
    """
    return '"' + _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], ""), text) + '"'


class TurtleOutput:
    """Writes records as Turtle; blank nodes are numbered through the whole file."""

    def __init__(self) -> None:
        self._count = 0

    def begin(self) -> str:
        """Return nothing: all names are written out."""
        return ""

    def record(self, record: Record) -> str:
        """Return the statements about a record."""
        return "".join(self._statements(record, self._new())) + "\n"

    def _new(self) -> str:
        self._count += 1
        return f"_:r{self._count}"

    def _statements(self, record: Record, node: str) -> list[str]:
        types = record.types or (record.label,)
        found = [f"{node} a {', '.join(map(name, types))} .\n"]
        if record.value is not None:
            found.append(f"{node} <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> {literal(record.value)} .\n")
        if record.url:
            found.append(f"{node} <http://purl.org/dc/terms/source> <{_UNSAFE.sub(_percent, record.url)}> .\n")
        for child in record.children:
            if child.value is not None and not child.children:
                found.append(f"{node} {name(child.label)} {literal(child.value)} .\n")
            else:
                inner = self._new()
                found += [f"{node} {name(child.label)} {inner} .\n", *self._statements(child, inner)]
        return found

    def end(self) -> str:
        """Return nothing."""
        return ""


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))
