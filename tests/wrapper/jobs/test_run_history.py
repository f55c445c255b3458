"""Which runs are unlike those before them."""

from __future__ import annotations

import random

from siteseer.wrapper.jobs.run_history import Figures, differences, gone


def run(pages: int, books: int, **filled: int) -> Figures:
    return Figures(pages, {"book": books}, {f"book/{name}": count for name, count in filled.items()})


def test_a_first_run_is_like_itself() -> None:
    assert differences(run(3, 0), []) == []


def test_records_that_vanish_or_multiply_are_told() -> None:
    past = [run(3, 60, title=60), run(3, 58, title=58), run(3, 61, title=61)]
    assert "0 book on 3 pages" in differences(run(3, 0), past)[0]
    assert "earlier runs found 20.0" in differences(run(3, 30, title=30), past)[0]
    assert differences(run(3, 200, title=200), past)
    assert differences(run(3, 55, title=55), past) == []


def test_pages_that_are_no_longer_reached_are_told() -> None:
    past = [run(20, 400, title=400)] * 3
    assert differences(run(1, 20, title=20), past) == ["1 pages were loaded; earlier runs loaded at least 20"]


def test_an_attribute_that_becomes_empty_is_told_and_a_rare_one_is_not() -> None:
    past = [run(1, 20, title=20, price=19, note=2)] * 4
    told = differences(run(1, 20, title=20, price=8), past)
    assert told == ["book/price is empty in 12 of 20 records; earlier runs had it in 95 %"]
    assert differences(run(1, 1, price=1), [run(1, 1, price=1, title=1)]) == [
        "book/title is empty in 1 of 1 records; earlier runs had it in 100 %"
    ]


def test_runs_of_the_same_kind_seldom_alert() -> None:
    """Listings of 17 to 20 records a page, an attribute in two of three: under one run in two hundred is suspected."""
    chance = random.Random(1)

    def one() -> Figures:
        books = sum(chance.randint(17, 20) for _ in range(3))
        return run(3, books, title=books, note=sum(chance.random() < 0.66 for _ in range(books)))

    runs = [one() for _ in range(2_000)]
    alerts = sum(bool(differences(runs[at], runs[max(0, at - at % 12) : at])) for at in range(2_000))
    assert alerts < 10


def test_one_task_that_falls_silent_is_known() -> None:
    past = [run(1, 8, title=8)] * 2
    assert gone(run(1, 0), past) and gone(run(1, 8), past)
    assert not gone(run(1, 3, title=3), past) and not gone(run(1, 0), []) and not gone(run(1, 0), [run(1, 0), *past])
