"""Writes observations of objects as N-Quads; each site and each capture is described once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from siteseer.collection.objects.object_store import Observation
from siteseer.collection.rdf import object_triples
from siteseer.page.object_iris import site_iri, site_key


def observed_quads(found: Iterable[Observation], sites: Mapping[str, object_triples.Site]) -> Iterator[str]:
    """Yield the statements of meetings; `sites` is what is known of sites, by the key of their host."""
    recorded: set[str] = set()
    hosts: set[str] = set()
    for each in found:
        key = site_key(each.url)
        if key not in hosts:
            hosts.add(key)
            yield object_triples.quads(
                object_triples.site_statements(
                    sites.get(key) or object_triples.Site(site_iri(each.url).removesuffix("#this"))
                ),
                object_triples.SITES_GRAPH,
            )
        if each.capture.record not in recorded:
            recorded.add(each.capture.record)
            yield object_triples.quads(object_triples.capture_statements(each.capture, each.url), each.capture.record)
        if each.described:
            told = object_triples.object_statements(each.thing, each.capture, sites.get(key), each.state)
        else:
            told = object_triples.observation_statements(each.thing, each.capture, each.state)
        yield object_triples.quads(told, each.capture.record)
