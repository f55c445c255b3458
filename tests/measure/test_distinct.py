"""The size of a union, from a sample of the sets."""

import random

import numpy as np
import pytest

from siteseer.measure.certificate.union_size import DrawnUrl, distinct_values


def _drawn(cell: str, weight: float, items: range) -> DrawnUrl:
    return DrawnUrl(cell, weight, np.array(items, np.uint64))


def _total(drawn: list[DrawnUrl]) -> float:
    return float(sum(one.weight * value for one, value in zip(drawn, distinct_values(drawn), strict=True)))


def test_what_is_met_for_certain_is_not_counted_again_under_other_addresses() -> None:
    lists = [_drawn("lists", 1.0, range(100 * n, 100 * n + 100)) for n in range(4)]
    posts = [_drawn("posts", 25.0, range(100 * n, 100 * n + 50)) for n in range(4)]
    assert _total([*lists, *posts]) == pytest.approx(400)


def test_sets_without_anything_in_common_add_up_by_their_weights() -> None:
    assert _total([_drawn("a", 10.0, range(n * 10, n * 10 + 10)) for n in range(5)]) == pytest.approx(500)


def test_sets_met_again_and_again_count_once() -> None:
    assert _total([_drawn("a", 10.0, range(10)) for _ in range(5)]) == pytest.approx(10)


def test_what_a_list_names_is_hardly_counted_again_under_a_rare_draw() -> None:
    """Ten of eleven lists are drawn, and one post of thirty: its page is counted with its list, not thirty times."""
    lists = [_drawn("lists", 1.1, range(100 * n, 100 * n + 100)) for n in range(10)]
    assert _total([*lists, _drawn("posts", 30.0, range(50))]) == pytest.approx(1_100, rel=0.02)


def test_things_under_one_address_and_under_two_add_up() -> None:
    """A hundred things under one URL each, a hundred under two, a third of the URLs is drawn: two hundred."""
    lot = random.Random(7)
    urls = [range(n, n + 1) for n in range(100)] + [range(n, n + 1) for n in range(100, 200) for _ in range(2)]
    totals = [_total([_drawn("a", 3.0, one) for one in lot.sample(urls, 100)]) for _ in range(60)]
    assert sum(totals) / 60 == pytest.approx(200, rel=0.04)


def test_a_rare_draw_beside_many_that_nearly_all_were_drawn_counts_what_these_do_not_name() -> None:
    lists = [_drawn("lists", 1.05, range(100 * n, 100 * n + 100)) for n in range(4)]
    posts = [_drawn("posts", 30.0, range(1000 + n, 1001 + n)) for n in range(9)] + [_drawn("posts", 30.0, range(1))]
    assert _total([*lists, *posts]) == pytest.approx(4 * 105 + 9 * 30, rel=0.03)
