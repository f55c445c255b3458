"""Compares two captures of a page: the changes, the measures, and the verdict on the main object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree

from siteseer.change.diff.change_kinds import LONGEST_SHOWN, Change, Edit, Region, edits
from siteseer.change.diff.page_regions import Regions, is_counter, region_of
from siteseer.change.diff.script_changes import script_edits
from siteseer.change.diff.tree_matching import HashedTree, hash_tree, match
from siteseer.extract.article import article
from siteseer.model import Page
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.similarity.text_measures import common_subsequence, count_words, resemblance, shingles
from siteseer.page.text import WORD, words
from siteseer.page.tree import cached, tree
from siteseer.page.word_hashes import word_count

Verdict = Literal["same", "noise", "template", "script", "comments", "moved", "edited", "gone"]
MOST_CHANGES = 2_000
SAME_TEMPLATE = 0.5
"""Share of tag paths in common above which two pages are of one template."""
PROSE = 5
"""Words of a line that says something of its own; shorter lines of another template are its furniture."""


@dataclass(frozen=True, slots=True)
class MainObject:
    """The main object of a page: its text, line by line, and the element that holds it."""

    lines: tuple[str, ...]
    element: etree._Element | None


Finder = Callable[[Page], MainObject]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes between two captures of a page.

    `verdict` is about the main object: `edited`, `gone`, or its parts were `moved`; or it is the same and there are new
    `comments`, another `template`, another `script`, only `noise` (counters, advertisements, furniture), or nothing at
    all (`same`).
    """

    verdict: Verdict
    because: str
    page: dict[str, float]
    """Similarity of the whole pages by each measure: jaccard, shingles, lcs, tree."""
    object: dict[str, float]
    changes: tuple[Change, ...] = ()
    kinds: dict[str, int] = field(default_factory=dict)
    regions: dict[str, int] = field(default_factory=dict)


def main_object(page: Page) -> MainObject:
    """Return the article of a page, as `extract.article` finds it."""
    if word_count(page) < PROSE:
        return MainObject((), None)
    found = article(page)
    place = tree(page).xpath(found.xpath) if found.xpath else []
    element = place[0] if isinstance(place, list) and place and isinstance(place[0], etree._Element) else None
    return MainObject(tuple(line for line in found.text.split("\n") if line.strip()), element)


def compare(old: Page, new: Page, find: Finder = main_object) -> Comparison:
    """Compare two captures of a page; `find` says what its main object is.

    >>> html_type = (("Content-Type", "text/html"),)
    >>> body = "<body><h1>Kites</h1><p>They fly high over the {} hill, and people look up. " + "Wind and sun. " * 30
    >>> pages = [Page("http://e.org/", 200, html_type, body.format(word).encode()) for word in ("green", "brown")]
    >>> compare(pages[0], pages[1]).verdict, compare(pages[0], pages[0]).verdict
    ('edited', 'same')
    """
    if old.body == new.body:
        return Comparison("same", "the captures are equal byte by byte", _alike(), _alike())
    one, two = hash_tree(tree(old)), hash_tree(tree(new))
    first, second = find(old), find(new)
    matching = match(one, two)
    distance = _tree_similarity(one, two, matching.added, matching.removed, matching.changed)
    regions = (
        Regions(one.root, old.url, first.element, old.fetched_at),
        Regions(two.root, new.url, second.element, new.fetched_at),
    )
    found = [(edit, region_of(edit, *regions)) for edit in edits(matching)]
    found += [(edit, "template") for edit in script_edits(one.root, two.root)]
    page = _measured(words(old), words(new)) | {"tree": round(distance, 4)}
    own = _measured(_words(first.lines), _words(second.lines))
    verdict, because = main_object_verdict(found, (first, second), (old, new), skeleton_similarity(one, two))
    changes = tuple(_change(edit, region) for edit, region in found[:MOST_CHANGES])
    return Comparison(
        verdict,
        because,
        page,
        own,
        changes,
        dict(Counter(edit.kind for edit, _ in found)),
        dict(Counter(region for _, region in found)),
    )


