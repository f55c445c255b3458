"""Draws counts over time as a timeline, and links between names as a matrix, in SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from siteseer.measure.charts.scales import Scale, short, ticks
from siteseer.measure.charts.svg_charts import WIDTH, colour, drawing, grid_upward, heading

LABELS = 8
"""Dates below the axis."""


def timeline(times: Sequence[str], curves: Mapping[str, Sequence[int]], title: str, y_title: str) -> str:
    """Return a curve for each name over dates.

    >>> timeline(["2019", "2020"], {"kelp": [1, 3]}, "Terms", "objects").count("<polyline")
    1
    """
    height, left, right, top, bottom = 400, 64, 24, 64, 300
    upward = ticks(0, max((value for counts in curves.values() for value in counts), default=1) or 1)
    x, y = Scale(0, max(1, len(times) - 1), left + 10, WIDTH - right - 10), Scale(0, upward[-1], bottom, top)
    parts = [heading(title), *grid_upward(upward, y, left, WIDTH - right, short)]
    parts.append(f'<text class="soft" x="16" y="{top - 20}">{escape(y_title)}</text>')
    every = max(1, -(-len(times) // LABELS))
    for place in range(0, len(times), every):
        parts.append(
            f'<text class="soft" x="{x(place)}" y="{bottom + 22}" text-anchor="middle">{escape(times[place])}</text>'
        )
    for number, counts in enumerate(curves.values(), 1):
        points = [(x(place), y(value)) for place, value in enumerate(counts)]
        drawn = " ".join(f"{across},{up}" for across, up in points)
        parts.append(f'<polyline class="line" stroke="{colour(number)}" points="{drawn}"/>')
        if len(points) <= 40:
            parts.extend(f'<circle cx="{across}" cy="{up}" r="3" fill="{colour(number)}"/>' for across, up in points)
    parts.extend(_legend(list(curves), left, bottom + 52))
    return drawing(parts, height, title)


def _legend(names: Sequence[str], left: float, top: float) -> list[str]:
    """Write the names in rows of four, each beside its colour."""
    room, parts = (WIDTH - left - 24) / 4, list[str]()
    for number, name in enumerate(names):
        across, down = left + room * (number % 4), top + 24 * (number // 4)
        ink = colour(number + 1)
        parts.append(f'<rect x="{across}" y="{down - 10}" width="12" height="12" rx="3" fill="{ink}"/>')
        said = name if len(name) <= 22 or len(names) == 1 else name[:21] + "…"
        parts.append(f'<text x="{across + 18}" y="{down}">{escape(said)}</text>')
    return parts


def matrix(names: Sequence[str], counts: Sequence[Sequence[int]], title: str) -> str:
    """Return a square for each pair, the darker the more: rows link, columns are linked.

    >>> "4" in matrix(["a", "b"], [[0, 4], [1, 0]], "Who links whom")
    True
    """
    left, top, side = 200, 190, max(18, min(38, (WIDTH - 320) // max(1, len(names))))
    most = max((value for row in counts for value in row), default=0) or 1
    parts = [heading(title)]
    for place, name in enumerate(names):
        middle = place * side + side / 2
        said = escape(name if len(name) <= 26 else name[:25] + "…")
        parts.append(f'<text class="soft" x="{left - 8}" y="{top + middle + 4}" text-anchor="end">{said}</text>')
        at = f"{left + middle + 4},{top - 8}"
        parts.append(f'<text class="soft" transform="translate({at}) rotate(-60)">{said}</text>')
    for down, row in enumerate(counts):
        for across, value in enumerate(row):
            shade = 0.06 + 0.84 * (value / most) ** 0.6 if value else 0.03
            place_ = f'x="{left + across * side + 1}" y="{top + down * side + 1}"'
            parts.append(f'<rect {place_} width="{side - 2}" height="{side - 2}" rx="3" fill="{colour(1)}" ')
            parts.append(f'fill-opacity="{shade:.2f}"><title>{escape(names[down])} → {escape(names[across])}: {value}')
            parts.append("</title></rect>")
            if value:
                middle_ = f'x="{left + across * side + side / 2}" y="{top + down * side + side / 2 + 4}"'
                ink = ' style="fill:#fff"' if shade > 0.55 else ""
                parts.append(f'<text {middle_} text-anchor="middle" font-size="11"{ink}>{short(value)}</text>')
    return drawing(parts, top + side * len(names) + 24, title)
