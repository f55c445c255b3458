"""Train the weights of the article model on the labelled pages, and write them with their provenance.

    python training/train_articles.py [--cross] [-o src/siteseer/extract/article/weights.json]

Three logistic regressions with a quadratic penalty, fitted by Newton's method on standardised features and folded back:
`first` on single blocks, where a feature that few sites show is penalised more: what is true of three sites may be their
taste; then `alone` and `together` on the opinions that `first` has of pages it was not trained on.
`--cross` prints the cross-validated result by domain instead of writing anything.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

from article_pages import Labelled, load, mean_scores, score, words_of
from labelled import labelled

from siteseer.extract.article.block_arrays import BlockArrays, Floats, measured
from siteseer.extract.article.block_features import COLUMN, features
from siteseer.extract.article.block_models import COLUMNS, Linear, Model
from siteseer.extract.article.classify_blocks import ClassifiedBlocks, classify_blocks, keep, refine, rules
from siteseer.extract.article.confidence import signs
from siteseer.extract.article.cross_page_features import Compared, compare, sibling_features
from siteseer.extract.article.neighbour_features import CLIP, context_features
from siteseer.model import Page
from siteseer.strategies.scope import domain_of

OUTPUT = Path(__file__).parents[1] / "src" / "siteseer" / "extract" / "article" / "weights.json"
FOLDS = 6
PENALTY = 1 / 0.003
FEW_SITES = 50
"""A feature that so many sites show is penalised twice as much as one that all the Web has."""
CONVENTION = 0.15
"""Weight of short blocks whose place in or out of an article is a matter of taste, in the set that differs from the others."""


@dataclass
class Sample:
    """A labelled page with everything that training needs."""

    labelled: Labelled
    page: BlockArrays
    matrix: Floats
    best: int
    labels: Floats
    weights: Floats
    compared: Compared | None = None
    fold: int = 0


def samples(pages: Sequence[Labelled]) -> list[Sample]:
    made = []
    for one in pages:
        page = measured(one.page)
        matrix, best = features(page)
        made.append(Sample(one, page, matrix, best, *labels_of(one, page, matrix)))
    for group in grouped(made):
        for sample, told in zip(group, compare([one.page for one in group]), strict=True):
            sample.compared = told
    for number, domain in enumerate(_dealt(made)):
        for sample in made:
            if sample.labelled.domain in domain:
                sample.fold = number
    return made


def grouped(found: Iterable[Sample]) -> list[list[Sample]]:
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in found:
        groups.setdefault((sample.labelled.set, sample.labelled.group), []).append(sample)
    return list(groups.values())


def _dealt(found: Sequence[Sample]) -> list[set[str]]:
    """Deal the domains into folds of about as many pages, the largest first."""
    folds: list[set[str]] = [set() for _ in range(FOLDS)]
    filled = [0] * FOLDS
    for domain, count in sorted(
        Counter(one.labelled.domain for one in found).items(), key=lambda pair: (-pair[1], pair[0])
    ):
        place = filled.index(min(filled))
        folds[place].add(domain)
        filled[place] += count
    return folds


def labels_of(one: Labelled, page: BlockArrays, matrix: Floats) -> tuple[Floats, Floats]:
    """Return label and weight of every block: whether the gold text has its words, and what it matters."""
    gold = words_of(one.gold)
    sets = {size: set(zip(*(gold[step:] for step in range(size)), strict=False)) for size in (2, 4)}
    total = max(1, len(sets[2]))
    labels, weights = np.zeros(len(page.blocks)), np.zeros(len(page.blocks))
    for block, tokens in enumerate(page.blocks.tokens):
        own = [token.lower() for token in tokens]
        n = len(own)
        if n >= 6:
            runs = list(zip(*(own[step:] for step in range(4)), strict=False))
            labels[block] = sum(run in sets[4] for run in runs) > len(runs) / 2
        elif n > 1:
            labels[block] = all(pair in sets[2] for pair in pairwise(own))
        weights[block] = (min(n / total, 0.5) + 0.002) * (n > 1)
        if one.set == "l3s_gn1":
            row = matrix[block]
            taste = n <= 6 or any(row[COLUMN[name]] for name in ("by", "date", "copy", "a_caption", "o_byline"))
            weights[block] *= 0.6 * (CONVENTION if n < 60 and taste else 1.0)
        if not one.with_title and block == page.title:
            weights[block] = 0.0
    return labels, weights


Rows = Sequence[tuple[Floats, Floats, Floats]]


def fit(rows: Rows, penalty: float = PENALTY, like: Linear | None = None, sites: Sequence[str] = ()) -> Linear:
    """Fit a logistic regression to the (matrix, labels, weights) of pages, beginning at a fit of nearly the same rows.

    `sites` are those of the pages, where features that few sites show are to weigh less.
    """
    x = np.vstack([row[0] for row in rows])
    y, w = (np.concatenate([row[place] for row in rows]) for place in (1, 2))
    x, y, w = x[w > 0], y[w > 0], w[w > 0] * len(w) / w.sum()
    mean = (w @ x) / w.sum()
    spread = np.sqrt(np.maximum((w @ (x * x)) / w.sum() - mean**2, 0.0))
    spread[spread < 1e-5] = 1.0
    z = np.hstack([(x - mean) / spread, np.ones((len(x), 1))]).astype(np.float32)
    punished = np.full(z.shape[1], penalty)
    if sites:
        punished[:-1] *= 1 + FEW_SITES / np.maximum(1, _sites_with_features(rows, sites))
    punished[-1] = 1e-9
    weights = np.append(like.weights * spread, like.bias + like.weights @ mean) if like else np.zeros(z.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(z @ weights.astype(np.float32), -30, 30)))
        gradient = z.T @ (w * (p - y)).astype(np.float32) + punished * weights
        step = np.linalg.solve(_curvature(z, (w * p * (1 - p)).astype(np.float32)) + np.diag(punished), gradient)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    raw = weights[:-1] / spread
    return Linear(raw, float(weights[-1] - raw @ mean))


def _sites_with_features(rows: Rows, sites: Sequence[str]) -> Floats:
    """Return the number of sites that show each feature."""
    shown: dict[str, Floats] = {}
    for (matrix, _, weights), site in zip(rows, sites, strict=True):
        seen = matrix[weights > 0].any(axis=0)
        shown[site] = np.logical_or(shown[site], seen) if site in shown else seen
    return np.sum(list(shown.values()), axis=0).astype(np.float64)


def _curvature(z: Floats, bend: Floats) -> Floats:
    matters = bend > 1e-4 * bend.max()
    part = z[matters] * np.sqrt(bend[matters])[:, None]
    return (part.T @ part).astype(np.float64)


class Firsts:
    """The first models by the folds that they have not seen; each is fitted once."""

    def __init__(self, found: Sequence[Sample]) -> None:
        self.found = found
        self.known: dict[frozenset[int], Linear] = {}

    def without(self, *folds: int) -> Linear:
        key = frozenset(folds)
        if key not in self.known:
            seen = [one for one in self.found if one.fold not in key]
            rows = [(one.matrix, one.labels, one.weights) for one in seen]
            sites = [one.labelled.domain for one in seen]
            self.known[key] = fit(rows, like=next(iter(self.known.values()), None), sites=sites)
        return self.known[key]


def opinions(first: Linear, sample: Sample) -> Floats:
    return np.clip(first(sample.matrix), -CLIP, CLIP)


def second_rows(
    found: Sequence[Sample], opinion: Callable[[Sample], Floats]
) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return the features of the second opinion, by page: without siblings, and with them where there are some."""
    alone, together = {}, {}
    for group in grouped(found):
        logits = [opinion(one) for one in group]
        beside = sibling_features([one.page for one in group], logits, [one.compared for one in group if one.compared])
        for one, own, other in zip(group, logits, beside, strict=True):
            alone[id(one)] = context_features(one.page, one.matrix, own)
            if one.compared and one.compared.has_siblings:
                together[id(one)] = np.hstack([alone[id(one)], other])
    return alone, together


