"""Shows objects as cards, with their actions, and the archived page beside them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import quote, urldefrag

from nicegui import ui

from siteseer.collection.objects.citation import citation, file_name
from siteseer.model import JSON
from siteseer.web.replay_server import Replay
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import errors_shown, in_thread, is_web, out_link, show_message, tag, text_button

LONG = 420
"""Letters after which a text is folded."""
_INTO_SIGHT = """({target: frame}) => {
  if (frame.watched) return;
  frame.watched = new ResizeObserver(() => {
    frame.closest('.shown')?.scrollIntoView({block: 'nearest'});
    if (frame.src.includes('#')) frame.contentWindow?.location.replace(frame.src);
  });
  frame.watched.observe(frame);
  frame.watched.observe(document.body);
  for (const deed of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    addEventListener(deed, () => frame.watched.disconnect(), {once: true, capture: true});
}"""
"""Keep the frame, and in it the object, in sight while sizes change, until the person does something else.

A page that ends soon after the object cannot open with it at the top and may not move our page, and a frame can get its
size after its page has chosen what to show."""
Show = Callable[[JSON], Awaitable[None]]


class ArchivedPagePanel:
    """The archived page beside a list: in a frame without scripts, from an origin of its own."""

    def __init__(self, app_context: AppContext, collection: str, later: bool = False) -> None:
        """Put the frame; with `later` it takes room only once there is something to show."""
        self.app_context, self.collection = app_context, collection
        self.marked: ui.element | None = None
        with ui.element("aside").classes("shown later" if later else "shown") as self.box:
            tag("div", texts.PAGE_BESIDE, "empty")
        self.box.props["aria-label"] = texts.FRAME_TITLE

    def show(self, url: str, thing: JSON = None, when: str = "") -> None:
        """Show a page; with an object, opened where it stands."""
        self.box.clear()
        self.box.classes(add="open")
        with self.box:
            with ui.element("div").classes("of"):
                close = ui.button(icon="arrow_back", on_click=self.close).props("flat dense round").classes("close")
                close.props["aria-label"] = texts.CLOSE
                out_link(url, url, "wrap grow small")
                tag("span", texts.ARCHIVED_AT.format(when=when[:10]) if when else "", "soft small")
                replay_button(self.app_context, self.collection, url, when)
            framed(self.app_context.archived(self.collection, url, thing)).on("load", js_handler=_INTO_SIGHT)

    def mark(self, card: ui.element) -> None:
        """Mark the card or row whose page is shown."""
        if self.marked is not None and not self.marked.is_deleted:
            self.marked.classes(remove="open")
        self.marked = card.classes(add="open")

    def close(self) -> None:
        """Give the screen back to the list, where it is small."""
        self.box.classes(remove="open")


def framed(address: str) -> ui.element:
    """Put a page into a frame in which nothing runs."""
    return tag("iframe", src=address, sandbox="", referrerpolicy="no-referrer", title=texts.FRAME_TITLE)


def replay_button(app_context: AppContext, collection: str, url: str, when: str) -> None:
    """Put a button that opens the full replay in a new tab."""

    other = app_context.other_host()  # neither cookies nor storage are shared with the interface

    async def replay() -> None:
        show_message(texts.REPLAY_STARTING)
        path = (await in_thread(app_context.library.open, collection)).path
        address = await in_thread(app_context.replay.address, collection, path, url, when, other)
        ui.navigate.to(address, new_tab=True)

    if is_web(url) and Replay.is_installed():
        text_button(texts.REPLAY, errors_shown(replay))


def card(
    app_context: AppContext,
    collection: str,
    thing: JSON,
    beside: ArchivedPagePanel,
    depth: int = 0,
    by_author: Show | None = None,
) -> None:
    """Put one object."""
    capture = thing.get("capture") or {}
    when = str(capture.get("time") or "")

    async def show_page() -> None:
        beside.mark(box)
        beside.show(thing["url"], thing, when)

    async def cite() -> None:
        ui.download.content(citation(thing, collection), file_name(thing), "text/html")

    with ui.element("article").classes("thing inner" if depth else "thing").style(f"--depth:{int(depth)}") as box:
        with ui.element("div").classes("who"):
            tag("span", thing["kind"], "pill strong" if thing["kind"] in ("post", "article") else "pill")
            _author(thing, by_author)
            if thing.get("published"):
                tag("time", str(thing["published"]).replace("T", " ")[:16], datetime=str(thing["published"]))
        if thing.get("title"):
            tag("div", thing["title"], "title")
        _said(str(thing.get("text") or ""))
        with ui.element("div").classes("does"):
            text_button(texts.SHOW_PAGE, errors_shown(show_page))
            if thing["kind"] in ("post", "comment", "article", "thread"):
                tag("a", texts.SHOW_THREAD, href=thread_address(collection, thing["id"]))
            text_button(texts.CITE, errors_shown(cite))
            replay_button(app_context, collection, _with_place(thing), when)
            out_link(texts.LIVE_WEB, thing.get("permalink") or thing["url"])


def _with_place(thing: JSON) -> str:
    """Return the page on which an object was captured, with the place that its permalink names.

    >>> _with_place({"url": "http://e.org/thread/2", "permalink": "http://e.org/post/7#p7"})
    'http://e.org/thread/2#p7'
    """
    fragment = urldefrag(str(thing.get("permalink") or "")).fragment
    return urldefrag(str(thing["url"])).url + (f"#{fragment}" if fragment else "")


def thread_address(collection: str, identity: str) -> str:
    """Return where a whole thread is read."""
    return f"/c/{quote(collection, safe='')}/read?thread={quote(identity, safe='')}"


def _author(thing: JSON, by_author: Show | None) -> None:
    name = thing.get("author")
    if not name:
        tag("span", texts.NOBODY)
    elif by_author is None:
        tag("strong", name, "wrap")
    else:
        text_button(str(name), errors_shown(lambda: by_author(name)), "plain-link wrap author")


def _said(text: str) -> None:
    if not text:
        return
    said = tag("div", text, "said short" if len(text) > LONG else "said")
    if len(text) > LONG:
        more = text_button(texts.MORE, lambda: None)

        def turn() -> None:
            is_short = more.text == texts.MORE
            said.classes(remove="short") if is_short else said.classes(add="short")
            more.text = texts.LESS if is_short else texts.MORE

        more.on("click", turn)


def depths(things: Sequence[JSON]) -> list[int]:
    """Return how deep each object of a thread is nested: answers below what they answer.

    >>> depths([{"id": "a"}, {"id": "b", "parent": "a"}, {"id": "c", "parent": "b"}, {"id": "d", "parent": "x"}])
    [0, 1, 2, 0]
    """
    known: dict[str, int] = {}
    for thing in things:
        parent = thing.get("parent")
        known[thing["id"]] = known[parent] + 1 if parent in known and parent != thing["id"] else 0
    return [known[thing["id"]] for thing in things]
