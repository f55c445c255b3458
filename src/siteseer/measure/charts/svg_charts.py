"""Draws small SVG charts (lines, boxes, bars), readable in light and dark and on paper, without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from siteseer.measure.charts.scales import Scale, quartiles, short, ticks

COLOURS = ("#6b7785", "#0a6fc2", "#d1570a", "#0f8f6b", "#a9489a", "#b98900", "#3a9bdc", "#8a4b2a")
"""Told apart by the colour-blind too; the first, grey, is the reference."""
STYLE = """
.chart{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1d2733}
.chart .ground{fill:#fff}.chart .soft{fill:#5d6b7a}.chart .title{font-size:15px;font-weight:600}
.chart .grid{stroke:#e3e8ee;stroke-width:1}.chart .axis{stroke:#9aa7b5;stroke-width:1}
.chart .line{fill:none;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:round}
.chart .name{font-weight:600}.chart .halo{stroke:#fff;stroke-width:4;paint-order:stroke;stroke-linejoin:round}
@media (prefers-color-scheme:dark){.chart{fill:#e6ebf1}.chart .ground{fill:#1b232c}.chart .soft{fill:#9aa8b7}
.chart .grid{stroke:#2c3743}.chart .axis{stroke:#5a6877}.chart .halo{stroke:#1b232c}}
""".strip()
WIDTH = 760


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Group:
    """Named values of which the spread is shown."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Bar:
    """A named length with the text at its end."""

    name: str
    value: float
    label: str


def colour(number: int) -> str:
    """Return the colour of the series, group or bar of that number."""
    return COLOURS[number % len(COLOURS)]


def line_chart(series: Sequence[Series], title: str, x_title: str, y_title: str) -> str:
    """Return curves over one another, each with its name at its end.

    >>> line_chart([Series("blind", [(0, 0), (10, 5)])], "Curve", "requests", "2-grams").startswith("<svg")
    True
    """
    height, left, right, top, bottom = 440, 72, 96, 72, 390
    upward = ticks(0, max((y for one in series for _, y in one.points), default=1))
    widest = max((x for one in series for x, _ in one.points), default=1)
    x, y = Scale(0, widest, left, WIDTH - right), Scale(0, upward[-1], bottom, top)
    parts = [heading(title), *grid_upward(upward, y, left, WIDTH - right, short)]
    for value in (one for one in ticks(0, widest) if one <= widest):
        parts.append(f'<text class="soft" x="{x(value)}" y="{bottom + 20}" text-anchor="middle">{short(value)}</text>')
    parts.append(f'<text class="soft" x="{(left + WIDTH - right) / 2}" y="{bottom + 42}" text-anchor="middle">')
    parts.append(f'{escape(x_title)}</text><text class="soft" x="16" y="{top - 22}">{escape(y_title)}</text>')
    for number, one in enumerate(series):
        drawn = " ".join(f"{x(a)},{y(b)}" for a, b in one.points)
        parts.append(f'<polyline class="line" stroke="{colour(number)}" points="{drawn}"/>')
    parts.extend(_end_names(series, x, y, top, bottom))
    return drawing(parts, height, title)


def _end_names(series: Sequence[Series], x: Scale, y: Scale, top: float, bottom: float) -> Iterable[str]:
    """Write each name at the end of its curve, moved apart where they would overlap at the same place."""
    ends = [(x(one.points[-1][0]), y(one.points[-1][1]), number) for number, one in enumerate(series) if one.points]
    placed: list[tuple[float, float]] = []
    for across, upward, number in sorted(ends, key=lambda end: end[1]):
        at = upward + 4
        while any(abs(at - other) < 16 and abs(across - beside) < 110 for beside, other in placed):
            at += 16
        at = min(max(at, top + 8), bottom - 4)
        placed.append((across, at))
        name = escape(series[number].name[:18])
        yield f'<circle cx="{across}" cy="{upward}" r="4" fill="{colour(number)}"/>'
        yield f'<text class="name halo" x="{across + 9}" y="{at}" fill="{colour(number)}">{name}</text>'


def box_plot(groups: Sequence[Group], title: str, y_title: str) -> str:
    """Return a box chart: whiskers to minimum and maximum, a box from first to third quartile, a rule at the median.

    >>> "<rect" in box_plot([Group("aware", [0.97, 0.99, 1.0])], "Coverage", "share")
    True
    """
    groups = [one for one in groups if one.values]
    height, left, right, top, bottom = 420, 72, 24, 72, 356
    low = min((value for one in groups for value in one.values), default=0.0)
    high = max((value for one in groups for value in one.values), default=1.0)
    upward = ticks(low, high) if high > low else [low - 0.05, low, low + 0.05]
    y = Scale(upward[0], upward[-1], bottom, top)
    parts = [heading(title), *grid_upward(upward, y, left, WIDTH - right, _share)]
    parts.append(f'<text class="soft" x="16" y="{top - 22}">{escape(y_title)}</text>')
    room = (WIDTH - right - left) / max(1, len(groups))
    for number, one in enumerate(groups):
        parts.extend(_box(one, left + room * (number + 0.5), min(64.0, room * 0.5), y, colour(number + 1)))
        middle = left + room * (number + 0.5)
        parts.append(f'<text class="name" x="{middle}" y="{bottom + 24}" text-anchor="middle">{escape(one.name[:24])}')
        sites = f"{len(one.values)} site{'s' if len(one.values) > 1 else ''}"
        parts.append(f'</text><text class="soft" x="{middle}" y="{bottom + 42}" text-anchor="middle">{sites}</text>')
    return drawing(parts, height, title)


def _box(group: Group, middle: float, width: float, y: Scale, ink: str) -> Iterable[str]:
    least, first, median, third, most = quartiles(group.values)
    left, half = middle - width / 2, width / 4
    yield f'<g stroke="{ink}" stroke-width="1.6"><line x1="{middle}" x2="{middle}" y1="{y(least)}" y2="{y(most)}"/>'
    for end in (least, most):
        yield f'<line x1="{middle - half}" x2="{middle + half}" y1="{y(end)}" y2="{y(end)}"/>'
    tall = max(1.0, y(first) - y(third))
    yield f'<rect class="ground" x="{left}" y="{y(third)}" width="{width}" height="{tall}" rx="3"/>'
    yield f'<rect x="{left}" y="{y(third)}" width="{width}" height="{tall}" rx="3" fill="{ink}" fill-opacity=".18"/>'
    yield f'<line x1="{left}" x2="{left + width}" y1="{y(median)}" y2="{y(median)}" stroke-width="3"/></g>'
    for value in group.values:
        yield f'<circle cx="{middle}" cy="{y(value)}" r="2.5" fill="{ink}" fill-opacity=".55"/>'
    yield f'<text class="soft halo" x="{left + width + 6}" y="{y(median) + 4}">{_share(median)}</text>'


def bar_chart(bars: Sequence[Bar], title: str) -> str:
    """Return horizontal bars, each with its name before and its figure behind it.

    >>> "12" in bar_chart([Bar("blind", 100, "4,134"), Bar("aware", 8, "322, 12.8 times fewer")], "Requests")
    True
    """
    row, left, right, top = 34, 150, 190, 48
    height = top + row * len(bars) + 16
    x = Scale(0, max((bar.value for bar in bars), default=1) or 1, 0, WIDTH - left - right)
    parts = [heading(title)]
    for number, bar in enumerate(bars):
        y, ink = top + number * row, colour(number)
        parts.append(
            f'<text class="name" x="{left - 10}" y="{y + 18}" text-anchor="end">{escape(bar.name[:20])}</text>'
        )
        long = max(2.0, x(bar.value))
        parts.append(f'<rect x="{left}" y="{y}" width="{long}" height="{row - 10}" rx="4" fill="{ink}"/>')
        parts.append(f'<text class="soft" x="{left + long + 10}" y="{y + 18}">{escape(bar.label)}</text>')
    return drawing(parts, height, title)


def grid_upward(values: Sequence[float], y: Scale, left: float, right: float, write: object) -> Iterable[str]:
    """Return the lines across a chart with their figures; the first is the axis."""
    for number, value in enumerate(values):
        kind, said = "grid" if number else "axis", write(value)  # type: ignore[operator]
        yield f'<line class="{kind}" x1="{left}" x2="{right}" y1="{y(value)}" y2="{y(value)}"/>'
        yield f'<text class="soft" x="{left - 8}" y="{y(value) + 4}" text-anchor="end">{said}</text>'


def _share(value: float) -> str:
    return f"{value * 100:.1f}".removesuffix(".0") + " %"


def heading(title: str) -> str:
    """Return the title of a chart."""
    return f'<text class="title" x="16" y="24">{escape(title)}</text>'


def drawing(parts: Iterable[str], height: float, title: str) -> str:
    """Return the chart that the parts make."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {WIDTH} {height}" '
    head += f'width="{WIDTH}" height="{height}"><title>{escape(title)}</title><style>{STYLE}</style>'
    ground = f'<rect class="ground" width="{WIDTH}" height="{height}" rx="10"/>'
    return head + ground + "".join(parts) + "</svg>"
