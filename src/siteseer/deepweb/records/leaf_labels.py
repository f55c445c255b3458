"""Learns how the leaves of records are read: which texts are labels, which runs are several values.

A label is part of the text ("Author: Ann"), or the leaf before it (`dt`, `th`, "Author:"), or the header of a table's
column.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from siteseer.deepweb.records.composed_values import Composition, compositions, split_at
from siteseer.deepweb.records.record_leaves import Leaf
from siteseer.deepweb.records.value_types import fold, type_of

MOST = 0.8
SEPARATORS = (" · ", " | ", " • ", " — ", " – ", " ‧ ", " // ")
LONGEST_LABEL = 40
BESIDE = "|beside"
"""The end of the key of a date or price that stands beside a name."""
PREPOSITIONS = frozenset("by from in on at since von aus vom par di da por av af door autor author".split())
"""Words before all values of an attribute that belong to the template: "by Ann Lee"."""
_INLINE = re.compile(r"^([^\W\d_][^:：]{0,39})[:：]\s+(\S.{0,3999})$", re.DOTALL)
_PLACE = re.compile(r":\d+(?=/|$)")
_CELL = re.compile(r"^td(?:\.[^/:]+)?(?::(\d{1,9}))?(?:/|$)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A value with its position and label."""

    key: str
    text: str
    label: str = ""
    link: str = ""
    telling: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the values of a list's records; learned from many of them."""

    headings: tuple[str, ...] = ()
    """The heads of a table's columns."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Path to the label that stands before it in most records."""
    separators: Mapping[str, str] = field(default_factory=dict)
    joined: Mapping[str, str] = field(default_factory=dict)
    """Keys that are one and the same attribute, of which a record may have several."""
    terms: frozenset[str] = frozenset()
    """Kinds of leaves that are labels: the same few texts in every record."""
    composed: Mapping[str, Composition] = field(default_factory=dict)
    """Keys whose texts are a name and a date, or a name and a price."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Words with which all values of a key begin and which say nothing: "by", "Year"."""

    def read(self, leaves: Sequence[Leaf]) -> list[Piece]:
        """Return the values of a record."""
        found: list[Piece] = []
        for leaf, label, text in _labelled(leaves, self.terms):
            for piece in self._single(leaf, label, text):
                key = self.joined.get(piece.key, piece.key)
                prefix = self.prefixes.get(key, "")
                shown = piece.text.removeprefix(prefix).strip() if prefix else piece.text
                about = "" if piece.key.endswith(BESIDE) else self._heading(leaf) or self.before.get(leaf.path, "")
                said = piece.label or about or prefix.strip(" :")
                if shown:
                    found.append(Piece(key, shown, said, piece.link, piece.telling))
        return found

    def _single(self, leaf: Leaf, label: str, text: str) -> Iterable[Piece]:
        """Yield the values of a leaf, each of one kind."""
        for piece in self._apart(leaf, label, text):
            how = self.composed.get(piece.key)
            name, *value = split_at(piece.text, how) if how is not None else (piece.text,)
            yield replace(piece, text=name)
            yield from (Piece(piece.key + BESIDE, one) for one in value)

    def _apart(self, leaf: Leaf, label: str, text: str) -> list[Piece]:
        key = f"{leaf.kind} {fold(label)}" if label else leaf.path
        separator = self.separators.get(key)
        if separator is None or separator not in text:
            return [Piece(key, text, label, leaf.link, leaf.telling)]
        parts = [part.strip() for part in text.split(separator)]
        first = Piece(key, parts[0], label, leaf.link, leaf.telling)
        return [first, *(_inline(Piece(f"{key}|{at}", part, "", leaf.link)) for at, part in enumerate(parts) if at)]

    def _heading(self, leaf: Leaf) -> str:
        cell = _CELL.match(leaf.path)
        place = int(cell[1] or 0) if cell else -1
        return self.headings[place] if 0 <= place < len(self.headings) else ""


def _labelled(leaves: Sequence[Leaf], terms: Collection[str] = ()) -> Iterable[tuple[Leaf, str, str]]:
    """Yield the leaves that say something with their labels: `dt`, `th`, `terms`, and what ends in a colon."""
    waiting = ""
    for leaf in leaves:
        text = leaf.text
        is_term = leaf.kind in terms or leaf.kind.rpartition("/")[2].partition(".")[0] in ("dt", "th")
        if len(text) <= LONGEST_LABEL and (text.rstrip().endswith((":", "：")) or is_term):
            waiting = text.rstrip(" :：")
            continue
        if waiting:
            yield leaf, waiting, text
            if leaf.kind.rpartition("/")[2].partition(".")[0] not in ("a", "li", "dd"):
                waiting = ""
        elif inline := _INLINE.match(text):
            yield leaf, inline[1].strip(), inline[2].strip()
        else:
            yield leaf, "", text


def _inline(piece: Piece) -> Piece:
    """Return a part of a text with its label, where it has one of its own."""
    found = _INLINE.match(piece.text)
    if found is None:
        return piece
    return Piece(f"{piece.key.partition('|')[0]} {fold(found[1])}", found[2].strip(), found[1].strip(), piece.link)


# ── learning ───────────────────────────────────────────────────────────────────────────────────────────────────────


