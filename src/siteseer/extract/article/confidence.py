"""Estimates the confidence of an extracted article: the expected F1, 0 for a page without an article.

Trained on labelled articles, and on pages without one: lists, and pages for logging in, registering and ordering.
"""

from __future__ import annotations

import re

import numpy as np

from siteseer.extract.article.block_arrays import BlockArrays, Floats
from siteseer.extract.article.block_models import shipped
from siteseer.extract.article.classify_blocks import LEAST_TOKENS, PROSE_BLOCK, ClassifiedBlocks
from siteseer.extract.article.element_appearance import TAG_NUMBER
from siteseer.extract.article.runs_of_text import PHRASES

CERTAIN = 0.95
_HEADINGS = [TAG_NUMBER[tag] for tag in ("h1", "h2", "h3", "h4")]
_PARAGRAPH = 25
"""Words of a block that tells something."""
_FIELDS = ("input", "textarea", "select")
_NO_FIELD = frozenset(("hidden", "submit", "button", "image", "search", "reset"))
_MOST_FIELDS = 10
_BESIDE, _DATE_LINE = 4, 200
"""Blocks on either side of an article's beginning in which its date is looked for, and letters read of each."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DATE = PHRASES.index("date")


def signs(verdict: ClassifiedBlocks) -> Floats:
    """Return the features of the confidence model, in the order of its columns."""
    page = verdict.page
    tokens = page.lengths * (page.lengths >= PROSE_BLOCK)
    sure = np.abs(2 / (1 + np.exp(-verdict.logits)) - 1)
    kept, total, prose = (float(n.sum()) for n in (page.lengths[verdict.kept], page.lengths, tokens))
    return np.array([
        float((sure * tokens).sum()) / prose if prose else 0.0,
        verdict.agreement,
        min(1.0, np.log1p(kept) / 7),
        min(1.0, kept / prose) if prose else 0.0,
        kept / max(1.0, total),
        min(10, int((verdict.kept & (page.lengths >= _PARAGRAPH)).sum())) / 10,
        float(page.title >= 0),
        float(page.claims.is_article),
        *_linked(verdict),
        *_fields(verdict),
        float(_is_dated(verdict)),
        min(1.0, np.log1p(float(page.lengths[verdict.kept].max(initial=0))) / 6),
    ])  # fmt: skip


def _linked(verdict: ClassifiedBlocks) -> tuple[float, float]:
    """Return how many headings are links where the text stands, and what share of the words there is linked."""
    page, node = verdict.page, verdict.element
    if node < 0:
        return 0.0, 0.0
    inside = slice(page.starts[node], page.ends[node])
    linked = float((page.lengths[inside] * page.density[inside]).sum())
    headings = np.isin(page.tags[page.nodes[inside]], _HEADINGS) & (page.density[inside] > 0.5)
    return min(int(headings.sum()), 5) / 5, linked / max(1.0, float(page.lengths[inside].sum()))


def _fields(verdict: ClassifiedBlocks) -> tuple[float, float]:
    """Return how many fields the page wants to have filled, and whether it asks for a password."""
    kinds = ((one.get("type") or "text").lower() for one in verdict.page.blocks.root.iter(*_FIELDS))
    asked = [kind for kind in kinds if kind not in _NO_FIELD]
    return min(len(asked), _MOST_FIELDS) / _MOST_FIELDS, float("password" in asked)


def _is_dated(verdict: ClassifiedBlocks) -> bool:
    """Say whether a date stands about where the text begins, or is told to machines: pages of help have none."""
    page = verdict.page
    if page.claims.published:
        return True
    kept = np.flatnonzero(verdict.kept)
    begins = int(kept[0]) if len(kept) else 0
    top = min(begins, page.title) if page.title >= 0 else begins
    near = range(max(0, top - _BESIDE), min(len(page.blocks), begins + _BESIDE))
    short = [block for block in near if page.lengths[block] < _PARAGRAPH]
    return any(page.said[block, 0] >> _DATE & 1 or _YEAR.search(_line(page, block)) for block in short)


def _line(page: BlockArrays, block: int) -> str:
    return page.blocks.facts[block].text[:_DATE_LINE]


def confidence(verdict: ClassifiedBlocks, certain: bool = False) -> float:
    """Return the expected F1; `certain` says that knowledge of the software chose the text."""
    kept = float(verdict.page.lengths[verdict.kept].sum())
    if not kept:
        return 0.0
    expected = 1 / (1 + np.exp(-float(shipped().confidence(signs(verdict)[None, :])[0])))
    return round(float(max(expected, CERTAIN) if certain else expected * min(1.0, kept / LEAST_TOKENS)), 3)
