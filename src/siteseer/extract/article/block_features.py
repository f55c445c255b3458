"""Computes the features of each text block from the block itself and its page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from siteseer.extract.article.block_arrays import BlockArrays, Floats, Whole, spans
from siteseer.extract.article.element_flags import BIT, NAMES
from siteseer.extract.article.token_features import (
    CAPITALS,
    DIGITS,
    HASH_MASK,
    LOWER,
    PHRASES,
    Codes,
    among,
    codes,
    distinct,
    grams,
    phrases,
)
from siteseer.page.text import WORD

TAGS = {
    "p": "p", "li": "li", "dd": "li", "dt": "li", "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h3", "h5": "h3",
    "h6": "h3", "td": "td", "th": "td", "div": "div", "blockquote": "bq", "pre": "bq", "figcaption": "cap",
}  # fmt: skip
_TAG_NAMES = ("p", "li", "h1", "h2", "h3", "td", "div", "bq", "cap", "oth")
_TAG_NUMBER = {tag: _TAG_NAMES.index(name) for tag, name in TAGS.items()}
_PHRASE_LENGTH = (30, 80, 25, 25)
"""A set phrase counts only in blocks shorter than this, by kind."""
_HELD_BY_PARENT = frozenset("p li h1 h2 h3 h4".split())
"""The flags of such an element are those of what it lies in."""
_INSIDE_CONTAINER = frozenset("p blockquote pre li h2 h3".split())
"""The article's element is above these."""
_PLACES, _NUMBERS = np.arange(len(NAMES))[:, None], np.arange(len(_TAG_NAMES))[:, None]
_ENDS = frozenset(".!?\"”’')…。」»")
_CLAIMED_BODY = 60
_WINDOWS = (1, 3, 8)

SHAPE = "logn ld ldlogn stop lower punct sent end comma upper digit short long".split()
FEATURES = (
    *SHAPE, *PHRASES, "nlinks", "dupin", *(f"t_{name}" for name in _TAG_NAMES), *(f"a_{name}" for name in NAMES),
    *(f"o_{name}" for name in NAMES), "pos", "pos2", "aftert", "istitle", "titlesim", "descsim", "inab", "hasab",
    "abmiss",
    "w1", "w3", "w8", "prevn", "nextn", "sigshare", "sigcount", "psig", "pshare", "pld", "gshare", "gld", "gain_d",
    "bestc", "inbest", "nearbest", "depth", "beforebest", "afterbest",
)  # fmt: skip
"""The columns of a page's matrix, in order."""
COLUMN = {name: number for number, name in enumerate(FEATURES)}


def features(page: BlockArrays) -> tuple[Floats, int]:
    """Return the feature matrix of a page, a row for each block, and the element that most likely holds the article."""
    if not len(page.blocks):
        return np.zeros((0, len(FEATURES))), 0
    best, scores = _best_element(page)
    tags = [page.blocks.tag(node) for node in page.blocks.nodes]
    columns = [
        *_shape(page), *_phrases(page), _tags_and_flags(page, tags), *_place(page), *_claimed(page),
        *_neighbours(page), *_elements(page), *_candidate(page, tags, best, scores),
    ]  # fmt: skip
    return stacked(columns, len(page.blocks)), best


def stacked(columns: Sequence[Floats], rows: int) -> Floats:
    """Return columns side by side; those that stand one below the other in one array are taken apart."""
    return np.concatenate(columns).reshape(-1, rows).T


def _shape(page: BlockArrays) -> list[Floats]:
    texts, n = page.blocks.texts, page.lengths
    bits = page.words
    logn = np.log1p(n)
    stops = np.array([text.count(".") + text.count("!") + text.count("?") for text in texts], np.float64)
    commas = np.array([text.count(",") for text in texts], np.float64)
    ends = np.array([text[-1] in _ENDS for text in texts], np.float64)
    looks = [page.sums((bits & np.uint64(bit)) > 0) / n for bit in (LOWER, CAPITALS, DIGITS)]
    punct = np.minimum(1.0, 3 * (stops + commas) / n)
    sentences, clauses = np.minimum(stops, 5) / 5, np.minimum(commas, 5) / 5
    return [
        logn, page.density, page.density * logn, page.function, looks[0], punct, sentences, ends, clauses, looks[1],
        looks[2], (n <= 4) * 1.0, (n >= 25) * 1.0,
    ]  # fmt: skip


def _phrases(page: BlockArrays) -> list[Floats]:
    found = np.zeros((len(PHRASES), len(page.blocks)))
    seen: set[str] = set()
    again = np.zeros(len(page.blocks))
    for block, (text, tokens) in enumerate(zip(page.blocks.texts, page.blocks.tokens, strict=True)):
        n = len(tokens)
        if n < 80:
            for kind in phrases(text[:1_000]):
                found[kind, block] = n < _PHRASE_LENGTH[kind]
        if n >= 4:
            low = text.lower()
            again[block] = low in seen
            seen.add(low)
    return [*found, np.minimum(np.array(page.blocks.links), 5) / 5, again]


def _tags_and_flags(page: BlockArrays, tags: list[str]) -> Floats:
    """Return the tags, the flags above and the flags around; the flags around a paragraph are those of its parent."""
    numbers = np.array([_TAG_NUMBER.get(tag, len(_TAG_NAMES) - 1) for tag in tags])
    own = page.own[_above(page, tags, _HELD_BY_PARENT)]
    flags = np.concatenate([page.inherited[page.nodes] >> _PLACES & 1, own >> _PLACES & 1])
    return np.concatenate([numbers == _NUMBERS, flags]).astype(np.float64).ravel()


