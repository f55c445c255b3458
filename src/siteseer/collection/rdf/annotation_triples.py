"""Writes the annotations of an analyser as RDF statements (Web Annotation, schema.org, Marl).

Web Annotation for the reading itself, with the place in the text; schema.org `mentions` and `about` as the short way
from an object to entities and topics; Marl for opinions. Names make the IRIs of entities and topics, so that the same
name is the same node in the stores of all sites.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from siteseer.collection.rdf.object_triples import Statement, iri, literal, quads
from siteseer.collection.rdf.vocabulary import CONFIDENCE, LABEL, SOFTWARE_AGENT, TYPE, term
from siteseer.model import JSON

MOTIVES = {"entity": "oa:identifying", "topic": "oa:classifying", "opinion": "oa:assessing"}
NAMES_GRAPH = "urn:x-siteseer:names"
NEUTRAL = 0.1
"""Opinions nearer to zero than this are neither positive nor negative."""


def graph_of(thing: str, analyser: str) -> str:
    """Return the named graph of what an analyser read in an object."""
    return f"urn:x-siteseer:annotations:{quote(analyser, safe='')}:{_digest(thing)}"


def entity_iri(kind: str, label: str) -> str:
    """Return the IRI of an entity or topic.

    >>> entity_iri("entity", "Maren Ostby")
    'urn:x-siteseer:entity:maren%20ostby'
    """
    return f"urn:x-siteseer:{kind}:{quote(' '.join(label.casefold().split())[:200], safe='')}"


def annotation_quads(thing: str, analyser: str, version: str, found: Iterable[Mapping[str, JSON]]) -> str:
    """Return everything that an analyser read in an object as N-Quads of one graph."""
    told = list(found)
    return quads(_statements(thing, analyser, version, told), graph_of(thing, analyser)) + quads(
        _known(analyser, told), NAMES_GRAPH
    )


def _statements(thing: str, analyser: str, version: str, found: list[Mapping[str, JSON]]) -> Iterator[Statement]:
    agent = _agent(analyser)
    for one in found:
        name = "urn:x-siteseer:annotation:" + _digest(" ".join((thing, analyser, one["kind"], one["label"])))
        yield iri(name), TYPE, f"<{term('oa:Annotation')}>"
        yield iri(name), term("oa:motivatedBy"), f"<{term(MOTIVES[one['kind']])}>"
        yield iri(name), term("dcterms:creator"), agent
        yield iri(name), term("schema:softwareVersion"), literal(version)
        yield iri(name), CONFIDENCE, _decimal(one["confidence"])
        yield from _target(name, thing, one)
        yield from (_opinion if one["kind"] == "opinion" else _subject)(iri(name), iri(thing), one)


def _known(analyser: str, found: list[Mapping[str, JSON]]) -> Iterator[Statement]:
    """Say what the entities, topics and the analyser are called: once for all objects."""
    if found:
        yield _agent(analyser), TYPE, f"<{SOFTWARE_AGENT}>"
        yield _agent(analyser), LABEL, literal(analyser)
    for one in found:
        if one["kind"] != "opinion":
            what = iri(entity_iri(one["kind"], one["label"]))
            yield what, TYPE, f"<{term('schema:Thing' if one['kind'] == 'entity' else 'skos:Concept')}>"
            yield what, LABEL, literal(one["label"])
            if one.get("sort"):
                yield what, term("dcterms:type"), literal(one["sort"])


def _agent(analyser: str) -> str:
    return iri(f"urn:x-siteseer:analyser:{quote(analyser, safe='')}")


def _target(name: str, thing: str, one: Mapping[str, JSON]) -> Iterator[Statement]:
    """Say where it was read: in the object, and where the analyser told it, in which words."""
    target, said, place = iri(f"{name}#target"), iri(f"{name}#quote"), iri(f"{name}#position")
    if not one.get("quote"):
        yield iri(name), term("oa:hasTarget"), iri(thing)
        return
    yield iri(name), term("oa:hasTarget"), target
    yield target, TYPE, f"<{term('oa:SpecificResource')}>"
    yield target, term("oa:hasSource"), iri(thing)
    yield target, term("oa:hasSelector"), said
    yield said, TYPE, f"<{term('oa:TextQuoteSelector')}>"
    yield said, term("oa:exact"), literal(one["quote"])
    if one.get("start") is not None:
        yield target, term("oa:hasSelector"), place
        yield place, TYPE, f"<{term('oa:TextPositionSelector')}>"
        yield place, term("oa:start"), literal(str(one["start"]), "nonNegativeInteger")
        yield place, term("oa:end"), literal(str(one["end"]), "nonNegativeInteger")


def _subject(name: str, thing: str, one: Mapping[str, JSON]) -> Iterator[Statement]:
    what = iri(entity_iri(one["kind"], one["label"]))
    is_entity = one["kind"] == "entity"
    yield name, term("oa:hasBody"), what
    yield thing, term("schema:mentions" if is_entity else "schema:about"), what
    if not is_entity:
        yield name, term("wa:degree"), _decimal(one["degree"])


def _opinion(name: str, thing: str, one: Mapping[str, JSON]) -> Iterator[Statement]:
    degree = float(one["degree"])
    polarity = "Neutral" if abs(degree) < NEUTRAL else "Positive" if degree > 0 else "Negative"
    yield name, TYPE, f"<{term('marl:Opinion')}>"
    yield name, term("marl:extractedFrom"), thing
    yield name, term("marl:polarityValue"), _decimal(degree)
    yield name, term("marl:hasPolarity"), f"<{term(f'marl:{polarity}')}>"
    if one["label"]:
        yield name, term("marl:describesObject"), iri(entity_iri("entity", one["label"]))


def _decimal(value: float) -> str:
    return literal(f"{float(value):.4f}", "decimal")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]
