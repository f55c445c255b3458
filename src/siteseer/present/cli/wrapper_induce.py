"""`siteseer wrapper induce`: a wrapper from examples, for people who do not write XPath."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from siteseer.errors import UsageError
from siteseer.present.cli.say import answer, complain, plain

if TYPE_CHECKING:
    from siteseer.wrappers.induce import Attribute, Mark
    from siteseer.wrappers.induce.view import View

_EXAMPLE = re.compile(r"(?:(\d{1,6}):)?([^=]{1,200})=(.+)", re.DOTALL)


def induce(
    pages: Annotated[
        list[str], typer.Argument(metavar="PAGE...", help="Files, URLs, folders, WARC: marked pages, and others alike.")
    ],
    example: Annotated[
        list[str] | None,
        typer.Option(metavar="[N:]NAME=VALUE-or-XPATH", help="An attribute as shown on a page (the Nth one)."),
    ] = None,
    record: Annotated[
        list[str] | None, typer.Option(metavar="[N:]XPATH", help="A record of a list; examples are then inside it.")
    ] = None,
    following: Annotated[
        list[str] | None, typer.Option("--next", metavar="[N:]TEXT-or-XPATH", help="The link to the next page.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="jsonl: ranked expressions; oxpath: a wrapper.")] = "jsonl",
) -> int:
    """Find robust expressions for what examples show, best first; or write them as a wrapper."""
    from siteseer.fetch.single import fetch_page
    from siteseer.present.article_sources import named_pages
    from siteseer.wrappers.induce import compose, induce_next, induce_records
    from siteseer.wrappers.induce import induce as induce_attributes
    from siteseer.wrappers.induce.attributes import view_of
    from siteseer.wrappers.induce.told import told

    if form not in ("jsonl", "oxpath"):
        raise UsageError(f"there is no format {form!r}; choose jsonl or oxpath")
    found = [one.page for one in named_pages(pages, None, fetch_page, complain)]
    views = [view_of(page) for page in found]
    trees = [view.root for view in views]
    marks = _marks(views, example or [])
    rows = _marks(views, [_named(one, "record") for one in record or []])
    links = _marks(views, [_named(one, "next") for one in following or []])
    if not (marks or rows or links):
        raise UsageError("nothing is marked; give --example NAME=VALUE, --record XPATH or --next TEXT")
    records = induce_records(trees, rows, marks) if rows else None
    attributes = records.attributes if records else induce_attributes(trees, marks) if marks else {}
    more = induce_next(trees, links) if links else ()
    if form == "oxpath":
        print(plain(compose(found[0].url or "http://example.org/", records or attributes, more[0] if more else None)))
        return 0
    for rank, one in enumerate(records.expressions if records else (), 1):
        answer(told("record", rank, one))
    for attribute in attributes.values():
        _tell(attribute)
    for rank, one in enumerate(more, 1):
        answer(told("next", rank, one))
    return 0


def _tell(attribute: Attribute) -> None:
    from siteseer.wrappers.induce.told import told

    if attribute.warning:
        complain(attribute.warning)
    for rank, one in enumerate(attribute.expressions, 1):
        answer(told(attribute.name, rank, one) | {"optional": attribute.optional})


def _named(text: str, name: str) -> str:
    """Return a mark without a name as one with it."""
    number = re.match(r"(\d{1,6}):(?!//)", text)
    return f"{number[0]}{name}={text[number.end() :]}" if number else f"{name}={text}"


def _marks(views: list[View], texts: list[str]) -> list[Mark]:
    """Return the marks; one without a page number is on the first page that shows it and has none of that name yet."""
    from siteseer.wrappers.induce import Mark

    marks: list[Mark] = []
    for text in texts:
        match = _EXAMPLE.match(text)
        if not match:
            raise UsageError(f"{text[:200]!r} is no example; write NAME=VALUE, NAME=XPATH or 2:NAME=VALUE")
        number, name, value = match.groups()
        page = int(number) - 1 if number else _first(views, name, value, marks)
        if not 0 <= page < len(views):
            raise UsageError(f"{text[:200]!r} is on page {page + 1}, but there are {len(views)} pages")
        marks.append(Mark(page, name, value))
    return marks


def _first(views: list[View], name: str, value: str, marks: list[Mark]) -> int:
    taken = {mark.page for mark in marks if mark.name == name} if name not in ("record", "next") else set()
    for page in [*(page for page in range(len(views)) if page not in taken), *sorted(taken)]:
        if _shows(views[page], name, value):
            return page
    raise UsageError(f"no page shows {value[:200]!r}, the example of {name!r}")


def _shows(view: View, name: str, value: str) -> bool:
    from siteseer.wrappers.induce.marks import Mark, find

    try:
        return bool(find(Mark(0, name, value), view))
    except UsageError:
        return False
