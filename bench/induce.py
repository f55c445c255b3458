"""Expressions induced from a few marked pages of each site, on labelled pages of shops, job boards and players (SWDE).

    python bench/induce.py [--examples 2] [--draws 2] [--verticals book job nbaplayer] [--redesigns 1] [--show]

Of each site some pages are marked, drawn among the half that shows most attributes; expressions are induced and read by lxml on
all other pages. Measure: F1 by page of the first value, mean over attributes, sites, verticals and draws. Then the pages are
redesigned at random (bench/drift.py) and the same expressions are read again: an expression that had F1 >= 0.8 survives where
it keeps 90 % of it. Baselines: the absolute path; the shortest path that starts at an id or class and counts from there.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from drift import KINDS, TOGETHER, Drift
from harness import Names, run
from labelled import labelled
from lxml import html

from siteseer.page.tree import tree
from siteseer.wrapper.induction.candidates.ancestor_paths import absolute
from siteseer.wrapper.induction.candidates.search import Search
from siteseer.wrapper.induction.diverse_shortlist import vote
from siteseer.wrapper.induction.element_tables import ElementTables, clean
from siteseer.wrapper.induction.evaluate_on_tables import evaluate
from siteseer.wrapper.induction.evaluate_with_lxml import read
from siteseer.wrapper.induction.induce_attributes import Attribute, Site, induce_on
from siteseer.wrapper.induction.induced_xpath import Expression, Leaf, Move, Test
from siteseer.wrapper.induction.marked_examples import Mark
from siteseer.wrapper.induction.scoring import Example, accuracy
from siteseer.wrapper.induction.site_vocabulary import Vocabulary, could_be_label

METHODS = ("absolute path", "id or class path", "first expression", "list of five")
ALONE = ("first, no unmarked pages", "list, no unmarked pages")
WANTED_F1 = {"first expression": 0.99, "first, no unmarked pages": 0.98}
WANTED_SURVIVAL = {"first expression": 0.86, "list of five": 0.91}
Gold = dict[str, frozenset[str]]
Reader = Callable[[html.HtmlElement], str | None]


@dataclass
class Pages:
    """One site: its trees, their views and the labelled values."""

    name: str
    trees: list[html.HtmlElement] = field(default_factory=list)
    golds: list[Gold] = field(default_factory=list)
    views: list[ElementTables] = field(default_factory=list)

    def draw(self, number: int, seed: int) -> list[int]:
        """Return pages to be marked: among the half that shows most attributes."""
        full = sorted(range(len(self.golds)), key=lambda one: -len(self.golds[one]))
        return sorted(random.Random(f"{seed} {self.name}").sample(full[: max(number + 1, len(full) // 2)], number))


@dataclass
class Case:
    """An attribute of a site, with what each method made of it, and the F1 of each before a redesign."""

    site: Pages
    attribute: str
    test: list[int]
    readers: dict[str, Reader]
    clean: dict[str, float] = field(default_factory=dict)


def sites(verticals: Sequence[str]) -> list[Pages]:
    found: dict[str, Pages] = {}
    for row, page in labelled("swde"):
        if row["vertical"] in verticals:
            site = found.setdefault(row["site"], Pages(row["site"]))
            site.trees.append(tree(page))
            site.views.append(ElementTables(tree(page)))
            site.golds.append({name: frozenset(map(clean, values)) for name, values in row["gold"].items() if values})
    return list(found.values())


def first(xpath: str) -> Reader:
    return lambda root: next(iter(read_once(xpath, root)), None)


@lru_cache(maxsize=4_000)
def read_once(xpath: str, root: html.HtmlElement) -> tuple[str, ...]:
    return read(xpath, root)


def voted(found: Attribute) -> Reader:
    return lambda root: vote([read_once(one.xpath, root) for one in found.expressions], found.known)


def marks_of(site: Pages, chosen: Sequence[int]) -> list[Mark]:
    shown = [
        (n, name, value)
        for n, page in enumerate(chosen)
        for name, gold in site.golds[page].items()
        for value in sorted(gold)
    ]
    return [Mark(n, name, value) for n, name, value in shown if value in site.views[chosen[n]].by_text]


def baselines(site: Pages, name: str, chosen: Sequence[int]) -> dict[str, Reader]:
    """Return the best on the marked pages among the plain paths to each occurrence of the value."""
    views = [site.views[page] for page in chosen]
    examples = [Example(site.views[page], site.golds[page].get(name, frozenset())) for page in chosen]
    search = Search(name, examples, Vocabulary(views))
    seeds = [(views[number], text) for number, text in search.seeds()]
    plain = [absolute(view, view.owners[text], _counted(view, text)) for view, text in seeds]
    named = [shortest(view, text) for view, text in seeds]
    best = {
        method: max(rows, key=lambda one: accuracy(one, examples).f) for method, rows in zip(METHODS, (plain, named), strict=False)
    }  # fmt: skip
    return {method: first(one.written("tidy")) for method, one in best.items()}


def _counted(view: ElementTables, text: int) -> Leaf:
    own = view.own[view.owners[text]]
    return Leaf("child", own.index(text) + 1 if len(own) > 1 else 0)


def shortest(view: ElementTables, text: int) -> Expression:
    """Return the path that counts down from the nearest ancestor with an id or a class word that leads to this text alone."""
    element, leaf = view.owners[text], _counted(view, text)
    steps = absolute(view, element, leaf).moves
    for up, one in enumerate((element, *view.ancestors(element))):
        for attribute in ("id", "class"):
            for atom in view.atoms[one]:
                below = steps[len(steps) - up :]
                named = Expression(None, (Move("descendant", Test("*", *atom)), *below), leaf)
                if atom[0] == attribute and evaluate(view, named) == (text,):
                    return named
    return Expression(None, steps, leaf)


def f1(reader: Reader, roots: Iterable[html.HtmlElement], golds: Iterable[frozenset[str]]) -> float:
    right = wrong = missed = 0
    for root, gold in zip(roots, golds, strict=True):
        value = reader(root)
        is_right = value is not None and value in gold
        right += is_right
        wrong += value is not None and not is_right
        missed += bool(gold) and not is_right
    return 2 * right / (2 * right + wrong + missed) if right else float(not wrong and not missed)


def induced(site: Pages, chosen: Sequence[int], unmarked: Sequence[int]) -> dict[str, Attribute]:
    views = [site.views[page] for page in chosen]
    return induce_on(Site(views, [site.views[page] for page in unmarked]), marks_of(site, chosen))


def cases(site: Pages, number: int, seed: int, clock: list[float]) -> list[Case]:
    chosen = site.draw(number, seed)
    rest = [page for page in range(len(site.trees)) if page not in chosen]
    started = time.process_time()
    full = induced(site, chosen, rest[:8])
    clock.append((time.process_time() - started) / max(1, len(full)))
    alone = induced(site, chosen, ())
    made = []
    for name in sorted({name for page in chosen for name in site.golds[page]}):
        found = full.get(name)
        if found is None:  # no text of a marked page is the value
            made.append(Case(site, name, rest, {}, dict.fromkeys((*METHODS, *ALONE), 0.0)))
            continue
        readers = baselines(site, name, chosen) | {
            "first expression": first(found.best.xpath),
            "list of five": voted(found),
            ALONE[0]: first(alone[name].best.xpath),
            ALONE[1]: voted(alone[name]),
        }
        case = Case(site, name, rest, readers)
        golds = [site.golds[page].get(name, frozenset()) for page in rest]
        case.clean = {method: f1(one, [site.trees[page] for page in rest], golds) for method, one in readers.items()}
        made.append(case)
    return made


def mean_by_site(rows: Iterable[tuple[Case, float]]) -> float:
    """Return the mean over attributes, then sites, then verticals."""
    table: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for case, value in rows:
        table[case.site.name.partition("-")[0]][case.site.name].append(value)
    mean: Callable[[list[float]], float] = lambda numbers: sum(numbers) / len(numbers)  # noqa: E731
    return mean([mean([mean(values) for values in one.values()]) for one in table.values()])


def redesigned(made: Sequence[Case], rates: dict[str, float], seed: str) -> dict[str, list[bool]]:
    """Return for each method whether each of its good expressions survives."""
    survived: dict[str, list[bool]] = defaultdict(list)
    for site in {id(case.site): case.site for case in made}.values():
        words = Vocabulary(site.views)
        values = {value for gold in site.golds for one in gold.values() for value in one}
        labels = [
            text for text in words.texts if words.is_constant(text) and could_be_label(text) and text not in values
        ]
        drift = Drift(rates, f"{seed} {site.name}", labels)
        new = [drift.changed(root) for root in site.trees]
        for case in (one for one in made if one.site is site):
            golds = [site.golds[page].get(case.attribute, frozenset()) for page in case.test]
            for method in METHODS:
                if case.clean[method] >= 0.8:
                    after = f1(case.readers[method], [new[page] for page in case.test], golds)
                    survived[method].append(after >= 0.9 * case.clean[method])
    return survived


def main(
    examples: int = 2,
    draws: int = 2,
    redesigns: int = 1,
    verticals: Names = ("book", "job", "nbaplayer"),
    show: Annotated[bool, "name the attributes below 0.95"] = False,
) -> None:
    known = sites(verticals)
    clock: list[float] = []
    drawn = [[case for site in known for case in cases(site, examples, draw, clock)] for draw in range(draws)]
    every = [case for made in drawn for case in made]
    print(f"{len(known)} sites, {sum(len(one.trees) for one in known)} pages, {examples} marked a site, {draws} draws")
    print(f"{'':<26}{'F1':>8}{'wanted':>8}")
    for method in every[0].clean:
        wanted = WANTED_F1.get(method, "")
        print(f"{method:<26}{mean_by_site((case, case.clean[method]) for case in every):>8.4f}{wanted:>8}")
    print(f"CPU: {sum(clock) / len(clock):.3f} s an attribute, {max(clock):.3f} s on the slowest site")
    if show:
        for draw, made in enumerate(drawn):
            for case in made:
                for method in ("first expression", "first, no unmarked pages"):
                    if case.clean[method] < 0.95:
                        print(f"  draw {draw} {case.site.name} {case.attribute} {method}: {case.clean[method]:.2f}")
    print("\nsurvival after redesigns" + "".join(f"{method:>18}" for method in METHODS))
    for kind, rates in (KINDS | TOGETHER if redesigns else {}).items():
        rows: dict[str, list[bool]] = defaultdict(list)
        for draw, made in enumerate(drawn[:redesigns]):
            for method, one in redesigned(made, rates, f"{draw} {kind}").items():
                rows[method] += one
        shares = {method: sum(rows[method]) / len(rows[method]) for method in METHODS}
        below = "  below the id or class path" if shares[METHODS[2]] < shares[METHODS[1]] else ""
        print(f"{kind:<24}" + "".join(f"{shares[method]:>18.3f}" for method in METHODS) + below, flush=True)
    print(f"wanted, all together .1 {'':>36}" + "".join(f"{WANTED_SURVIVAL[one]:>18}" for one in METHODS[2:]))


if __name__ == "__main__":
    run(main)
