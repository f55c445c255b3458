"""Alignment on labelled data: people that two lists have in common, and bookshops without ISBN."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from siteseer.alignment import Settings, align

ROOT = Path(__file__).parents[2]
LABELLED = ROOT / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = [
    pytest.mark.skipif(not LABELLED.is_file(), reason="no labelled data beside the project (shared/data)"),
    pytest.mark.large,
]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_align", ROOT / "bench" / "align.py")
    assert spec and spec.loader
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("literals", ["exact", "alnum", "shingle"])
@pytest.mark.parametrize("theta", [0.01, 0.2])
def test_people(bench: ModuleType, literals: str, theta: float) -> None:
    left, right, gold = bench.people()
    found = align(left, right, Settings(literals=literals, theta=theta))
    assert bench.scores(bench.of_people(found), set(gold))[2] >= 0.99
    told = {(m.left.rpartition("#")[2], m.right.rpartition("#")[2]) for m in found.relations if m.probability > 0.9}
    assert {("phone_numer", "phone_numer"), ("has_address", "has_address"), ("name", "suburb")} <= told
    assert any("is_in_suburb / " in m.left and m.right.endswith("#suburb") for m in found.relations)


WANTED = (0.99, 0.99, 0.98, 0.96, 0.99, 0.99, 0.98)


def test_people_made_worse(bench: ModuleType) -> None:
    for (name, left, right, gold), wanted in zip(bench.variants(), WANTED, strict=True):
        assert bench.scores(bench.of_people(align(left, right)), gold)[2] >= wanted, name


def test_results_on_people_do_not_depend_on_theta(bench: ModuleType) -> None:
    _, left, right, _ = list(bench.variants())[2]
    found = [align(left, right, Settings(theta=theta)) for theta in (0.01, 0.05, 0.1, 0.2)]
    assert len({frozenset((m.left, m.right) for m in one.instances) for one in found}) == 1


def test_people_with_many_changes(bench: ModuleType) -> None:
    for most, wanted in ((1, 0.98), (3, 0.96)):
        left, right, gold = bench.with_duplicates(11, most, 3, 10)
        assert bench.scores(bench.of_people(align(left, right)), gold)[2] >= wanted, most


def test_guides_to_restaurants(bench: ModuleType) -> None:
    for seed in (11, 12):
        left, right, gold = bench.guides(bench.words().surname, seed)
        told = {(m.left, m.right) for m in align(left, right).instances if m.left[2:].isdigit()}
        assert bench.scores(told, gold)[2] >= 0.97


@pytest.mark.parametrize(("much", "common", "least"), [(0.3, 0.7, 0.97), (0.6, 0.4, 0.945), (0.3, 0.2, 0.93)])
def test_bookshops_without_isbn(bench: ModuleType, much: float, common: float, least: float) -> None:
    figures = []
    for seed in (11, 12, 13):
        left, right, gold = bench.shops(seed, much, common)
        figures.append(bench.scores({(m.left, m.right) for m in align(left, right).instances}, gold))
    assert sum(precision for precision, _, _ in figures) / 3 >= least
    assert sum(recall for _, recall, _ in figures) / 3 >= 0.9


def test_bookshops_with_series_and_few_common_books(bench: ModuleType) -> None:
    for common, least in ((0.2, 0.95), (0.1, 0.88)):
        left, right, gold, _ = bench.bookshops(bench.words(), 12, common=common, more=0.0)
        precision, recall, _ = bench.scores({(m.left, m.right) for m in align(left, right).instances}, gold)
        assert precision >= least and recall >= 0.85


def test_results_on_shops_and_guides_do_not_depend_on_theta(bench: ModuleType) -> None:
    sources = bench.shops(11, 0.6, 0.3)[:2], bench.guides(bench.words().surname, 11)[:2]
    for left, right in sources:
        found = [align(left, right, Settings(theta=theta)) for theta in (0.01, 0.05, 0.1, 0.2)]
        assert len({frozenset((m.left, m.right) for m in one.instances) for one in found}) == 1
