"""Links between the pages of a list, on labelled pages, cross-validated by site; and the weights fitted.

    python bench/pagination.py            the table, with the wanted figures
    python bench/pagination.py --train    fits the weights on all labelled pages and writes src/siteseer/page/pagination.json

Gold: CSS expressions of the links, as annotated for Autopager; first and last count as page. Every link of a page counts, also
those that are never looked at closely. Peer: rules by hand over the same features reach F1 0.82 (`../shared/notes`).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from harness import run
from labelled import labelled
from logistic import Matrix, Model, fit, folds
from lxml import html

from siteseer.model import Page
from siteseer.page.pagination.link_features import Candidate
from siteseer.page.pagination.page_links import CLASSES, WEIGHTS, chosen, described, pagination, with_certain
from siteseer.page.tree import tree
from siteseer.strategies.scope import domain_of

TARGET = Path(__file__).parents[1] / "src" / "siteseer" / "page" / WEIGHTS
C = 0.3
NAMES = {"PAGE": "page", "FIRST": "page", "LAST": "page", "NEXT": "next", "PREV": "prev"}


@dataclass
class Example:
    site: str
    page: Page
    gold: dict[html.HtmlElement, str]
    found: list[Candidate]
    features: list[frozenset[str]]

    @property
    def labels(self) -> list[str]:
        return [self.gold.get(one.element, "other") for one in self.found]


def gold_links(row: dict[str, Any], page: Page) -> dict[html.HtmlElement, str]:
    """Return the annotated links: the element itself, else the link around it, else the links inside it."""
    gold: dict[html.HtmlElement, str] = {}
    for kind, expression in row["css"].items():
        for element in tree(page).cssselect(expression):
            around = next(element.iterancestors("a"), None)
            inside = [element] if element.tag == "a" else [around] if around is not None else list(element.iter("a"))
            for one in inside:
                gold.setdefault(one, NAMES[kind])
    return gold


def examples() -> list[Example]:
    made = []
    for row, page in labelled("autopager"):
        made.append(Example(domain_of(row["site"]), page, gold_links(row, page), *described(page)))
    return made


def fitted(known: Sequence[Example]) -> Model:
    facts = [fact for one in known for fact in one.features]
    labels = [label for one in known for label in one.labels]
    sites = [one.site for one in known for _ in one.features]
    return fit(facts, labels, sites, list(CLASSES), C)


def taken(one: Example, chances: Matrix) -> set[html.HtmlElement]:
    rows = zip(one.found, one.features, chances, strict=True)
    judged = [(link, with_certain(fact, list(map(float, row)))) for link, fact, row in rows]
    return {link.element for link, _ in chosen(judged)}


def cross_validated(known: list[Example], seed: int = 0) -> list[Matrix]:
    chances: list[Matrix] = [np.zeros((0, len(CLASSES)))] * len(known)
    for fold in folds([one.site for one in known], seed=seed):
        model = fitted([one for one in known if one.site not in fold])
        for at, one in enumerate(known):
            if one.site in fold and one.found:
                chances[at] = model.probabilities(one.features)
    return chances


def figures(known: list[Example], chances: list[Matrix]) -> dict[str, float]:
    links, pages = Counter[str](), Counter[str]()
    exact = 0
    for one, rows in zip(known, chances, strict=True):
        found, gold = taken(one, rows), set(one.gold)
        links.update(right=len(found & gold), found=len(found), true=len(gold))
        pages.update(right=bool(found and gold), found=bool(found), true=bool(gold))
        exact += found == gold
    result = {}
    for name, counts in (("links", links), ("pages", pages)):
        precision, recall = counts["right"] / counts["found"], counts["right"] / counts["true"]
        result |= {
            f"{name} P": precision,
            f"{name} R": recall,
            f"{name} F1": 2 * precision * recall / (precision + recall),
        }
    return result | {"pages exact": exact / len(known)}


def milliseconds(known: list[Example]) -> float:
    """Return the CPU time of one page beyond parsing."""
    pages = [Page(one.page.url, 200, one.page.headers, one.page.body) for one in known]
    for page in pages:
        tree(page)
    started = time.process_time()
    for page in pages:
        pagination(page)
    return (time.process_time() - started) / len(pages) * 1e3


def main(train: Annotated[bool, "write the weights"] = False) -> None:
    known = examples()
    if train:
        about = (
            f"Fitted by bench/pagination.py --train on {len(known)} pages of {len({one.site for one in known})} sites annotated for "
            "Autopager; multinomial logistic regression, C=0.3, features of siteseer.page.pagination.link_features."
        )
        TARGET.write_text(json.dumps({"about": about, **fitted(known).export()}).replace('], "', '],\n"') + "\n")
        print(f"written: {TARGET}")
    result = figures(known, cross_validated(known))
    print(
        f"{len(known)} pages of {len({one.site for one in known})} sites, {sum(len(one.gold) for one in known)} links, 10 folds by site"
    )
    print(f"{'':<14}{'wanted':>8}{'measured':>10}")
    for name, value in result.items():
        print(f"{name:<14}{'0.96' if name == 'links F1' else '':>8}{value:>10.3f}")
    print(f"CPU: {milliseconds(known):.2f} ms a page beyond parsing (wanted: at most 1)")


if __name__ == "__main__":
    run(main)
