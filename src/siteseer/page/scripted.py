"""A page in, whether its content has to be made by its scripts out, with the evidence.

Only what was fetched is looked at: how many words the page itself shows, what its scripts are about to do. `needed`
is said where the page is an empty frame; `doubtful` where it may be whole or not: showing one such page tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.more_words import says_more
from siteseer.page.text import WORD, words
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import host_of, resolve

Query = Callable[[html.HtmlElement], Any]

FEW_WORDS = 25
"""A page for people that shows fewer is a frame, a redirect or an empty list."""
SOME_WORDS = 60
MANY_WORDS = 240
READ_OF_SCRIPTS = 300_000

_ASKS = re.compile(
    r"\bfetch\s*\(|XMLHttpRequest|\$\.(?:get|ajax|post|getJSON|load)\b|\.ajax\(|axios|EventSource|\bimport\s*\("
)
_DRAWS = re.compile(
    r"innerHTML|appendChild|insertAdjacent|createElement|\.append\(|\.prepend\(|replaceChildren|textContent\s*=|"
    r"document\.write|createRoot|createApp|hydrateRoot|\.render\("
)
_SCROLLS = re.compile(r"IntersectionObserver|onscroll|['\"]scroll['\"]|scrollHeight")
_NOTICE = re.compile(r"java\s?-?script|enable\s+script|browser", re.IGNORECASE)
_LOADING = re.compile(r"^\W*(?:loading|please wait|wird geladen|lädt|chargement|cargando|carregando|caricamento|laden|"
                      r"загрузка|読み込み中|加载中|로딩).{0,12}$", re.IGNORECASE)  # fmt: skip
_FRAME = (
    "nav",
    "header",
    "footer",
    "aside",
    "a",
    "button",
    "form",
    "label",
    "option",
    "script",
    "style",
    "noscript",
    "head",
)
_OWN_TEXT: Query = etree.XPath(
    "//body//text()[not(" + " or ".join(f"ancestor::{name}" for name in _FRAME) + ")]", smart_strings=False
)
_EMPTY: Query = etree.XPath(
    "//body//*[self::div or self::main or self::section or self::ul or self::ol or self::tbody or self::article or "
    "self::p or self::dl or contains(local-name(), '-')][@id or @class or contains(local-name(), '-')]"
    "[not(*)][not(normalize-space())]"
)
_BUTTONS: Query = etree.XPath(
    "//button[not(@type='submit')] | //a[not(@href) or starts-with(@href, '#') or starts-with(@href, 'javascript:')] | "
    "//*[@role='button'] | //input[@type='button'] | //*[contains(@class, 'more') and not(self::a[@href])]"
)
_SENTINEL = re.compile(
    r"sentinel|infinite|load|more|scroll|bottom|trigger|observe|(?:^|[-_ ])end(?:$|[-_ ])", re.IGNORECASE
)
_LIBRARY = re.compile(r"jquery|bootstrap|modernizr|analytics|gtag|polyfill|recaptcha|fontawesome", re.IGNORECASE)

Answer = Literal["needed", "doubtful", "not needed"]


@dataclass(frozen=True, slots=True)
class ScriptNeed:
    """Whether a page has to be shown by a browser, and why; `evidence` is one word for the kind of sign."""

    answer: Answer
    because: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class _Scripts:
    inline: str
    own: tuple[str, ...]
    """Where the scripts of the page's own site lie, libraries left out."""
    count: int
    has_files: bool
    data: int
    """Characters of data that only scripts read."""


def script_need(page: Page) -> ScriptNeed:
    """Say whether the content of a page has to be made by its scripts.

    >>> made = b"<body><div id=root></div><script src=/app.js></script>"
    >>> script_need(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=made)).because
    'the page shows 0 words of its own and leaves the rest to scripts'
    """
    return frame_need(page) or doubt(page) or ScriptNeed("not needed", "the page is whole without its scripts")


