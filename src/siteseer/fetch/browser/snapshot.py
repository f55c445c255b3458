"""Takes a snapshot of a page in a real browser as plain values, and finds nodes by their numbers."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from siteseer.errors import FetchError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.browser.history import ShownNode
from siteseer.interfaces import WebNode
from siteseer.model import JSON

MOST = {"elements": 30_000, "letters": 4_000_000, "longest": 200_000, "depth": 250, "style": 2_000_000}
"""What is taken of one page: elements, letters in all and of one text, how deeply nested, letters of style sheets."""


@lru_cache(maxsize=1)
def _script() -> str:
    return files("siteseer.fetch.browser").joinpath("browser_snapshot.js").read_text(encoding="utf-8")


def snapshot(browser: ChromiumBrowser, document: WebNode) -> JSON:
    """Return what a document looks like now: `url`, `title`, `base`, `nodes`, `sheets`, `truncated`."""
    own = cast(ShownNode, document)

    def taken() -> Any:
        frame = own.page.frame
        browser.loads.ask(frame, "state", marked=False)
        return frame.evaluate(_script(), {"key": browser.loads.key, **MOST})

    return browser.life.lasting(taken)


def node_of(browser: ChromiumBrowser, document: WebNode, number: int) -> WebNode:
    """Return the node that has this number on a page; raise FetchError where it is no longer there."""
    own = cast(ShownNode, document)
    node = ShownNode(own.page, number, None, own.state)
    if not browser.life.lasting(lambda: browser._is_there(node)):
        raise FetchError("what you chose is no longer on the page; look at the page again")
    return cast(list[WebNode], browser.evaluate([node], "self::node()")[0])[0]


def number_of(node: WebNode) -> int:
    """Return the number of a node on its page."""
    return cast(ShownNode, node).number
