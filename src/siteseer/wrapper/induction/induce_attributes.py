"""Induces ranked expressions for every marked attribute of a set of pages (robust wrapper induction).

Reference: Furche, Guo, Maneth, Schallhart, "Robust and noise resistant wrapper induction", SIGMOD 2016, for anchors off
the path and the order by F-measure and a compositional robustness. Differs: unmarked pages are used (plausibility,
agreement), and the first expression has a fallback that stands on other anchors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lxml import html

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.wrapper.induction.candidates.search import Search, Sought
from siteseer.wrapper.induction.candidates.substring import Cut, learn_cut
from siteseer.wrapper.induction.diverse_shortlist import vote
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_with_lxml import read
from siteseer.wrapper.induction.marked_examples import Mark, MarkLocation, locate_mark
from siteseer.wrapper.induction.scoring import Example
from siteseer.wrapper.induction.shortlist import Ranked, Site, cut_all, with_fallback

Document: TypeAlias = Page | bytes | html.HtmlElement


@dataclass(frozen=True, slots=True)
class Attribute:
    """The induced expressions of one attribute, best first, relying on different anchors."""

    name: str
    expressions: tuple[Ranked, ...]
    known: tuple[str, ...]
    """The marked values."""
    optional: bool = False
    cut: Cut = field(default_factory=Cut)
    warning: str = ""

    @property
    def best(self) -> Ranked:
        """Return the first expression."""
        return self.expressions[0]

    def values(self, root: html.HtmlElement) -> tuple[str, ...]:
        """Return the values that the first expression selects on a page."""
        return cut_all(read(self.best.xpath, root), self.cut)

    def value(self, root: html.HtmlElement) -> str | None:
        """Return the value for which all expressions vote: it survives changes that break the first."""
        return vote([cut_all(read(one.xpath, root), self.cut) for one in self.expressions], self.known)


def induce(pages: Sequence[Document], marks: Sequence[Mark], unmarked: Sequence[Document] = ()) -> dict[str, Attribute]:
    """Return for every marked attribute ranked expressions; a page with marks lacks the attributes not marked on it.

    >>> pages = [b"<p><b>By:</b> <i>Ann</i> <u>8</u>", b"<p>New! <b>By:</b> <i>Bob Ray</i> <u>9</u>"]
    >>> found = induce(pages, [Mark(0, "author", "Ann"), Mark(1, "author", "Bob Ray")])
    >>> found["author"].best.hits
    (('Ann',), ('Bob Ray',))
    """
    if not marks:
        raise UsageError("nothing is marked; give at least one example")
    outside = [mark.page for mark in marks if not 0 <= mark.page < len(pages)]
    if outside:
        raise UsageError(f"a mark is on page {outside[0] + 1}, but there are {len(pages)} pages")
    used = sorted({mark.page for mark in marks})
    marked = {page: view_of(pages[page]) for page in used}
    others = [view_of(page) for number, page in enumerate(pages) if number not in marked] + list(map(view_of, unmarked))
    return induce_on(Site(list(marked.values()), others), [_renumbered(mark, used) for mark in marks])


def _renumbered(mark: Mark, used: Sequence[int]) -> Mark:
    return Mark(used.index(mark.page), mark.name, mark.at, mark.part)


def view_of(document: Document) -> ElementTables:
    """Return the view of a page, of its bytes, or of its tree."""
    if isinstance(document, bytes):
        document = Page("http://page.invalid/", headers=(("Content-Type", "text/html"),), body=document)
    return ElementTables(tree(document) if isinstance(document, Page) else document)


def induce_on(site: Site, marks: Sequence[Mark]) -> dict[str, Attribute]:
    """Return ranked expressions for every attribute that is marked on the pages of a site."""
    placed: dict[str, dict[int, list[MarkLocation]]] = {}
    for mark in marks:
        placed.setdefault(mark.name, {}).setdefault(mark.page, []).append(locate_mark(mark, site.marked[mark.page]))
    taken = {one.value for pages in placed.values() for row in pages.values() for one in row}
    return {name: induce_attribute(site, name, pages, taken) for name, pages in placed.items()}


def induce_attribute(
    site: Site, name: str, placed: Mapping[int, Sequence[MarkLocation]], taken: set[str], missing: float = 0.0
) -> Attribute:
    """Return ranked expressions for one attribute.

    `taken` are values of any attribute, which are no labels; `missing` is what an empty answer is worth where nothing
    is known.
    """
    found = [one for row in placed.values() for one in row]
    attribute = next((one.attribute for one in found if one.attribute), "")
    of_elements = any(one.kind != "text" for one in found)
    examples = [_example(view, placed.get(number, ()), of_elements) for number, view in enumerate(site.marked)]
    search = Search(name, examples, site.words, Sought(of_elements, attribute, frozenset(taken)))
    search.missing = missing
    candidates = search.run(site.unmarked)
    parts = [one.part for one in found if one.part]
    cut = learn_cut(parts) if parts else Cut()
    expressions = with_fallback(candidates, site, cut or Cut())
    if not expressions:
        raise UsageError(
            f"no expression finds {name!r}; mark it on another page, or mark the node instead of the value"
        )
    return Attribute(
        name,
        expressions,
        tuple(dict.fromkeys(one.value for one in found)),
        optional=any(not one.wanted for one in examples) or any(not row for row in expressions[0].hits),
        cut=cut or Cut(),
        warning=_warning(name, found, examples, cut),
    )


def _example(view: ElementTables, found: Sequence[MarkLocation], of_elements: bool) -> Example:
    wanted = frozenset(one.value for one in found)
    if found and all(one.by_value and one.kind == "text" for one in found) and not of_elements:
        return Example(view, wanted)
    numbers = {
        view.owners[number] if of_elements and one.kind == "text" else number for one in found for number in one.numbers
    }  # fmt: skip
    return Example(view, wanted, frozenset(numbers) if found else None)


def _warning(name: str, found: Sequence[MarkLocation], examples: Sequence[Example], cut: Cut | None) -> str:
    if cut is None:
        return f"the marked parts of {name!r} have nothing in common around them: whole texts are returned"
    shown = [one.wanted for one in examples if one.wanted]
    if len(shown) > 1 and len(set(shown)) == 1:
        return f"{name!r} is {found[0].value[:60]!r} on all marked pages: mark a page where it differs"
    return ""
