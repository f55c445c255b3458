"""Measures the content of a fetched page that a collection lacks: its new passages, or why it holds none.

New words alone do not make content: forms to write in, login pages, answers to URLs that do not exist, and older
versions are new text, but no content of the site. The answer of the crawl's strategy comes first, then what the page
itself shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from lxml import etree

from siteseer.measure.certificate.beside_content import UNLISTED, IsKnown, beside_content, is_aside
from siteseer.measure.certificate.kept_text import KeptText, forms_of
from siteseer.measure.certificate.passages import passages
from siteseer.measure.certificate.skipped_urls import SkippedUrl
from siteseer.measure.certificate.strategy_check import StrategyAnswer
from siteseer.model import Page
from siteseer.page.links import Query
from siteseer.page.tree import is_html, tree
from siteseer.page.two_grams import Grams
from siteseer.strategies.learned.online_learner.url_words import suspicious_word

NOTHING = np.empty(0, np.uint64)
SHORT = 60
"""A page with a password field and fewer new passages than this is there to sign in."""
_PASSWORD: Query = etree.XPath("boolean(//form//input[@type='password'])", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Worth:
    """The content of a page that the collection lacks; `because` says why there is none."""

    new: Grams
    because: str = ""
    leads_on: bool = True
    """Whether its links count: those of a page that is no page of the site do not."""


def worth_of(page: Page, about: SkippedUrl, heard: StrategyAnswer, kept: KeptText, is_known: IsKnown) -> Worth:
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
    is_suspect = heard.is_list or (suspicious_word(page.url, text)[0] in ("function", "older") and not about.is_pager)
    if len(new) < kept.noise(is_suspect):
        return Worth(NOTHING, "nothing new")
    return Worth(new)


def _form(page: Page, text: str, kept: KeptText, new: int) -> str:
    """Say what a page is for that is there to sign in or to do something, rather than to be read."""
    own = forms_of(page) - kept.forms
    is_function = suspicious_word(page.url, text)[0] == "function"
    if _PASSWORD(tree(page)) and own and (is_function or new < SHORT):
        return "a form to sign in"
    return "a form" if is_function and any(own) else ""
