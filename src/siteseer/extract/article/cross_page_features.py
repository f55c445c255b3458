"""Computes what each text block has in common with other pages of the site, to recognise repeated template text.

Near-duplicates of a page are not compared with it: a second copy would make the article look like part of the template.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from siteseer.extract.article.block_arrays import BlockArrays, Floats, spans
from siteseer.extract.article.block_features import stacked
from siteseer.extract.article.forest.forest_on_blocks import forest_elements
from siteseer.extract.article.token_features import Codes, among, distinct, distinct_counts, grams, mixed

SIBLING_FEATURES = "rep reprare rep3 rep3h replogn sigrep do_sig do_ssig do_par forest noforest sgd".split()
_LONG_BLOCK, _FEW_LINKS = 15, 0.3
_SAME_SHARE, _SAME_TOKENS = 0.7, 60
Logits = Sequence[Floats]


@dataclass(slots=True)
class Compared:
    """The comparison of a page's blocks with the other pages."""

    has_siblings: bool
    repeated: Floats
    """Share of siblings that hold the block too, numbers aside."""
    known: Floats
    """Share of the block's 3-grams that stand on any sibling."""
    usual: Floats
    """Share of its 3-grams that stand on at least half the siblings."""
    forest: int
    """The element that FOREST chose; -1 if none."""
    signified: Floats
    """Share of signifiers among the words."""


def compare(pages: Sequence[BlockArrays]) -> list[Compared]:
    """Compare each page with the others."""
    if len(pages) < 2:
        return [_unknown(page) for page in pages]
    copies = _copies(pages)
    chosen = forest_elements(pages)
    texts = [distinct(page.patterns) for page in pages]
    shingles = [grams(page.hashes, 3) for page in pages]
    kinds = [distinct(found) for found in shingles]
    on_pages, spread = _spread([page.patterns for page in pages], texts), _spread(shingles, kinds)
    made = []
    for number, page in enumerate(pages):
        twins = copies[number]
        others = len(pages) - 1 - len(twins)
        node, share = chosen[number]
        if others <= 0:
            made.append(replace(_unknown(page), forest=node, signified=share))
            continue
        repeated, on = on_pages[number], spread[number]
        for twin in twins:
            repeated = repeated - among(page.patterns, texts[twin])
            on = on - among(shingles[number], kinds[twin])
        last = np.maximum(page.offsets[1:] - 2, page.offsets[:-1])
        own = np.maximum(1, page.lengths - 2)
        known = spans(on > 0, page.offsets[:-1], last) / own
        usual = spans(on >= max(1.0, others / 2), page.offsets[:-1], last) / own
        made.append(Compared(True, repeated / others, known, usual, node, share))
    return made


def _spread(values: Sequence[Codes], kinds: Sequence[Codes]) -> list[Floats]:
    """Return, for each page, on how many other pages its values stand; `kinds` are the distinct ones of each page."""
    every, counted = distinct_counts(np.concatenate(kinds))
    others = counted.astype(np.float64) - 1
    return [others[np.searchsorted(every, own)] if len(own) else np.zeros(0) for own in values]


def _unknown(page: BlockArrays) -> Compared:
    """Return what is known of a page without siblings."""
    nothing = np.zeros(len(page.blocks))
    return Compared(False, nothing, nothing, nothing, -1, nothing)


def _copies(pages: Sequence[BlockArrays]) -> list[set[int]]:
    """Return, for each page, the numbers of its near-duplicates: most of their long blocks are the same."""
    longs = [
        dict(zip(page.texts[is_long].tolist(), page.lengths[is_long].tolist(), strict=True))
        for page in pages
        for is_long in [(page.lengths >= _LONG_BLOCK) & (page.density < _FEW_LINKS)]
    ]
    holders: dict[int, list[int]] = defaultdict(list)
    for number, found in enumerate(longs):
        for text in found:
            holders[text].append(number)
    common: dict[tuple[int, int], float] = defaultdict(float)
    for text, numbers in holders.items():
        if 1 < len(numbers) <= 50:
            length = longs[numbers[0]][text]
            for place, one in enumerate(numbers):
                for other in numbers[place + 1 :]:
                    common[one, other] += length
    totals = [sum(found.values()) for found in longs]
    copies: list[set[int]] = [set() for _ in pages]
    for (one, other), tokens in common.items():
        if tokens > _SAME_TOKENS and tokens > _SAME_SHARE * min(totals[one], totals[other]):
            copies[one].add(other)
            copies[other].add(one)
    return copies


def sibling_features(pages: Sequence[BlockArrays], logits: Logits, compared: Sequence[Compared]) -> list[Floats]:
    """Return the columns of `SIBLING_FEATURES` for each page: 0 wherever the other pages show nothing."""
    elsewhere = [
        _elsewhere(pages, logits, [page.places[page.nodes] for page in pages]),
        _elsewhere(pages, logits, [mixed(page.names, page.names[page.parents])[page.nodes] for page in pages]),
        _elsewhere(pages, logits, [page.places[page.parents[page.nodes]] for page in pages]),
    ]
    made = []
    for number, (page, told) in enumerate(zip(pages, compared, strict=True)):
        order = np.arange(len(page.blocks))
        if not len(order):
            made.append(np.zeros((0, len(SIBLING_FEATURES))))
            continue
        inside = np.zeros(len(order), bool)
        if told.forest >= 0:
            inside = (order >= page.starts[told.forest]) & (order < page.ends[told.forest])
        columns = [
            told.repeated, (told.repeated > 0) & (told.repeated < 0.3), told.known, told.usual,
            told.repeated * np.log1p(page.lengths), _by_signature(page, told.known),
            *(found[number] for found in elsewhere), inside, ~inside & (told.forest >= 0),
            np.minimum(1.0, 5 * told.signified),
        ]  # fmt: skip
        made.append(stacked([np.asarray(column, np.float64) for column in columns], len(order)))
    return made


def _by_signature(page: BlockArrays, values: Floats) -> Floats:
    """Return the mean by token of a value over the blocks with the same signature."""
    tokens = np.bincount(page.kinds, page.lengths)
    means: Floats = (np.bincount(page.kinds, page.lengths * values) / np.maximum(1, tokens))[page.kinds]
    return means


def _elsewhere(pages: Sequence[BlockArrays], logits: Logits, places: Sequence[Codes]) -> list[Floats]:
    """Return, for each block, the mean logit of the same place on other pages minus its own; 0 where there is none."""
    every = distinct(np.concatenate(places))
    ids = [np.searchsorted(every, own) for own in places]
    weights = [np.minimum(page.lengths, 40) + 1 for page in pages]
    sums = [np.bincount(own, w * values, len(every)) for own, w, values in zip(ids, weights, logits, strict=True)]
    totals = [np.bincount(own, w, len(every)) for own, w in zip(ids, weights, strict=True)]
    all_sums, all_totals = np.sum(sums, axis=0), np.sum(totals, axis=0)
    found = []
    for own, values, here, weight in zip(ids, logits, sums, totals, strict=True):
        left = (all_totals - weight)[own]
        means = (all_sums - here)[own] / np.where(left > 0.5, left, 1.0)
        found.append(np.where(left > 0.5, means - values, 0.0))
    return found