@cached
def frame_need(page: Page) -> ScriptNeed | None:
    """Return the evidence that a page is an empty frame; None where it is not."""
    if not is_html(page) or not page.body.strip():
        return None
    shown = len(words(page))
    if shown >= MANY_WORDS or not (scripts := _scripts(page)).count:
        return None
    own = own_words(page)
    can_draw = scripts.has_files or bool(_DRAWS.search(scripts.inline))
    if shown < FEW_WORDS and can_draw:
        because = f"the page shows {own} words of its own and leaves the rest to scripts"
        return ScriptNeed("needed", because, "empty")
    if own >= SOME_WORDS:
        return None
    if can_draw and _says_loading(page):
        return ScriptNeed("needed", "the page says that it is loading", "loading")
    if _has_notice(page):
        return ScriptNeed("needed", "the page asks for a browser with JavaScript", "notice")
    if can_draw and _names_an_empty_part(page, scripts):
        return ScriptNeed("needed", "a script fills a part that is empty in the page", "part")
    return None


@cached
def doubt(page: Page) -> ScriptNeed | None:
    """Return the evidence that a part of a page may be missing; None where there is none."""
    if not is_html(page) or not (scripts := _scripts(page)).count:
        return None
    if label := _more_button(page):
        return ScriptNeed("doubtful", f"a button says {label!r}", "button")
    asks, draws = _ASKS.search(scripts.inline), _DRAWS.search(scripts.inline)
    if _SCROLLS.search(scripts.inline) and (asks or draws):
        return ScriptNeed("doubtful", "a script waits for readers who scroll", "scroll")
    if _names_an_empty_part(page, scripts):
        return ScriptNeed("doubtful", "a script names a part that is empty in the page", "part")
    if asks and draws:
        return ScriptNeed("doubtful", "a script asks the server for more and writes into the page", "asks")
    if len(words(page)) < MANY_WORDS and (own := own_words(page)) < SOME_WORDS:
        if scripts.data > 20 * max(1, len(" ".join(words(page)))):
            return ScriptNeed("doubtful", "the page has far more data for scripts than text", "data")
        if own < FEW_WORDS and scripts.own and _empty_parts(page):
            return ScriptNeed("doubtful", f"the page shows {own} words of its own and has an empty part", "few")
    if scripts.own and _has_sentinel(page):
        return ScriptNeed("doubtful", "an empty part marks where more would come", "end")
    if scripts.own:
        return ScriptNeed("doubtful", "the site has scripts of its own", "scripts")
    return None


@cached
def own_words(page: Page) -> int:
    """Return how many words stand outside links, menus, headers and footers."""
    return sum(len(WORD.findall(text)) for text in _OWN_TEXT(tree(page)))


@cached
def _scripts(page: Page) -> _Scripts:
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
            inline.append(text[:READ_OF_SCRIPTS])
            data += len(text)
    return _Scripts("\n".join(inline)[:READ_OF_SCRIPTS], tuple(own), count, has_files, data)


def _own(page: Page, source: str) -> list[str]:
    url = resolve(page.url, source)
    if url is None or host_of(url) != host_of(page.url) or _LIBRARY.search(urlsplit(url).path):
        return []
    return [url]


def _has_notice(page: Page) -> bool:
    notices = (" ".join(one.itertext()) for one in tree(page).iter("noscript"))
    return any(_NOTICE.search(text) for text in notices)


def _says_loading(page: Page) -> bool:
    for element in tree(page).iter("div", "p", "span", "main", "section", "li", "td"):
        if element.get("aria-busy") == "true":
            return True
        if not len(element) and element.text and len(element.text) < 60 and _LOADING.match(element.text.strip()):
            return True
    return False


def _empty_parts(page: Page) -> list[html.HtmlElement]:
    found: list[html.HtmlElement] = _EMPTY(tree(page))
    return found[:200]


def _has_sentinel(page: Page) -> bool:
    """Say whether an empty part is named as what scripts watch to go on with a list."""
    names = (f"{one.get('id') or ''} {one.get('class') or ''}" for one in _empty_parts(page))
    return any(_SENTINEL.search(name) for name in names)


def _names_an_empty_part(page: Page, scripts: _Scripts) -> bool:
    """Say whether an inline script that draws names the id or class of an empty part."""
    if not scripts.inline or not _DRAWS.search(scripts.inline):
        return False
    for element in _empty_parts(page):
        names = [element.get("id") or "", *(element.get("class") or "").split()]
        if any(len(name) > 1 and re.search(rf"['\"`#.]{re.escape(name)}['\"`\s]", scripts.inline) for name in names):
            return True
    return False


def _more_button(page: Page) -> str:
    for element in _BUTTONS(tree(page))[:2000]:
        label = (
            " ".join("".join(element.itertext()).split()) or element.get("value", "") or element.get("aria-label", "")
        )
        if says_more(label):
            return label
    return ""
