"""The statistics of feeds in the thesis (Tables 1.1 and 1.2), and the estimators of change that it cites."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest

from siteseer.change.change_rates import (
    Visit,
    allocate_visits,
    complete_rate,
    irregular_rate,
    naive_rate,
    posting_pattern,
    regular_rate,
    time_of_change,
    with_last_change,
)
from siteseer.change.feed_statistics import channel, domains_table, has_gap, next_visit, types_table
from siteseer.page.feeds import Feed, FeedItem

START = datetime(2024, 1, 1, tzinfo=UTC)


def feed(url: str, days: list[float], kind: str = "RSS 2.0") -> Feed:
    items = [FeedItem(f"{url}#{day}", published=f"{START + timedelta(days=day):%Y-%m-%dT%H:%M:%SZ}") for day in days]
    return Feed(url, kind, items=tuple(items))


def test_table_1_1_types_of_340_feeds() -> None:
    kinds = ["Atom 1.0"] * 21 + ["RSS 1.0"] * 30 + ["RSS 0.91"] + ["RSS 2.0"] * 288
    rows = types_table([Feed(str(number), kind) for number, kind in enumerate(kinds)])
    assert [(name, count) for name, count, _ in rows] == [("RSS 2.0", 288), ("RDF", 30), ("Atom", 21), ("RSS 0.91", 1)]
    assert rows[0][2] == pytest.approx(0.847, abs=0.001)


def test_table_1_2_mean_interval_and_pooled_deviation() -> None:
    regular_feed, uneven = feed("http://a/1", [0, 1, 2, 3]), feed("http://a/2", [0, 1, 4])
    ((domain, count, mean, pooled),) = domains_table({"art": [regular_feed, uneven]}, START + timedelta(days=9))
    assert (domain, count, mean) == ("art", 2, pytest.approx(1.5))
    assert pooled == pytest.approx(
        math.sqrt((2 * 0.0 + 1 * 2.0) / 3)
    )  # variances 0 and 2 with 2 and 1 degrees of freedom


def test_a_channel_and_its_next_visit() -> None:
    now = START + timedelta(days=10)
    busy = feed("http://a/", [10 - n / 48 for n in range(1, 11)])  # an item every half hour, ten in the feed
    one = channel(busy, now)
    assert (one.items, one.median) == (10, pytest.approx(1 / 48))
    assert timedelta(minutes=30) < next_visit(busy, now) - now < timedelta(hours=5)
    assert next_visit(feed("http://a/", [0.0]), now) - now == timedelta(days=1)
    assert has_gap(feed("u", [1, 2]), feed("u", [3, 4]))
    assert not has_gap(feed("u", [1, 2]), feed("u", [2, 3]))


def history(rate: float, visits: int, chance: random.Random, jitter: float) -> tuple[list[Visit], int, float]:
    found, days, changes = [], 0.0, 0
    for _ in range(visits):
        interval = 1 + chance.uniform(-jitter, jitter)
        moments, moment = [], chance.expovariate(rate)
        while moment < interval:
            moments.append(moment)
            moment += chance.expovariate(rate)
        found.append(Visit(interval, bool(moments), interval - moments[-1] if moments else None))
        days, changes = days + interval, changes + len(moments)
    return found, changes, days


@pytest.mark.parametrize("rate", [0.3, 1.0, 1.8])
def test_estimators_recover_the_rate_within_five_percent(rate: float) -> None:
    chance = random.Random(11)
    means = dict.fromkeys(("naive", "regular", "irregular", "last", "complete"), 0.0)
    for _ in range(600):
        even, _, _ = history(rate, 50, chance, 0.0)
        uneven, changes, days = history(rate, 50, chance, 0.8)
        means["naive"] += naive_rate(even) / 600
        means["regular"] += regular_rate(50, sum(visit.changed for visit in even), 1.0) / 600
        means["irregular"] += irregular_rate(uneven) / 600
        means["last"] += with_last_change(uneven) / 600
        means["complete"] += complete_rate([0.0] * changes, days) / 600
    assert means.pop("naive") < 0.9 * rate
    for name, mean in means.items():
        assert mean == pytest.approx(rate, rel=0.05), name


def test_every_visit_changed_still_gives_a_finite_rate() -> None:
    assert regular_rate(10, 10, 1.0) == pytest.approx(math.log(21))
    assert 0 < irregular_rate([Visit(1.0, True)] * 10) < 100
    assert irregular_rate([Visit(1.0, False)] * 10) == 0.0


def test_posting_pattern_by_hour_of_week() -> None:
    moments = [START + timedelta(weeks=week, hours=9.5) for week in range(20)]  # every Monday at half past nine
    pattern = posting_pattern(moments, START, START + timedelta(weeks=20))
    assert max(range(168), key=lambda hour: pattern.hours[hour]) == 9
    assert pattern.daily == pytest.approx(1 / 7, rel=0.25)
    now = START + timedelta(weeks=20, days=2)
    assert pattern.expected(now, now + timedelta(weeks=1)) == pytest.approx(7 * pattern.daily)
    assert pattern.until(now, 0.7).weekday() == 0


def test_a_budget_prefers_what_can_be_kept_fresh() -> None:
    shares = allocate_visits({"never": 0.0, "slow": 0.05, "daily": 1.0, "mad": 500.0}, 1.0)
    assert shares["never"] == shares["mad"] == 0.0
    assert sum(shares.values()) == pytest.approx(1.0)
    assert time_of_change(1.0, START) == START + timedelta(days=math.log(2))
