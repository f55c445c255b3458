"""What forms are for, on labelled pages, cross-validated by site; and the weights fitted.

    python bench/forms.py            the table, with the wanted figures
    python bench/forms.py --train    fits the weights on all labelled forms and writes src/siteseer/forms/kinds.json

Annotations as of Formasaurus (form type, field type); polls, navigation, display options and captchas count as other.
Peer: Formasaurus reports 0.889 accuracy, F1 0.93 of search forms and 0.92 of the search field, on its own split.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from harness import run
from labelled import labelled
from logistic import Matrix, Model, fit, folds

from siteseer.forms.field_roles import query_field
from siteseer.forms.form import KINDS, Form
from siteseer.forms.form_features import features
from siteseer.forms.form_kinds import WEIGHTS, FormKind, classify
from siteseer.forms.parse_forms import forms
from siteseer.forms.safe_to_submit import permission
from siteseer.model import Page
from siteseer.strategies.scope import domain_of

TARGET = Path(__file__).parents[1] / "src" / "siteseer" / "forms" / WEIGHTS
C = 0.3
NAMES = {
    "search": "search", "login": "login", "registration": "registration", "contact/comment": "contact",
    "join mailing list": "mailing", "password/login recovery": "recovery", "order/add to cart": "order",
}  # fmt: skip
UNTYPED = ("NOT ANNOTATED", "SKIP THIS FORM")


@dataclass
class Example:
    site: str
    form: Form
    kind: str
    raw_kind: str
    fields: dict[str, str]


def examples() -> list[Example]:
    found = []
    for row, page in labelled("formasaurus"):
        here, site = forms(page), domain_of(row["site"])
        for marked in row["forms"]:
            if marked["type"] not in UNTYPED:
                form = here[marked["form_index"]]
                found.append(Example(site, form, NAMES.get(marked["type"], "other"), marked["type"], marked["fields"]))
    return found


def fitted(known: Sequence[Example]) -> Model:
    return fit(
        [features(one.form) for one in known], [one.kind for one in known], [one.site for one in known], list(KINDS), C
    )


def cross_validated(known: list[Example], seed: int = 0) -> Matrix:
    """Return the probabilities of each example from a model that never saw its site."""
    chances = np.zeros((len(known), len(KINDS)))
    for fold in folds([one.site for one in known], seed=seed):
        held = [at for at, one in enumerate(known) if one.site in fold]
        model = fitted([one for one in known if one.site not in fold])
        chances[held] = model.probabilities([features(known[at].form) for at in held])
    return chances


def f1(right: int, found: int, true: int) -> float:
    return 2 * right / max(1, found + true)


def figures(known: list[Example], chances: Matrix) -> dict[str, float]:
    """Return accuracy, and F1 of each kind and of the search field."""
    guessed = [KINDS[at] for at in chances.argmax(axis=1)]
    kinds = [one.kind for one in known]
    result = {"accuracy": float(np.mean([a == b for a, b in zip(guessed, kinds, strict=True)]))}
    for kind in KINDS:
        right = sum(a == b == kind for a, b in zip(guessed, kinds, strict=True))
        result[f"F1 {kind}"] = f1(right, guessed.count(kind), kinds.count(kind))
    counts: Counter[str] = Counter()
    for one, guess in zip(known, guessed, strict=True):
        if "NOT ANNOTATED" in one.fields.values():
            continue
        gold = {name for name, role in one.fields.items() if role == "search query"}
        field = query_field(one.form) if guess == "search" else None
        found = {field.name} if field else set()
        counts.update(right=len(gold & found), found=len(found), true=len(gold))
    result["F1 search field"] = f1(counts["right"], counts["found"], counts["true"])
    return result


def taken(known: list[Example], chances: Matrix, post: bool) -> Counter[str]:
    """Return how many forms of each annotated type the gate would let through."""
    found: Counter[str] = Counter()
    for one, row in zip(known, chances, strict=True):
        chance = dict(zip(KINDS, map(float, row), strict=True))
        if permission(one.form, post, FormKind("search", chance["search"], chance)).allowed:
            found[one.raw_kind] += 1
    return found


def milliseconds() -> tuple[float, float]:
    """Return CPU time for finding the forms of a parsed page, and for one form's kind and permission."""
    from siteseer.page.tree import tree

    pages = [Page(page.url, 200, page.headers, page.body) for _, page in labelled("formasaurus")]
    for page in pages:
        tree(page)
    started = time.process_time()
    found = [form for page in pages for form in forms(page)]
    between = time.process_time()
    for form in found:
        permission(form, True, classify(form))
    return (between - started) / len(pages) * 1e3, (time.process_time() - between) / len(found) * 1e3


def main(train: Annotated[bool, "write the weights"] = False) -> None:
    known = examples()
    if train:
        about = (
            f"Fitted by bench/forms.py --train on {len(known)} forms of {len({one.site for one in known})} sites annotated "
            "for Formasaurus; multinomial logistic regression, C=0.3, features of siteseer.forms.form_features."
        )
        TARGET.write_text(
            json.dumps({"about": about, **fitted(known).export()}, indent=None).replace('], "', '],\n"') + "\n"
        )
        print(f"written: {TARGET}")
    chances = cross_validated(known)
    result = figures(known, chances)
    wanted = {"accuracy": 0.905, "F1 search": 0.945, "F1 search field": 0.94}
    print(f"{len(known)} forms of {len({one.site for one in known})} sites, 10 folds by site")
    print(f"{'':<18}{'wanted':>8}{'measured':>10}{'Formasaurus':>13}")
    peers = {"accuracy": 0.889, "F1 search": 0.93, "F1 search field": 0.92}
    for name, value in result.items():
        print(f"{name:<18}{wanted.get(name, ''):>8}{value:>10.3f}{peers.get(name, ''):>13}")
    total = sum(one.kind == "search" for one in known)
    for label, post in (("GET only", False), ("GET and POST", True)):
        found = taken(known, chances, post)
        wrong = {kind: count for kind, count in found.items() if kind != "search"}
        print(f"gate, {label}: {found['search']} of {total} search forms taken, others taken: {wrong or 'none'}")
    find, judge = milliseconds()
    print(f"CPU: {find:.2f} ms a page to find its forms, {judge:.2f} ms a form for kind and permission")


if __name__ == "__main__":
    run(main)
