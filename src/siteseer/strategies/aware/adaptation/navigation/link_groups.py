"""Groups the links of pages by position and by the shape of their URLs.

A group is what a navigation action can say: where its links stand (an expression) and what their URLs look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from siteseer.extract.records.element_keys import folded, tokens_of
from siteseer.extract.records.extraction_actions import expression_of as expression_of_key
from siteseer.model import Link, Page
from siteseer.page.links import links, placed_links
from siteseer.page.tree import cached
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import differs_in_one_number, expression_of, skeleton
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax_hints import XPathSyntaxError

MOST_STEPS = 6
_STEP = re.compile(r"([\w:-]+)(?:#([^.]*))?(.*)")
_PAGER = re.compile(
    r"\b(?:pag(?:e|es|er|ing|ination|enav|elinks?|es)|navlinks|nav-links|older|newer|next|prev(?:ious)?)\b|paginat|pagelink|page-numbers"
    r"|pageFooter|page_?nav",
    re.I,
)
_TURNS = re.compile(
    r"[«»‹›→←⟨⟩]|^[<>]+$|^\W*(?:next|prev|older|newer|ältere|neuere|nächste|weiter|zurück|suivant|précédent|siguiente|anterior"
    r"|successiv|precedent|volgende|vorige|следующ|предыдущ|次|前)",
    re.I,
)
_ASIDE = re.compile(
    r"side_?-?bar|widget|breadcrumb|(?:^|[ _-])(?:nav|menu|footer|aside|crumbs?|toolbar|header|banner)(?:$|[ _-])", re.I
)
_HEAD = re.compile(r"header", re.I)
_TOOL = re.compile(
    r"(?:^|[/?&=_.-])(?:log-?in|log-?out|sign-?[iu]n|regist\w*|search|print\w*|feeds?|rss|atom|repl(?:y|yto\w*)|quote|report|edit|share"
    r"|track-?back|subscrib\w*|captcha|password|privmsg|pm|mailto|download|wp-json|oembed)(?:$|[/?&=_.-])",
    re.I,
)
"""Functions that all software has and that show nothing new."""
_TITLE = re.compile(r"title|topic|subject|headline|thread|entry|post|forum|board|heading", re.I)
_WORDS = re.compile(r"\w+")
GroupKey = tuple[str, str]


@cached
def keyed_links(page: Page) -> tuple[tuple[Link, str], ...]:
    """Return the links of a page, each with the key of its place: steps upward until two of them have a name."""
    return tuple((link, place_of(link.path)) for link in placed_links(page))


def place_of(path: tuple[str, ...]) -> str:
    """Return the key of a place in a tag path.

    >>> place_of(("html", "body", "div#page", "h2.title.odd", "a"))
    'a<h2.title<div#page'
    """
    steps: list[str] = []
    named = 0
    for step in reversed(path[-40:]):
        found = _STEP.fullmatch(step)
        if found is None:
            break
        name = found[1]
        identifier = folded(found[2]) if found[2] else ""
        tokens = tokens_of(found[3].replace(".", " "))[:2]
        if identifier and "0" not in identifier:
            name += f"#{identifier}"
        else:
            name += "".join(f".{token}" for token in tokens)
        steps.append(name)
        named += name != found[1]
        if named >= 2 or len(steps) >= MOST_STEPS or found[1] == "body":
            break
    return "<".join(steps)


@dataclass(slots=True)
class LinkGroup:
    """Links in like places with URLs of one shape, over all pages looked at."""

    place: str
    shape: str
    urls: dict[str, None] = field(default_factory=dict)
    pages: set[str] = field(default_factory=set)
    words: int = 0
    links: int = 0
    aside: bool = False
    pager: int = 0
    asked: int = 0

    @property
    def expression(self) -> str:
        """The expression that selects these links' addresses."""
        text = f"{expression_of_key(self.place, None)}/@href"
        try:
            parse(text)
        except XPathSyntaxError:
            return "a/@href"
        return text

    @property
    def matches(self) -> str:
        """The regular expression that their URLs match."""
        return expression_of(self.urls)

    @property
    def score(self) -> float:
        """How much these links look like the way to content: many of them, with words, in the middle of the page."""
        words = self.words / max(1, self.links)
        heading = bool(
            re.search(r"(?:^|<)h[1-6]", self.place.replace("a<", "", 1)) or re.search(r"<h[1-6]", self.place)
        )
        return (
            min(4.0, words)
            + 2.0 * heading
            + 1.5 * bool(_TITLE.search(self.place))
            + min(2.0, 0.25 * len(self.urls) / max(1, len(self.pages)))
            - 4.0 * self.aside
            - 4.0 * bool(_TOOL.search(next(iter(self.urls), "")))
            - 1.0 * ("?" in self.shape and "=w" in self.shape)
        )


