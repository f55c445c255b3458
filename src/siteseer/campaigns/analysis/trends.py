"""Computes how often terms occur over time, by the date of writing and by the date of capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.model import JSON

MOST_TERMS = 7
"""Curves that can be told apart."""
MOST_STEPS = 60
STEPS = (("minute", 16), ("hour", 13), ("day", 10), ("month", 7), ("year", 4))
"""Lengths of the beginning of an ISO 8601 date, the finest first."""
MOST_FILLED = 10_000
"""Steps between which those without texts are shown too."""
BEGINNING = datetime(1, 1, 1)
LENGTHS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
VAGUE = 0.05
"""The share of dates that may be vaguer than the step."""
CLOCKS = {"published": "w.published", "captured": "w.captured"}


@dataclass(frozen=True, slots=True)
class Trend:
    """How many objects held each term in each step of time."""

    clock: str
    """`published` or `captured`."""
    step: str
    """`minute`, `hour`, `day`, `month` or `year`."""
    times: tuple[str, ...]
    terms: dict[str, tuple[int, ...]]
    objects: tuple[int, ...]
    """All objects of each step, whatever they hold."""
    undated: int
    """Objects that do not say when they were written."""

    def to_json(self) -> JSON:
        """Return it as JSON."""
        return {
            "clock": self.clock, "step": self.step, "times": list(self.times), "objects": list(self.objects),
            "terms": {term: list(counts) for term, counts in self.terms.items()}, "undated": self.undated,
        }  # fmt: skip


def trend(catalogue: CampaignIndex, clock: str, most: int = MOST_TERMS) -> Trend:
    """Return the terms that most objects hold over time, in the finest steps that a picture can show."""
    column = CLOCKS[clock]
    dated = [str(row[0]) for row in catalogue.each(f"SELECT {column} FROM written w WHERE {column} IS NOT NULL")]
    ((all_,),) = catalogue.rows("SELECT count(*) FROM written")
    step, length = finest(dated)
    whole = Counter(one[:length] for one in dated if len(one) >= length)
    times = tuple(_between(sorted(whole), step))
    chosen = catalogue.rows("SELECT term FROM mention GROUP BY term ORDER BY count(*) DESC, term LIMIT ?", (most,))
    terms = {term: _counts(catalogue, term, column, length, times) for (term,) in chosen}
    return Trend(clock, step, times, terms, tuple(whole[time] for time in times), all_ - sum(whole.values()))


def finest(dates: Sequence[str]) -> tuple[str, int]:
    """Return the finest step in which the dates make few enough steps, and the length of its names.

    A few vaguer dates are listed apart.

    >>> finest(["2019-05-03", "2019-05-04"]), finest(["2001", "2019-05-04"])
    (('day', 10), ('year', 4))
    """
    lengths = sorted(map(len, dates)) or [4]
    shortest = lengths[int(len(lengths) * VAGUE)]
    for step, length in STEPS:
        if length <= shortest and len(_between(sorted({one[:length] for one in dates}), step)) <= MOST_STEPS:
            return step, length
    return STEPS[-1]


def _counts(catalogue: CampaignIndex, term: str, column: str, length: int, times: tuple[str, ...]) -> tuple[int, ...]:
    rows = catalogue.rows(
        f"SELECT substr({column}, 1, ?), count(*) FROM mention m JOIN written w ON w.object = m.object "
        f"WHERE m.term = ? AND {column} IS NOT NULL GROUP BY 1",
        (length, term),
    )
    found = dict(rows)
    return tuple(found.get(time, 0) for time in times)


def _between(times: list[str], step: str) -> list[str]:
    """Return all steps from the first time to the last, so that a picture shows how far they are apart."""
    length = dict(STEPS)[step]
    times = [time for time in times if len(time) == length]
    if not times:
        return []
    try:
        first, last = _number(times[0], step), _number(times[-1], step)
    except ValueError:
        return times  # no date
    return [_named(number, step) for number in range(first, last + 1)] if last - first < MOST_FILLED else times


def _number(time: str, step: str) -> int:
    """Return how many steps a time is after the beginning of our calendar."""
    if step == "year":
        return int(time)
    if step == "month":
        return int(time[:4]) * 12 + int(time[5:7]) - 1
    return int((datetime.fromisoformat(time) - BEGINNING) / LENGTHS[step])


def _named(number: int, step: str) -> str:
    """Return the time of a step as it is written.

    >>> [_named(_number(time, step), step) for time, step in (("2020-02", "month"), ("2020-02-29T07", "hour"))]
    ['2020-02', '2020-02-29T07']
    """
    if step == "year":
        return f"{number:04d}"
    if step == "month":
        return f"{number // 12:04d}-{number % 12 + 1:02d}"
    return (BEGINNING + number * LENGTHS[step]).isoformat()[: dict(STEPS)[step]]
