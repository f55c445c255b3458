"""Estimates how often a page changes from its history of visits, and when to revisit it.

References: Cho and Garcia-Molina, Estimating Frequency of Change, ACM TOIT 3(3), 2003 (regular visits, irregular
visits, last date of change); Sia, Cho and Cho, Efficient Monitoring Algorithm for Fast News Alerts, TKDE 2007 (posting
patterns by hour). Rates are changes per day. Letters: n visits, X of them found a change, T days observed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

HOURS = 168
"""Hours of a week: Monday 0 o'clock is 0."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit to a page: days since the last one, and whether it had changed.

    `age` is how many days before this visit it was last changed, where the server tells.
    """

    interval: float
    changed: bool
    age: float | None = None


def naive_rate(visits: Sequence[Visit]) -> float:
    """Return X / T: changes seen a day; too low where several changes fall between two visits."""
    days = sum(visit.interval for visit in visits)
    return sum(visit.changed for visit in visits) / days if days > 0 else 0.0


def regular_rate(n: int, x: int, interval: float) -> float:
    """Return the rate from visits at equal intervals of which x of n found a change: -ln((n - x + 0.5) / (n + 0.5)).

    The half visits take the bias away and make all-changed histories finite (equation 7 of the paper).

    >>> round(regular_rate(10, 5, 1.0), 3)
    0.647
    """
    return -math.log((n - x + 0.5) / (n + 0.5)) / interval if n > 0 and interval > 0 else 0.0


def complete_rate(moments: Sequence[float], days: float) -> float:
    """Return the rate where every change is known, as from a feed: the number of changes over the time."""
    return len(moments) / days if days > 0 else 0.0


def irregular_rate(visits: Sequence[Visit]) -> float:
    """Return the maximum-likelihood rate of visits at unequal intervals.

    It solves: sum over changed of t e^(-rt) / (1 - e^(-rt)) = sum over unchanged of t. Where every visit found a change
    there is no finite answer: half an unchanged visit of the mean interval is added, as in `regular_rate`.
    """
    changed = [v.interval for v in visits if v.changed and v.interval > 0]
    quiet = sum(v.interval for v in visits if not v.changed)
    if not changed:
        return 0.0
    quiet = quiet or 0.5 * sum(changed) / len(changed)

    def surplus(rate: float) -> float:
        return sum(t / math.expm1(min(rate * t, 700.0)) for t in changed) - quiet

    low, high = 1e-9, 1.0
    while surplus(high) > 0 and high < 1e9:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if surplus(middle) > 0 else (low, middle)
    return (low + high) / 2


def with_last_change(visits: Sequence[Visit]) -> float:
    """Return the rate where each visit also tells when the page was last changed: less is lost between visits.

    X over the time known to be quiet (`age` where a change was found, else the whole interval), with the bias taken
    away: ((X - 1) - X / (n ln(1 - X/n))) / T.
    """
    n, x = len(visits), sum(visit.changed for visit in visits)
    quiet = sum(min(v.age, v.interval) if v.changed and v.age is not None else v.interval for v in visits)
    if x == 0 or quiet <= 0:
        return 0.0
    share = min(x / n, 1 - 1e-9)
    return max(0.0, (x - 1) - x / (n * math.log(1 - share))) / quiet


# ── posting patterns ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pattern:
    """How often something is posted in each hour of the week: an inhomogeneous Poisson process; posts an hour."""

    hours: tuple[float, ...]

    @property
    def daily(self) -> float:
        """Posts a day, on average."""
        return sum(self.hours) / 7

    def expected(self, start: datetime, end: datetime) -> float:
        """Return how many posts are expected between two moments."""
        whole_weeks, rest = divmod((end - start).total_seconds(), HOURS * 3600)
        total, moment = whole_weeks * sum(self.hours), start
        while rest > 0:
            step = min(rest, 3600 - (moment.minute * 60 + moment.second + moment.microsecond / 1e6))
            total += self.hours[hour_of_week(moment)] * step / 3600
            moment += timedelta(seconds=step)
            rest -= step
        return total

    def until(self, start: datetime, posts: float, latest: timedelta = timedelta(days=60)) -> datetime:
        """Return when so many posts are expected to have appeared."""
        moment, end, left = start, start + latest, posts
        while moment < end:
            step = 3600 - (moment.minute * 60 + moment.second + moment.microsecond / 1e6)
            here = self.hours[hour_of_week(moment)] * step / 3600
            if here >= left > 0:
                return moment + timedelta(seconds=step * left / here)
            left -= here
            moment += timedelta(seconds=step)
        return end


def hour_of_week(moment: datetime) -> int:
    """Return the hour since Monday 0 o'clock."""
    return moment.weekday() * 24 + moment.hour


