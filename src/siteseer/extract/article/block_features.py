"""Computes the features of each text block from the block itself and its page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.block_arrays import BlockArrays, Floats, Whole, spans
from siteseer.extract.article.element_appearance import TAG_NUMBER, TAGS
from siteseer.extract.article.element_flags import BIT, NAMES
from siteseer.extract.article.runs_of_text import PHRASES
from siteseer.extract.article.token_features import HASH_MASK, Codes, among, codes, distinct, grams
from siteseer.extract.article.unspaced_scripts import tokens_of

_TAG_NAMES = ("p", "li", "h1", "h2", "h3", "td", "div", "bq", "cap", "oth")
_COUNTED_AS = {
    "p": "p", "li": "li", "dd": "li", "dt": "li", "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h3", "h5": "h3",
    "h6": "h3", "td": "td", "th": "td", "div": "div", "blockquote": "bq", "pre": "bq", "figcaption": "cap",
}  # fmt: skip
_TAG_COLUMNS = np.array([[_COUNTED_AS.get(tag, "oth") == name for tag in TAGS] for name in _TAG_NAMES], np.float64)
_PHRASE_LENGTH = np.array([[30], [80], [25], [25]])
"""A set phrase counts only in blocks shorter than this, by kind."""
_PHRASE_BITS = np.arange(len(PHRASES), dtype=np.uint8)[:, None]


def _table(tags: str) -> NDArray[np.bool_]:
    return np.isin(np.arange(len(TAGS)), [TAG_NUMBER[tag] for tag in tags.split()])


_HELD_BY_PARENT = _table("p li h1 h2 h3 h4")
"""The flags of such an element are those of what it lies in."""
_INSIDE_CONTAINER = _table("p blockquote pre li h2 h3")
"""The article's element is above these."""
_PLACES = np.arange(len(NAMES))[:, None]
_BODY = BIT["bodycls"] | BIT["itembody"]
_ASIDE = BIT["comment"] | BIT["side"] | BIT["foot"]
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
    tags = page.tags[page.nodes]
    containers = _above(page, tags, _INSIDE_CONTAINER)
    tokens, linked = page.within(page.lengths), page.within(page.lengths * page.density)
    link_density = linked / np.maximum(1.0, tokens)
    best, scores = _best_element(page, containers, link_density)
    columns = [
        *_shape(page), _phrases(page), *_repeated(page), _TAG_COLUMNS[:, tags].ravel(), _flags(page, tags),
        *_place(page), *_claimed(page), *_neighbours(page), *_elements(page, tokens, link_density),
        *_candidate(page, containers, best, scores),
    ]  # fmt: skip
    return stacked(columns, len(page.blocks)), best


def stacked(columns: Sequence[Floats], rows: int) -> Floats:
    """Return columns side by side; those that stand one below the other in one array are taken apart."""
    return np.concatenate(columns).reshape(-1, rows).T


def _shape(page: BlockArrays) -> list[Floats]:
    n, density = page.lengths, page.density
    logn = np.log1p(n)
    stops, commas, ends = page.said[:, 1:].T.astype(np.float64)
    function, lower, capitals, digits = page.looks
    return [
        logn, density, density * logn, function, lower, np.minimum(1.0, 3 * (stops + commas) / n),
        np.minimum(stops, 5) / 5, ends, np.minimum(commas, 5) / 5, capitals, digits, (n <= 4) * 1.0, (n >= 25) * 1.0,
    ]  # fmt: skip


def _phrases(page: BlockArrays) -> Floats:
    said = page.said[:, 0] >> _PHRASE_BITS & 1
    return np.asarray(said * (page.lengths < _PHRASE_LENGTH), np.float64).ravel()


def _repeated(page: BlockArrays) -> list[Floats]:
    """Return the pieces inside links, and whether the same text came before on the page."""
    again = np.ones(len(page.blocks))
    again[np.unique(page.texts, return_index=True)[1]] = 0.0
    return [np.minimum(page.blocks.links, 5) / 5, again * (page.lengths >= 4)]


def _flags(page: BlockArrays, tags: Whole) -> Floats:
    """Return the flags above and the flags around; those around a paragraph are those of its parent."""
    flags = np.concatenate([page.inherited[page.nodes], page.own[_above(page, tags, _HELD_BY_PARENT)]])
    both = (flags >> _PLACES & 1).reshape(len(NAMES), 2, -1).swapaxes(0, 1)
    return both.astype(np.float64).ravel()


