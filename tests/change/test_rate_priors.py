"""Rates of pages that were seldom seen: the prior of their kind, their own visits, the pages beside them."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.changes.rate_priors import USUAL, Class, GammaRate, RatePriors
from siteseer.changes.rates import Visit
from siteseer.changes.schedule import Evidence, Schedule, due_pages

BUSY, QUIET = Class("folder", "/busy/"), Class("folder", "/quiet/")
NOW = datetime(2024, 6, 1, tzinfo=UTC)


def test_a_page_seen_once_has_the_rate_of_its_kind() -> None:
    visits = {f"b{n}": [Visit(10.0, n % 2 == 0)] for n in range(20)} | {
        f"q{n}": [Visit(10.0, False)] for n in range(20)
    }
    classes = {name: [BUSY if name[0] == "b" else QUIET] for name in (*visits, "b new", "q new")}
    priors = RatePriors(visits, classes)
    assert priors.of("b new").mean == pytest.approx(math.log(2) / 10, rel=0.4)
    assert priors.of("q new").mean < priors.of("b new").mean / 8
    assert priors.of("b0").mean > priors.of("b new").mean > priors.of("b1").mean


def test_own_visits_outweigh_the_kind() -> None:
    visits = {"a": [Visit(1.0, True)] * 30, **{f"p{n}": [Visit(30.0, False)] for n in range(30)}}
    priors = RatePriors(visits, {name: [QUIET] for name in visits})
    assert priors.of("a").mean > 0.5
    assert priors.of("p1").mean < 0.05


def test_where_nothing_was_seen_rates_are_usual_and_kinds_as_expected() -> None:
    priors = RatePriors({}, {"a": [Class("age", "old", 0.25)], "b": []})
    assert priors.of("b").mean == pytest.approx(USUAL)
    assert priors.of("a").mean == pytest.approx(USUAL / 4)


def test_the_prior_recovers_a_gamma() -> None:
    chance = random.Random(2)
    true = [chance.gammavariate(0.5, 0.1) for _ in range(600)]
    visits = {
        str(n): [Visit(20.0, chance.random() < -math.expm1(-20 * rate)) for _ in range(4)]
        for n, rate in enumerate(true)
    }
    priors = RatePriors(visits, {})
    assert priors.mu == pytest.approx(0.05, rel=0.6)
    assert priors.shape in (0.25, 0.5, 1.0)


@given(st.floats(0.05, 20), st.floats(1e-3, 1e4), st.floats(0, 1e4), st.floats(0, 1e4))
def test_a_chance_grows_with_time(shape: float, rate: float, days: float, more: float) -> None:
    belief = GammaRate(shape, rate)
    assert 0 <= belief.chance(days) <= belief.chance(days + more) <= 1


def days_ago(*days: int) -> list[datetime]:
    return [NOW - timedelta(days=day) for day in days]


def test_pages_captured_once_are_due_by_their_kind() -> None:
    told = {f"b{n}": list(zip(days_ago(20, 10), "ab", strict=True)) for n in range(4)}
    told |= {f"q{n}": list(zip(days_ago(20, 10), "aa", strict=True)) for n in range(4)}
    once = {name: [(days_ago(10)[0], "a")] for name in ("b once", "q once")}
    classes = {name: [BUSY if name[0] == "b" else QUIET] for name in told | once}
    schedule = Schedule(told | once, NOW, Evidence(classes, left_out=tuple(told)))
    assert schedule.choose(1) == ["b once"]
    assert schedule.choose(5) == ["q once"]
    assert schedule.choose(5) == []


def test_a_change_makes_the_pages_beside_it_due() -> None:
    names = [f"p{n:02}" for n in range(30)]
    schedule = Schedule({name: [(days_ago(9)[0], "a")] for name in names}, NOW, Evidence({}, [names]))
    for name in schedule.choose(1):
        schedule.learn(name, False)
    schedule.learn("p20", True)
    assert set(schedule.choose(2)) == {"p19", "p21"}


def test_where_every_answer_has_other_bytes_bytes_tell_nothing() -> None:
    noisy = {f"n{n}": list(zip(days_ago(3, 2, 1), "abc", strict=True)) for n in range(6)}
    schedule = Schedule(noisy | {"once": [(days_ago(30)[0], "a")]}, NOW, Evidence({}))
    assert schedule.choose(1) == ["once"]


def test_histories_alone_order_pages() -> None:
    days = days_ago(8, 7, 6, 5, 4, 3, 2, 1)
    told = {name: list(zip(days, digests, strict=True)) for name, digests in {"a": "aaaabbbb", "b": "aaaaaaaa"}.items()}
    assert due_pages(told, NOW, 9) == ["a", "b"]
