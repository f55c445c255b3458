"""What `form understand` finds out about demo sites, against what is true of them.

python bench/understand.py [--kinds shop,films,places] [--seeds 11,12] [--templates modern,classic] [--sizes 20,400]

Each site is served on loopback and asked by a crawl, as the command does, with the reference ontology of the same seed.
Wanted: every field mapped to its column, at least 95 % of the reachable records with all attributes that answers show,
the name and the creator's (or city's) relation aligned, the latter as a path of two relations, and only records proposed as
new that the ontology does not have (precision 1.00). *Ratio* is questions to records: browsing costs at least one request
a record.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

from harness import Names, run

from siteseer.collection.rdf.rdf_reader import read_facts
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.run import understand
from siteseer.deepweb.understanding import Options
from siteseer.deepweb.understanding_model import Record, Understanding
from siteseer.demo import Server, Truth, make_site
from siteseer.demo.ontology import make_ontology
from siteseer.settings import CrawlOptions

PATHS = {
    "shop": {"title": 1, "author": 2, "category": 2},
    "films": {"title": 1, "director": 2, "genre": 2},
    "places": {"title": 1, "city": 2, "region": 2},
}
"""Attributes that must be aligned, with the number of relations in a row."""


@dataclass(frozen=True, slots=True)
class Score:
    """How much of the truth was found."""

    fields: float
    records: float
    relations: float
    instances: float
    """Precision of records that are said to be known."""
    new: float
    """Precision of records that are proposed as new."""
    new_recall: float
    habits: float
    questions: int
    found: int
    cpu: float

    def is_good(self) -> bool:
        """Say whether it is as good as is wanted."""
        return self.fields == 1 and self.records >= 0.95 and self.relations == 1 and self.new == 1


def attributes(truth: Truth) -> dict[str, dict[str, str]]:
    """Return what answers show of each reachable record, by the path of its page."""
    assert truth.search is not None
    shown = {}
    for text in truth.texts:
        if text.page in truth.search.reachable:
            own = {"title": text.title, **dict(text.fields)}
            shown[text.page] = {name: value for name, value in own.items() if name in truth.search.listed and value}
    return shown


def columns_of(found: Understanding, by_page: dict[str, Record], shown: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the column in which each attribute comes most often."""
    votes: dict[str, Counter[str]] = {}
    for page, own in shown.items():
        record = by_page.get(page)
        for name, value in own.items():
            for column, texts in record.values.items() if record is not None else ():
                if any(fold(value) == fold(text) for text in texts):
                    votes.setdefault(name, Counter())[column] += 1
    return {name: count.most_common(1)[0][0] for name, count in votes.items()}


def score(truth: Truth, found: Understanding, same: dict[str, str], origin: str, cpu: float) -> Score:
    """Compare what was found out with the truth."""
    search = truth.search
    assert search is not None
    by_page = {record.permalink.removeprefix(origin): record for record in found.records}
    shown = attributes(truth)
    columns = columns_of(found, by_page, shown)
    complete = sum(
        page in by_page
        and all(
            fold(value) in map(fold, by_page[page].values.get(columns.get(name, ""), ())) for name, value in own.items()
        )
        for page, own in shown.items()
    )
    mapped = {field.name: field.columns[:1] for field in found.fields}
    right = [mapped.get(name) == (columns.get(attribute, "?"),) for name, attribute in search.fields]
    lengths = {match.column: len(match.relation) for match in found.relations}
    wanted = PATHS[truth.kind]
    aligned = [lengths.get(columns.get(name, "?")) == length for name, length in wanted.items()]
    pages = {record.id: page for page, record in by_page.items()}
    known = [same.get(pages[match.record]) == match.instance for match in found.instances if match.record in pages]
    new = [one.subject for one in found.proposals if one.kind == "instance" and one.subject in pages]
    truly = [page for page in by_page if page in shown and page not in same]
    habits = [
        found.habits.joined == search.joined,
        found.habits.stop_words in ("", "yes" if search.has_stop_words else "no"),
    ]
    depends = {(one.field, one.on) for one in found.dependencies}
    names = {attribute: name for name, attribute in search.fields}
    habits += [(names[one], names[other]) in depends for one, other in search.constraints]
    return Score(
        fields=sum(right) / len(right),
        records=complete / len(shown),
        relations=sum(aligned) / len(aligned),
        instances=sum(known) / max(1, len(known)),
        new=sum(pages[one] not in same for one in new) / max(1, len(new)) if new else 0.0,
        new_recall=len({pages[one] for one in new} & set(truly)) / max(1, len(truly)),
        habits=sum(habits) / len(habits),
        questions=found.submissions,
        found=len(found.records),
        cpu=cpu,
    )


def crawled(kind: str, seed: int, template: str, size: int | None = None) -> Score:
    """Understand one demo site."""
    site = make_site(kind, seed, template, size)
    made = make_ontology(kind, seed, template, size)
    with tempfile.TemporaryDirectory() as folder, Server(site) as server:
        file = Path(folder) / "ontology.ttl"
        file.write_text(made.turtle, encoding="utf-8")
        assert site.truth.search is not None
        url = server.url.rstrip("/") + site.truth.search.form
        options = CrawlOptions(
            (url,), Path(folder) / "collection", "understand", delay=0, assets="none", browser="never"
        )
        begun = time.process_time()
        found, _ = understand(options, read_facts(file), Options())
        cpu = time.process_time() - begun
        return score(site.truth, found, made.same, server.url.rstrip("/"), cpu)


def rows(
    kinds: list[str], seeds: list[int], templates: list[str], sizes: Sequence[int | None]
) -> Iterator[tuple[str, Score]]:
    """Yield the score of each site."""
    for kind, size, template, seed in product(kinds, sizes, templates, seeds):
        yield f"{kind} {template} {seed}{f' of {size}' if size else ''}", crawled(kind, seed, template, size)


def main(
    kinds: Names = ("shop", "films", "places"),
    seeds: Names = ("11", "12"),
    templates: Names = ("modern", "classic"),
    sizes: Annotated[Names, "records of a site; as the demo has them where nothing is said"] = (),
) -> int:
    """Print the table; return 1 where something is not as good as is wanted."""
    print(f"{'site':24}fields records relations known-P  new-P  new-R habits questions records ratio  cpu s")
    print(f"{'wanted':24}  1.00    0.95      1.00           1.00")
    worst = True
    many = [int(size) for size in sizes] or [None]
    for name, one in rows(list(kinds), [int(seed) for seed in seeds], list(templates), many):
        worst &= one.is_good()
        figures = f"{one.fields:6.2f}{one.records:8.2f}{one.relations:10.2f}{one.instances:8.2f}{one.new:7.2f}"
        figures += f"{one.new_recall:7.2f}{one.habits:7.2f}{one.questions:10}{one.found:8}{one.questions / max(1, one.found):6.2f}"
        print(f"{name:24}{figures}{one.cpu:7.1f}", flush=True)
    return 0 if worst else 1


if __name__ == "__main__":
    run(main)
