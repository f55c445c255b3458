"""Collects the vocabulary of pages: the tags, attributes and values that a relaxed expression may use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from lxml.html import HtmlElement

from siteseer.page.similarity.name_parts import shared_parts

MAX_VALUE = 80
"""Longer values are content, not names."""
MAX_ELEMENTS = 50_000


@dataclass(frozen=True)
class Vocabulary:
    """The names and values of some pages, and the values preferred because related applications use them.

    `used` holds tag, attribute and value that occur together (single classes for `class`); the tag `*` stands for any.
    """

    tags: frozenset[str]
    used: frozenset[tuple[str, str, str]]
    values: dict[str, tuple[str, ...]]
    preferred: frozenset[str] = frozenset()

    @classmethod
    def of(cls, roots: Iterable[HtmlElement], preferred: Iterable[str] = ()) -> Vocabulary:
        """Collect the vocabulary of pages."""
        tags: set[str] = set()
        used: set[tuple[str, str, str]] = set()
        for root in roots:
            for element in islice(root.iter("*"), MAX_ELEMENTS):
                tags.add(element.tag)
                for name, value in element.items():
                    for word in value.split() if name == "class" else (value,):
                        if len(word) <= MAX_VALUE:
                            used |= {(element.tag, name, word), ("*", name, word)}
                    used |= {(element.tag, name, ""), ("*", name, "")}
        values: dict[str, list[str]] = {}
        for tag, name, word in sorted(used):
            if tag == "*" and word:
                values.setdefault(name, []).append(word)
        return cls(frozenset(tags), frozenset(used), {n: tuple(v) for n, v in values.items()}, frozenset(preferred))

    def has(self, tag: str, attribute: str, value: str = "") -> bool:
        """Whether some element of that tag (`*` any) has the attribute, with that value where one is given."""
        return (tag, attribute, value) in self.used

    def similar(self, value: str, attribute: str, most: int = 6) -> list[tuple[str, float]]:
        """Return the values of an attribute that share a word part with a value, the most similar first.

        >>> words = Vocabulary(frozenset(), frozenset(), {"class": ("storytitle", "sidebar")})
        >>> [word for word, _ in words.similar("post-title", "class")]
        ['storytitle']
        """
        scored = [
            (word, min(1.0, shared_parts(value, word) + 0.2 * (word in self.preferred)))
            for word in self.values.get(attribute, ())
            if word != value
        ]
        return sorted((one for one in scored if one[1] >= 0.3), key=lambda one: (-one[1], one[0]))[:most]