def train(firsts: Firsts, *unseen: int) -> Model:
    """Train all three models on all folds but the unseen; the second ones learn from opinions on pages new to the first."""
    found = [one for one in firsts.found if one.fold not in unseen]
    alone, together = second_rows(found, lambda one: opinions(firsts.without(*unseen, one.fold), one))
    models = []
    for rows in (alone, together):
        models.append(fit([(rows[id(one)], one.labels, one.weights) for one in found if id(one) in rows]))
    return Model(firsts.without(*unseen), *models, confidence=Linear(np.zeros(len(COLUMNS["confidence"])), 0.0))


def verdicts(found: Sequence[Sample], model: Model) -> list[tuple[Sample, ClassifiedBlocks]]:
    """Judge labelled pages, each group together, from features that are already there."""
    alone, together = second_rows(found, lambda one: opinions(model.first, one))
    made = []
    for one in found:
        assert one.compared
        second = model.together(together[id(one)]) if id(one) in together else model.alone(alone[id(one)])
        by_rules = rules(one.page, one.matrix, one.compared, one.best)
        refined = refine(one.page, second, by_rules)
        made.append((one, ClassifiedBlocks(one.page, refined, keep(one.page, refined), by_rules, one.compared)))
    return made


ASKING = frozenset(("login", "registration", "password/login recovery", "order/add to cart"))
"""Forms of pages that are there for them."""


def without_article() -> list[tuple[str, Page]]:
    """Return labelled pages that hold no article, each with its domain: lists, and pages that want something filled in."""
    lists = [(row["site"], page) for row, page in labelled("autopager") if row["css"]]
    asking = [
        (row["site"], page) for row, page in labelled("formasaurus") if ASKING & {form["type"] for form in row["forms"]}
    ]
    return [(domain_of(site), page) for site, page in (*lists, *asking)]


