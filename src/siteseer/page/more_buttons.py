"""A page in, the buttons out that show more of it: they say "more" and lead nowhere."""

from __future__ import annotations

from itertools import islice

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.empty_parts import MOST_ABOVE, Query, in_surroundings
from siteseer.page.more_words import says_more
from siteseer.page.tree import cached, tree

MOST_BUTTONS = 2_000
MOST_TEXTS = 40
_BUTTONS: Query = etree.XPath(
    "//button[not(@type='submit')] | //a[not(@href) or starts-with(@href, '#') or starts-with(@href, 'javascript:')] | "
    "//*[@role='button'] | //input[@type='button'] | //*[contains(@class, 'more') and not(self::a[@href])]"
)
_LEADS_ON: Query = etree.XPath(
    "boolean(descendant-or-self::a[@href][not(starts-with(@href, '#') or starts-with(@href, 'javascript:'))])"
)
_NAMES: Query = etree.XPath("//@id | //a/@name", smart_strings=False)


@cached
def more_buttons(page: Page) -> list[tuple[html.HtmlElement, str]]:
    """Return the buttons that say "more" and lead nowhere, with what they say."""
    found = []
    for element in _BUTTONS(tree(page))[:MOST_BUTTONS]:
        spelt = " ".join("".join(islice(element.itertext(), MOST_TEXTS)).split())
        label = spelt or element.get("value", "") or element.get("aria-label", "")
        if says_more(label) and not _leads_somewhere(page, element) and not in_surroundings(element):
            found.append((element, label))
    return found


def _leads_somewhere(page: Page, element: html.HtmlElement) -> bool:
    """Say whether what looks like a button is or holds a link, jumps to a place on the page, or opens a part of it."""
    if _LEADS_ON(element) or any(
        one.tag == "a" and _LEADS_ON(one) for one in islice(element.iterancestors(), MOST_ABOVE)
    ):
        return True
    named = [element.get(name) or "" for name in ("href", "aria-controls", "data-target", "data-bs-target")]
    places = (name.lstrip("#") for name in named if name.strip("#"))
    return any(place in _named(page) for place in places)


@cached
def _named(page: Page) -> frozenset[str]:
    return frozenset(_NAMES(tree(page)))
