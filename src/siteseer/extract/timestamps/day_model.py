"""Estimates a page's day of publication, with a confidence: a conditional logit over the days that the page names.

Every day that occurs is described by boolean features (`date_features`); its score is the sum of their weights; the
answer is the day of the highest score. Where URL, `meta` and JSON-LD agree the page is not even parsed. The weights
are data, made by `training/train_dates.py`, which also says from what.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from siteseer.extract.timestamps.date_features import Row, rows_of
from siteseer.extract.timestamps.page_level_features import MODIFIED, WEAK
from siteseer.extract.timestamps.structured_dates import Found, StatedDay, as_utf8, find_structured, source_of
from siteseer.extract.timestamps.visible_dates import look
from siteseer.model import Page
from siteseer.page.dates.date_context import FIRST_PUBLISHED, DateContext
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.tree import tree

AGREED = "agreed"
"""The evidence of an answer that was had without parsing."""
_GROUPS = (
    frozenset(("meta_pub", "meta_gen")),
    frozenset(("ld_pub", "js_pub")),
    frozenset(("ip_pub", "time_pub_first", "time_pub_near", "time_first", "time_near", "abbr_near")),
    frozenset(("url",)),
    frozenset(("near_s", "above_s", "mid_s")),
)
_STRUCTURED = frozenset(("meta_pub", "ld_pub", "ip_pub", "url"))
_NEAR = frozenset(("near_s", "above_s", "time_near", "time_pub_near"))
_VISIBLE = _NEAR | frozenset("near_l mid_s top_s t_firstshort time_first time_pub_first".split())
_NAMED_SOMEWHERE = frozenset(("cmt", "raw"))
_ASIDE = frozenset(("t_com", "t_N"))
_OF_PAGE = frozenset(
    "latest earliest after_pub uym_no uy_no iym_ok jan1 gt_cyear vis_utc utc_off utc_edge mod_only".split()
)
AGREED_FACTS: Mapping[str, float] = {"constant": 1.0, "agreed": 1.0}
"""What the confidence of an answer depends on that was had without parsing."""
MOST_HEADINGS = 4
_TAG = re.compile(r"<[^>]{0,2000}>")
_HIDDEN = re.compile(r"<(script|style|noscript|svg)\b.{0,20000}?</\1", re.I | re.S)


@dataclass(frozen=True, slots=True)
class Weights:
    """The trained weights: of each feature, and of the confidence."""

    features: Mapping[str, float]
    confidence: Mapping[str, float]
    ceiling: float
    """The highest confidence that was ever borne out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The day of publication according to the page itself; None where it names none."""

    day: date | None
    confidence: float
    evidence: tuple[str, ...] = ()
    modified: date | None = None
    runner_up: date | None = None


@cache
def shipped_weights() -> Weights:
    """Return the weights that come with Siteseer."""
    read = json.loads(files("siteseer.extract.timestamps").joinpath("weights.json").read_text(encoding="utf-8"))
    return Weights(read["features"], read["confidence"], read["ceiling"])


def answer(page: Page, latest: date, weights: Weights | None = None) -> Answer:
    """Return when a page says that it was published; `latest` is the last day possible, that of its capture.

    >>> html_type = (("Content-Type", "text/html"),)
    >>> body = b"<title>Rivers</title><h1>Rivers</h1><p>Posted on 5 May 2015</p><p>Water.</p>"
    >>> answer(Page("http://e.org/rivers", headers=html_type, body=body), date(2020, 1, 1)).day.isoformat()
    '2015-05-05'
    """
    weights = weights or shipped_weights()
    source = source_of(page)
    context = context_of(page)
    found = find_structured(page.url, source, context)
    if quick := agreed(found, source, latest, context):
        return Answer(quick, certainty(AGREED_FACTS, weights), (AGREED,), _modified_in(found, quick, latest))
    return choose(candidates(page, source, found, latest), weights)


def candidates(page: Page, source: str, found: Found, latest: date) -> list[Row]:
    """Return the days that a page names, with their features."""
    view = look(tree(page), found.title, source, context_of(page))
    return rows_of(found, view, source, latest)


def choose(rows: Sequence[Row], weights: Weights) -> Answer:
    """Return the day with the highest score."""
    if not rows:
        return Answer(None, 0.0)
    scored = sorted(
        ((score(row.features, weights.features), row) for row in rows), key=lambda one: (-one[0], one[1].day)
    )
    best, runner_up = scored[0][1], scored[1][1].day if len(scored) > 1 else None
    share = share_of([value for value, _ in scored])
    modified = [
        row.day
        for row in rows
        if row.day >= best.day and row.features & (MODIFIED | {"t_mod", "t_clsmod", "time_mod_near"})
    ]
    certain = certainty(confidence_facts(rows, best, share), weights)
    return Answer(best.day, certain, tuple(sorted(best.features)), max(modified, default=None), runner_up)


def score(features: set[str], weights: Mapping[str, float]) -> float:
    """Return the sum of the weights of the features that hold."""
    return math.fsum(weights.get(name, 0.0) for name in features)


def share_of(scores: Sequence[float]) -> float:
    """Return the softmax share of the best day among all days and one unknown day, which stands for none of them.

    >>> round(share_of([0.0]), 2), round(share_of([3.0, 0.0]), 2)
    (0.5, 0.91)
    """
    top = max(scores)
    return 1 / sum(math.exp(max(-50.0, min(50.0, value - top))) for value in (*scores, 0.0))


def certainty(facts: Mapping[str, float], weights: Weights) -> float:
    """Return the confidence that follows from its facts."""
    total = sum(weights.confidence.get(name, 0.0) * value for name, value in facts.items())
    return min(weights.ceiling, 1 / (1 + math.exp(-total)))


def confidence_facts(rows: Sequence[Row], best: Row, share: float) -> dict[str, float]:
    """Return what the confidence depends on: the model's share, the kinds of source that agree, what speaks against it.

    `contested` says that another day stands in a good place, too; `edge` that only stamps in universal time near
    midnight name the day; `hidden` that readers do not see it; `somewhere` that only the source names it, anywhere.
    """
    features = best.features
    share = min(max(share, 0.02), 0.995)
    groups = sum(bool(features & group) for group in _GROUPS)
    weak = not features - WEAK - _OF_PAGE
    others = (row.features for row in rows if row is not best and not row.features & _ASIDE)
    return {
        "constant": 1.0,
        "share": math.log(share / (1 - share)),
        "groups": float(min(groups, 3)),
        "structured": float(bool(features & _STRUCTURED)),
        "near": float(bool(features & _NEAR)),
        "weak": float(weak and not features & _NAMED_SOMEWHERE),
        "somewhere": float(weak and bool(features & _NAMED_SOMEWHERE)),
        "modified": float(bool(features & {"t_mod", "mod_only"}) and not groups),
        "alone": float(not groups and not weak),
        "edge": float("utc_edge" in features),
        "contested": float(any(names & (_NEAR | _STRUCTURED | {"t_firstshort"}) for names in others)),
        "hidden": float(not features & _VISIBLE),
    }


# ── without parsing ────────────────────────────────────────────────────────────────────────────────────────────────


def agreed(found: Found, source: str, latest: date, context: DateContext) -> date | None:
    """Return the day on which the sources for machines agree, or which one of them names and the page shows first."""
    stamps = found.of("meta_pub", "ld_pub", "url")
    days = {written.day for written in stamps}
    if len(days) != 1 or found.of("ld_pub2", "meta_pub2"):
        return None
    day = days.pop()
    if not FIRST_PUBLISHED <= day <= latest or (day.month, day.day) == (1, 1):
        return None
    if found.url_month and found.url_month != (day.year, day.month):
        return None
    if not found.of("url") and not any(map(_is_local, stamps)) and any(map(_may_be_next_day, stamps)):
        return None
    kinds = sum(bool(found.of(kind)) for kind in ("meta_pub", "ld_pub", "url"))
    return day if kinds >= 2 or _is_shown(day, found, source, context) else None


def _is_local(written: StatedDay) -> bool:
    """Say whether a stamp tells the hour of its own place: then its day is the one that people read."""
    return written.hour is not None and not written.is_utc


def _may_be_next_day(written: StatedDay) -> bool:
    return written.is_utc and written.hour is not None and (written.hour < 9 or written.hour >= 21)


def _is_shown(day: date, found: Found, source: str, context: DateContext) -> bool:
    """Say whether the first date after one of the top headings is that day."""
    return any(day == one for start in found.tags["h1"][:MOST_HEADINGS] for one in _first_below(source, start, context))


def _first_below(source: str, start: int, context: DateContext) -> tuple[date | None, ...]:
    """Return the first day that is written below a place of the source, in both readings."""
    below = as_utf8(source[start : start + 24_000])[:6_000]
    below = _TAG.sub(" ", _HIDDEN.sub(" ", below))
    found = find_dates(" ".join(below.split())[:1_500], context)
    first = next((read for read in found if not read.relative), None)
    return (first.day, first.other) if first and first.names_a_day else ()


def _modified_in(found: Found, published: date, latest: date) -> date | None:
    days = [written.day for kind, written in found.days if kind in MODIFIED and published <= written.day <= latest]
    return max(days, default=None)