def learn_reader(records: Sequence[Sequence[Leaf]], headings: Sequence[str] = ()) -> Reader:
    """Return how records with these leaves are read.

    >>> def record(*texts): return [Leaf("p" if not at else f"p:{at}", "p", text) for at, text in enumerate(texts)]
    >>> reader = learn_reader([record("Tea", "Year: 1901 · £ 3"), record("Rye", "Year: 1933 · £ 4")])
    >>> [(piece.label, piece.text) for piece in reader.read(record("Oak", "Year: 2001 · £ 5"))]
    [('', 'Oak'), ('Year', '2001'), ('', '£ 5')]
    """
    terms = _terms(records)
    reader = Reader(tuple(headings), _before(records), _separators(records, terms), terms=terms)
    reader = replace(reader, composed=compositions(_texts([reader.read(leaves) for leaves in records])))
    reader = replace(reader, joined=_joined([reader.read(leaves) for leaves in records]))
    return replace(reader, prefixes=_prefixes([reader.read(leaves) for leaves in records]))


def _texts(read: Sequence[Sequence[Piece]]) -> dict[str, list[str]]:
    """Return the texts of each key."""
    found: dict[str, list[str]] = defaultdict(list)
    for pieces in read:
        for piece in pieces:
            found[piece.key].append(piece.text)
    return found


def _terms(records: Sequence[Sequence[Leaf]]) -> frozenset[str]:
    """Return the kinds of leaves that are labels: a record has several of them, and no record has many others."""
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    most: Counter[str] = Counter()
    for leaves in records:
        own: dict[str, set[str]] = defaultdict(set)
        for leaf in leaves[:-1]:
            own[leaf.kind].add(leaf.text)
        for kind, said in own.items():
            texts[kind].update(said)
            most[kind] = max(most[kind], len(said))
    return frozenset(
        kind
        for kind, counts in texts.items()
        if most[kind] > 1
        and len(counts) <= most[kind] + 1
        and min(counts.values()) >= max(2, 0.1 * len(records))
        and all(len(text) <= LONGEST_LABEL and any(map(str.isalpha, text)) for text in counts)
        and _leads(records, kind)
    )


def _leads(records: Sequence[Sequence[Leaf]], kind: str) -> bool:
    """Say whether something of another kind, and not always the same, follows the leaves of a kind."""
    after: dict[str, set[str]] = defaultdict(set)
    for leaves in records:
        for one, following in pairwise(leaves):
            if one.kind == kind:
                if following.kind == kind:
                    return False
                after[one.text].add(following.text)
    return any(len(texts) > 1 for texts in after.values())


def _before(records: Sequence[Sequence[Leaf]]) -> dict[str, str]:
    """Return the constant texts that stand right before a path in most records: labels without a colon."""
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    shown: Counter[str] = Counter()
    spread = Counter(text for leaves in records for text in {leaf.text for leaf in leaves})
    for leaves in records:
        for previous, leaf in pairwise(leaves):
            shown[leaf.path] += 1
            if len(previous.text) <= LONGEST_LABEL and any(map(str.isalpha, previous.text)):
                texts[leaf.path][previous.text] += 1
    found = {}
    for path, counts in texts.items():
        text, count = counts.most_common(1)[0]
        if len(records) > 2 and count >= MOST * shown[path] and spread[text] >= 0.5 * len(records):
            found[path] = text.rstrip(" :")
    return found


def _separators(records: Sequence[Sequence[Leaf]], terms: Collection[str]) -> dict[str, str]:
    """Return the keys whose texts are mostly several values in a row, with what stands between them."""
    texts: dict[str, list[str]] = defaultdict(list)
    for leaves in records:
        for leaf, label, text in _labelled(leaves, terms):
            texts[f"{leaf.kind} {fold(label)}" if label else leaf.path].append(text)
    return {
        key: separator
        for key, known in texts.items()
        for separator in SEPARATORS
        if sum(separator in text for text in known) >= MOST * len(known) and len(known) > 1
    }


def _joined(read: Sequence[Sequence[Piece]]) -> dict[str, str]:
    """Return the keys that only differ by a number and hold the same kind of thing, as lists of authors do."""
    values: dict[str, set[str]] = defaultdict(set)
    has: dict[str, set[int]] = defaultdict(set)
    for number, pieces in enumerate(read):
        for piece in pieces:
            values[piece.key].add(piece.text)
            has[piece.key].add(number)
    kinds: dict[str, list[str]] = defaultdict(list)
    for key in values:
        kinds[_PLACE.sub("", key)].append(key)
    found: dict[str, str] = {}
    for keys in kinds.values():
        first, *others = sorted(keys, key=lambda key: (-len(has[key]), len(key), key))
        for key in others:
            shared = len(values[first] & values[key]) / min(len(values[first]), len(values[key]))
            is_further = has[key] < has[first]
            if is_further and shared >= 0.1 and type_of(values[key]) == type_of(values[first]):
                found[key] = first
    return found


def _prefixes(read: Sequence[Sequence[Piece]]) -> dict[str, str]:
    """Return the first words that (nearly) all values of a key share and that belong to the template."""
    values: dict[str, set[str]] = defaultdict(set)
    for pieces in read:
        for piece in pieces:
            values[piece.key].add(piece.text)
    found = {}
    for key, texts in values.items():
        first = Counter(text.split(" ", 1)[0] for text in texts if " " in text)
        word, count = first.most_common(1)[0] if first else ("", 0)
        if count < len(texts) or len(texts) < 4 or not any(map(str.isalpha, word)):
            continue
        rest = type_of(text.removeprefix(word).strip() for text in texts)
        if word.lower() in PREPOSITIONS or (rest != "text" and word.isalpha() and len(word) > 3):
            found[key] = word + " "
    return found
