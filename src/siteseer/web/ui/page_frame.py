"""Draws the frame around every view: name, navigation, the choice of the collection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from nicegui import ui

from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import in_thread, tag

COLORS = {"primary": "#0f766e", "secondary": "#b45309", "negative": "#b42318", "positive": "#0f766e", "dark": "#1a2028"}


def address(view: str, collection: str = "") -> str:
    """Return the address of a view.

    >>> address("read", "my forum"), address("live")
    ('/c/my%20forum/read', '/live')
    """
    return texts.VIEWS[view][2].format(quote(collection, safe=""))


@contextmanager
def frame(
    app_context: AppContext, view: str, names: list[str], collection: str = "", whole: bool = False
) -> Iterator[None]:
    """Put the frame; what the view puts then stands inside it."""
    ui.page_title(f"{texts.VIEWS[view][0]} · {texts.NAME}")
    ui.colors(**COLORS)
    chosen = collection or (names[0] if names else "")
    with ui.header().classes("top row items-center no-wrap"):
        menu = ui.button(icon="menu").props("flat dense round color=primary").classes("lt-md")
        menu.props["aria-label"] = texts.MENU
        tag("a", texts.NAME, "brand", href="/")
        ui.space()
        if names:
            _choice(view, names, chosen)
        dark = ui.dark_mode(None)
        turn = ui.button(icon="contrast", on_click=lambda: dark.set_value(not dark.value)).props("flat dense round")
        turn.props["aria-label"] = texts.LIGHT_OR_DARK
    with ui.left_drawer(value=False).props("width=212 breakpoint=1023 show-if-above").classes("side") as drawer:
        _navigation(view, chosen)
    menu.on("click", drawer.toggle)
    content = ui.element("div").classes("page-content whole" if whole else "page-content")
    ui.skip_link(texts.SKIP_TO_CONTENT, target=content)
    with content:
        yield


async def names_of(app_context: AppContext) -> list[str]:
    """Return the names of the collections, the newest first."""
    return [card.name for card in await in_thread(app_context.library.collections)]


def _choice(view: str, names: list[str], chosen: str) -> None:
    """Put the choice of the collection; the view stays the same where it can."""
    target = view if "{}" in texts.VIEWS[view][2] else "result"
    choice = ui.select(
        names, value=chosen if chosen in names else None, label=texts.COLLECTION, with_input=len(names) > 8
    )
    choice.props("outlined dense options-dense").style("min-width: 150px; max-width: 46vw")
    choice.on_value_change(lambda event: ui.navigate.to(address(target, event.value)) if event.value else None)


def _navigation(view: str, chosen: str) -> None:
    for heading, group in texts.GROUPS:
        views = tuple(name for name in group if chosen or "{}" not in texts.VIEWS[name][2])
        if not views:
            continue
        tag("div", heading, "heading")
        with ui.element("nav") as nav:
            nav.props["aria-label"] = heading
            for name in views:
                said, icon, _ = texts.VIEWS[name]
                current = {"aria_current": "page"} if name == view else {}
                with tag("a", "", "current" if name == view else "", href=address(name, chosen), **current):
                    ui.icon(icon)
                    tag("span", said)
