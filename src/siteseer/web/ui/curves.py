"""Draws the curve of content against requests, and bars of answers, as pictures, never as markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from siteseer.web.ui.texts import texts

COLORS = ("#0f766e", "#b45309", "#4f46e5", "#be185d", "#4d7c0f", "#0369a1", "#7c2d12", "#6b7280")
_AXIS: dict[str, Any] = {
    "splitLine": {"lineStyle": {"color": "#8884", "type": "dashed"}},
    "axisLabel": {"color": "#7b8694"},
    "nameTextStyle": {"color": "#7b8694"},
}
_LEFT = {"color": "#7b8694", "align": "left"}
_TIP: dict[str, Any] = {"trigger": "axis", "renderMode": "richText"}
"""Rich text is drawn on the canvas: a name from a page can never become markup there."""


def curves(found: Mapping[str, Sequence[Sequence[int]]], counted: str = texts.TWO_GRAMS) -> dict[str, Any]:
    """Return the chart of 2-grams, or of something else, against requests, a line for each collection.

    >>> [line["name"] for line in curves({"a": [(1, 10)], "b": []})["series"]]
    ['a', 'b']
    """
    return {
        "animation": False,
        "color": list(COLORS),
        "tooltip": _TIP,
        "legend": {"top": 0, "textStyle": {"color": "#7b8694"}, "type": "scroll"},
        "grid": {"left": 12, "right": 24, "top": 58, "bottom": 34, "containLabel": True},
        "xAxis": {"type": "value", "name": texts.REQUESTS, "nameLocation": "middle", "nameGap": 26, **_AXIS},
        "yAxis": {"type": "value", "name": counted, "nameLocation": "end", **_AXIS, "nameTextStyle": _LEFT},
        "series": [line(name, points) for name, points in found.items()],
    }


def line(name: str, points: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return one line of the chart."""
    return {
        "name": name,
        "type": "line",
        "showSymbol": len(points) < 3,
        "lineStyle": {"width": 3},
        "data": [[0, 0], *(list(point) for point in points)],
    }


def bars(labels: Sequence[str], columns: Mapping[str, Sequence[float | None]]) -> dict[str, Any]:
    """Return a chart of numbers with a label each; as a line where the labels are dates."""
    dates = all(label[:4].isdigit() and len(label) >= 4 for label in labels)
    return {
        "animation": False,
        "color": list(COLORS),
        "tooltip": _TIP,
        "legend": {"top": 0, "textStyle": {"color": "#7b8694"}, "type": "scroll"},
        "grid": {"left": 12, "right": 24, "top": 40, "bottom": 10, "containLabel": True},
        "xAxis": {
            "type": "category",
            "data": list(labels),
            "axisLabel": {"color": "#7b8694", "rotate": 40, "hideOverlap": True},
        },
        "yAxis": {"type": "value", **_AXIS},
        "dataZoom": [{"type": "inside"}],
        "series": [
            {"name": name, "type": "line" if dates and len(labels) > 2 else "bar", "data": list(values)}
            for name, values in columns.items()
        ],
    }
