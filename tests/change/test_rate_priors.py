"""Rates of pages that were seldom seen: the prior of their kind, their own visits, the pages beside them."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.change.change_rates import Visit
from siteseer.change.rate_priors import USUAL, Class, GammaRate, RatePriors
from siteseer.change.revisit_choice import Evidence, RevisitChooser

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


def test_parts_that_differ_much_are_told_apart_by_a_few_visits() -> None:
    """One list is edited, four are not: two visits of each quiet one say more than where all parts are alike."""
    lists = [Class("listed", name) for name in ("busy", "a", "b", "c", "d")]
    visits = {f"busy {n}": [Visit(30.0, n < 6)] for n in range(8)}
    visits |= {f"{one.value} {n}": [Visit(30.0, False)] for one in lists[1:] for n in range(2)}
    classes = {name: [one] for name in visits for one in lists if name.split()[0] == one.value}
    priors = RatePriors(visits, classes)
    assert priors.prior_mean("busy 0") > 12 * priors.prior_mean("a 0")
    alike = {name: [Visit(30.0, int(name[-1]) % 2 == 0)] for name in visits}
    priors = RatePriors(alike, classes)
    assert priors.prior_mean("busy 0") < 2 * priors.prior_mean("a 0")


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
    schedule = RevisitChooser(told | once, NOW, Evidence(classes, left_out=tuple(told)))
    assert schedule.choose(1) == ["b once"]
    assert schedule.choose(5) == ["q once"]
    assert schedule.choose(5) == []


def test_a_change_makes_the_pages_beside_it_due() -> None:
    names = [f"p{n:02}" for n in range(30)]
    schedule = RevisitChooser({name: [(days_ago(9)[0], "a")] for name in names}, NOW, Evidence({}, [names]))
    for name in schedule.choose(1):
        schedule.learn(name, False)
    schedule.learn("p20", True)
    assert set(schedule.choose(2)) == {"p19", "p21"}


def test_where_every_answer_has_other_bytes_bytes_tell_nothing() -> None:
    noisy = {f"n{n}": list(zip(days_ago(3, 2, 1), "abc", strict=True)) for n in range(6)}
    schedule = RevisitChooser(noisy | {"once": [(days_ago(30)[0], "a")]}, NOW, Evidence({}))
    assert schedule.choose(1) == ["once"]


def test_histories_alone_order_pages() -> None:
    days = days_ago(8, 7, 6, 5, 4, 3, 2, 1)
    told = {name: list(zip(days, digests, strict=True)) for name, digests in {"a": "aaaabbbb", "b": "aaaaaaaa"}.items()}
    assert RevisitChooser(told, NOW, Evidence({})).choose(9) == ["a", "b"]


def test_what_a_source_says_of_all_pages_does_not_make_the_kind_look_busy_to_which_it_leads() -> None:
    stamped, plain = [f"s{n}" for n in range(30)], [f"p{n}" for n in range(10)]
    told_by = Class("told", "sitemap", 0.15)
    classes = {name: [BUSY, told_by] for name in stamped} | {name: [QUIET] for name in plain}
    once = {name: [(days_ago(30)[0], "a")] for name in (*stamped, *plain)}
    told = {name: name in stamped[:4] for name in stamped}
    schedule = RevisitChooser(once, NOW, Evidence(classes, told=told, left_out=stamped[:4]))
    for name in stamped[:4]:
        schedule.learn(name, True)
    assert set(schedule.choose(6)) <= set(plain)


def test_pages_beside_explain_what_the_kind_does_not() -> None:
    names = [f"p{n:03}" for n in range(120)]
    schedule = RevisitChooser({name: [(days_ago(30)[0], "a")] for name in names}, NOW, Evidence({}, [names]))
    for number in range(0, 120, 12):
        schedule.learn(names[number], False)
    for number in (61, 62, 63, 65, 66, 68, 69):
        schedule.learn(names[number], number not in (63, 66))
    assert {"p064", "p067"} <= set(schedule.choose(5))


def test_pages_of_one_crawl_are_alike_for_the_minutes_between_them() -> None:
    early = {f"a{n}": [(NOW - timedelta(minutes=9), "a")] for n in range(9)}
    late = {f"b{n}": [(NOW - timedelta(minutes=3), "b")] for n in range(9)}
    classes = {name: [BUSY if name[0] == "a" else QUIET] for name in early | late}
    schedule = RevisitChooser(early | late, NOW, Evidence(classes))
    chosen = schedule.choose(6)
    assert {name[0] for name in chosen} == {"a", "b"}
