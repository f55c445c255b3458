"""Floors for adaptation to changed templates: a quick part of what `bench/mutations.py` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

from mutations import Score, captured, demos, table  # noqa: E402

from tests.strategies.aware.adaptation.small_blog import application, pages  # noqa: E402

SITES = ROOT.parent / "shared" / "sites"
FLOORS = {1: 0.99, 2: 0.97, 4: 0.90}
MOST_WRONG = 0.01


def check(rows: dict[int, Score]) -> None:
    for number, floor in FLOORS.items():
        assert rows[number].wanted > 100
        assert rows[number].recovered >= floor, number
        assert rows[number].accepted < MOST_WRONG, number


def test_floors_on_a_small_blog() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    posts = [page for url, page in pages("old").items() if "/entry/" in url]
    check(table([("blog", blog, level, posts)], seeds=10))


@pytest.mark.slow
def test_floors_on_demo_sites() -> None:
    check(table(demos(10), seeds=2))


@pytest.mark.slow
@pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)")
def test_floors_on_captured_sites() -> None:
    check(table(captured(["serendipity-2k11", "fluxbb"], 12), seeds=3))
