"""Oita's thesis, section 2.6.2: the worked values of J, U, I and R."""

from __future__ import annotations

from math import log

import pytest

from siteseer.extract.article.forest.structural_patterns import Pattern, density, informativeness, unexpectedness

NATS = log(2)


def test_density_of_few_observations_is_lowered() -> None:
    assert density(8, 20) == pytest.approx(0.207081, abs=1e-6)
    assert density(3, 5) == pytest.approx(0.216532, abs=1e-6)
    assert density(1, 0) == pytest.approx(0.32, abs=0.005)
    assert density(0, 1) == 0 and density(0, 0) == 0


def test_unexpectedness_is_23_and_6_in_natural_units() -> None:
    assert unexpectedness(10, 26, 20, 100) * NATS == pytest.approx(23, abs=0.5)
    assert unexpectedness(3, 1, 20, 100) * NATS == pytest.approx(6, abs=0.5)
    assert unexpectedness(0, 10, 20, 100) == pytest.approx(2.630344, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "bits"), [(10, 26, 6.820294), (3, 1, 3.775409), (20, 100, 10.544211), (18, 60, 11.604073), (0, 10, 0.0)]
)
def test_informativeness_is_their_product(x: int, y: int, bits: float) -> None:
    assert informativeness(x, y, 20, 100) == pytest.approx(bits, abs=1e-6)


def test_relevance_of_the_worked_example() -> None:
    """Two pages with 20 of 120 and 18 of 108 signifiers: the story wins by its level, close behind it the container."""
    elements = {
        ("body", 1): ((20, 100), (18, 90)),
        ("div#container", 2): ((20, 90), (18, 80)),
        ("div.sidebar", 3): ((4, 30), (3, 28)),
        ("div.story", 3): ((16, 50), (15, 45)),
        ("h2.title", 4): ((3, 1), (2, 2)),
    }
    relevance = {}
    for (name, level), (first, second) in elements.items():
        value = informativeness(*first, 20, 100) + informativeness(*second, 18, 90)
        relevance[name] = Pattern(name, level, value, {0: [0], 1: [0]}).relevance
    assert relevance == {
        "body": pytest.approx(39.85, abs=0.01),
        "div#container": pytest.approx(84.39, abs=0.01),
        "div.sidebar": pytest.approx(12.62, abs=0.01),
        "div.story": pytest.approx(123.29, abs=0.01),
        "h2.title": pytest.approx(41.60, abs=0.01),
    }
