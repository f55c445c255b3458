"""What a crawl says of its end: intervals, and nothing where nothing can be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.crawler.results.remaining_requests import RemainingRequests
from siteseer.measure.remaining_content import forecast

STEADY = [(n, 100 * n) for n in range(1, 101)]
FALLING_FURTHER = round(10_000 * (1 - 0.97**200))
FALLING = [(n, round(10_000 * (1 - 0.97**n))) for n in range(1, 101)]


@given(st.lists(st.floats(0, 1), min_size=1), st.integers(0, 1000), st.none() | st.integers(0, 5000))
def test_forecasts_stay_sensible(gains, low, more):
    curve = [(n + 1, int(sum(gains[: n + 1]) * 1000)) for n in range(len(gains))]
    found = forecast(curve, RemainingRequests(low, None if more is None else low + more))
    share = found["complete"]
    assert 0 <= share["low"] <= share["high"] <= 1
    assert found["requests"]["low"] == low
    if found["two_grams"]["high"] is not None:
        assert 0 <= found["two_grams"]["low"] <= found["two_grams"]["high"]


def test_a_steady_yield_goes_on():
    found = forecast(STEADY, RemainingRequests(50, 50))
    assert found["complete"]["low"] == pytest.approx(100 / 150, abs=0.001)
    assert found["two_grams"]["high"] == pytest.approx(5_000, rel=0.01)


def test_a_falling_yield_leaves_room_for_falling_further():
    share = forecast(FALLING, RemainingRequests(100, 100))["complete"]
    assert share["low"] <= 0.5 < FALLING[-1][1] / FALLING_FURTHER <= share["high"]


def test_what_nobody_can_tell_is_said():
    found = forecast(STEADY, RemainingRequests(7, None, "a list goes on"))
    assert found["requests"] == {"low": 7, "high": None}
    assert found["complete"] == {"low": 0.0, "high": 1.0} and found["two_grams"]["high"] is None
    assert found["because"] == "a list goes on" and found["estimated"]


def test_what_is_over_is_complete():
    found = forecast(STEADY, RemainingRequests())
    assert found["complete"] == {"low": 1.0, "high": 1.0} and not found["estimated"]


def test_a_crawl_that_has_just_begun_has_nothing():
    assert forecast([], RemainingRequests(1, None))["complete"]["low"] == 0.0
