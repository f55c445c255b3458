"""Tells whether the content of a page has to be made by its scripts, with the evidence.

Only the fetched page is examined, and scripts alone are no evidence: pages of every kind have them. The answer is
`needed` where content is missing from the HTML: its element is empty, the page says that it is loading, or a script on
the page fetches what a button or an empty list should show. It is `doubtful` where a part may be missing: rendering one
such page decides.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from lxml import html

from siteseer.model import Page
from siteseer.page.scripts.empty_parts import (
    MOST_ABOVE,
    content_words,
    empty_parts,
    has_empty_list,
    has_empty_root,
    has_media,
    in_surroundings,
    is_list,
    is_root,
    lists,
    names_of,
    own_words,
)
from siteseer.page.scripts.more_buttons import more_buttons
from siteseer.page.scripts.page_scripts import Scripts, names_element, scripts_of
from siteseer.page.text import words
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.word_hashes import word_count

FEW_WORDS = 25
"""A page for people that shows fewer is a frame, a redirect, an empty list or a sparse record."""
SOME_WORDS = 60
MANY_WORDS = 240
LONG_TEXT = 100_000
"""Characters."""
HARDLY_ANY_WORDS = 5
MOST_NAMED = 60
"""Empty parts that are looked for in scripts."""
MOST_BEFORE = 50
"""Elements before or in what stands before an empty part that are looked at."""
FEWEST_ROWS = 3
"""Elements of one kind that make a list."""

_NOTICE = re.compile(r"java\s?-?script|enable\s+script|browser", re.IGNORECASE)
_OF_A_PART = re.compile(
    r"comment|kommentar|comentario|коммент|discussion|disqus|widget|player|video|\bmaps?\b|captcha|\bforms?\b|review|"
    r"search|image|statisti|analytics|e-?mail",
    re.IGNORECASE,
)
_LOADING = re.compile(r"^\W*(?:loading|please wait|wird geladen|lädt|chargement|cargando|carregando|caricamento|laden|"
                      r"загрузка|読み込み中|加载中|로딩).{0,12}$", re.IGNORECASE)  # fmt: skip
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_UNSEEN_NAMES = frozenset("hidden hide none invisible collapse modal overlay popup tooltip lightbox search".split())
_SENTINEL = re.compile(
    r"sentinel|infinite|load|more|scroll|bottom|trigger|observe|(?:^|[-_ ])end(?:$|[-_ ])", re.IGNORECASE
)
Answer = Literal["needed", "doubtful", "not needed"]


@dataclass(frozen=True, slots=True)
class ScriptNeed:
    """Whether a page has to be rendered in a browser, and why; `evidence` is one word for the kind of sign."""

    answer: Answer
    because: str
    evidence: str = ""


def script_need(page: Page) -> ScriptNeed:
    """Say whether the content of a page has to be made by its scripts.

    >>> made = b"<body><div id=root></div><script src=/app.js></script>"
    >>> script_need(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=made)).because
    'the page shows 0 words of its own and leaves the rest to scripts'
    """
    return (
        frame_need(page)
        or missing_part_evidence(page)
        or ScriptNeed("not needed", "the page is whole without its scripts")
    )


@cached
def frame_need(page: Page) -> ScriptNeed | None:
    """Return the evidence that content is missing from a page; None where there is none."""
    if not is_html(page) or not page.body.strip() or not (scripts := scripts_of(page)) or _leads_on(page):
        return None
    return _empty_page(page, scripts) or _fetching_button(page, scripts)


def _leads_on(page: Page) -> bool:
    """Say whether the page sends its readers to another one."""
    return any(
        (one.get("http-equiv") or "").lower() == "refresh" and "=" in (one.get("content") or "")
        for one in tree(page).iter("meta")
    )


def _empty_page(page: Page, scripts: Scripts) -> ScriptNeed | None:
    if word_count(page) >= MANY_WORDS or (own := own_words(page)) >= SOME_WORDS:
        return None
    because = f"the page shows {own} words of its own and leaves the rest to scripts"
    if content_words(page) == 0 and not has_media(page) and (scripts.can_draw or scripts.moves):
        return ScriptNeed("needed", because, "empty")
    if not scripts.can_draw:
        return None
    if own < FEW_WORDS and has_empty_root(page):
        return ScriptNeed("needed", because, "empty")
    if _says_loading(page):
        return ScriptNeed("needed", "the page says that it is loading", "loading")
    if _has_notice(page) and own < FEW_WORDS and (_has_hardly_a_word(page) or has_empty_list(page)):
        return ScriptNeed("needed", "the page asks for a browser with JavaScript", "notice")
    if _fills_an_empty_list(page, scripts):
        return ScriptNeed("needed", "a script fills a part that is empty in the page", "part")
    return None


def _fetching_button(page: Page, scripts: Scripts) -> ScriptNeed | None:
    """Return the evidence of a button whose own script fetches what it shows."""
    asking = scripts.asking
    for element, label in more_buttons(page) if asking else ():
        if any(names_element(element, text) for text in asking):
            return ScriptNeed("needed", f"a script fetches what the button {label!r} shows", "fetched")
    return None


@cached
def missing_part_evidence(page: Page) -> ScriptNeed | None:
    """Return the evidence that a part of a page may be missing; None where there is none."""
    if not is_html(page) or not (scripts := scripts_of(page)) or _leads_on(page):
        return None
    if label := next((label for _, label in more_buttons(page)), ""):
        return ScriptNeed("doubtful", f"a button says {label!r}", "button")
    if scripts.watches_scrolling:
        return ScriptNeed("doubtful", "a script waits for readers who scroll", "scroll")
    drawing = scripts.drawing
    if any(names_element(part, text) for text in drawing for part in empty_parts(page)[:MOST_NAMED]):
        return ScriptNeed("doubtful", "a script names a part that is empty in the page", "part")
    adding = [text for text in scripts.asking if text in drawing]
    if any(names_element(one, text) for text in adding for one in lists(page)[:MOST_NAMED]):
        return ScriptNeed("doubtful", "a script asks the server for more of a list", "asks")
    if word_count(page) < MANY_WORDS and (own := own_words(page)) < SOME_WORDS:
        if scripts.data > 20 * max(1, len(" ".join(words(page)))):
            return ScriptNeed("doubtful", "the page has far more data for scripts than text", "data")
        if content_words(page) < FEW_WORDS and scripts.own and has_empty_list(page):
            return ScriptNeed("doubtful", f"the page shows {own} words of its own and has an empty part", "few")
    if scripts.own and _has_sentinel(page):
        return ScriptNeed("doubtful", "an empty part marks where more would come", "end")
    return None


def _has_hardly_a_word(page: Page) -> bool:
    return content_words(page) <= HARDLY_ANY_WORDS and not has_media(page)


def _has_notice(page: Page) -> bool:
    """Say whether the page tells readers without scripts to enable them; for the page, not for a part of it."""
    notices = (" ".join(" ".join(one.itertext()).split()) for one in tree(page).iter("noscript"))
    return any(_NOTICE.search(text) and not _OF_A_PART.search(text) for text in notices)


def _says_loading(page: Page) -> bool:
    for element in tree(page).iter(
        "div", "p", "span", "main", "section", "li", "td", "h1", "h2", "h3", "em", "i", "ul", "ol"
    ):
        text = (element.text or "").strip()
        says = not len(element) and len(text) < 60 and bool(_LOADING.match(text)) and not _OF_A_PART.search(text)
        is_busy = element.get("aria-busy") == "true" and not text
        if (says or is_busy) and not in_surroundings(element) and not _is_unseen(element):
            return True
    return False


def _is_unseen(element: html.HtmlElement) -> bool:
    """Say whether an element is hidden, or part of something that readers open."""
    for one in (element, *islice(element.iterancestors(), MOST_ABOVE)):
        if "hidden" in one.attrib or _UNSEEN.search((one.get("style") or "")[:400]):
            return True
        if one.tag != "body" and names_of(one) & _UNSEEN_NAMES:
            return True
    return False


def _has_sentinel(page: Page) -> bool:
    """Say whether an empty part, named as what scripts watch to go on with a list, stands at the end of one."""
    for part in empty_parts(page)[:MOST_NAMED]:
        if _SENTINEL.search(f"{part.get('id') or ''} {part.get('class') or ''}") and _ends_a_list(part):
            return True
    return False


def _ends_a_list(part: html.HtmlElement) -> bool:
    before = part.getprevious()
    if before is None:
        return False
    beside = [one.tag for one in islice(part.itersiblings(preceding=True), MOST_BEFORE)]
    within = [one.tag for one in islice(before, MOST_BEFORE)]
    return any(count >= FEWEST_ROWS for tags in (beside, within) for count in Counter(tags).values())


def _fills_an_empty_list(page: Page, scripts: Scripts) -> bool:
    """Say whether a script in the page draws in an empty list or root, or in any empty part what it asks for."""
    asking = scripts.asking
    for script in scripts.drawing:
        parts = empty_parts(page)[:MOST_NAMED]
        fillable = [part for part in parts if script in asking or is_list(part) or is_root(part)]
        if any(names_element(part, script) for part in fillable):
            return True
    return False
