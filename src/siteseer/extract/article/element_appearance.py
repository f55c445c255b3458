"""Derives flags and a name of an element from its tag and attributes, once for each distinct combination.

`article` visits every element of every page, and most elements of a site have the attributes of one seen before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from siteseer.extract.article.element_flags import flags_of

TELLING = ("class", "id", "style", "role", "itemprop", "hidden")
"""The attributes that are looked at."""
TAGS = (
    "other", "p", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "div", "blockquote", "pre",
    "figcaption",
)  # fmt: skip
"""Tags that the models tell apart, by number."""
TAG_NUMBER = {tag: number for number, tag in enumerate(TAGS)}
ROW = np.dtype([("flags", "<i8"), ("tag_code", "<u8"), ("name_code", "<u8"), ("tag", "<i8")])
"""What is known of an element, as numbers."""
_PACKED = Struct("<qQQq")
_NAMED = {str(place): name for place, name in enumerate(TELLING)}
_DIGITS = re.compile(r"\d+")
_LIMIT, _LONGEST = 20_000, 400


class ElementAppearance(NamedTuple):
    """The tag and attributes of an element, with the flags and name derived from them."""

    tag: str
    name: str
    """Tag with the first class, else the id, without numbers: the same for the same place of other pages."""
    row: bytes
    """Flags, codes and number of the tag, as in `ROW`."""


_known: dict[str, ElementAppearance] = {}


def shape_of(look: str, mark: str) -> ElementAppearance:
    """Return the shape of a look: the tag, then for each telling attribute the mark, its place in `TELLING`, its value.

    >>> shape_of("p|0intro lead|1p7", "|").name
    'p.intro'
    """
    shape = _known.get(look)
    if shape is None:
        tag, *told = look.split(mark)
        shape = _shape(tag, {name: one[1:] for one in told if (name := _NAMED.get(one[:1]))})
        if len(look) <= _LONGEST:
            if len(_known) >= _LIMIT:
                _known.clear()
            _known[look] = shape
    return shape


def shapes_of(looks: Sequence[str], mark: str) -> list[ElementAppearance]:
    """Return the shapes of looks."""
    known = _known.get
    return [known(look) or shape_of(look, mark) for look in looks]


def rows_of(shapes: Sequence[ElementAppearance]) -> NDArray[Any]:
    """Return what is known of elements as an array with the columns of `ROW`.

    >>> rows_of([shape_of("h2", "|")])["tag"].tolist() == [TAGS.index("h2")]
    True
    """
    return np.frombuffer(b"".join([shape.row for shape in shapes]), ROW)


def _shape(tag: str, attributes: Mapping[str, str]) -> ElementAppearance:
    name = name_of(tag, attributes.get("class"), attributes.get("id"))
    codes = (xxh3_64_intdigest(text.encode("utf-8", "replace")) for text in (tag, name))
    return ElementAppearance(tag, name, _PACKED.pack(flags_of(tag, attributes), *codes, TAG_NUMBER.get(tag, 0)))


def name_of(tag: str, classes: str | None, identity: str | None) -> str:
    """Return the name of an element: tag with its first class, else its id; numbers are left out.

    >>> name_of("div", "post-12 wide", None), name_of("p", None, "p7"), name_of("p", " ", "/2020/05/a-page")
    ('div.post', 'p#p', 'p')
    """
    first = (classes or "").split(None, 1)
    if first and (kept := _DIGITS.sub("", first[0]).rstrip("-_.:")):
        return f"{tag}.{kept}"
    if identity and "/" not in identity and len(identity) <= 60 and (kept := _DIGITS.sub("", identity).rstrip("-_.:")):
        return f"{tag}#{kept}"
    return str(tag)
