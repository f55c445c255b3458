"""Generalises clicks to ranked expressions for records, their attributes and the next link.

A person clicks somewhere inside two records. The records are then the elements just below the common ancestor of both
clicks, or something narrower on the way to the clicks: each is offered, with the elements that it selects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml import html

from siteseer.errors import UsageError
from siteseer.wrapper.designer.expression_wording import readable_expression
from siteseer.wrapper.designer.page_snapshot import Snapshot
from siteseer.wrapper.induction import Mark, induce_next, induce_records
from siteseer.wrapper.induction.evaluate_with_lxml import nodes
from siteseer.wrapper.induction.induce_attributes import Attribute

MOST_LEVELS = 4
MOST_CHOICES = 6
WHOLE_PAGE = "/html"
"""The record where a page is about one thing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A generalisation: an expression, how a value is read there, and the numbers of the elements that it selects."""

    xpath: str
    """As people read it: the language of wrappers."""
    hits: tuple[int, ...]
    value: str = "normalize-space(.)"
    plain: str = ""
    """The same in XPath 1.0, where that differs."""

    @property
    def path(self) -> str:
        """The expression in XPath 1.0."""
        return self.plain or self.xpath


@dataclass(frozen=True, slots=True)
class AttributeExample:
    """An example of an attribute: an element, and what is taken of it: `text`, or an attribute such as `href`."""

    number: int
    take: str = "text"


def record_choices(snapshot: Snapshot, clicks: Sequence[int]) -> tuple[Choice, ...]:
    """Return the records that clicks in two or more different records may mean, the likeliest first."""
    examples = [snapshot.element(number) for number in clicks]
    found: dict[tuple[int, ...], Choice] = {}
    for level in levels(examples):
        induced = induce_records([snapshot.root], [Mark(0, "record", one) for one in level], [])
        for one in induced.expressions:
            hits = snapshot.numbers_of(nodes(one.xpath, snapshot.root))
            found.setdefault(hits, Choice(readable_expression(one.xpath), hits, plain=one.xpath))
    return tuple(found.values())[:MOST_CHOICES]


def levels(examples: Sequence[html.HtmlElement]) -> list[list[html.HtmlElement]]:
    """Return the elements that may be the records around clicks: the widest first, as long as all are of one kind.

    >>> page = html.fromstring("<ul><li><p><b>A</b></p></li><li><p><b>B</b></p></li></ul>")
    >>> [[one.tag for one in level] for level in levels(page.xpath("//b"))]
    [['li', 'li'], ['p', 'p'], ['b', 'b']]
    """
    chains = [[one, *one.iterancestors()][::-1] for one in examples]
    shared = 0
    while all(len(chain) > shared and chain[shared] is chains[0][shared] for chain in chains):
        shared += 1
    found = []
    for depth in range(shared, min(map(len, chains))):
        level = [chain[depth] for chain in chains]
        if len({one.tag for one in level}) > 1 or not isinstance(level[0].tag, str):
            break
        found.append(list(dict.fromkeys(level)))
    if not found or len(found[0]) < 2:
        raise UsageError("these are not two records: click on the same thing, such as the title, in two of them")
    return found[:MOST_LEVELS]


def attribute_choices(
    snapshot: Snapshot, record: Choice, marked: dict[str, Sequence[AttributeExample]]
) -> dict[str, tuple[Choice, ...]]:
    """Return for every attribute the expressions that find it inside the records, best first."""
    inside = nodes(record.path, snapshot.root)
    holding: dict[html.HtmlElement, None] = {}
    marks = []
    for name, examples in marked.items():
        for one in examples:
            element = snapshot.element(one.number)
            holding.setdefault(_record_of(element, inside))
            marks.append(Mark(0, name, _place(element, one.take)))
    records = [Mark(0, "record", one) for one in holding]
    induced = induce_records([snapshot.root], records, marks)
    return {name: tuple(_within(snapshot, inside, one)) for name, one in induced.attributes.items()}


def _record_of(element: html.HtmlElement, records: Sequence[html.HtmlElement]) -> html.HtmlElement:
    around = {element, *element.iterancestors()}
    found = [one for one in records if one in around]
    if not found:
        raise UsageError("this is outside the records: click inside one of those that are highlighted")
    return found[-1]


def _place(element: html.HtmlElement, take: str) -> str | html.HtmlElement:
    if take == "text":
        return element
    return f"{element.getroottree().getpath(element)}/@{take}"


def _within(snapshot: Snapshot, records: Sequence[html.HtmlElement], found: Attribute) -> Iterator[Choice]:
    """Yield the expressions of an attribute that find different things in the records."""
    seen = set()
    for one in found.expressions:
        hits = snapshot.numbers_of([node for record in records for node in nodes(one.xpath, record)])
        if hits not in seen:
            seen.add(hits)
            yield Choice(readable_expression(one.xpath), hits, one.value, one.xpath)


def next_choices(snapshot: Snapshot, number: int) -> tuple[Choice, ...]:
    """Return expressions for the link to the next page that was clicked, best first."""
    made = [one.xpath for one in induce_next([snapshot.root], [Mark(0, "next", snapshot.element(number))])]
    return tuple(
        Choice(readable_expression(one), snapshot.numbers_of(nodes(one, snapshot.root)), plain=one) for one in made
    )


def leads_away(snapshot: Snapshot, hits: Sequence[int]) -> bool:
    """Say whether a link has an address of its own: otherwise a script turns the page in place."""
    for number in hits:
        for one in (snapshot.element(number), *snapshot.element(number).iterancestors()):
            target = one.get("href") or ""
            if one.tag == "a" and target and not target.startswith(("#", "javascript:")):
                return bool(urljoin(snapshot.base, target).split("#")[0] != snapshot.url.split("#")[0])
    return False