def _above(page: BlockArrays, tags: Whole, inner: NDArray[np.bool_]) -> Whole:
    """Return the elements of the blocks, or their parents where the tag is an inner one."""
    return np.where(inner[tags], page.parents[page.nodes], page.nodes)


def _place(page: BlockArrays) -> list[Floats]:
    count = len(page.blocks)
    pos = page.offsets[:-1] / max(1, page.offsets[-1])
    order = np.arange(count)
    after = (order > page.title) * 1.0 if page.title >= 0 else np.zeros(count)
    return [pos, pos**2, after, (order == page.title) * 1.0, page.alike]


def _claimed(page: BlockArrays) -> list[Floats]:
    said = page.claims
    pairs = grams(page.hashes, 2)
    body = tokens_of(said.body) if said.body else []
    has_body = len(body) > _CLAIMED_BODY
    inside = _shared(page, pairs, body) if has_body else np.zeros(len(page.blocks))
    has = np.full(len(page.blocks), float(has_body))
    return [_shared(page, pairs, tokens_of(said.description), True), inside, has, has * (inside < 0.5)]


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
    padded = np.zeros(count + 2 * _WINDOWS[-1] + 1)
    np.cumsum(good, out=padded[_WINDOWS[-1] + 1 : _WINDOWS[-1] + 1 + count])
    padded[_WINDOWS[-1] + 1 + count :] = padded[_WINDOWS[-1] + count]
    order = np.arange(count)
    means = []
    for width in _WINDOWS:
        low, high = _WINDOWS[-1] - width, _WINDOWS[-1] + width + 1
        size = np.minimum(order, width) + np.minimum(count - 1 - order, width) + 1
        means.append(np.log1p((padded[high : high + count] - padded[low : low + count]) / size))
    beside = np.zeros(count + 2)
    beside[1:-1] = np.log1p(good)
    return [*means, beside[:-2], beside[2:]]


def _elements(page: BlockArrays, tokens: Floats, link_density: Floats) -> list[Floats]:
    """Return what signature, parent and grandparent of a block hold."""
    total = max(1.0, float(page.good.sum()))
    by_signature = np.bincount(page.kinds, page.good)[page.kinds]
    count = np.bincount(page.kinds)[page.kinds]
    good = page.within(page.good)
    parent = page.parents[page.nodes]
    grandparent = page.parents[parent]
    return [
        by_signature / total, np.log1p(count), by_signature / np.maximum(1, np.maximum(good[parent], by_signature)),
        good[parent] / total, link_density[parent], good[grandparent] / total, link_density[grandparent],
        page.good / np.maximum(1, tokens[parent]),
    ]  # fmt: skip


def _best_element(page: BlockArrays, containers: Whole, link_density: Floats) -> tuple[int, Floats]:
    """Return the element around most prose, and the scores of all elements: prose counts for those just above it."""
    prose = np.flatnonzero(page.good >= 8)
    holders = containers[prose]
    values = 2 * np.sqrt(page.good[prose])
    nodes, gains = np.concatenate([holders, page.parents[holders]]), np.concatenate([values, values / 2])
    scores = np.bincount(nodes, gains, len(page.parents)) * (1 - link_density)
    scores *= np.where(page.own & _BODY, 1.3, 1.0) * np.where(page.own & _ASIDE, 0.5, 1.0)
    scores *= np.where(page.inherited & BIT["comment"], 0.6, 1.0)
    return int(np.argmax(scores)), scores


def _candidate(page: BlockArrays, containers: Whole, best: int, scores: Floats) -> list[Floats]:
    order = np.arange(len(page.blocks))
    depth = np.minimum(page.blocks.depths[page.nodes], 25) / 25
    if not scores[best]:
        nothing = np.zeros(len(order))
        return [nothing, nothing, nothing, depth, nothing, nothing]
    own = np.log1p(scores[containers]) / math.log(2 + scores[best])
    above = page.parents[best]
    first, last = page.starts[best], page.ends[best]
    inside = (order >= first) & (order < last)
    near = (order >= page.starts[above]) & (order < page.ends[above])
    return [own, inside * 1.0, near * 1.0, depth, (order < first) * 1.0, (order >= last) * 1.0]
