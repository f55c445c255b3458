"""Two trees in, which element became which out: equal subtrees first, then equal labels, then equal words.

Reference: the edit scripts on trees of the thesis of Oita, section 1.2.2. Differs: subtrees are compared by hash, so
that what did not change is never entered; an element that was only moved is told from one that is new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from lxml import etree

from siteseer.page.text import UNREAD

MOST_SIBLINGS = 400
"""Longer lists of unlike children are matched by their hashes alone."""
IGNORED = frozenset(("nonce", "integrity", "csrf", "data-reactid"))
"""Attributes that are new on every request."""


@dataclass(slots=True)
class Hashed:
    """A tree with the hash of every subtree: of everything in it, and of its words alone."""

    root: etree._Element
    whole: dict[etree._Element, int] = field(default_factory=dict)
    words: dict[etree._Element, int] = field(default_factory=dict)
    sizes: dict[etree._Element, int] = field(default_factory=dict)


def hashed(root: etree._Element) -> Hashed:
    """Hash every subtree from the leaves up; scripts and comments count for nothing."""
    found = Hashed(root)
    waiting: list[tuple[list[object], list[object], int]] = [([], [], 0)]
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            waiting.append(([], [], 1))
            if is_unread(element):
                walk.skip_subtree()
            continue
        parts, words, size = waiting.pop()
        if is_unread(element):
            _tail(waiting, element)
            continue
        own = squeezed(element.text)
        whole = hash((element.tag, tuple(attributes(element).items()), own, *parts))
        spoken = hash((own, *words)) if own or words else 0
        found.whole[element], found.words[element], found.sizes[element] = whole, spoken, size
        above = waiting[-1]
        above[0].append(whole)
        if spoken:
            above[1].append(spoken)
        waiting[-1] = (above[0], above[1], above[2] + size)
        _tail(waiting, element)
    return found


def _tail(waiting: list[tuple[list[object], list[object], int]], element: etree._Element) -> None:
    if (tail := squeezed(element.tail)) and waiting:
        waiting[-1][0].append(tail)
        waiting[-1][1].append(tail)


def is_unread(element: etree._Element) -> bool:
    """Say whether an element holds nothing that people read: scripts, styles, the head."""
    return not isinstance(element.tag, str) or element.tag in UNREAD or element.tag == "iframe"


def squeezed(text: str | None) -> str:
    """Return a text with its spaces folded."""
    return " ".join(text.split()) if text else ""


def attributes(element: etree._Element) -> dict[str, str]:
    """Return the attributes that are compared, in the order of their names."""
    return {str(k): str(v) for k, v in sorted(element.items()) if k not in IGNORED and not str(k).startswith("on")}


def own_text(element: etree._Element) -> str:
    """Return the text of an element that is not in its children; a child is shown as `\\u25a1`."""
    pieces = [element.text or ""]
    for child in element:
        pieces.append(" □ " if not is_unread(child) else " ")
        pieces.append(child.tail or "")
    return squeezed("".join(pieces))


@dataclass(slots=True)
class Matching:
    """What became of the elements: pairs that differ themselves, pairs that were moved, and those without a partner."""

    changed: list[tuple[etree._Element, etree._Element]] = field(default_factory=list)
    moved: list[tuple[etree._Element, etree._Element]] = field(default_factory=list)
    removed: list[etree._Element] = field(default_factory=list)
    added: list[etree._Element] = field(default_factory=list)


def match(old: Hashed, new: Hashed) -> Matching:
    """Match two trees from their roots down."""
    found = Matching()
    waiting = [(old.root, new.root)]
    while waiting:
        a, b = waiting.pop()
        if old.whole.get(a) == new.whole.get(b):
            continue
        if a.tag != b.tag or attributes(a) != attributes(b) or own_text(a) != own_text(b):
            found.changed.append((a, b))
        pairs, gone, come = _children(a, b, old, new)
        waiting += pairs
        found.removed += gone
        found.added += come
    _find_moved(found, old, new)
    return found


Pairs = list[tuple[etree._Element, etree._Element]]
Key = Callable[[etree._Element, Hashed], Hashable]


def _by_words(element: etree._Element, tree: Hashed) -> Hashable:
    """Equal words in another element are a change of type or attributes, not of content."""
    return tree.words[element] or id(element)


def _by_label(element: etree._Element, tree: Hashed) -> Hashable:
    return element.tag, element.get("id"), element.get("class")


def _by_tag(element: etree._Element, tree: Hashed) -> Hashable:
    return element.tag


_KEYS: tuple[Key, ...] = (_by_words, _by_label, _by_tag)


def _children(
    a: etree._Element, b: etree._Element, old: Hashed, new: Hashed
) -> tuple[Pairs, list[etree._Element], list[etree._Element]]:
    """Match the children of two elements in order, equal ones left out; return pairs, removed and added ones."""
    left = [child for child in a if not is_unread(child)]
    right = [child for child in b if not is_unread(child)]
    pairs: Pairs = []
    gone: list[etree._Element] = []
    come: list[etree._Element] = []
    for one, two in _gaps(left, right, [old.whole[e] for e in left], [new.whole[e] for e in right]):
        for key in _KEYS:
            if not one or not two:
                break
            matched = _in_order(one, two, [key(e, old) for e in one], [key(e, new) for e in two])
            pairs += matched
            taken = {id(e) for pair in matched for e in pair}
            one, two = [e for e in one if id(e) not in taken], [e for e in two if id(e) not in taken]
        gone += one
        come += two
    return pairs, gone, come


def _gaps(
    left: list[etree._Element], right: list[etree._Element], keys: Sequence[Hashable], others: Sequence[Hashable]
) -> list[tuple[list[etree._Element], list[etree._Element]]]:
    """Return what lies between the runs of equal elements."""
    found = []
    i = j = 0
    for x, y, size in _runs(keys, others):
        if x > i or y > j:
            found.append((left[i:x], right[j:y]))
        i, j = x + size, y + size
    if i < len(left) or j < len(right):
        found.append((left[i:], right[j:]))
    return found


def _in_order(
    left: list[etree._Element], right: list[etree._Element], keys: Sequence[Hashable], others: Sequence[Hashable]
) -> Pairs:
    return [(left[x + n], right[y + n]) for x, y, size in _runs(keys, others) for n in range(size)]


def _runs(keys: Sequence[Hashable], others: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Return the runs of equal keys in order; of long lists only those at the beginning and at the end."""
    head = 0
    while head < min(len(keys), len(others)) and keys[head] == others[head]:
        head += 1
    tail = 0
    while tail < min(len(keys), len(others)) - head and keys[-1 - tail] == others[-1 - tail]:
        tail += 1
    runs = [(0, 0, head)] if head else []
    middle, inner = keys[head : len(keys) - tail], others[head : len(others) - tail]
    if middle and inner and len(middle) * len(inner) <= MOST_SIBLINGS**2:
        blocks = SequenceMatcher(None, middle, inner, autojunk=False).get_matching_blocks()
        runs += [(head + block.a, head + block.b, block.size) for block in blocks if block.size]
    if tail:
        runs.append((len(keys) - tail, len(others) - tail, tail))
    return runs


def _find_moved(found: Matching, old: Hashed, new: Hashed) -> None:
    """Pair removed with added elements that are equal: they were moved."""
    places = defaultdict(list)
    for element in found.removed:
        places[old.whole[element]].append(element)
    kept = []
    for element in found.added:
        same = places.get(new.whole[element])
        if same and old.words[same[-1]]:
            found.moved.append((same.pop(), element))
        else:
            kept.append(element)
    gone = {id(a) for a, _ in found.moved}
    found.removed, found.added = [e for e in found.removed if id(e) not in gone], kept
