"""Parses marks written as text: `title=The text`, `2:price=//span[@class='p']`; the page is the first that shows it."""

from __future__ import annotations

import re

from siteseer.errors import UsageError
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.marked_examples import Mark, locate_mark

_EXAMPLE = re.compile(r"(?:(\d{1,6}):)?([^=]{1,200})=(.+)", re.DOTALL)


def with_default_name(text: str, name: str) -> str:
    """Return a mark without a name as one with it."""
    number = re.match(r"(\d{1,6}):(?!//)", text)
    return f"{number[0]}{name}={text[number.end() :]}" if number else f"{name}={text}"


def parse_marks(views: list[ElementTables], texts: list[str]) -> list[Mark]:
    """Return the marks; one without a page number is on the first page that shows it and has none of that name yet."""
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


def _first(views: list[ElementTables], name: str, value: str, marks: list[Mark]) -> int:
    taken = {mark.page for mark in marks if mark.name == name} if name not in ("record", "next") else set()
    for page in [*(page for page in range(len(views)) if page not in taken), *sorted(taken)]:
        if _shows(views[page], name, value):
            return page
    raise UsageError(f"no page shows {value[:200]!r}, the example of {name!r}")


def _shows(view: ElementTables, name: str, value: str) -> bool:
    try:
        return bool(locate_mark(Mark(0, name, value), view))
    except UsageError:
        return False
