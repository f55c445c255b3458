"""Listing and searching 100,000 objects, against the same questions asked by a scan with LIKE and by rdflib.

    python bench/search.py [OBJECTS]

Prints milliseconds and how many times faster than the named peer, measured in the same minute.
"""

import itertools
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from harness import Table, run

from siteseer.collection.description import Description
from siteseer.collection.objects.object_search import Filter
from siteseer.model import Capture, WebObject

POSTS_A_PAGE = 20
SPARQL = 'SELECT ?p ?t { ?p sioc:has_creator/sioc:name "user7" ; sioc:content ?t }'


def posts(count: int, dice: random.Random) -> list[list[tuple[WebObject, Capture]]]:
    """Return pages of posts whose words are distributed as in a language: few often, many seldom."""
    words = [f"word{number}" for number in range(30_000)]
    weights = list(itertools.accumulate(1 / (number + 1) for number in range(len(words))))
    begin = datetime(2014, 1, 1, tzinfo=UTC)
    pages = []
    for page in range(count // POSTS_A_PAGE):
        url = f"http://forum.example/t/{page}"
        capture = Capture("a.warc.gz", page, 9000, begin, f"sha256:{page:064x}", f"urn:uuid:{page:032x}")
        pages.append([
            (
                WebObject(
                    "post", f"{url}#p{number}", url, author=f"user{dice.randrange(2000)}", thread=f"{url}#this",
                    published=(begin + timedelta(minutes=dice.randrange(3_000_000))).isoformat(),
                    text=" ".join(dice.choices(words, cum_weights=weights, k=60)), because="bench/post",
                ),
                capture,
            )
            for number in range(POSTS_A_PAGE)
        ])  # fmt: skip
    return pages


def timed(ask: Callable[[], Any], times: int = 3) -> float:
    """Return the median of milliseconds of wall clock."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        ask()
        taken.append((time.perf_counter() - begun) * 1000)
    return sorted(taken)[times // 2]


def main(count: int = 100_000, /) -> None:
    """Build the collection, ask, print."""
    pages = posts(count, random.Random(0))
    with tempfile.TemporaryDirectory() as folder, Description(Path(folder)) as description:
        begun = time.process_time()
        for page in pages:
            description.add(page)
        added = time.process_time()
        description._search.settle()
        indexed = time.process_time()
        print(
            f"add: {(added - begun) / len(pages) * 1000:.2f} ms CPU a page of {POSTS_A_PAGE} posts; index of words: ",
            end="",
        )
        print(f"{(indexed - added) / len(pages) * 1000:.2f} ms")
        description.settle()
        print(f"RDF store, in bulk: {(time.process_time() - indexed) / len(pages) * 1000:.2f} ms")
        scan = sqlite3.connect(Path(folder) / "siteseer" / "objects" / "text.db")
        like = "SELECT json FROM told WHERE json LIKE ? ORDER BY key"
        questions: dict[str, tuple[Filter, str]] = {
            "by kind, newest": (Filter(kind="post", order="newest", limit=50), '%"kind": "post"%'),
            "by author": (Filter(author="user7"), '%"author": "user7"%'),
            "by period": (Filter(since="2015-03", until="2015-04", limit=50), '%"published": "2015-03%'),
            "rare word": (Filter(text="word29000"), "%word29000 %"),
            "common word": (Filter(text="word1", limit=50), "%word1 %"),
            "two common words and author": (Filter(text="word1 word2", author="user7"), "%word1 %word2 %"),
        }
        print()
        table = Table("question:<32", "ms:>8.1f", "LIKE ms:>10.1f", "times faster:>14.1f", ":<26")
        for name, (wanted, pattern) in questions.items():
            ours = timed(lambda wanted=wanted: list(description.objects(wanted)))
            theirs = timed(lambda pattern=pattern: scan.execute(like, (pattern,)).fetchall())
            table.row(name, ours, theirs, theirs / ours, "")
        peer(description, pages[: min(len(pages), 250)], table)


def peer(description: Description, pages: list[list[tuple[WebObject, Capture]]], table: Table) -> None:
    """Ask our store about everything and rdflib about the first pages only, scaled up: all of it does not fit."""
    import rdflib

    from siteseer.collection.rdf.vocabulary import PREFIXES

    graph = rdflib.Dataset(default_union=True)
    ids = [thing.id for page in pages for thing, _ in page]
    graph.parse(data="".join(description.statements(ids)), format="nquads")
    theirs = timed(lambda: list(graph.query(SPARQL, initNs=PREFIXES)), 1) * description.count() / len(ids)
    ours = timed(lambda: description.query(SPARQL))
    table.row("SPARQL, posts of an author", ours, theirs, theirs / ours, "   (rdflib, scaled up)")


if __name__ == "__main__":
    run(main)