def _above(page: BlockArrays, tags: list[str], inner: frozenset[str]) -> Whole:
    """Return the elements of the blocks, or their parents where the tag is an inner one."""
    return np.where([tag in inner for tag in tags], page.parents[page.nodes], page.nodes)


def _place(page: BlockArrays) -> list[Floats]:
    count = len(page.blocks)
    pos = page.offsets[:-1] / max(1, page.offsets[-1])
    order = np.arange(count)
    after = (order > page.title) * 1.0 if page.title >= 0 else np.zeros(count)
    return [pos, pos**2, after, (order == page.title) * 1.0, page.alike]


def _claimed(page: BlockArrays) -> list[Floats]:
    said = page.claims
    pairs = grams(page.hashes, 2)
    body = WORD.findall(said.body) if said.body else []
    inside = _shared(page, pairs, body) if len(body) > _CLAIMED_BODY else np.zeros(len(page.blocks))
    has = np.full(len(page.blocks), float(len(body) > _CLAIMED_BODY))
    return [_shared(page, pairs, WORD.findall(said.description), True), inside, has, has * (inside < 0.5)]


def _shared(page: BlockArrays, pairs: Codes, other: list[str], of_smaller: bool = False) -> Floats:
    """Return the share of each block's 2-grams that another text has; of the smaller of the two if so asked."""
    known = distinct(grams(codes(other) & HASH_MASK, 2))
    if not len(known) or not len(pairs):
        return np.zeros(len(page.blocks))
    own = np.maximum(page.lengths - 1, 0)
    last = np.maximum(page.offsets[1:] - 1, page.offsets[:-1])
    hits = spans(among(pairs, known), page.offsets[:-1], last)
    return hits / np.maximum(1, np.minimum(own, len(known)) if of_smaller else own)


def _neighbours(page: BlockArrays) -> list[Floats]:
    good, count = page.good, len(page.blocks)
    order = np.arange(count)
    means = []
    for width in _WINDOWS:
        low, high = np.maximum(order - width, 0), np.minimum(order + width + 1, count)
        means.append(np.log1p(spans(good, low, high) / (high - low)))
    padded = np.log1p(np.concatenate(([0.0], good, [0.0])))
    return [*means, padded[:-2], padded[2:]]


def _elements(page: BlockArrays) -> list[Floats]:
    """Return what signature, parent and grandparent of a block hold."""
    total = max(1.0, float(page.good.sum()))
    by_signature = np.bincount(page.kinds, page.good)[page.kinds]
    count = np.bincount(page.kinds)[page.kinds]
    good, tokens = page.within(page.good), np.maximum(1, page.within(page.lengths))
    linked = page.within(page.lengths * page.density)
    parent = page.parents[page.nodes]
    grandparent = page.parents[parent]
    return [
        by_signature / total, np.log1p(count), by_signature / np.maximum(1, np.maximum(good[parent], by_signature)),
        good[parent] / total, (linked / tokens)[parent], good[grandparent] / total, (linked / tokens)[grandparent],
        page.good / tokens[parent],
    ]  # fmt: skip


def _best_element(page: BlockArrays) -> tuple[int, dict[int, float]]:
    """Return the element around most prose, and the scores of all candidates: prose counts for those just above it."""
    found = page.blocks
    scores: dict[int, float] = {}
    prose = np.flatnonzero(page.good >= 8)
    for block, value in zip(prose.tolist(), (2 * np.sqrt(page.good[prose])).tolist(), strict=True):
        container = found.nodes[block]
        if found.tag(container) in _INSIDE_CONTAINER:
            container = found.parents[container]
        scores[container] = scores.get(container, 0.0) + value
        above = found.parents[container]
        scores[above] = scores.get(above, 0.0) + value / 2
    tokens, linked = page.within(page.lengths), page.within(page.lengths * page.density)
    for node in scores:
        own, above = int(page.own[node]), int(page.inherited[node])
        scores[node] *= 1 - float(linked[node]) / max(1.0, float(tokens[node]))
        scores[node] *= 1.3 if own & (BIT["bodycls"] | BIT["itembody"]) else 1.0
        scores[node] *= 0.5 if own & (BIT["comment"] | BIT["side"] | BIT["foot"]) else 1.0
        scores[node] *= 0.6 if above & BIT["comment"] else 1.0
    return max(scores, key=lambda node: scores[node], default=0), scores


def _candidate(page: BlockArrays, tags: list[str], best: int, scores: dict[int, float]) -> list[Floats]:
    order = np.arange(len(page.blocks))
    depth = np.minimum(np.array(page.blocks.depths)[page.nodes], 25) / 25
    if not scores:
        nothing = np.zeros(len(order))
        return [nothing, nothing, nothing, depth, nothing, nothing]
    by_element = np.zeros(len(page.parents))
    by_element[list(scores)] = list(scores.values())
    own = np.log1p(by_element[_above(page, tags, _INSIDE_CONTAINER)]) / math.log(2 + scores[best])
    above = page.blocks.parents[best]
    first, last = page.starts[best], page.ends[best]
    inside = (order >= first) & (order < last)
    near = (order >= page.starts[above]) & (order < page.ends[above])
    return [own, inside * 1.0, near * 1.0, depth, (order < first) * 1.0, (order >= last) * 1.0]
