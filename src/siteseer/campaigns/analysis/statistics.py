"""Computes a campaign's statistics from its index: linked sites and pages, authors, entities and opinions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.model import JSON

MOST = 25
"""Rows of each list."""
MATRIX = 14
"""Sites in the picture of who links whom."""
RELEVANT = 0.5
NEUTRAL = 0.1


def statistics(catalogue: CampaignIndex, most: int = MOST) -> JSON:
    """Return the figures of a campaign."""
    return {
        "totals": totals(catalogue),
        "sites": sites(catalogue, most),
        "linked_sites": linked_sites(catalogue, most),
        "linked_pages": linked_pages(catalogue, most),
        "linked_authors": linked_authors(catalogue, most),
        "site_links": site_links(catalogue),
        "authors": authors(catalogue, most),
        "entities": read_labels(catalogue, "entity", most),
        "topics": read_labels(catalogue, "topic", most),
        "opinions": opinions(catalogue, most),
    }


def totals(catalogue: CampaignIndex) -> JSON:
    """Return the sums over all sites."""
    (sites_, pages, relevant) = catalogue.rows(
        "SELECT count(DISTINCT site), count(*), cast(total(relevance >= ?) AS INTEGER) FROM page", (RELEVANT,)
    )[0]
    (objects, wrote) = catalogue.rows("SELECT count(*), count(DISTINCT author) FROM written")[0]
    ((links,),) = catalogue.rows("SELECT count(*) FROM link")
    names = ("sites", "pages", "relevant_pages", "objects", "authors", "links")
    return dict(zip(names, (sites_, pages, relevant, objects, wrote, links), strict=True))


def sites(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the sites by how many relevant pages they have."""
    return _named(
        ("site", "pages", "relevant", "mean_relevance"),
        catalogue.rows(
            "SELECT min(host), count(*), cast(total(relevance >= ?) AS INTEGER) AS good, round(avg(relevance), 3) "
            "FROM page GROUP BY site ORDER BY good DESC, 2 DESC, site LIMIT ?",
            (RELEVANT, most),
        ),
    )


def linked_sites(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the hosts that most other sites link to."""
    return _named(
        ("site", "linking_sites", "linking_authors", "links", "crawled"),
        catalogue.rows(
            "SELECT l.host, count(DISTINCT origin) AS by, count(DISTINCT nullif(author, '')), count(*), "
            "EXISTS (SELECT 1 FROM page p WHERE p.host = l.host) FROM link l WHERE l.host <> origin "
            "GROUP BY l.host ORDER BY by DESC, 4 DESC, l.host LIMIT ?",
            (most,),
        ),
    )


def linked_pages(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the pages that most authors link to; a site counts as an author where its pages name none."""
    return _named(
        ("url", "title", "linking_authors", "linking_sites", "relevance"),
        catalogue.rows(
            "SELECT coalesce(p.url, min(l.url)), p.title, "
            "count(DISTINCT CASE l.author WHEN '' THEN origin ELSE l.author END) AS by, count(DISTINCT origin), "
            "p.relevance "
            "FROM link l LEFT JOIN page p ON p.key = l.target "
            "GROUP BY l.target ORDER BY by DESC, 4 DESC, 1 LIMIT ?",
            (most,),
        ),
    )


def linked_authors(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the authors whose pages most other authors link to."""
    return _named(
        ("author", "site", "linking_authors", "linking_sites", "links"),
        catalogue.rows(
            "SELECT a.name, p.host, count(DISTINCT nullif(l.author, '')) AS by, count(DISTINCT l.origin), count(*) "
            "FROM page p JOIN link l ON l.target = p.key JOIN author a ON a.key = p.author WHERE l.author <> p.author "
            "GROUP BY p.author ORDER BY by DESC, 5 DESC, a.name LIMIT ?",
            (most,),
        ),
    )


def site_links(catalogue: CampaignIndex, most: int = MATRIX) -> JSON:
    """Return how often the best connected sites link to each other: their names, and a row for each."""
    named = catalogue.rows(
        "SELECT host FROM (SELECT origin AS host, count(*) AS n FROM link WHERE origin <> host GROUP BY origin "
        "UNION ALL SELECT host, count(*) FROM link WHERE origin <> host GROUP BY host) GROUP BY host "
        "ORDER BY sum(n) DESC, host LIMIT ?",
        (most,),
    )
    hosts = [host for (host,) in named]
    counts = {
        (one, other): count
        for one, other, count in catalogue.rows(
            "SELECT origin, host, count(*) FROM link WHERE origin <> host GROUP BY origin, host"
        )
    }
    return {"sites": hosts, "links": [[counts.get((one, other), 0) for other in hosts] for one in hosts]}


def authors(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the authors by what they wrote on the topic, with the first and last date of what they wrote."""
    return _named(
        ("author", "site", "posts", "relevant_posts", "first", "last"),
        catalogue.rows(
            "SELECT a.name, a.site, count(*), cast(total(relevance >= ?) AS INTEGER) AS good, "
            "min(substr(published, 1, 10)), max(substr(published, 1, 10)) "
            "FROM written w JOIN author a ON a.key = w.author GROUP BY w.author "
            "ORDER BY good DESC, 3 DESC, a.name LIMIT ?",
            (RELEVANT, most),
        ),
    )


def read_labels(catalogue: CampaignIndex, kind: str, most: int) -> list[JSON]:
    """Return the entities or topics of most objects, and on how many sites they occur."""
    return _named(
        ("label", "objects", "sites", "mean_relevance"),
        catalogue.rows(
            "SELECT label, count(DISTINCT r.object) AS n, count(DISTINCT p.site), round(avg(w.relevance), 3) "
            "FROM reading r JOIN written w ON w.object = r.object LEFT JOIN page p ON p.key = w.page "
            "WHERE r.kind = ? GROUP BY label ORDER BY n DESC, label LIMIT ?",
            (kind, most),
        ),
    )


def opinions(catalogue: CampaignIndex, most: int) -> list[JSON]:
    """Return the opinions on each entity: positive, negative, neither; the empty label is the whole text."""
    return _named(
        ("label", "objects", "positive", "negative", "mean"),
        catalogue.rows(
            f"SELECT label, count(*) AS n, cast(total(degree >= {NEUTRAL}) AS INTEGER), "
            f"cast(total(degree <= -{NEUTRAL}) AS INTEGER), round(avg(degree), 3) FROM reading WHERE kind = 'opinion' "
            "GROUP BY label ORDER BY label <> '', n DESC, label LIMIT ?",
            (most,),
        ),
    )


def _named(names: Sequence[str], rows: list[tuple[Any, ...]]) -> list[JSON]:
    return [dict(zip(names, row, strict=True)) for row in rows]
