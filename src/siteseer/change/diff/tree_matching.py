"""Matches the elements of two trees: equal subtrees first, then equal labels, then equal words (tree diff).

Reference: the edit scripts on trees of the thesis of Oita, section 1.2.2. Differs: subtrees are compared by hash, so
that unchanged ones are never entered; an element that was only moved is told from one that is new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from lxml import etree

from siteseer.page.text import UNREAD

MOST_SIBLINGS = 400
"""Longer lists of unlike children are matched by their hashes alone."""
IGNORED = frozenset(("nonce", "integrity", "csrf", "data-reactid"))
"""Attributes that are new on every request."""
LEAST_MOVED = 20
"""Letters of a text that is followed to another place; shorter ones recur by chance."""


@dataclass(slots=True)
class HashedTree:
    """A tree with the hash of every subtree: of everything in it, and of its words alone."""

    root: etree._Element
    whole: dict[etree._Element, int] = field(default_factory=dict)
    words: dict[etree._Element, int] = field(default_factory=dict)
    sizes: dict[etree._Element, int] = field(default_factory=dict)
    letters: dict[etree._Element, int] = field(default_factory=dict)
    """How many letters the words have."""


def hash_tree(root: etree._Element) -> HashedTree:
    """Hash every subtree from the leaves up; scripts and comments count for nothing."""
    found = HashedTree(root)
    waiting: list[_Open] = [([], [], 0, 0)]
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            waiting.append(([], [], 1, 0))
            if is_unread(element):
                walk.skip_subtree()
            continue
        parts, words, size, letters = waiting.pop()
        if is_unread(element):
            _tail(waiting, element)
            continue
        own = collapse_spaces(element.text)
        whole = hash((element.tag, tuple(attributes(element).items()), own, *parts))
        spoken = hash((own, *words)) if own or words else 0
        letters += len(own)
        found.whole[element], found.words[element], found.sizes[element] = whole, spoken, size
        found.letters[element] = letters
        above = waiting[-1]
        above[0].append(whole)
        if spoken:
            above[1].append(spoken)
        waiting[-1] = (above[0], above[1], above[2] + size, above[3] + letters)
        _tail(waiting, element)
    return found


_Open = tuple[list[object], list[object], int, int]
"""An element that is being hashed: the hashes of its parts and of its words, its size, its letters."""


def _tail(waiting: list[_Open], element: etree._Element) -> None:
    if (tail := collapse_spaces(element.tail)) and waiting:
        parts, words, size, letters = waiting[-1]
        parts.append(tail)
        words.append(tail)
        waiting[-1] = (parts, words, size, letters + len(tail))


def is_unread(element: etree._Element) -> bool:
    """Say whether an element holds nothing that people read: scripts, styles, the head."""
    return not isinstance(element.tag, str) or element.tag in UNREAD or element.tag == "iframe"


def collapse_spaces(text: str | None) -> str:
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
    return collapse_spaces("".join(pieces))


@dataclass(slots=True)
class Matching:
    """The result: pairs that differ themselves, pairs that were moved, and elements without a partner."""

    changed: list[tuple[etree._Element, etree._Element]] = field(default_factory=list)
    moved: list[tuple[etree._Element, etree._Element]] = field(default_factory=list)
    removed: list[etree._Element] = field(default_factory=list)
    added: list[etree._Element] = field(default_factory=list)


def match(old: HashedTree, new: HashedTree) -> Matching:
    """Match two trees from their roots down."""
    found = Matching()
    waiting = [(old.root, new.root)]
    elsewhere = _Elsewhere(old, new)
    while waiting:
        a, b = waiting.pop()
        if old.whole.get(a) == new.whole.get(b):
            continue
        if a.tag != b.tag or attributes(a) != attributes(b) or own_text(a) != own_text(b):
            found.changed.append((a, b))
        pairs, gone, come = _children(a, b, old, new, elsewhere)
        waiting += pairs
        found.removed += gone
        found.added += come
    _find_moved(found, old, new)
    return found


Pairs = list[tuple[etree._Element, etree._Element]]
Key = Callable[[etree._Element, HashedTree], Hashable]


def _by_words(element: etree._Element, tree: HashedTree) -> Hashable:
    """Equal words in another element are a change of type or attributes, not of content."""
    return tree.words[element] or id(element)


def _by_label(element: etree._Element, tree: HashedTree) -> Hashable:
    return element.tag, element.get("id"), element.get("class")


def _by_tag(element: etree._Element, tree: HashedTree) -> Hashable:
    return element.tag


_KEYS: tuple[Key, ...] = (_by_words, _by_label, _by_tag)


class _Elsewhere:
    """Knows which texts both pages have equally often: these were moved at most, and are not paired by their label."""

    def __init__(self, old: HashedTree, new: HashedTree) -> None:
        self._trees = old, new
        before, after = Counter(old.words.values()), Counter(new.words.values())
        self._words = frozenset(words for words, count in before.items() if after[words] == count)

    def split(self, elements: list[etree._Element], side: int) -> tuple[list[etree._Element], list[etree._Element]]:
        """Divide elements into those whose whole text the other page also has, and the others."""
        tree = self._trees[side]
        has = [tree.letters[e] >= LEAST_MOVED and tree.words[e] in self._words for e in elements]
        return [e for e, yes in zip(elements, has, strict=True) if yes], [
            e for e, yes in zip(elements, has, strict=True) if not yes
        ]


def _children(
    a: etree._Element, b: etree._Element, old: HashedTree, new: HashedTree, elsewhere: _Elsewhere
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
            if key is _by_label:
                away, one = elsewhere.split(one, 0)
                arrived, two = elsewhere.split(two, 1)
                gone += away
                come += arrived
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


def _find_moved(found: Matching, old: HashedTree, new: HashedTree) -> None:
    """Pair removed with added elements that are equal, or say the same at some length: they were moved."""
    _pair_equal(found, (old.whole, new.whole), (old, new), 1)
    _pair_equal(found, (old.words, new.words), (old, new), LEAST_MOVED)


Keys = dict[etree._Element, int]


def _pair_equal(found: Matching, keys: tuple[Keys, Keys], trees: tuple[HashedTree, HashedTree], least: int) -> None:
    """Pair removed with added elements of the same key and of that many letters."""
    places = defaultdict(list)
    for element in found.removed:
        if trees[0].letters[element] >= least:
            places[keys[0][element]].append(element)
    kept = []
    for element in found.added:
        if trees[1].letters[element] >= least and (same := places.get(keys[1][element])):
            found.moved.append((same.pop(), element))
        else:
            kept.append(element)
    gone = {id(a) for a, _ in found.moved}
    found.removed, found.added = [e for e in found.removed if id(e) not in gone], kept