def main_object_verdict(
    found: Sequence[tuple[Edit, Region]],
    objects: tuple[MainObject, MainObject],
    pages: tuple[Page, Page],
    skeleton: float,
) -> tuple[Verdict, str]:
    """Return the verdict on the main object."""
    old, new = objects
    if _words(old.lines) and not _words(new.lines):
        return "gone", "the new page has no main object"
    if skeleton < SAME_TEMPLATE:
        return _across_templates(old, new, pages)
    content = [(edit, region) for edit, region in found if edit.kind == "content"]
    for edit, region in content:
        if region == "object" and _says_more(edit, pages):
            return "edited", f"the main object says otherwise: {(edit.new or edit.old)[:120]}"
    for edit, region in found:
        if edit.what == "moved" and region == "object" and count_words(edit.new) >= PROSE:
            return "moved", f"the main object says the same in another order: {edit.new[:120]}"
    if any(region == "comment" for _, region in content):
        return "comments", "the main object is the same; comments came or went"
    for edit, _ in found:
        if edit.kind == "script":
            return "script", f"a script was {edit.what}: {(edit.new or edit.old)[:120]}"
    if found:
        most = Counter(region for _, region in found).most_common(1)[0][0]
        return "noise", f"only what does not count changed, most of it {most}"
    return "same", "nothing changed that people see"


def _says_more(edit: Edit, pages: tuple[Page, Page]) -> bool:
    """Say whether words came or went that the other page does not have as often: text that only moved is no edit."""
    if is_counter(edit.old, edit.new):
        return False
    if edit.what != "changed" and count_words(edit.new or edit.old) < PROSE:
        return False
    return _is_novel(edit.new, pages[1], pages[0]) or _is_novel(edit.old, pages[0], pages[1])


def _is_novel(text: str, page: Page, other: Page) -> bool:
    """Say whether a page has some words of a text more often than the other; a child element ends a run of words."""
    for part in text.lower().split("□"):
        said = WORD.findall(part)
        width = min(3, len(said))
        if width and any(_runs(page)[width - 1][run] > _runs(other)[width - 1][run] for run in shingles(said, width)):
            return True
    return False


@cached
def _runs(page: Page) -> tuple[Counter[tuple[str, ...]], ...]:
    """Return how often a page has each word, each pair of words, and each run of three."""
    said = words(page)
    return tuple(Counter(zip(*(said[start:] for start in range(width)), strict=False)) for width in (1, 2, 3))


def _across_templates(old: MainObject, new: MainObject, pages: tuple[Page, Page]) -> tuple[Verdict, str]:
    """Compare objects of different templates by their prose: each line must be somewhere on the other page."""
    for lines, page in ((old.lines, pages[1]), (new.lines, pages[0])):
        there = shingles(words(page), 3)
        for line in lines:
            said = WORD.findall(line.lower())
            if len(said) < PROSE or not any(c in line for c in ".!?。…;:"):
                continue
            missing = shingles(said, 3) - there
            if missing and len(missing) > len(shingles(said, 3)) * 0.02:
                side = "new" if page is pages[0] else "old"
                return "edited", f"a line of the {side} object is not on the other page: {line[:120]}"
    return "template", "the main object is the same in another template"


def skeleton_similarity(old: HashedTree, new: HashedTree) -> float:
    """Return the share of label paths, three elements long, that both pages have."""
    return jaccard(_paths(old), _paths(new))


def _paths(tree_: HashedTree) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for element in tree_.whole:
        parent = element.getparent()
        found.add((_label(element), None if parent is None else _label(parent)))
    return found


def _label(element: etree._Element) -> tuple[object, str | None]:
    return element.tag, element.get("class")


def _tree_similarity(
    one: HashedTree,
    two: HashedTree,
    added: Sequence[etree._Element],
    removed: Sequence[etree._Element],
    changed: Sequence[tuple[etree._Element, etree._Element]],
) -> float:
    """Return one minus the cost of the edit script over that of writing everything anew."""
    cost = sum(two.sizes[e] for e in added) + sum(one.sizes[e] for e in removed) + len(changed)
    total = one.sizes.get(one.root, 1) + two.sizes.get(two.root, 1)
    return max(0.0, 1 - cost / total)


def _measured(a: Sequence[str], b: Sequence[str]) -> dict[str, float]:
    measures = {"jaccard": jaccard(set(a), set(b)), "shingles": resemblance(a, b), "lcs": common_subsequence(a, b)}
    return {name: round(value, 4) for name, value in measures.items()}


def _alike() -> dict[str, float]:
    return {"jaccard": 1.0, "shingles": 1.0, "lcs": 1.0, "tree": 1.0}


def _words(lines: Sequence[str]) -> list[str]:
    return [word for line in lines for word in WORD.findall(line.lower())]


def _change(edit: Edit, region: Region) -> Change:
    element = edit.before if edit.before is not None else edit.after
    place = element.getroottree().getpath(element) if element is not None else ""
    return Change(edit.kind, edit.what, place, edit.old[:LONGEST_SHOWN], edit.new[:LONGEST_SHOWN], region)
