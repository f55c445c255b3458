"""Induces an expression for the records of a list, and one for each attribute within a record.

A person marks one or two records of a list, not all: an expression is measured against all elements of the same
structure, and recall counts more than precision. A record is then treated as a page of its own: the marked records are
marked pages, the others unmarked ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lxml import html

from siteseer.errors import UsageError
from siteseer.page.similarity.set_measures import overlap
from siteseer.wrapper.induction.candidates.search import Search, Sought
from siteseer.wrapper.induction.candidates.substring import Cut
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_on_tables import evaluate
from siteseer.wrapper.induction.evaluate_with_lxml import nodes
from siteseer.wrapper.induction.induce_attributes import Attribute, Document, induce_attribute, view_of
from siteseer.wrapper.induction.induced_xpath import Expression
from siteseer.wrapper.induction.marked_examples import Mark, MarkLocation, locate_mark
from siteseer.wrapper.induction.scoring import Example
from siteseer.wrapper.induction.shortlist import Ranked, Site, shortlist_json

RECALL = 2.0
"""beta of the F-measure: a record too many is seen and struck out, a missing one is not seen."""
PAGES = 6
"""Unmarked pages that are searched for records."""
OFTEN_MISSING = 0.5
"""What an empty answer is worth in an unmarked record: many records lack some attribute."""
SAMPLE = 24
"""Unmarked records in which attributes are looked for."""
STRUCTURE_DEPTH = 4
MOST_INSIDE = 400
"""Elements looked at inside a record."""
LEAST_OVERLAP = 0.5
Build = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Records:
    """The induced expressions of a list: for the records, best first, and for each attribute."""

    expressions: tuple[Ranked, ...]
    attributes: dict[str, Attribute]

    def rows(self, root: html.HtmlElement) -> list[dict[str, tuple[str, ...]]]:
        """Return the records of a page, each with the values of its attributes."""
        return [
            {name: found for name, one in self.attributes.items() if (found := one.values(record))}
            for record in nodes(self.expressions[0].xpath, root)
        ]


def induce_records(
    pages: Sequence[Document], records: Sequence[Mark], attributes: Sequence[Mark], unmarked: Sequence[Document] = ()
) -> Records:
    """Return expressions for marked records and for the attributes marked inside them.

    >>> page = b"<ul><li><b>A</b> <i>1</i><li><b>B</b><li><b>C</b> <i>3</i></ul>"
    >>> found = induce_records([page], [Mark(0, "row", "//li[1]")], [Mark(0, "n", "A"), Mark(0, "p", "1")])
    >>> found.rows(view_of(page).root)
    [{'n': ('A',), 'p': ('1',)}, {'n': ('B',)}, {'n': ('C',), 'p': ('3',)}]
    """
    if not records:
        raise UsageError("no record is marked; mark at least one")
    used = sorted({mark.page for mark in records})
    if used[0] < 0 or used[-1] >= len(pages):
        raise UsageError(f"a record is marked on page {used[-1] + 1}, but there are {len(pages)} pages")
    marked = {page: view_of(pages[page]) for page in used}
    rest = [page for number, page in enumerate(pages) if number not in marked] + list(unmarked)
    site = Site(list(marked.values()), list(map(view_of, rest[:PAGES])))
    chosen = {page: _record_elements(marked[page], page, records) for page in used}
    expressions = _record_expressions(site, [chosen[page] for page in used])
    fields = _attributes(site, [chosen[page] for page in used], expressions[0].xpath, _on(attributes, used))
    return Records(expressions, fields)


def _record_elements(view: ElementTables, page: int, records: Sequence[Mark]) -> frozenset[int]:
    found = [locate_mark(mark, view) for mark in records if mark.page == page]
    texts = [one for one in found if one.kind == "text"]
    if texts:
        raise UsageError(f"{texts[0].value[:60]!r} is a text; mark the element of the whole record")
    return frozenset().union(*(one.numbers for one in found))


def _record_expressions(site: Site, chosen: Sequence[frozenset[int]]) -> tuple[Ranked, ...]:
    pairs = [(view, one) for view, numbers in zip(site.marked, chosen, strict=True) for one in numbers]
    places, builds = {view.tag_path(one) for view, one in pairs}, [build(view, one) for view, one in pairs]
    supposed = [similar_elements(view, places, builds) for view in site.views]
    views = [(view, numbers) for view, numbers in zip(site.views, supposed, strict=True) if numbers]
    examples = [Example(view, frozenset(view.string(one) for one in numbers), numbers) for view, numbers in views]
    search = Search("record", examples, site.words, Sought(of_elements=True, beta=RECALL))
    whole = Site([view for view, _ in views])
    found = [one for one in search.run(()) if _has_all(one.expression, site, chosen)]
    if expressions := shortlist_json(found, whole, Cut()):
        return expressions
    raise UsageError("no expression selects the marked records; mark elements of one kind")


def _has_all(expression: Expression, site: Site, chosen: Sequence[frozenset[int]]) -> bool:
    return all(numbers <= set(evaluate(view, expression)) for view, numbers in zip(site.marked, chosen, strict=True))


def _on(marks: Sequence[Mark], used: Sequence[int]) -> list[Mark]:
    outside = [mark for mark in marks if mark.page not in used]
    if outside:
        raise UsageError(f"{outside[0].name!r} is marked on page {outside[0].page + 1}, where no record is marked")
    return [Mark(used.index(mark.page), mark.name, mark.at, mark.part) for mark in marks]


def _attributes(
    site: Site, chosen: Sequence[frozenset[int]], xpath: str, marks: Sequence[Mark]
) -> dict[str, Attribute]:
    """Put each mark into its record, and induce within records; of a record without a mark nothing is known."""
    marked = [
        (page, ElementTables(site.marked[page].nodes[one], True))
        for page, row in enumerate(chosen)
        for one in sorted(row)
    ]
    placed: dict[str, dict[int, list[MarkLocation]]] = {}
    for mark in marks:
        number, found = _in_record(mark, marked)
        placed.setdefault(mark.name, {}).setdefault(number, []).append(found)
    known = {view.root for _, view in marked}
    others = [node for view in site.views for node in nodes(xpath, view.root) if node not in known]
    sample = [ElementTables(node, True) for node in others[:: max(1, len(others) // SAMPLE)][:SAMPLE]]
    taken = {one.value for rows in placed.values() for row in rows.values() for one in row}
    induced = {}
    for name, rows in placed.items():
        inner = Site(
            [marked[number][1] for number in rows], [v for n, (_, v) in enumerate(marked) if n not in rows] + sample
        )
        induced[name] = induce_attribute(inner, name, dict(enumerate(rows.values())), taken, OFTEN_MISSING)
    return induced


def _in_record(mark: Mark, marked: Sequence[tuple[int, ElementTables]]) -> tuple[int, MarkLocation]:
    """Return the number of the record that shows a mark, and where in it."""
    for number, (page, view) in enumerate(marked):
        if page == mark.page:
            try:
                return number, locate_mark(mark, view)
            except UsageError:
                continue
    raise UsageError(f"{str(mark.part or mark.at)[:200]!r} is in none of the marked records of page {mark.page + 1}")


def build(view: ElementTables, element: int) -> Build:
    """Return an element's structure: the tag paths inside it, and the class words of the tags."""
    found: set[tuple[str, ...]] = set()
    paths: dict[int, tuple[str, ...]] = {element: ()}
    for one in range(element + 1, min(view.ends[element], element + MOST_INSIDE) + 1):
        above = paths.get(view.parents[one])
        if above is not None and len(above) < STRUCTURE_DEPTH:
            paths[one] = (*above, view.tags[one])
            found.add(paths[one])
            found.update((*paths[one], value) for name, value in view.atoms[one] if name in ("class", "itemprop"))
    found.update(("", value) for name, value in view.atoms[element] if name in ("class", "itemprop"))
    return frozenset(found)


def similar_elements(view: ElementTables, places: Iterable[tuple[str, ...]], builds: Iterable[Build]) -> frozenset[int]:
    """Return the elements at one of the tag paths whose structure resembles that of a marked one.

    >>> from lxml import html
    >>> view = ElementTables(html.fromstring("<ul><li><b>1</b><i>a</i><li><b>2</b><li><img></ul>"))
    >>> sorted(similar_elements(view, [("ul", "li")], [build(view, 1)]))
    [1, 4]
    """
    paths, known = set(places), list(builds)
    found = set()
    for tag in {path[-1] for path in paths}:
        for one in view.by_tag.get(tag, ()):
            if view.tag_path(one) in paths and any(
                overlap(build(view, one), other) >= LEAST_OVERLAP for other in known
            ):
                found.add(one)
    return frozenset(found)
