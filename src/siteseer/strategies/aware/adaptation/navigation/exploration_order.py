"""Chooses which links exploration tries next: a few, of the most promising classes first.

Until content is found, classes whose pages have text are tried until there is enough to learn from. After that every
other class is tried once: where that page shows nothing new the class is dismissed, otherwise a second page must agree;
of classes with few pages two are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.navigation.class_outcome import (
    ENOUGH_TO_LEARN,
    FEW,
    FIRST_TRY,
    SAMPLED,
    TRIED_LATER,
)
from siteseer.strategies.aware.adaptation.navigation.exploration import Explorer
from siteseer.strategies.aware.adaptation.navigation.url_classes import WORTHWHILE, UrlClass
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import path_and_query

MOST_CLASSES_TRIED = 14
LOWEST_SCORE = -3.0
_FUNCTIONS = (
    r"(?:log-?in|log-?out|sign-?[iu]n|regist(?:er|ration)|print(?:view|able|er)?|rss|atom|reply|quote|edit|trackback"
    r"|subscribe|captcha|password|privmsg|wp-json|oembed|diff|revisions?|backlinks?|whatlinkshere)"
)
"""Functions of software that show nothing that is not elsewhere."""
_TOOL = re.compile(rf"(?:^|[/?&=_.-]){_FUNCTIONS}(?:$|[/?&=_.$-])", re.I)
_WHOLE_PART = re.compile(rf"[/?&;=]{_FUNCTIONS}(?:$|[/?&;=])", re.I)
_ORDER = re.compile(r"[?&;][\w.-]*(?:sort|order)[\w.-]*=[^&;]*", re.I)


def next_trials(explorer: Explorer, room: int) -> Iterator[tuple[UrlClass, str, str]]:
    """Yield class, URL and referrer of the next links to try; nothing where all promising classes were tried."""
    tried = sum(bool(one.tried) for one in explorer.classes)
    for one in sorted(explorer.classes, key=lambda one: (not (one.pager and explorer.has_content), -one.score)):
        if not _is_worth_a_try(explorer, one, tried):
            continue
        most = _most(explorer, one)
        wanted = max(0, min(room, most - len(one.looks), most - len(one.tried)))
        urls = list(one.urls) if one.pager or not explorer.has_content else list(reversed(one.urls))
        fresh = (url for url in urls if url not in one.tried and identity(url) not in explorer.looks)
        if chosen := list(islice(fresh, wanted)):
            for url in chosen:
                one.tried.append(url)
                yield one, url, one.urls[url]
            return


def _most(explorer: Explorer, one: UrlClass) -> int:
    """Return how many pages of a class may be tried by now."""
    if explorer.has_content:
        return TRIED_LATER if one.looks or len(one.urls) <= FEW else 1
    return ENOUGH_TO_LEARN if _promises(explorer, one) else FIRST_TRY


def _is_worth_a_try(explorer: Explorer, one: UrlClass, tried: int) -> bool:
    if not one.is_open or one.score < LOWEST_SCORE:
        return False
    if not explorer.has_content:
        return one.verdict != "later"
    if is_tool(one) or _is_reordered(explorer, one) or _goes_on_from_nothing(explorer, one):
        return False
    return bool(one.tried) or tried < MOST_CLASSES_TRIED


def is_tool(one: UrlClass) -> bool:
    """Say whether all URLs of a class name a function of the software, such as printing: one function or several.

    >>> [is_tool(UrlClass(text)) for text in (r"^/wiki\\.php\\?id=[^/?&;]+&do=diff$", "^/wiki/[^/?&;]+$")]
    [True, False]
    >>> is_tool(UrlClass("^/wiki/[^/?]+/[^/?]+$", {"http://e.org/wiki/a/print": "", "http://e.org/wiki/b/edit": ""}))
    True
    """
    if _TOOL.search(one.matches.replace("\\", "")):
        return True
    sample = list(islice(one.urls, SAMPLED))
    return bool(sample) and all(_WHOLE_PART.search(path_and_query(url)) for url in sample)


def _is_reordered(explorer: Explorer, one: UrlClass) -> bool:
    """Say whether URLs show worthwhile pages in another order."""
    url = next(iter(one.urls), "")
    plain = _ORDER.sub("", url)
    if plain == url:
        return False
    known = explorer.classes.of(plain if "?" in plain else plain.replace("&", "?", 1))
    return known is not None and known.verdict in WORTHWHILE


def _goes_on_from_nothing(explorer: Explorer, one: UrlClass) -> bool:
    """Say whether URLs are further pages of what was dismissed, where another list goes on."""
    if not one.pager or not any(other.pager and other.verdict == "list" for other in explorer.classes):
        return False
    referrers = [explorer.classes.of(where) for where in set(one.urls.values())]
    return all(before is not None and before is not one and before.verdict == "nothing" for before in referrers)


def _promises(explorer: Explorer, one: UrlClass) -> bool:
    """Say whether the pages tried so far have text of their own."""
    return len(one.looks) >= FIRST_TRY and any(explorer.has_prose(look) for look in one.looks)
