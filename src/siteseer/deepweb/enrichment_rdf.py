"""Writes the proposed additions to an ontology as TriG: the statements of each record in a named graph.

The default graph says how probable each graph is, and which answer it comes from. Proposals that a person rejected are
left out, and so are statements about an instance that the person does not accept for the record.
"""

from __future__ import annotations

from collections import defaultdict

from siteseer.collection.rdf.object_triples import iri, literal
from siteseer.collection.rdf.vocabulary import CONFIDENCE, LABEL, PREFIXES, WAS_DERIVED_FROM
from siteseer.deepweb.understanding_model import Proposal, Understanding

GRAPH = "urn:x-siteseer:enrichment:"


def trig(found: Understanding) -> str:
    """Return the proposals as TriG.

    >>> one = Proposal("instance", "http://e.org/1", "http://o.org/type", "http://o.org/Book", False, 0.9, "new")
    >>> print(trig(Understanding("http://e.org/", {}, proposals=(one,))).splitlines()[-1])
    <urn:x-siteseer:enrichment:1> { <http://e.org/1> <http://o.org/type> <http://o.org/Book> . }
    """
    lines = [f"@prefix {name}: <{PREFIXES[name]}> ." for name in ("rdfs", "prov", "xsd", "wa")]
    lines.append(f"# What {found.url[:300]} can add; nothing of it is in the ontology yet.".replace("\n", " "))
    sources = {record.id: record.url for record in found.records}
    matched = {match.instance: match.record for match in found.instances}
    groups: dict[tuple[str, float, str], list[Proposal]] = defaultdict(list)
    wrong = {match.instance for match in found.instances if match.confirmed is False}
    for one in found.proposals:
        if one.confirmed is not False and one.subject not in wrong:
            sure = 1.0 if one.confirmed else one.confidence
            groups[_about(one, sources, matched), sure, one.because].append(one)
    for number, ((about, sure, because), proposals) in enumerate(groups.items(), 1):
        graph = iri(f"{GRAPH}{number}")
        lines.append(f"{graph} <{CONFIDENCE}> {literal(f'{sure:.4f}', 'decimal')} ; <{LABEL}> {literal(because)} .")
        if source := sources.get(about):
            lines.append(f"{graph} <{WAS_DERIVED_FROM}> {iri(source)} .")
        said = " ".join(_statement(one) for one in proposals)
        lines.append(f"{graph} {{ {said} }}")
    return "\n".join(lines) + "\n"


def _about(one: Proposal, sources: dict[str, str], matched: dict[str, str]) -> str:
    """Return the record that a proposal comes from."""
    for name in (one.subject, one.value):
        if name in sources:
            return name
        if name in matched:
            return matched[name]
    return ""


def _statement(one: Proposal) -> str:
    value = literal(one.value) if one.is_literal else iri(one.value)
    return f"{iri(one.subject)} {iri(one.predicate)} {value} ."
