"""Assigns elements to regions of a page: the main object, its comments, or noise.

Counters, advertisements and templates change without anybody writing a word; they are told from content by their class
and id, by being links to other hosts and nothing else, and by differing in numbers only. Comments are found by their
structure (`comment_lists`); where a class or id says `comments`, that counts too.
"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import islice

from lxml import etree

from siteseer.change.diff.change_kinds import Edit, Region, readable_text
from siteseer.change.diff.comment_lists import CommentLists
from siteseer.extract.article.forest.comment_zones import comment_zones
from siteseer.page.dates.date_words import AFTER, BEFORE, CJK_UNITS, DAYS, UNITS
from siteseer.page.dates.month_names import MONTHS, WEEKDAYS, fold
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.similarity.text_measures import UNSPACED, count_words
from siteseer.page.text import WORD
from siteseer.page.urls import host_of, resolve

SHORT = 14
"""Words: a text no longer than this that differs in numbers only is a counter."""
MOST_CLIMBED = 200
_ADVERT = frozenset(
    "ad ads adv advert adverts advertisement advertisements advertising adsense adslot adunit banner banners".split()
    + "sponsor sponsored sponsoring promo anzeige anzeigen werbung publicidad pub publicite reklama reklam".split()
    + "taboola outbrain dfp googlead doubleclick adbox adcontainer adblock skyscraper leaderboard affiliate".split()
)
PROSE = 8
_FURNITURE = re.compile(r"sidebar|widget|recent|latest|popular|related|teaser|footer|header|menu")
_SPLIT = re.compile(r"[^a-z0-9]+")
_NUMBERED = re.compile(r"(?:\d+x)?\d+$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_AROUND = frozenset(("nav", "aside", "footer", "form", "select", "button"))
_UNITS = frozenset((*UNITS, *DAYS, *AFTER, *BEFORE, "ago", "just", "now", "am", "pm", "uhr", "il", "y", "a"))
_DIGITS = re.compile(r"\d+")
_UNSPACED_UNITS = re.compile("|".join(sorted(CJK_UNITS, key=len, reverse=True)))


class Regions:
    """The regions of one page: `main` is the element of its main object."""

    def __init__(
        self, root: etree._Element, url: str, main: etree._Element | None, now: datetime | None = None
    ) -> None:
        self.url = url
        self.lists = CommentLists(root, url, now)
        self.comments = frozenset(comment_zones(root)) | self.lists.zones
        self.main = self._own_text(main)
        self._known: dict[etree._Element, Region] = {}

    def _own_text(self, main: etree._Element | None) -> etree._Element | None:
        """Return the element of the main object; where that is no part of the text before the comments, that text."""
        before = self.lists.text_before() if self.lists.zones else None
        if before is None or main is None:
            return before if main is None else main
        above = (main, *main.iterancestors())
        is_comment = any(one in self.lists.zones for one in above)
        is_of_it = before in above or main in before.iterancestors()
        return main if is_of_it and not is_comment else before

    def of(self, element: etree._Element) -> Region:
        """Return the region that an element is in."""
        if element not in self._known:
            self._known[element] = self._find(element)
        return self._known[element]

    def _find(self, element: etree._Element) -> Region:
        found: Region = "template"
        current: etree._Element | None = element
        for _ in range(MOST_CLIMBED):
            if current is None:
                return found
            if is_advert(current) or (current is element and self._points_away(current)):
                return "advert"
            if current in self.comments:
                return "comment"
            if current is self.main:
                found = "object"
            elif current.tag in _AROUND and found == "template":
                return "template"
            current = current.getparent()
        return found

    def _points_away(self, element: etree._Element) -> bool:
        """Say whether an element is nothing but a link with a picture to another host."""
        links = [element] if element.tag == "a" else list(element.iter("a"))
        if not links or not any(True for link in links for _ in link.iter("img")):
            return False
        words = len(WORD.findall(readable_text(element)))
        linked = sum(len(WORD.findall(readable_text(link))) for link in links)
        hosts = {host_of(resolve(self.url, link.get("href") or "") or self.url) for link in links}
        return words - linked <= 2 and host_of(self.url) not in hosts


def is_advert(element: etree._Element) -> bool:
    """Say whether an element's class or id names an advertisement.

    >>> from lxml import html
    >>> [is_advert(html.fromstring(f"<div class='{name}'>x</div>")) for name in ("top-ad", "ad2", "shadow", "x7ad03c")]
    [True, True, False, False]
    """
    if element.tag in ("ins", "iframe") and "ad" in (element.get("class") or "").lower():
        return True
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    if len(names) < 3:
        return False
    return not _ADVERT.isdisjoint(
        _NUMBERED.sub("", name) for name in _SPLIT.split(_CAMEL.sub(" ", names[:300]).lower())
    )


def is_counter(old: str, new: str) -> bool:
    """Say whether two short texts differ in numbers, dates and times only.

    >>> is_counter("Read 1,204 times", "Read 1,310 times"), is_counter("five minutes ago", "2 hours ago")
    (True, False)
    >>> is_counter("Read 3 hours ago", "Read 2 days ago"), is_counter("Price: cheap", "Price: dear")
    (True, False)
    """
    if not any(c.isdigit() for c in old + new) or max(count_words(old), count_words(new)) > SHORT:
        return False
    return _skeleton(old) == _skeleton(new)


def _skeleton(text: str) -> list[str]:
    """Return the words that are neither numbers nor parts of a date; of what is written without spaces, the rest."""
    words = []
    for word in WORD.findall(text.lower()):
        if UNSPACED.search(word):
            if rest := _UNSPACED_UNITS.sub("", _DIGITS.sub("", word)):
                words.append(rest)
        elif not (any(c.isdigit() for c in word) or word in _UNITS or fold(word) in MONTHS or fold(word) in WEEKDAYS):
            words.append(word)
    return words


def is_reply(element: etree._Element, lists: CommentLists) -> bool:
    """Say whether an element that came or went is one of several alike with a date: a comment, a post of a thread."""
    parent = element.getparent()
    if parent is None or lists.is_among_teasers(element):
        return False
    text = readable_text(element)
    alike = [
        one
        for one in parent
        if one is not element and one.tag == element.tag and one.get("class") == element.get("class")
    ]
    if not alike or count_words(text) < 4 or not find_dates(text[:1_500]):
        return False
    return any(find_dates(readable_text(one)[:1_500]) for one in alike[:6])


def region_of(edit: Edit, old: Regions, new: Regions) -> Region:
    """Return the region of an edit: a counter by its words, everything else by its place.

    What is a comment in either page is one in both: a list of which one comment is left cannot be told by itself.
    """
    if edit.kind == "content" and edit.what == "changed" and is_counter(edit.old, edit.new):
        return "counter"
    if edit.before is not None and edit.after is not None and old.of(edit.before) == "comment":
        return "comment"
    element, regions = (edit.after, new) if edit.after is not None else (edit.before, old)
    if element is None:
        return "template"
    found = regions.of(element)
    if found == "object" and any(regions.lists.is_furniture(one) for one in _near(element)):
        return "template"
    came_or_went = found in ("object", "template") and edit.what in ("added", "removed")
    if came_or_went and (is_reply(element, regions.lists) or regions.lists.holds_comments(element)):
        return "comment"
    if found == "template" and edit.kind == "content" and edit.what == "changed":
        return "object" if _is_in_thread(element, edit.new, regions.lists) else found
    return found


def _near(element: etree._Element) -> list[etree._Element]:
    """Return an element and those right around it."""
    return [element, *islice(element.iterancestors(), 3)]


def _is_in_thread(element: etree._Element, text: str, lists: CommentLists) -> bool:
    """Say whether prose stands in one of several dated items that are nobody's sidebar: a post of a thread."""
    if count_words(text) < PROSE:
        return False
    current: etree._Element | None = element
    while current is not None and current.tag != "body":
        if current.tag in _AROUND or _FURNITURE.search(f"{current.get('class')} {current.get('id')}".lower()):
            return False
        current = current.getparent()
    above = [element, *element.iterancestors()][:12]
    return any(is_reply(one, lists) for one in above if one.tag not in ("body", "html"))
