"""Estimators of change rates on simulated histories: bias in percent, wanted within 5 where the paper's are; with a plot.

    python bench/rates.py [--plot rates.svg]

Ratios r are changes between two visits: at r = 1 a page changes as often as it is visited. 50 visits a history, 400
histories a point. `naive` is the estimator that the others improve on.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness import Table, run

from siteseer.change.change_rates import (
    Visit,
    complete_rate,
    irregular_rate,
    naive_rate,
    posting_pattern,
    regular_rate,
    with_last_change,
)

RATIOS = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)
VISITS, HISTORIES, WANTED = 50, 400, 5.0
COLOURS = ("#888888", "#1b6ca8", "#c8553d", "#3a7d44", "#7a4fa3")


def history(
    rate: float, visits: int, chance: random.Random, jitter: float = 0.0
) -> tuple[list[Visit], list[float], float]:
    """Return visits, the moments of all changes and the days, of a page that changes at random."""
    moments, now = list[float](), 0.0
    looks = []
    for _ in range(visits):
        interval = 1.0 + chance.uniform(-jitter, jitter)
        looks.append((now, interval))
        now += interval
    moment = chance.expovariate(rate)
    while moment < now:
        moments.append(moment)
        moment += chance.expovariate(rate)
    found, place = [], 0
    for start, interval in looks:
        last = None
        while place < len(moments) and moments[place] <= start + interval:
            last = moments[place]
            place += 1
        found.append(Visit(interval, last is not None, None if last is None else start + interval - last))
    return found, moments, now


ESTIMATORS: dict[str, tuple[Callable[[list[Visit], list[float], float], float], float]] = {
    "naive": (lambda visits, moments, days: naive_rate(visits), 0.0),
    "regular": (lambda visits, moments, days: regular_rate(len(visits), sum(v.changed for v in visits), 1.0), 0.0),
    "irregular": (lambda visits, moments, days: irregular_rate(visits), 0.8),
    "last change": (lambda visits, moments, days: with_last_change(visits), 0.8),
    "complete": (lambda visits, moments, days: complete_rate(moments, days), 0.8),
}


def biases() -> dict[str, list[float]]:
    """Return the bias of each estimator in percent, for every ratio."""
    found: dict[str, list[float]] = {}
    for name, (estimate, jitter) in ESTIMATORS.items():
        chance = random.Random(f"rates {name}")
        found[name] = []
        for ratio in RATIOS:
            mean = sum(estimate(*history(ratio, VISITS, chance, jitter)) for _ in range(HISTORIES)) / HISTORIES
            found[name].append(100 * (mean / ratio - 1))
    return found


def pattern_error(weeks: int = 30) -> float:
    """Return how far a learned pattern is from the true one: mean difference over the mean rate, with posts in office hours."""
    chance, start = random.Random(3), datetime(2024, 1, 1, tzinfo=UTC)
    true = [2.0 if hour // 24 < 5 and 8 <= hour % 24 < 18 else 0.05 for hour in range(168)]
    moments = []
    for hour in range(weeks * 168):
        for _ in range(_poisson(true[hour % 168], chance)):
            moments.append(start + timedelta(hours=hour + chance.random()))
    learned = posting_pattern(moments, start, start + timedelta(weeks=weeks))
    return sum(abs(a - b) for a, b in zip(true, learned.hours, strict=True)) / sum(true)


def _poisson(mean: float, chance: random.Random) -> int:
    count, product, limit = 0, chance.random(), math.exp(-mean)
    while product > limit:
        count, product = count + 1, product * chance.random()
    return count


def draw(found: dict[str, list[float]]) -> str:
    """Draw the biases as SVG."""
    width, height, low, high = 640, 400, -70.0, 20.0

    def x(ratio: float) -> float:
        return 60 + (width - 180) * (ratio / RATIOS[-1])

    def y(bias: float) -> float:
        return 20 + (height - 70) * (high - max(low, bias)) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
    ]
    parts.append(
        f'<rect width="{width}" height="{height}" fill="white"/><rect x="60" y="{y(WANTED)}" width="{width - 180}" height="{y(-WANTED) - y(WANTED)}" fill="#e8f3e8"/>'
    )
    for bias in range(int(low), int(high) + 1, 10):
        parts.append(
            f'<line x1="60" x2="{width - 120}" y1="{y(bias)}" y2="{y(bias)}" stroke="#ddd"/><text x="50" y="{y(bias) + 4}" text-anchor="end">{bias}</text>'
        )
    for ratio in RATIOS:
        parts.append(f'<text x="{x(ratio)}" y="{height - 30}" text-anchor="middle">{ratio}</text>')
    for (name, line), colour in zip(found.items(), COLOURS, strict=True):
        points = " ".join(f"{x(ratio):.1f},{y(bias):.1f}" for ratio, bias in zip(RATIOS, line, strict=True))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/><text x="{width - 115}" y="{60 + 20 * COLOURS.index(colour)}" fill="{colour}">{name}</text>'
        )
    parts.append(
        f'<text x="{width / 2 - 60}" y="{height - 8}" text-anchor="middle">changes between two visits</text><text x="14" y="{height / 2}" transform="rotate(-90 14 {height / 2})" text-anchor="middle">bias, percent</text></svg>'
    )
    return "\n".join(parts) + "\n"


def show(found: dict[str, list[float]]) -> bool:
    """Print the table; say whether all but the naive estimator are within what is wanted."""
    table = Table("bias, percent:<14", *(f"{ratio}:>8.1f" for ratio in RATIOS))
    good = True
    for name, line in found.items():
        table.row(name, *line)
        good = good and (name == "naive" or max(map(abs, line)) <= WANTED)
    return good


def main(plot: Path | None = None) -> int:
    found = biases()
    is_good = show(found)
    print(f"all but naive within {WANTED} percent: {'yes' if is_good else 'no'}")
    print(f"posting pattern by hour of week, 30 weeks: {pattern_error():.3f} of the mean off")
    if plot:
        plot.write_text(draw(found), encoding="utf-8")
        print(f"plot in {plot}")
    return int(not is_good)


if __name__ == "__main__":
    run(main)