def posting_pattern(moments: Sequence[datetime], start: datetime, end: datetime, prior: float = 24.0) -> Pattern:
    """Learn a pattern from the posts of a time; `prior` is the weight of the overall mean, in hours of observation.

    Hours of the week that were seen seldom lean towards the same hour of all days, and that towards the mean of all.
    """
    seen, posts = [0.0] * HOURS, [0] * HOURS
    total = max(1.0, (end - start).total_seconds() / 3600)
    whole, rest = divmod(int(total), HOURS)
    first = hour_of_week(start)
    for hour in range(HOURS):
        seen[hour] = whole + ((hour - first) % HOURS < rest)
    inside = [moment for moment in moments if start <= moment <= end]
    for moment in inside:
        posts[hour_of_week(moment)] += 1
    mean = len(inside) / total
    rates = []
    for hour in range(HOURS):
        daily = range(hour % 24, HOURS, 24)
        by_day = (sum(posts[h] for h in daily) + prior * mean) / (sum(seen[h] for h in daily) + prior)
        rates.append((posts[hour] + prior / 7 * by_day) / (seen[hour] + prior / 7))
    return Pattern(tuple(rates))


# ── when to come back ──────────────────────────────────────────────────────────────────────────────────────────────


def allocate_visits(rates: Mapping[str, float], visits_a_day: float) -> dict[str, float]:
    """Share a budget of visits a day among pages so that as many as possible are fresh; returns visits a day of each.

    Freshness of a page visited f times a day is (f/r)(1 - e^(-r/f)); at the best shares its slope is the same for all
    pages that are visited at all (Cho and Garcia-Molina, Effective page refresh policies, TODS 2003). Pages that change
    too often to be caught are given up for those that can be kept.

    >>> shares = allocate_visits({"slow": 0.1, "fast": 1.0, "mad": 1000.0}, 2.0)
    >>> shares["mad"] == 0.0, shares["fast"] > shares["slow"], round(sum(shares.values()), 3)
    (True, True, 2.0)
    """
    live = {name: rate for name, rate in rates.items() if rate > 0}
    if not live or visits_a_day <= 0:
        return dict.fromkeys(rates, 0.0)
    low, high = 0.0, max(1 / rate for rate in live.values())
    for _ in range(100):
        slope = (low + high) / 2
        spent = sum(_visits(rate, slope) for rate in live.values())
        low, high = (slope, high) if spent > visits_a_day else (low, slope)
    shares = {name: _visits(rate, high) for name, rate in live.items()}
    scale = visits_a_day / total if (total := sum(shares.values())) else 0.0
    return {name: shares.get(name, 0.0) * scale for name in rates}


def _visits(rate: float, slope: float) -> float:
    """Return f such that one more visit a day gains `slope` of freshness: (1 - (1 + x) e^-x) / r = slope, x = r/f."""
    target = slope * rate
    if target >= 1 or target <= 0:
        return 0.0
    low, high = 0.0, 1.0
    while 1 - (1 + high) * math.exp(-high) < target:
        high *= 2
    for _ in range(60):
        x = (low + high) / 2
        low, high = (x, high) if 1 - (1 + x) * math.exp(-x) < target else (low, x)
    return rate / high if high > 0 else 0.0


def time_of_change(rate: float, last_visit: datetime, chance: float = 0.5) -> datetime:
    """Return when a page has changed with that chance."""
    days = -math.log(1 - chance) / rate if rate > 0 else 60.0
    return last_visit + DAY * min(days, 60.0)
