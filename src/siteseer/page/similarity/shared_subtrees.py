"""Turns pages into trees that share equal subtrees: two subtrees are equal exactly if they have the same number.

Only the layout counts: nodes are elements, labels their tags; what is not laid out (head, scripts, styles) is left out,
and so are `tbody` and the like, which a browser adds where the page has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import html

from siteseer.model import Page
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import tree

UNSEEN = UNREAD_IN["likeness of trees"]
TRANSPARENT = frozenset(("tbody", "thead", "tfoot"))
"""Elements that stand for nothing of their own: their children count as their parent's."""
MAX_DEPTH = 150
"""What is nested deeper is folded into its ancestor: no page for people is, and comparing goes as deep as the tree."""
MAX_NODES = 10_000
"""What comes after so many elements is not looked at: comparing two trees may cost the product of their sizes."""

Nested = tuple[str, tuple["Nested", ...]]
"""A tree written down: its label and its children, as in `("ul", (("li", ()), ("li", ())))`."""


class SharedSubtrees:
    """Trees that share their equal subtrees: each distinct subtree has a number, a label, children and a size.

    >>> forest = SharedSubtrees()
    >>> one = forest.plant(("ul", (("li", ()), ("li", ()))))
    >>> forest.sizes[one], len(forest.labels), forest.plant(("ul", (("li", ()), ("li", ())))) == one
    (3, 2, True)
    """

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.children: list[tuple[int, ...]] = []
        self.sizes: list[int] = []
        self._numbers: dict[tuple[str, tuple[int, ...]], int] = {}

    def subtree(self, label: str, children: tuple[int, ...]) -> int:
        """Return the number of the subtree with this label and these children."""
        key = (label, children)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.labels)
            self.labels.append(label)
            self.children.append(children)
            self.sizes.append(1 + sum(self.sizes[child] for child in children))
        return number

    def plant(self, nested: Nested) -> int:
        """Return the number of a tree given as nested values."""
        return self.subtree(nested[0], tuple(map(self.plant, nested[1])))

    def grow(self, page: Page, repeats: int | None = None) -> int:
        """Return the number of a page's tree; of more than `repeats` equal neighbours only so many count."""
        return self.elements(tree(page), repeats)[tree(page)]

    def elements(self, root: html.HtmlElement, repeats: int | None = None) -> dict[html.HtmlElement, int]:
        """Return the number of the subtree below every element, from the leaves up."""
        numbers: dict[html.HtmlElement, int] = {}
        inner: dict[html.HtmlElement, list[html.HtmlElement]] = {}
        waiting: list[tuple[html.HtmlElement, int]] = [(root, 0)]
        while waiting and len(inner) < MAX_NODES:
            element, depth = waiting.pop()
            inner[element] = list(inside(element)) if depth < MAX_DEPTH else []
            waiting.extend((child, depth + 1) for child in reversed(inner[element]))
        for element in reversed(inner):  # parents came before their children
            found = tuple(numbers[child] for child in inner[element] if child in numbers)
            numbers[element] = self.subtree(str(element.tag), _few(found, repeats) if repeats else found)
        return numbers


def inside(element: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Yield the children that are laid out; those of a transparent child stand in its place."""
    waiting = [iter(element)]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
        elif isinstance(child.tag, str) and child.tag not in UNSEEN:
            if child.tag in TRANSPARENT:
                waiting.append(iter(child))
            else:
                yield child


def _few(children: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Shorten runs of equal children: a list of fifty is laid out like a list of two.

    >>> _few((1, 1, 1, 2, 1), 2)
    (1, 1, 2, 1)
    """
    kept: list[int] = []
    for child in children:
        if kept[-most:] != [child] * most:
            kept.append(child)
    return tuple(kept)