Signed = tuple[str, Floats, float]
"""The domain of a page, the signs of its verdict, and the F1 that it reached."""


def signed(judged: Sequence[tuple[Sample, ClassifiedBlocks]], model: Model) -> list[Signed]:
    """Return what confidence is fitted to: articles as cross-validated, and pages without one, where any text is wrong."""
    found = [
        (one.labelled.domain, signs(verdict), score(text_of(one.labelled, verdict), one.labelled.gold)[2])
        for one, verdict in judged
    ]
    return found + [
        (domain, signs(classify_blocks([measured(page)], model)[0]), 0.0) for domain, page in without_article()
    ]


def fit_confidence(rows: Sequence[Signed]) -> Linear:
    """Fit the F1 that pages reached to the signs of their verdicts."""
    matrix, reached = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    return fit([(matrix, reached, np.ones(len(reached)))], penalty=1.0)


def print_confidence(rows: Sequence[Signed]) -> None:
    """Print the confidence of pages by models fitted to other domains, beside what they reached."""
    domains = sorted({row[0] for row in rows})
    told = np.zeros(len(rows))
    for fold in range(FOLDS):
        unseen = set(domains[fold::FOLDS])
        model = fit_confidence([row for row in rows if row[0] not in unseen])
        for number, (domain, signs_of_page, _) in enumerate(rows):
            if domain in unseen:
                told[number] = 1 / (1 + np.exp(-float(model(signs_of_page[None, :])[0])))
    reached = np.array([row[2] for row in rows])
    for name, chosen in (("articles", reached > 0), ("pages without one", reached == 0)):
        print(f"{name:18} {chosen.sum():4}  confidence {told[chosen].mean():.3f}  F1 {reached[chosen].mean():.3f}")
    for low, high in pairwise((0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.01)):
        if (inside := (told >= low) & (told < high)).any():
            print(
                f"  {low:.1f} to {min(high, 1):.1f}  {inside.sum():4}  {told[inside].mean():.3f}  {reached[inside].mean():.3f}"
            )


def text_of(one: Labelled, verdict: ClassifiedBlocks) -> str:
    texts = verdict.page.blocks.texts
    title = [texts[verdict.page.title]] if one.with_title and verdict.page.title >= 0 else []
    return "\n".join(title + [texts[block] for block in np.flatnonzero(verdict.kept)])


def cross(firsts: Firsts) -> list[tuple[Sample, ClassifiedBlocks]]:
    """Judge every page by models trained on other domains only."""
    made = []
    for fold in range(FOLDS):
        made += verdicts([one for one in firsts.found if one.fold == fold], train(firsts, fold))
    return made


def judged_by_others(found: Sequence[Sample], name: str) -> list[tuple[Sample, ClassifiedBlocks]]:
    """Judge the pages of a set by models trained on the other sets only."""
    own = [one for one in found if one.labelled.set == name]
    bodies = {one.labelled.page.body for one in own}
    others = [one for one in found if one.labelled.set != name and one.labelled.page.body not in bodies]
    return verdicts(own, train(Firsts(others)))


def table(model: Model) -> dict[str, dict[str, float]]:
    told = {}
    for name, columns in COLUMNS.items():
        linear = getattr(model, name)
        pairs = zip(columns, linear.weights, strict=True)
        told[name] = {"bias": round(linear.bias, 3)} | {column: round(float(w), 3) for column, w in pairs}
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cross", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    pages = load()
    found = samples(pages)
    firsts = Firsts(found)
    judged = cross(firsts)
    scores: dict[str, list[tuple[float, float, float]]] = {}
    for one, verdict in judged:
        scores.setdefault(one.labelled.set, []).append(score(text_of(one.labelled, verdict), one.labelled.gold))
    for name, reached in scores.items():
        print(f"{name:16} pages {len(reached):4}  " + "  ".join(f"{value:.4f}" for value in mean_scores(reached)))
    model = train(firsts)
    rows = signed(judged, model)
    print_confidence(rows)
    if arguments.cross:
        return
    provenance = {
        "trained_by": "training/train_articles.py",
        "trained_on": {name: len(reached) for name, reached in scores.items()},
        "pages_without_article": len(rows) - len(judged),
        "blocks": int(sum(len(one.labels) for one in found)),
        "cross_validated_f1_by_domain": {name: round(mean_scores(reached)[2], 4) for name, reached in scores.items()},
        "method": f"logistic regression, quadratic penalty {PENALTY:.0f} on standardised features, that of `first` times"
        f" 1 + {FEW_SITES} / sites with the feature, {FOLDS} folds by domain",
    }
    model = replace(model, confidence=fit_confidence(rows))
    arguments.output.write_text(json.dumps({"provenance": provenance, **table(model)}, indent=1) + "\n", "utf-8")
    print(f"written to {arguments.output}")


if __name__ == "__main__":
    main()
