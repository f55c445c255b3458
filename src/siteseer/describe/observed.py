"""Meetings with objects in, N-Quads out: each site and each capture is told of once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from siteseer.describe import triples
from siteseer.describe.ledger import Observation
from siteseer.page.iris import site_iri, site_key


def observed_quads(found: Iterable[Observation], sites: Mapping[str, triples.Site]) -> Iterator[str]:
    """Yield the statements of meetings; `sites` is what is known of sites, by the key of their host."""
    recorded: set[str] = set()
    hosts: set[str] = set()
    for each in found:
        key = site_key(each.url)
        if key not in hosts:
            hosts.add(key)
            yield triples.quads(
                triples.hosted(sites.get(key) or triples.Site(site_iri(each.url).removesuffix("#this"))),
                triples.SITES_GRAPH,
            )
        if each.capture.record not in recorded:
            recorded.add(each.capture.record)
            yield triples.quads(triples.recorded(each.capture, each.url), each.capture.record)
        if each.described:
            told = triples.described(each.thing, each.capture, sites.get(key), each.state)
        else:
            told = triples.observed(each.thing, each.capture, each.state)
        yield triples.quads(told, each.capture.record)
