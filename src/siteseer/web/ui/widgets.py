"""The small widgets that every view uses. Text from pages is always shown as text, never as markup.

The toolkit evaluates properties whose name begins with a colon, and splits strings of properties at spaces: so values
go in one by one, by name, and links lead to http addresses or to ourselves.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.web.ui.texts import texts

Result = TypeVar("Result")
Handler = Callable[..., Awaitable[None]]

ATTRIBUTES = frozenset(
    ("href", "target", "rel", "title", "id", "src", "sandbox", "type", "colspan", "lang", "datetime", "role", "name")
    + ("aria-label", "aria-current", "referrerpolicy", "loading", "tabindex", "alt")
)
LONGEST = 20_000
"""Letters of one text that are shown; more is read in the archived page."""


def tag(name: str, said: object = "", classes: str = "", **attributes: str) -> TextElement:
    """Put an HTML element with a text; underscores in names of attributes stand for dashes."""
    made = TextElement(tag=name, text=str(said)[:LONGEST])
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if key not in ATTRIBUTES:
            raise ValueError(f"{key} is no attribute that the interface uses")
        made.props[key] = value
    return made.classes(classes)


def is_web(address: object) -> bool:
    """Say whether an address from a page may be a link: nothing that a browser would run.

    >>> is_web("https://e.org/"), is_web("javascript:alert(1)"), is_web(" JavaScript:x"), is_web(None)
    (True, False, False, False)
    """
    return isinstance(address, str) and address.startswith(("http://", "https://"))


def out_link(said: object, address: object, classes: str = "") -> None:
    """Put a link to the live Web, or only its text where the address is not to be followed."""
    if is_web(address):
        tag("a", said, classes, href=str(address), target="_blank", rel="noopener noreferrer nofollow")
    else:
        tag("span", said, classes)


def own_link(said: object, address: str, classes: str = "") -> TextElement:
    """Put a link to another view."""
    return tag("a", said, classes, href=address)


def text_button(said: str, handler: Callable[..., Any], classes: str = "plain-link", label: str = "") -> TextElement:
    """Put a button that looks like text."""
    made = tag("button", said, classes, type="button", **({"aria_label": label} if label else {}))
    made.on("click", handler)
    return made


def headline(title: str, said: str = "") -> None:
    """Put the title of a view and a sentence that says what it is for."""
    with ui.element("div").classes("headline"):
        tag("h1", title)
        if said:
            tag("p", said)


def panel(title: str = "", classes: str = "") -> ui.element:
    """Put a panel, to be filled."""
    made = ui.element("section").classes(f"panel {classes}")
    if title:
        with made:
            tag("h2", title)
    return made


def bar(classes: str = "") -> ui.element:
    """Put a row of things beside each other that wraps on a small screen."""
    return ui.element("div").classes(f"bar {classes}")


def tiles(figures: Iterable[tuple[str, object]]) -> None:
    """Put figures, each with its name."""
    with ui.element("div").classes("tiles"):
        for name, value in figures:
            with ui.element("div").classes("tile"):
                tag("div", number(value), "number")
                tag("div", name, "name")


def number(value: object) -> str:
    """Return a figure as people read it.

    >>> number(12345), number(0.98765), number(None), number("phpbb")
    ('12,345', '98.8 %', '–', 'phpbb')
    """
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return texts.YES if value else texts.NO
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value * 100:.1f} %" if isinstance(value, float) else str(value)


def size(count: int) -> str:
    """Return a number of bytes as people read it.

    >>> size(500), size(1_500_000)
    ('500 B', '1.5 MB')
    """
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def table(names: Sequence[str], rows: Iterable[Sequence[object]], numeric: Sequence[int] = ()) -> None:
    """Put a table of texts; the columns named by number in `numeric` are aligned right."""
    with ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for place, name in enumerate(names):
                tag("th", name, "number" if place in numeric else "")
        with ui.element("tbody"):
            for row in rows:
                with ui.element("tr"):
                    for place, value in enumerate(row):
                        tag("td", number(value), "number" if place in numeric else "")


def empty(said: str) -> None:
    """Say that there is nothing, and what to do."""
    tag("div", said, "empty")


def errors_shown(handler: Handler) -> Handler:
    """Wrap a handler so that its errors are shown in one sentence; nothing is shown to people who left the page."""

    @functools.wraps(handler)
    async def wrapped(*given: Any, **named: Any) -> None:
        try:
            await handler(*given, **named)
        except SiteseerError as error:
            if not _has_left():
                show_error(str(error))
        except RuntimeError:
            if not _has_left():
                raise

    return wrapped


def _has_left() -> bool:
    """Say whether the page for which something was done is no longer there: work can take longer than a visit."""
    try:
        return ui.context.client.is_deleted
    except RuntimeError:
        return True


def show_error(sentence: str) -> None:
    """Show what went wrong."""
    ui.notify(sentence[:500], type="negative", position="top", timeout=8000, close_button=texts.CLOSE)


def show_message(sentence: str) -> None:
    """Show that something is done."""
    ui.notify(sentence[:500], type="positive", position="top", timeout=4000)


async def in_thread(function: Callable[..., Result], *given: Any, **named: Any) -> Result:
    """Do what takes time beside the loop, so that the page stays quick."""
    return await asyncio.to_thread(function, *given, **named)


def short(value: JSON, letters: int = 160) -> str:
    """Return the beginning of a text in one line.

    >>> short("a  b\\nc", 4)
    'a b…'
    """
    said = " ".join(str(value or "")[: 4 * letters].split())
    return said if len(said) <= letters else said[: letters - 1].rstrip() + "…"
