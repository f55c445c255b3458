"""Listings in one template, then in another: how much of their records a repaired wrapper reads on a page it has not seen.

A wrapper written for one template of a demo site is run on one page; the site then shows the same content in its other
template, the wrapper is repaired from the values that it read before, and the repair is run on another page. Printed are
the mean F1 of values against a wrapper written for the new template: with all values known from before, with those of
every third record alone (the others are new on the page), and that of the wrapper left as it was.

    python bench/repair.py [--seeds N]
"""

from __future__ import annotations

import re
import time
from collections import Counter

from harness import Table, run

from siteseer.demo import Server, make_site
from siteseer.errors import SiteseerError
from siteseer.fetch.fetch_one import fetch_page
from siteseer.settings import ExtractionOptions
from siteseer.wrapper.induction.induce_attributes import view_of
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.repair.repair_wrapper import Sample, propose
from siteseer.wrapper.run import extract

WANTED = 0.95
WRAPPERS = {
    (
        "shop",
        "modern",
    ): "doc($u)//div.card:<r>[?h3:<title=string(.)>][?p.by:<author=string(.)>][?p.cat:<kind=string(.)>]",
    (
        "shop",
        "classic",
    ): "doc($u)//table.treffer//tr:<r>[?td[2]:<title=string(.)>][?td[3]:<author=string(.)>][?td[4]:<kind=string(.)>]",
    (
        "forum",
        "modern",
    ): "doc($u)//div.topic:<r>[?div.topic-title/a:<title=string(.)>][?.//a.username:<author=string(.)>]",
    (
        "forum",
        "classic",
    ): "doc($u)//table.forumline//tr[td]:<r>[?.//a.topictitle:<title=string(.)>][?.//a.name:<author=string(.)>]",
}
BOARD = {"modern": r'href="(/board/%d-[^"?]+)"', "classic": r'href="(/viewforum\.php\?f=%d)[&"]'}
FIELD = {"modern": "category", "classic": "rubrik"}


def page_of(kind: str, template: str, server: Server, number: int) -> str:
    """Return the address of a listing: the first is learned from, the second is not seen before."""
    if kind == "shop":
        return f"{server.url}/search?{FIELD[template]}={('fiction', 'history')[number]}"
    home = fetch_page(server.url).body.decode()
    found = re.search(BOARD[template] % (number + 2), home)
    assert found, (template, number)
    return server.url + found[1]


def read(wrapper: str, url: str) -> list[Record]:
    records: list[Record] = []
    extract(parse(wrapper), records.append, ExtractionOptions(variables={"u": url}, browser="never", delay=0))
    return records


def values(records: list[Record]) -> Counter[tuple[int, str, str]]:
    return Counter(
        (row, one.label, " ".join((one.value or "").split()))
        for row, record in enumerate(records)
        for one in record.children
    )


def f1(found: list[Record], wanted: list[Record]) -> float:
    ours, theirs = values(found), values(wanted)
    both = (ours & theirs).total()
    return 2 * both / (ours.total() + theirs.total()) if both else 0.0


def repaired(kind: str, old: str, new: str, seed: int) -> tuple[float, float, float]:
    """Return F1 with a repair from all records, from every third, and without."""
    before, after = (Server(make_site(kind, seed, template)) for template in (old, new))
    wrapper, right = WRAPPERS[kind, old], WRAPPERS[kind, new]
    with before, after:
        known = read(wrapper, page_of(kind, old, before, 0))
        url, other = page_of(kind, new, after, 0), page_of(kind, new, after, 1)
        page = fetch_page(url)
        wanted = read(right, other)
        assert known and wanted, (kind, old, new, seed)
        left = f1(read(wrapper, other), wanted)
        samples = [Sample(url, view_of(page), tuple(known[::every])) for every in (1, 3)]
        full, third = (_f1_of(wrapper, sample, other, wanted) for sample in samples)
        return full, third, left


def _f1_of(wrapper: str, sample: Sample, other: str, wanted: list[Record]) -> float:
    try:
        return f1(read(propose(parse(wrapper), [sample])[0], other), wanted)
    except SiteseerError as error:
        print(f"    {sample.url}: {error}")
        return 0.0


def main(seeds: int = 10) -> int:
    table = Table(
        "listing:<11",
        "from:<9",
        "to:<9",
        "repaired:>9.3f",
        "a third:>9.3f",
        "left:>7.3f",
        "wanted:>8.2f",
        "CPU s:>7.2f",
    )
    missed = 0
    for kind in ("shop", "forum"):
        for old, new in (("modern", "classic"), ("classic", "modern")):
            began = time.process_time()
            rows = [repaired(kind, old, new, seed) for seed in range(seeds)]
            mean, third, left = (sum(row[at] for row in rows) / len(rows) for at in (0, 1, 2))
            took = (time.process_time() - began) / seeds
            table.row(kind, old, new, mean, third, left, WANTED, took)
            missed += mean < WANTED
    return missed


if __name__ == "__main__":
    run(main)
