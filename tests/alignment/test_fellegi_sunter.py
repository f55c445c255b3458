"""What is the same and what only looks like it: volumes, siblings, chains, sides that share little."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from align_lists import guides
from align_made import word
from align_shops import Words, bookshops

from siteseer.alignment import Fact, align, source_statistics
from siteseer.alignment.fact_graph import compile_graph
from siteseer.alignment.fellegi_sunter.false_discovery import false_discovery_rates
from siteseer.alignment.instance_types import types_of_instances
from siteseer.alignment.paris.functionality import edges

Pairs = set[tuple[str, str]]


@pytest.fixture(scope="module")
def words() -> Words:
    rng = random.Random(5)
    names = [word(rng).title() for _ in range(300)]
    return Words(
        [word(rng) for _ in range(900)],
        names,
        [word(rng).title() for _ in range(400)],
        [f"{n} Press" for n in names[:80]],
    )


def matched(left: list[Fact], right: list[Fact]) -> Pairs:
    return {(match.left, match.right) for match in align(left, right).instances}


def figures(told: Pairs, gold: Pairs) -> tuple[float, float]:
    return len(told & gold) / max(len(told), 1), len(told & gold) / len(gold)


@pytest.mark.parametrize(("seed", "common", "least"), [(41, 0.2, 0.95), (42, 0.1, 0.85), (43, 0.7, 0.97)])
def test_shops_that_share_few_books(words: Words, seed: int, common: float, least: float) -> None:
    left, right, gold, _ = bookshops(words, seed, 500, common, more=0.0)
    precision, recall = figures(matched(left, right), gold)
    assert precision >= least and recall >= 0.9


def test_a_large_side_is_judged_by_a_sample(words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right, gold, _ = bookshops(words, 41, 500, 0.2, more=0.0)
    monkeypatch.setattr(source_statistics, "SAMPLE", 200)
    precision, recall = figures(matched(left, right), gold)
    assert precision >= 0.93 and recall >= 0.85


def test_guides_of_different_size(words: Words) -> None:
    left, right, gold = guides([name.lower() for name in words.surname], 41, few=60, many=300)
    told = {(x, y) for x, y in matched(left, right) if re.fullmatch(r"l:\d+", x)}
    precision, recall = figures(told, gold)
    assert precision >= 0.97 and recall >= 0.95


def test_other_volumes_and_other_books_of_an_author_are_no_matches() -> None:
    rng = random.Random(3)
    left: list[Fact] = []
    right: list[Fact] = []

    def add(side: list[Fact], key: str, title: str, author: str) -> None:
        names = ("title", "author", "publisher") if side is left else ("name", "by", "imprint")
        values = (title, author, f"{author.split()[-1]} House")
        side.extend(Fact(key, name, value, True) for name, value in zip(names, values, strict=True))

    for k in range(60):
        title, author = f"{word(rng)} {word(rng)} {word(rng)}", f"{word(rng)} {word(rng)}"
        add(left, f"l{k}", title, author)
        add(right, f"r{k}", f"{title} (Paperback)", author)
        add(left, f"lx{k}", f"{word(rng)} {word(rng)}", author)
        add(right, f"rx{k}", f"{word(rng)} {word(rng)}", author)
    for volume in range(1, 11):
        add(left if volume < 6 else right, f"v{volume}", f"Saga of the Isles, Vol. {volume}", "Ann Other")
    told = matched(left, right)
    assert figures(told, {(f"l{k}", f"r{k}") for k in range(60)}) == (1.0, 1.0)


def test_volumes_match_however_their_number_is_written() -> None:
    left = [Fact(f"l{k}", "title", f"Saga, Vol. {k}", True) for k in range(1, 13)]
    numbers = "one two three four five six seven eight nine ten eleven twelve".split()
    right = [Fact(f"r{k}", "name", f"Saga: Book {name.title()}", True) for k, name in enumerate(numbers, 1)]
    assert all(x[1:] == y[1:] for x, y in matched(left, right))


def test_matches_are_doubted_where_siblings_are_as_good() -> None:
    found = false_discovery_rates(np.array([9.0, 9.0, 5.0, 5.0, 5.0, 5.0, 1.0]), np.array([5.0, 4.0, 1.0, 0.5]), 1.0)
    assert found[:2].tolist() == [0.0, 0.0]
    assert found[2] == pytest.approx(0.25) and found[-1] == 1.0
    assert false_discovery_rates(np.array([3.0]), np.array([9.0]), 0.0).tolist() == [0.0], (
        "where all have a match, nothing is false"
    )
    assert false_discovery_rates(np.empty(0), np.array([1.0]), 1.0).tolist() == []


def test_instances_are_of_a_kind_by_class_or_by_what_is_told_of_them() -> None:
    facts = [Fact("b1", "title", "x", True), Fact("b2", "title", "y", True), Fact("b1", "by", "p")]
    facts.append(Fact("p", "born", "1900", True))
    graph = compile_graph(facts)
    book, other, person = types_of_instances(graph, edges(graph)).tolist()
    assert book == other != person
    graph = compile_graph([*facts, Fact("b2", "rdf:type", "Map")])
    book, other, person = types_of_instances(graph, edges(graph)).tolist()
    assert len({book, other, person}) == 3
