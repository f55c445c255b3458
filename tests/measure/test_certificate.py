import random

import pytest

from siteseer.measure.certificate import Stratum, allocate, clopper_pearson, draw, estimate


def test_allocation_is_in_proportion_with_a_few_of_each() -> None:
    assert allocate({"a": 5000, "b": 40, "c": 1}, 100) == {"a": 99, "b": 2, "c": 1}
    assert sum(allocate({"a": 3, "b": 2}, 100).values()) == 5


def test_drawing_is_fair_and_repeatable() -> None:
    urls = [f"http://e.org/{number}" for number in range(1000)]
    assert draw(urls, 50, 1) == draw(urls, 50, 1) != draw(urls, 50, 2)
    assert len(set(draw(urls, 50, 3))) == 50 and set(draw(urls, 9999, 1)) == set(urls)


def test_clopper_pearson_as_tabulated() -> None:
    assert clopper_pearson(0, 20, 0.95)[1] == pytest.approx(0.1684, abs=1e-3)
    assert clopper_pearson(10, 100, 0.95) == pytest.approx((0.0490, 0.1762), abs=1e-3)
    assert clopper_pearson(20, 20, 0.95) == pytest.approx((0.8316, 1.0), abs=1e-3)


def test_a_complete_look_has_no_uncertainty() -> None:
    found = estimate([Stratum("a", 10, 10, 1), Stratum("b", 30, 30, 3)])
    assert found.low == found.share == found.high == pytest.approx(0.1)


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
    population = {rule: [lot.random() < share for _ in range(count)] for rule, (count, share) in world.items()}
    truth = sum(map(sum, population.values())) / sum(map(len, population.values()))
    held = 0
    for _ in range(1000):
        strata = []
        for rule, size in allocate({rule: len(all_) for rule, all_ in population.items()}, 80).items():
            drawn = lot.sample(population[rule], size)
            strata.append(Stratum(rule, len(population[rule]), size, sum(drawn)))
        found = estimate(strata)
        held += found.low <= truth <= found.high
    assert held >= 930
