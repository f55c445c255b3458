"""Classifies the scripts of a page without running them: whether they draw, query a server, or watch scrolling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml import html

from siteseer.model import Page
from siteseer.page.tree import cached, tree
from siteseer.page.urls import host_of, resolve

READ_OF_SCRIPTS = 300_000
_ASKS = re.compile(
    r"\bfetch\s*\(|XMLHttpRequest|\$\.(?:get|ajax|post|getJSON|load)\b|\.ajax\(|axios|EventSource|\bimport\s*\("
)
_DRAWS = re.compile(
    r"innerHTML|appendChild|insertAdjacent|createElement|\.append\(|\.prepend\(|replaceChildren|textContent\s*=|"
    r"document\.write|createRoot|createApp|hydrateRoot|\.render\("
)
_MOVES = re.compile(r"\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:replace|assign)\s*\(")
_SCROLLS = re.compile(r"IntersectionObserver|onscroll|['\"]scroll['\"]|scrollHeight")
_OTHER_DATA = re.compile(r"search|lunr|suggest|autocomplete|analytics|gtag|matomo|piwik|pageview", re.IGNORECASE)
"""What scripts ask for that is no content of the page: an index to search in, a counter."""
_DATA = re.compile(r"""=\s*(?:JSON\.parse\(|[\[{]\s*["'\[{])|__next_f\.push""")
"""How a script begins that carries data."""
_LIBRARY = re.compile(r"jquery|bootstrap|modernizr|analytics|gtag|polyfill|recaptcha|fontawesome", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scripts:
    """The scripts of a page."""

    inline: tuple[str, ...]
    """The texts of those that stand in the page, without those that get what is no content of it."""
    own: tuple[str, ...]
    """Where the scripts of the page's own site lie, libraries left out."""
    has_files: bool
    data: int
    """Characters of data that only scripts read."""

    @property
    def asking(self) -> list[str]:
        """The scripts in the page that query a server."""
        return [text for text in self.inline if _ASKS.search(text)]

    @property
    def drawing(self) -> list[str]:
        """The scripts in the page that write into it."""
        return [text for text in self.inline if _DRAWS.search(text)]

    @property
    def can_draw(self) -> bool:
        """Whether any script may write into the page."""
        return self.has_files or bool(self.drawing)

    @property
    def moves(self) -> bool:
        """Whether a script sends the reader elsewhere."""
        return any(_MOVES.search(text) for text in self.inline)

    @property
    def watches_scrolling(self) -> bool:
        """Whether a script that fetches and draws waits for readers who scroll."""
        return any(_ASKS.search(text) and _SCROLLS.search(text) for text in self.drawing)


@cached
def scripts_of(page: Page) -> Scripts | None:
    """Return the scripts of a page; None where it has none."""
    inline, own, count, data, has_files = [], [], 0, 0, False
    for element in tree(page).iter("script"):
        kind = (element.get("type") or "").lower()
        text = element.text or ""
        if "json" in kind or "template" in kind:
            data += len(text) if "ld+json" not in kind else 0
            continue
        count += 1
        if source := element.get("src"):
            has_files = True
            own.extend(_own(page, source))
        else:
            text = text[: READ_OF_SCRIPTS // count]
            inline += [] if _gets_other_data(text) else [text]
            data += len(text) if _DATA.search(text[:400]) else 0
    return Scripts(tuple(inline[:200]), tuple(own), has_files, data) if count else None


def _own(page: Page, source: str) -> list[str]:
    url = resolve(page.url, source)
    if url is None or host_of(url) != host_of(page.url) or _LIBRARY.search(urlsplit(url).path):
        return []
    return [url]


def _gets_other_data(script: str) -> bool:
    return bool(_ASKS.search(script) and _OTHER_DATA.search(script))


def names_element(element: html.HtmlElement, script: str) -> bool:
    """Say whether a script names the id or a class of an element."""
    name = element.get("id") or ""
    if len(name) > 1 and name in script and re.search(rf"(?:^|[^\w.-]){re.escape(name)}\.", script):
        return True  # scripts reach an element by its id as they reach a variable
    names = [name, *(element.get("class") or "")[:400].split()][:6]
    return any(
        len(one) > 1 and one in script and re.search(rf"['\"`#.]{re.escape(one)}['\"`\s]", script) for one in names
    )
