"""Colours as browsers tell them: a name, hexadecimal digits or rgb() in, `rgb(r, g, b)` out."""

from __future__ import annotations

import re

NAMED = {
    "black": "000000", "silver": "c0c0c0", "gray": "808080", "grey": "808080", "white": "ffffff", "maroon": "800000",
    "red": "ff0000", "purple": "800080", "fuchsia": "ff00ff", "magenta": "ff00ff", "green": "008000", "lime": "00ff00",
    "olive": "808000", "yellow": "ffff00", "navy": "000080", "blue": "0000ff", "teal": "008080", "aqua": "00ffff",
    "cyan": "00ffff", "orange": "ffa500", "pink": "ffc0cb", "brown": "a52a2a", "gold": "ffd700", "crimson": "dc143c",
    "darkblue": "00008b", "darkgreen": "006400", "darkred": "8b0000", "darkgray": "a9a9a9", "lightgray": "d3d3d3",
    "lightblue": "add8e6", "lightgreen": "90ee90", "steelblue": "4682b4", "tomato": "ff6347", "indigo": "4b0082",
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})\Z")
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*(1(?:\.0*)?|0?\.?\d+)\s*)?\)\Z"
)


def as_shown(text: str) -> str:
    """Return a style's value in the form in which colours can be compared; what is no colour stays as it is.

    >>> as_shown("blue"), as_shown("#00F"), as_shown("rgba(0,0,255,1)"), as_shown(" 16px ")
    ('rgb(0, 0, 255)', 'rgb(0, 0, 255)', 'rgb(0, 0, 255)', '16px')
    """
    plain = text.strip()
    lowered = plain.lower()
    found = _HEX.match("#" + NAMED[lowered] if lowered in NAMED else lowered)
    if found:
        digits = found[1] if len(found[1]) == 6 else "".join(one * 2 for one in found[1])
        return "rgb({}, {}, {})".format(*(int(digits[at : at + 2], 16) for at in (0, 2, 4)))
    if parts := _RGB.match(lowered):
        red, green, blue, alpha = parts.groups()
        if alpha is None or float(alpha) == 1:
            return f"rgb({red}, {green}, {blue})"
        return f"rgba({red}, {green}, {blue}, {float(alpha):g})"
    return plain
