"""A fetched page in, what of it is content that a collection lacks out: its new passages, or why it holds none.

New words alone do not make content: forms to write in, login pages, answers to addresses that do not exist, and
older versions are new text, but not what the site says. What the crawl's strategy says of the page comes first, then
what the page shows of itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from lxml import etree

from siteseer.measure.beside_content import UNLISTED, IsKnown, beside_content, is_aside
from siteseer.measure.kept_text import KeptText, forms_of
from siteseer.measure.passages import passages
from siteseer.measure.skipped import SkippedUrl
from siteseer.measure.trial import Heard
from siteseer.model import Page
from siteseer.navigation.economical.vocabulary import suspicion
from siteseer.page.grams import Grams
from siteseer.page.links import Query
from siteseer.page.tree import is_html, tree

NOTHING = np.empty(0, np.uint64)
SHORT = 60
"""A page with a password field and fewer new passages than this is there to sign in."""
_PASSWORD: Query = etree.XPath("boolean(//form//input[@type='password'])", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a page holds that the collection lacks; `because` says why that is nothing."""

    new: Grams
    because: str = ""
    leads_on: bool = True
    """Whether its links count: those of a page that is no page of the site do not."""


def worth_of(page: Page, about: SkippedUrl, heard: Heard, kept: KeptText, is_known: IsKnown) -> Worth:
    """Return what a page holds that the collection lacks; `about` says how the site links to it."""
    text = about.text
    if page.status != 200:
        return Worth(NOTHING, f"status {page.status}", False)
    if not is_html(page):
        return Worth(NOTHING, "not a page", False)
    new = kept.passages.new(passages(page))
    if because := ("no such page" if heard.is_missing else "") or beside_content(page, text, is_known):
        return Worth(NOTHING, because, False)
    if because := _form(page, text, kept, len(new)):
        return Worth(NOTHING, because, False)
    if is_aside(page, text) and not kept.is_unlisted:
        return Worth(NOTHING, UNLISTED)
    is_suspect = heard.is_list or (suspicion(page.url, text)[0] in ("function", "older") and not about.is_pager)
    if len(new) < kept.noise(is_suspect):
        return Worth(NOTHING, "nothing new")
    return Worth(new)


def _form(page: Page, text: str, kept: KeptText, new: int) -> str:
    """Say what a page is for that is there to sign in or to do something, rather than to be read."""
    own = forms_of(page) - kept.forms
    is_function = suspicion(page.url, text)[0] == "function"
    if _PASSWORD(tree(page)) and own and (is_function or new < SHORT):
        return "a form to sign in"
    return "a form" if is_function and any(own) else ""
