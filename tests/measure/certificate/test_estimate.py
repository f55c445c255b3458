"""The arithmetic of the coverage certificate: intervals hold the truth as often as they say."""

import math
import random

import numpy as np
import pytest

from siteseer.measure.certificate.estimate import (
    Amount,
    Stratum,
    first_draws,
    further_draws,
    gamma_quantile,
    total_worth,
)
from siteseer.measure.certificate.union_size import DrawnUrl, distinct_values


def test_rare_kinds_are_drawn_as_well_as_common_ones() -> None:
    drawn = first_draws({"a": 5000, "b": 40, "c": 1}, 100)
    assert drawn["c"] == 1 and min(drawn["a"], drawn["b"]) >= 10 and sum(drawn.values()) <= 40


def test_further_draws_go_where_content_was_found() -> None:
    strata = {"empty": Stratum(300, (0.0,) * 10), "full": Stratum(300, (100.0, 0.0, 90.0, 0.0, 300.0))}
    drawn = further_draws(strata, 60, 100.0)
    assert drawn["full"] > 3 * drawn["empty"] and sum(drawn.values()) == 60


def test_gamma_quantiles_as_tabulated() -> None:
    # half the quantiles of chi-squared with 2, 20 and 60 degrees of freedom
    assert gamma_quantile(0.95, 1.0) == pytest.approx(5.991 / 2, abs=1e-3)
    assert gamma_quantile(0.025, 10.0) == pytest.approx(9.591 / 2, abs=1e-3)
    assert gamma_quantile(0.975, 30.0) == pytest.approx(83.298 / 2, abs=1e-3)


def test_nothing_found_is_not_nothing_missed() -> None:
    found = total_worth([Stratum(1000, (0.0,) * 60)], 100.0)
    assert (found.value, found.low) == (0.0, 0.0)
    # 48 of 1,000 URLs with content: a sample of 60 shows none of them in one case of twenty
    missed = math.comb(1000 - 48, 60) / math.comb(1000, 60)
    assert missed == pytest.approx(0.05, abs=0.004) and found.high == pytest.approx(48 * 100, rel=0.02)


def test_where_nothing_was_found_all_kinds_are_drawn_in_equal_shares() -> None:
    strata = {"many": Stratum(1400, (0.0,) * 5), "some": Stratum(300, (0.0,) * 5), "few": Stratum(70, (0.0,) * 5)}
    drawn = further_draws(strata, 100, 100.0)
    shares = [(5 + drawn[name]) / strata[name].size for name in ("many", "some")]
    assert sum(drawn.values()) == 100 and shares[0] == pytest.approx(shares[1], rel=0.1)


def test_a_complete_look_is_only_as_uncertain_as_the_judgement_of_content() -> None:
    found = total_worth([Stratum(4, (10.0, 0.0, 20.0, 30.0))], 10.0)
    assert found.value == 60 and 0.75 * 60 < found.low < 60 < found.high < 1.25 * 60


def test_shares_are_of_what_was_kept_and_missed() -> None:
    assert Amount(100, 50, 300).share(100) == Amount(0.5, pytest.approx(1 / 3), 0.75)


@pytest.mark.parametrize(
    "world",
    [
        {"print": (4000, 0.0), "login": (900, 0.0), "too broad": (300, 0.9)},
        {"print": (500, 0.02), "sort": (200, 0.5)},
        {"one": (2000, 0.01)},
        {f"rule {n}": (30 + 40 * n, 0.3 * (n % 4 == 0)) for n in range(15)},
        {"a": (60, 0.5), "b": (50, 0.1)},
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(world: dict[str, tuple[int, float]]) -> None:
    lot = random.Random(11)
    population = {
        rule: [lot.expovariate(0.01) if lot.random() < share else 0.0 for _ in range(count)]
        for rule, (count, share) in world.items()
    }
    truth, held = sum(map(sum, population.values())), 0
    for _ in range(300):
        sizes = {rule: len(all_) for rule, all_ in population.items()}
        drawn = {rule: lot.sample(population[rule], size) for rule, size in first_draws(sizes, 200).items()}
        found = total_worth([Stratum(sizes[rule], tuple(worths)) for rule, worths in drawn.items()], 100.0)
        held += found.low <= truth <= found.high
    assert held >= 0.93 * 300


def test_what_many_urls_show_counts_once() -> None:
    """A hundred texts, each under three URLs of which a third is drawn: about a hundred times ten words."""
    lot = random.Random(5)
    urls = [np.arange(10, dtype=np.uint64) + 10 * text for text in range(100) for _ in range(3)]
    estimates = []
    for _ in range(20):
        drawn = [DrawnUrl("a", 3.0, items) for items in lot.sample(urls, 100)]
        estimates.append(3.0 * float(distinct_values(drawn).sum()))
    assert 900 < sum(estimates) / 20 < 1250  # each draw by itself would make 3,000
