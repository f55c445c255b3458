"""A verdict in, how far it can be trusted out: the F1 that pages judged like this one reached in training."""

from __future__ import annotations

import numpy as np

from siteseer.extract.article.judge import LEAST_TOKENS, PROSE_BLOCK, Verdict
from siteseer.extract.article.measured import Floats
from siteseer.extract.article.model import shipped

CERTAIN = 0.95


def signs(verdict: Verdict) -> Floats:
    """Return how sure the model is, how far the rules agree, how much is kept, what share of the prose that is."""
    page = verdict.page
    prose = page.lengths >= PROSE_BLOCK
    tokens = page.lengths * prose
    sure = np.abs(2 / (1 + np.exp(-verdict.logits)) - 1)
    kept = float(page.lengths[verdict.kept].sum())
    total = float(tokens.sum())
    return np.array([
        float((sure * tokens).sum()) / total if total else 0.0,
        verdict.agreement,
        min(1.0, np.log1p(kept) / 7),
        min(1.0, kept / total) if total else 0.0,
    ])  # fmt: skip


def confidence(verdict: Verdict, certain: bool = False) -> float:
    """Return the expected F1; `certain` says that knowledge of the software chose the text."""
    kept = float(verdict.page.lengths[verdict.kept].sum())
    if not kept:
        return 0.0
    expected = 1 / (1 + np.exp(-float(shipped().confidence(signs(verdict)[None, :])[0])))
    value = max(expected, CERTAIN) if certain else expected * min(1.0, kept / LEAST_TOKENS)
    return round(float(value), 3)
