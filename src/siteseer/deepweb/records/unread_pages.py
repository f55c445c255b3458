"""Finds answers that could not be read completely: further result pages that only a script loads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from lxml import html

from siteseer.deepweb.records.record_leaves import CONTROLS
from siteseer.deepweb.records.value_types import fold
from siteseer.forms.result_pages import Answer
from siteseer.model import Page
from siteseer.page.tree import tree

MOST_LOOKED_AT = 5_000
_NEXT = re.compile(
    r"(?:load |show |see |view )?(?:more|next)(?: (?:page|results|records|hits|items|\d{1,4}))?|weiter|mehr|"
    r"nachste(?: seite)?|mehr (?:anzeigen|laden)|suivante?s?|page suivante|(?:voir|afficher) plus|siguientes?|"
    r"(?:ver|cargar) mas|successiv[aeio]|avanti|mostra altri|proxim[ao]s?|mais|volgende|nasta|neste|naeste|dalsi|"
    r"nastepna|dalej"
)


def has_script_pager(page: Page) -> bool:
    """Say whether a page has a button for further results that leads nowhere without scripts.

    >>> def page(body): return Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> has_script_pager(page(b'<a href="#">Next</a>')), has_script_pager(page(b'<a href="?p=2">Next</a>'))
    (True, False)
    """
    pressed = islice(tree(page).iter("a", "button"), MOST_LOOKED_AT)
    return any(_leads_nowhere(one) and _NEXT.fullmatch(fold(one.text_content()[:60])) for one in pressed)


def _leads_nowhere(element: html.HtmlElement) -> bool:
    if element.tag == "a":
        target = str(element.get("href", "")).strip().lower()
        return target in ("", "#") or target.startswith(("javascript:", "#"))
    is_sent = any(one.tag in CONTROLS for one in element.iterancestors())
    return not is_sent or str(element.get("type", "")).lower() == "button"


def unread_page_sentences(answers: Iterable[tuple[Page, Answer]]) -> tuple[str, ...]:
    """Return sentences about what could not be read of answers that list records."""
    cut = sum(1 for page, answer in answers if answer.records and not answer.more and has_script_pager(page))
    if not cut:
        return ()
    return (
        f"{cut} answer{'s have' if cut > 1 else ' has'} further pages that only scripts draw, in place: the first page "
        "of each was read; a wrapper can press for the others (siteseer wrapper)",
    )
