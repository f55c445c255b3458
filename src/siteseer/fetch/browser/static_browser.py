"""A `Browser` without scripts: pages come from the network or an archive, links and forms work, nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from lxml import html

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.errors import FetchError, UsageError
from siteseer.fetch.browser import static_forms as forms
from siteseer.fetch.browser.static_nodes import (
    StaticNode,
    StaticPage,
    evaluate,
    inner_html,
    is_visible,
    outer_html,
    same_node,
)
from siteseer.fetch.browser.tab import HostilePageError
from siteseer.fetch.fetch_one import redirect_target
from siteseer.fetch.ssrf_guard import RefusedAddressError
from siteseer.interfaces import Exchange, Request, WebNode
from siteseer.model import Page
from siteseer.page.urls import wire
from siteseer.settings import FetchLimits

WITHOUT_EFFECT = frozenset(
    ("focus", "mouseover", "mouseout", "mouseenter", "mousemove", "mousedown", "mouseup", "wheel", "dblclick")
)
"""What only scripts notice."""


class NeedsBrowserError(UsageError):
    """The wrapper does something that only a browser with scripts can do."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs a browser: run the wrapper with --browser always")


class StaticBrowser:
    """Shows pages as they were sent.

    `load` fetches one request, without following redirects; `keep` is handed every exchange when it was looked at.
    """

    def __init__(
        self,
        load: Callable[[Request], Exchange],
        limits: FetchLimits | None = None,
        keep: Callable[[Exchange], None] = lambda exchange: None,
    ) -> None:
        self._load, self._limits, self._keep = load, limits or FetchLimits(), keep

    def open(self, url: str, wait: float = 0) -> WebNode:
        """Load a page; where no scheme is given, by https if http does not answer."""
        try:
            return self._fetched(Request(start_address(url)))
        except FetchError:
            if "://" in url:
                raise
            return self._fetched(Request(start_address(f"https://{url}")))

    def _fetched(self, request: Request) -> StaticNode:
        passed: list[str] = []
        for _ in range(self._limits.redirects + 1):
            exchange = self._loaded(request)
            target = redirect_target(exchange)
            page = None if target else self._page(exchange, tuple(passed))
            self._keep(exchange)
            if exchange.status >= 400:
                raise FetchError(f"{exchange.url} answered {exchange.status}")
            if page is not None:
                return StaticNode(StaticPage(page))
            assert target is not None
            passed.append(request.url)
            keeps = exchange.status in (307, 308)
            request = Request(target, request.method, request.headers, request.body) if keeps else Request(target)
        raise FetchError(f"{passed[0]} redirects more than {self._limits.redirects} times")

    def _loaded(self, request: Request) -> Exchange:
        try:
            return self._load(request)
        except RefusedAddressError as error:  # a page leads into a private network: the run ends
            raise HostilePageError(str(error)) from error

    def _page(self, exchange: Exchange, passed: tuple[str, ...]) -> Page:
        exchange.body.seek(0)
        most = self._limits.decoded_bytes
        body = decode(exchange.body, content_encoding(exchange.headers), most).body
        if exchange.truncated == "time":
            raise FetchError(f"{exchange.url} is still being sent after {self._limits.total_seconds:.0f} seconds")
        if len(body) >= most:
            raise FetchError(f"{exchange.url} is larger than the {most / 2**20:.0f} MB that are looked at")
        return Page(exchange.url, exchange.status, exchange.headers, body, exchange.started, passed)

    def evaluate(self, nodes: Sequence[WebNode], xpath: str) -> list[str | float | bool | list[WebNode]]:
        """Evaluate XPath at each node."""
        return [cast(Any, evaluate(_own(node), xpath)) for node in nodes]

    def tell(self, nodes: Sequence[WebNode], what: str, name: str = "") -> list[str]:
        """Tell something of each node or of its page."""
        if what not in TOLD:
            raise NeedsBrowserError({"style": f"style::{name}"}.get(what, what))
        return [TOLD[what](_own(node)) for node in nodes]

    def act(self, node: WebNode, deed: str, value: str, wait: float, keep: bool) -> WebNode:
        """Do what can be done without scripts: follow links, fill in and send forms."""
        own = _own(node)
        here = StaticNode(own.page)
        if deed == "wait" or (deed == "keyword" and value in WITHOUT_EFFECT):
            return here
        if not own.is_element:
            raise UsageError("an action is done with an element, not with an attribute, a text or the whole page")
        if deed == "text":
            text, enters = (value[:-2], True) if value.endswith("\\n") else (value, False)
            forms.enter(own.page, own.element, text)
            return self._submit(own, own.element) if enters else here
        if deed == "index":
            forms.choose(own.page, own.element, int(value))
            return here
        if deed == "press":
            return self._submit(own, own.element) if value.lower() in ("enter", "return") else here
        return self._keyword(own, value)

    def _keyword(self, node: StaticNode, keyword: str) -> WebNode:
        page, element = node.page, node.element
        if keyword in ("check", "uncheck"):
            forms.check(page, element, keyword == "check")
            return StaticNode(page)
        if keyword in ("pressenter", "submit"):
            return self._submit(node, element)
        if keyword in ("enterframe", "movetoframe"):
            return self._frame(page, element)
        if keyword == "movetohref":
            return self._follow(page, element.get("href"))
        return self._click(page, element)

    def _click(self, page: StaticPage, element: html.HtmlElement) -> WebNode:
        """Click: the element itself or what it stands in decides what that does."""
        for one in (element, *element.iterancestors()):
            if one.tag in ("a", "area") and one.get("href") is not None:
                return self._follow(page, one.get("href"))
            if one.tag in ("button", "input"):
                return self._press(page, one)
            if one.tag == "option":
                select = next(one.iterancestors("select"), None)
                if select is not None:
                    forms.enter(page, select, one.get("value") or one.text_content())
                    return StaticNode(page)
            if one.tag == "label":
                return self._label(page, one)
        raise NeedsBrowserError(f"a click on <{element.tag}>")

    def _press(self, page: StaticPage, control: html.HtmlElement) -> WebNode:
        kind = forms.kind_of(control)
        if kind in ("checkbox", "radio"):
            forms.check(page, control, kind == "radio" or not forms.is_checked(page, control))
        elif kind in forms.SENDING:
            return self._submit(StaticNode(page, control), control)
        elif kind in ("button", "reset"):
            raise NeedsBrowserError(f"a click on a button of type {kind}")
        return StaticNode(page)

    def _label(self, page: StaticPage, label: html.HtmlElement) -> WebNode:
        named = label.get("for")
        controls = page.root.xpath("//*[@id=$id]", id=named) if named else list(label.iter("input", "button"))
        return self._press(page, controls[0]) if controls else StaticNode(page)

    def _submit(self, node: StaticNode, control: html.HtmlElement) -> WebNode:
        form = forms.form_of(node.page, control)
        if form is None:
            raise NeedsBrowserError(f"<{control.tag}> outside any form")
        button = control if forms.kind_of(control) in forms.SENDING else None
        return self._fetched(forms.send(node.page, form, button))

    def _follow(self, page: StaticPage, reference: str | None) -> WebNode:
        if reference is None:
            raise FetchError("the node has no address to follow")
        if reference.strip().startswith("#"):
            return StaticNode(page)
        if reference.strip().lower().startswith("javascript:"):
            raise NeedsBrowserError("a link that runs a script")
        target = page.resolve(reference)
        if target is None:
            raise FetchError(f"{reference[:200]} is no address of a page")
        return self._fetched(Request(target, headers=(("Referer", page.url),)))

    def _frame(self, page: StaticPage, frame: html.HtmlElement) -> WebNode:
        inline = frame.get("srcdoc")
        if inline is not None:
            return StaticNode(StaticPage(Page(page.url, 200, (("Content-Type", "text/html"),), inline.encode())))
        if frame.tag not in ("iframe", "frame"):
            raise FetchError(f"<{frame.tag}> is no frame")
        return self._follow(page, frame.get("src"))

    def again(self, node: WebNode, document: WebNode) -> WebNode | None:
        """Return the same node on another page."""
        return same_node(_own(node), _own(document).page)

    def release(self, node: WebNode, since: WebNode | None) -> None:
        """Do nothing: pages go when nobody holds their nodes."""

    def close(self) -> None:
        """Do nothing: nothing was opened here."""


TOLD: dict[str, Callable[[StaticNode], str]] = {
    "visible": lambda node: "yes" if is_visible(node) else "",
    "text": lambda node: " ".join(str(evaluate(node, "string(.)")).split()),
    "innerhtml": inner_html,
    "outerhtml": outer_html,
    "content": lambda node: outer_html(StaticNode(node.page)),
    "url": lambda node: node.page.url,
    "fingerprint": lambda node: node.page.fingerprint,
    "time": lambda node: node.page.source.fetched_at.isoformat() if node.page.source.fetched_at else "",
}


def _own(node: WebNode) -> StaticNode:
    assert isinstance(node, StaticNode)
    return node


def start_address(url: str) -> str:
    """Return the address of a page to begin with; http:// is added where no scheme is given.

    >>> start_address("e.org/a")
    'http://e.org/a'
    """
    try:
        found = wire(url if "://" in url else f"http://{url}")
    except ValueError:
        found = None
    if found is None:
        raise UsageError(f"{url} is no address of a page; write it as http://host/path")
    return found