def group_links(page: Page, allowed: Iterable[str]) -> dict[GroupKey, LinkGroup]:
    """Group those links of a page whose URLs are allowed."""
    wanted = set(allowed)
    groups: dict[GroupKey, LinkGroup] = {}
    for link, place in keyed_links(page):
        if link.url not in wanted:
            continue
        key = (place, skeleton(link.url))
        group = groups.setdefault(key, LinkGroup(*key))
        group.urls[link.url] = None
        group.pages.add(page.url)
        group.aside = group.aside or is_aside(link)
        turns = is_pager(link, page.url)
        group.pager += turns
        if turns or not link.fragment:  # else it leads to a part of a page: how many there are says nothing of the page
            group.words += len(_WORDS.findall(link.text))
            group.links += 1
    return groups


def is_aside(link: Link) -> bool:
    """Say whether a link stands in a menu, a sidebar or a footer; the header of an article is not aside."""
    is_inside = False
    for step in link.path[-8:]:
        names = re.sub(r"[#.]", " ", step)
        if tag_of(step) in ("nav", "aside", "footer") or _ASIDE.search(_HEAD.sub("", names) if is_inside else names):
            return True
        is_inside = is_inside or tag_of(step) == "article"
    return False


def tag_of(step: str) -> str:
    """Return the tag of a step of a path."""
    return step.split("#")[0].split(".")[0]


def is_pager(link: Link, where: str) -> bool:
    """Say whether a link turns the pages of its own page's list.

    Either it says so (`rel`, the name of its container), or its URL is the page's own but for one number, and its text
    is a number, an arrow or a word for it, or that number is the next one.
    """
    if "next" in link.rel or "prev" in link.rel:
        return True
    is_named = any(_PAGER.search(re.sub(r"[#.]", " ", step)) for step in link.path[-4:])
    if not is_near(link.url, where):
        return is_named and bool(re.search(r"\d", link.url))
    text = link.text.strip()
    if is_named or text.isdigit() or _TURNS.search(text):
        return True
    return not link.fragment and turns_to(link.url, where) == "next"


def is_near(url: str, where: str) -> bool:
    """Say whether a URL is that of a page but for one number."""
    return differs_in_one_number(identity(url), identity(where))


def turns_to(url: str, where: str) -> str:
    """Say whether a URL near that of a page has the `next` number, or just another one.

    >>> turns_to("http://e.org/?seite=2", "http://e.org/"), turns_to("http://e.org/?antwort=3001", "http://e.org/")
    ('next', '')
    """
    there, here = re.findall(r"\d+", identity(url)), re.findall(r"\d+", identity(where))
    if len(there) == len(here):
        return "next" if any(int(a[-9:]) == int(b[-9:]) + 1 for a, b in zip(there, here, strict=True)) else ""
    is_second = len(there) == len(here) + 1 and re.search(r"\D2(?:/|\.\w{1,5})?$", identity(url))
    return "next" if is_second else ""


def has_further_pages(page: Page) -> bool:
    """Say whether a page links to further pages of what it shows: its own address with one number more."""
    if not any(continues(link.url, page.url) for link in links(page)):
        return False
    return any(continues(link.url, page.url) and is_pager(link, page.url) for link in placed_links(page))


def continues(url: str, page: str) -> bool:
    """Say whether a URL is the address of a page with one number more.

    >>> continues("http://e.org/t?id=5&p=2", "http://e.org/t?id=5"), continues("http://e.org/t?id=6", "http://e.org/t?id=5")
    (True, False)
    """
    own = page.partition("#")[0]
    return len(url) > len(own) and url.startswith(own.rstrip("/")) and differs_in_one_number(url, own)
