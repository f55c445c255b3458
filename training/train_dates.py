"""Train the weights of the publication-date model on the labelled pages, and write them with their provenance.

    python training/train_dates.py [-o src/siteseer/extract/timestamps/weights.json]

A conditional logit by Newton's method: of the days that a page names, the true one shall score highest. Weights are drawn
towards prior means set by hand, not towards zero. Every page is used a second time, with half the weight, without what is
written for machines, which keeps the weights of the visible text sound. Pages whose true day is not among the candidates are
left out: their labels are mostly wrong. Confidence is a logistic regression on cross-validated answers (Platt scaling), by
site, drawn towards prior means as well: the few pages that were answered wrongly do not tell how much each fact weighs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

from labelled import labelled

from siteseer.extract.timestamps.date_features import Row
from siteseer.extract.timestamps.day_model import (
    AGREED,
    AGREED_FACTS,
    Answer,
    Weights,
    agreed,
    candidates,
    certainty,
    choose,
    confidence_facts,
    score,
    share_of,
)
from siteseer.extract.timestamps.structured_dates import Found, find_structured, source_of
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of

OUTPUT = Path(__file__).parents[1] / "src" / "siteseer" / "extract" / "timestamps" / "weights.json"
SETS = {"htmldate_eval": date(2023, 12, 31), "newspaper424": date(2024, 3, 1)}
"""The labelled sets, with a day before which their pages were saved."""
FOLDS, STRENGTH, WITHOUT_MACHINES = 10, 4.0, 0.5
CEILING = 0.975
PRIOR_CONFIDENCE = {
    "share": 0.5, "agreed": 3.0, "near": 0.7, "structured": 0.5, "weak": -2.0, "modified": -1.5, "edge": -1.0, "contested": -0.5,
    "hidden": -0.5, "somewhere": -0.5,
}  # fmt: skip
STRENGTH_CONFIDENCE = 3.0
PRIOR = {
    "meta_pub": 2.5, "ld_pub": 2.5, "url": 2.5, "near_s": 2.0, "ip_pub": 2.0, "time_pub_near": 2.0, "time_near": 1.5, "in_title": -0.5,
    "abbr_near": 1.5, "vis_utc": 1.5, "above_s": 1.2, "t_firstshort": 1.2, "meta_gen": 1.2, "mid_s": 1.0, "t_cls": 1.0,
    "js_pub": 1.0, "latest": 0.5, "uy_no": -0.5, "mid_l": -0.5, "time_neg": -0.5, "mod_only": -0.5, "cmt": -0.7, "raw": -0.7,
    "jan1": -1.0, "far_l": -1.0, "top_l": -1.0, "t_N": -1.2, "time_com": -1.3, "t_bad": -1.5, "uym_no": -1.5, "utc_off": -1.5, "t_com": -2.0,
    "t_verb": 0.5, "t_event": -1.5, "event_day": -3.0, "today": -1.5, "mod_beside": -1.5, "urlym": -2.0, "month": -2.5, "cyear": -2.5,
}  # fmt: skip


@dataclass
class Example:
    """A labelled page: its candidates with everything, and with the visible text alone."""

    set: str
    site: str
    page: Page
    gold: date
    latest: date
    quick: date | None
    rows: list[Row]
    plain: list[Row]


def examples() -> list[Example]:
    found = []
    for name, latest in SETS.items():
        for row, page in labelled(name):
            gold = row.get("gold_date") or row.get("date")
            if isinstance(gold, str):
                site = row["site"].removeprefix("http://").removeprefix("https://").removeprefix("www.")
                found.append(example(name, site, page, date.fromisoformat(gold[:10]), latest))
    return found


def example(name: str, site: str, page: Page, gold: date, latest: date) -> Example:
    source = source_of(page)
    context = context_of(page)
    structured = find_structured(page.url, source, context)
    rows = candidates(page, source, structured, latest)
    plain = candidates(
        Page("", 200, page.headers, page.body, memo=page.memo), "", Found(title=structured.title), latest
    )
    return Example(name, site, page, gold, latest, agreed(structured, source, latest, context), rows, plain)


def fit(training: Sequence[Example], names: Sequence[str]) -> dict[str, float]:
    place = {name: number for number, name in enumerate(names)}
    mean = np.array([PRIOR.get(name, 0.0) for name in names])
    tables = [
        one
        for e in training
        for rows, weight in ((e.rows, 1.0), (e.plain, WITHOUT_MACHINES))
        if (one := _table(rows, e.gold, weight, place))
    ]
    w = mean.copy()
    for _ in range(20):
        gradient, hessian = STRENGTH * (w - mean), np.eye(len(names)) * STRENGTH
        for x, gold, weight in tables:
            p = np.exp(x @ w - (x @ w).max())
            p /= p.sum()
            expected = p @ x
            gradient += weight * (expected - x[gold])
            hessian += weight * ((x * p[:, None]).T @ x - np.outer(expected, expected))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-5:
            break
    return {name: float(value) for name, value in zip(names, w, strict=True)}


def _table(rows: list[Row], gold: date, weight: float, place: dict[str, int]):  # type: ignore[no-untyped-def]
    days = [row.day for row in rows]
    if gold not in days or len(days) < 2:
        return None
    x = np.zeros((len(rows), len(place)))
    for number, row in enumerate(rows):
        x[number, [place[name] for name in row.features if name in place]] = 1
    return x, days.index(gold), weight


def names_of(training: Sequence[Example]) -> list[str]:
    return sorted({name for e in training for row in e.rows for name in row.features})


def folds(training: Sequence[Example], seed: int) -> list[int]:
    sites = sorted({e.site for e in training})
    random.Random(seed).shuffle(sites)
    fold = {site: number % FOLDS for number, site in enumerate(sites)}
    return [fold[e.site] for e in training]


def cross(
    training: Sequence[Example], seed: int, confidence: dict[str, float]
) -> list[tuple[Answer, dict[str, float]]]:
    """Return for every page the answer of weights that never saw its site, and what its confidence depends on."""
    dealt, names = folds(training, seed), names_of(training)
    answers: list[tuple[Answer, dict[str, float]]] = [(Answer(None, 0.0), {})] * len(training)
    for k in range(FOLDS):
        features = fit([e for e, f in zip(training, dealt, strict=True) if f != k], names)
        weights = Weights(features, confidence, CEILING)
        for number, (e, f) in enumerate(zip(training, dealt, strict=True)):
            if f != k:
                continue
            if e.quick:
                answers[number] = (Answer(e.quick, CEILING, (AGREED,)), dict(AGREED_FACTS))
                continue
            best = choose(e.rows, weights)
            scores = [score(row.features, features) for row in e.rows]
            own = next((row for row in e.rows if row.day == best.day), None)
            answers[number] = (best, confidence_facts(e.rows, own, share_of(scores)) if own else {})
    return answers


def is_label_wrong(e: Example) -> bool:
    """Say whether the page names the labelled day and month, but only of another year."""
    days = {row.day for row in e.rows}
    return e.gold not in days and any((day.month, day.day) == (e.gold.month, e.gold.day) for day in days)


def calibrate(training: Sequence[Example], seeds: Sequence[int]) -> dict[str, float]:
    """Fit the confidence on cross-validated answers; pages whose label looks wrong count as they are, to be careful."""
    facts, right = [], []
    for seed in seeds:
        for e, (best, known) in zip(training, cross(training, seed, {}), strict=True):
            if known:
                facts.append(known)
                right.append(best.day == e.gold)
    return logistic(facts, right, strength=STRENGTH_CONFIDENCE * len(seeds))


def logistic(facts: Sequence[dict[str, float]], right: Sequence[bool], strength: float) -> dict[str, float]:
    """Return the weights of a logistic regression, drawn towards their prior means."""
    names = sorted({name for fact in facts for name in fact})
    x = np.array([[fact.get(name, 0.0) for name in names] for fact in facts])
    y, mean = np.array(right, dtype=float), np.array([PRIOR_CONFIDENCE.get(name, 0.0) for name in names])
    w = mean.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.eye(len(names)) * strength
        step = np.linalg.solve(hessian, x.T @ (p - y) + strength * (w - mean))
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return {name: round(float(value), 3) for name, value in zip(names, w, strict=True)}


def unseen_answers(training: Sequence[Example], seed: int) -> list[Answer]:
    """Return for every page the answer and the confidence of weights that never saw its site."""
    answers, dealt = cross(training, seed, {}), folds(training, seed)
    found = [best for best, _ in answers]
    for k in range(FOLDS):
        others = [n for n, fold in enumerate(dealt) if fold != k and answers[n][1]]
        right = [answers[n][0].day == training[n].gold for n in others]
        weights = Weights({}, logistic([answers[n][1] for n in others], right, strength=STRENGTH_CONFIDENCE), CEILING)
        for n, (best, known) in enumerate(answers):
            if dealt[n] == k and known:
                found[n] = replace(best, confidence=certainty(known, weights))
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("-o", "--output", type=Path, default=OUTPUT)
    output = arguments.parse_args().output
    training = examples()
    features = fit(training, names_of(training))
    made = {
        "provenance": f"training/train_dates.py: conditional logit, strength {STRENGTH}, on {len(training)} pages with a day of publication "
        "given by people: 240 of the evaluation of htmldate, 84 of newspapers of 2023; CV 10-fold by site in bench/dates.py",
        "features": {name: round(value, 3) for name, value in sorted(features.items())},
        "confidence": calibrate(training, range(5)),
        "ceiling": CEILING,
    }
    output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(f"{len(features)} weights from {len(training)} pages in {output}")


if __name__ == "__main__":
    main()
