"""The values of XPath 1.0 and their conversions: strings, numbers, booleans and node sets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from siteseer.interfaces import WebNode

_NUMBER = re.compile(r"\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*\Z")
_LONGEST = 400
_COLOUR_TABLE = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
    black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue
    5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c
    cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey
    a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred
    8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
    darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
    dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
    ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
    honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
    lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon
    ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue
    b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
    mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue
    191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive
    808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
    paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum
    dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
    saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
    skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue
    4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white
    ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
""".split()
NAMED_COLOURS = dict(zip(_COLOUR_TABLE[::2], _COLOUR_TABLE[1::2], strict=True))
"""The names of CSS Color Module Level 4."""
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})\Z")
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*(1(?:\.0*)?|0?\.?\d+)\s*)?\)\Z"
)


class StyleText(str):
    """A computed style: colours are compared however they are written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NodeSet:
    """Nodes with their texts; texts alone where the page is gone."""

    nodes: tuple[WebNode, ...]
    texts: tuple[str, ...]


Value = str | float | bool | NodeSet


def string(value: Value) -> str:
    """Return a value as a string.

    >>> string(3.0), string(True), string(-0.25), string(NodeSet((), ()))
    ('3', 'true', '-0.25', '')
    """
    if isinstance(value, NodeSet):
        return value.texts[0] if value.texts else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return _written(value)


def _written(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value == int(value) else repr(value)


def number(value: Value) -> float:
    """Return a value as a number; NaN where it is none."""
    if isinstance(value, bool | int | float):
        return float(value)
    text = string(value)
    found = _NUMBER.match(text) if len(text) < _LONGEST else None
    return float(found[1]) if found else math.nan


def boolean(value: Value) -> bool:
    """Return a value as a boolean: true for a non-empty set, a non-empty string, a number other than 0."""
    if isinstance(value, NodeSet):
        return bool(value.texts)
    if isinstance(value, float):
        return bool(value) and not math.isnan(value)
    return bool(value)


_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_SUM: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else (math.nan if not a or math.isnan(a) else math.copysign(math.inf, a)),
    "mod": lambda a, b: math.fmod(a, b) if b and math.isfinite(a) else math.nan,
}


def operate(operator: str, left: Value, right: Value) -> Value:
    """Apply an operator, except for `and`, `or` and `|`.

    >>> operate("=", NodeSet((), ("a", "b")), "b"), operate("mod", 7.0, 4.0), operate("~=", "big red", "red")
    (True, 3.0, True)
    """
    if operator in _SUM:
        return _SUM[operator](number(left), number(right))
    if operator == "~=":
        return string(right) in string(left).split()
    if operator == "#=":
        return string(right) in string(left)
    if isinstance(left, bool) or isinstance(right, bool):
        return _compare(operator, boolean(left), boolean(right))
    return any(_compare(operator, one, other) for one in _each(left) for other in _each(right))


def _each(value: Value) -> tuple[str | float | bool, ...]:
    return value.texts if isinstance(value, NodeSet) else (value,)


def _compare(operator: str, left: str | float | bool, right: str | float | bool) -> bool:
    if operator in _ORDER:
        return _ORDER[operator](number(left), number(right))
    if isinstance(left, StyleText) or isinstance(right, StyleText):
        same = as_shown(string(left)) == as_shown(string(right))
    elif isinstance(left, bool) or isinstance(right, bool):
        same = boolean(left) == boolean(right)
    elif isinstance(left, float) or isinstance(right, float):
        same = number(left) == number(right)
    else:
        same = left == right
    return same == (operator == "=")


def union(one: Value, other: Value) -> Value:
    """Join two sets of nodes, each node once."""
    texts: dict[WebNode, str] = {}
    for value in (one, other):
        if isinstance(value, NodeSet):
            texts.update(zip(value.nodes, value.texts, strict=True))
    return NodeSet(tuple(texts), tuple(texts.values()))


def as_shown(text: str) -> str:
    """Return a style's value in the form in which colours can be compared; other values stay as they are.

    >>> as_shown("blue"), as_shown("#00F"), as_shown("rgba(0,0,255,1)"), as_shown(" 16px ")
    ('rgb(0, 0, 255)', 'rgb(0, 0, 255)', 'rgb(0, 0, 255)', '16px')
    """
    plain = text.strip()
    lowered = plain.lower()
    found = _HEX.match("#" + NAMED_COLOURS[lowered] if lowered in NAMED_COLOURS else lowered)
    if found:
        digits = found[1] if len(found[1]) == 6 else "".join(one * 2 for one in found[1])
        return "rgb({}, {}, {})".format(*(int(digits[at : at + 2], 16) for at in (0, 2, 4)))
    if parts := _RGB.match(lowered):
        red, green, blue, alpha = parts.groups()
        if alpha is None or float(alpha) == 1:
            return f"rgb({red}, {green}, {blue})"
        return f"rgba({red}, {green}, {blue}, {float(alpha):g})"
    return plain
