"""Classifies the text blocks of a site's pages as article or not: two passes of the model, then agreement with rules.

The rules are those that turn FOREST into an extractor; where they choose nearly the same blocks as the model, they
refine its choice; elsewhere they are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.block_arrays import BlockArrays, Floats
from siteseer.extract.article.block_features import COLUMN, features
from siteseer.extract.article.block_models import Model
from siteseer.extract.article.cross_page_features import Compared, compare, sibling_features
from siteseer.extract.article.neighbour_features import CLIP, context_features

Mask = NDArray[np.bool_]
THRESHOLD = 0.2
"""The logit above which a block is kept; between 0 and 0.4 nothing changes much."""
AGREEMENT, REFINED = 0.9, 1.0
LEAST_TOKENS, PROSE_BLOCK, SLACK = 40, 8, 2.0
"""If fewer tokens than this are kept, everything within the slack of the best block is."""
SHARE_INSIDE = 0.95
"""The article's element holds this share of its text."""
LINKED = 0.4
KNOWN = 0.8
_FURNITURE = ("a_comment", "a_related", "a_share", "a_caption", "o_byline")


@dataclass(slots=True)
class ClassifiedBlocks:
    """The classification of a page's blocks."""

    page: BlockArrays
    logits: Floats
    kept: Mask
    """Which blocks are the article; the headline is kept apart."""
    by_rules: Mask
    compared: Compared

    @property
    def agreement(self) -> float:
        """How far model and rules choose the same text, from 0 to 1."""
        return agreement(self.page, self.kept, self.by_rules)

    @property
    def element(self) -> int:
        """The smallest element that holds nearly all that is kept; -1 where nothing is."""
        kept = self.page.within(self.page.lengths * self.kept)
        return int(np.flatnonzero(kept >= SHARE_INSIDE * kept[0])[-1]) if len(kept) and kept[0] else -1


def classify_blocks(pages: Sequence[BlockArrays], model: Model) -> list[ClassifiedBlocks]:
    """Classify the blocks of pages that are likely of one site."""
    seen = [features(page) for page in pages]
    logits = [np.clip(model.first(matrix), -CLIP, CLIP) for matrix, _ in seen]
    compared = compare(pages)
    contexts = [context_features(page, matrix, own) for page, (matrix, _), own in zip(pages, seen, logits, strict=True)]
    beside = sibling_features(pages, logits, compared) if len(pages) > 1 else []
    verdicts = []
    for number, (page, told) in enumerate(zip(pages, compared, strict=True)):
        matrix, best = seen[number]
        if told.has_siblings:
            second = model.together(np.hstack([contexts[number], beside[number]]))
        else:
            second = model.alone(contexts[number])
        by_rules = rules(page, matrix, told, best)
        refined = refine(page, second, by_rules)
        verdicts.append(ClassifiedBlocks(page, refined, keep(page, refined), by_rules, told))
    return verdicts


def rules(page: BlockArrays, matrix: Floats, told: Compared, best: int) -> Mask:
    """Return the choice of plain rules: inside FOREST's element, not repeated, few links, no comment or caption."""
    order = np.arange(len(page.blocks))
    node = told.forest if told.forest >= 0 and told.has_siblings else best
    if not len(order):
        return np.zeros(0, bool)
    chosen = (order >= page.starts[node]) & (order < page.ends[node]) & (page.density < LINKED)
    chosen &= (told.repeated == 0) & (told.known <= KNOWN)
    chosen &= matrix[:, [COLUMN[name] for name in _FURNITURE]].sum(axis=1) == 0
    return np.asarray(chosen, np.bool_)


def agreement(page: BlockArrays, one: Mask, other: Mask) -> float:
    """Return Dice's coefficient of two choices, by tokens."""
    both = 2 * float(page.lengths[one & other].sum())
    total = float(page.lengths[one].sum() + page.lengths[other].sum())
    return both / total if total else 0.0


def refine(page: BlockArrays, logits: Floats, by_rules: Mask) -> Floats:
    """Let the rules move the logits of a page on which they nearly agree with the model."""
    if agreement(page, logits > THRESHOLD, by_rules) < AGREEMENT:
        return logits
    return logits + np.where(by_rules, REFINED, -REFINED)


def keep(page: BlockArrays, logits: Floats) -> Mask:
    """Return the blocks that are kept, the headline aside; never nothing where there is prose."""
    order = np.arange(len(logits))
    kept = (logits > THRESHOLD) & (order != page.title)
    if page.lengths[kept].sum() >= LEAST_TOKENS:
        return np.asarray(kept, np.bool_)
    prose = page.lengths >= PROSE_BLOCK
    highest = float(logits[prose].max()) if prose.any() else 0.0
    return np.asarray((logits > min(THRESHOLD, highest - SLACK)) & (order != page.title), np.bool_)
