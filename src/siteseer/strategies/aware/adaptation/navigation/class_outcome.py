"""Decides what a class of URLs leads to, from the few pages of it that were fetched.

`terminal`: pages with objects; `list`: pages that lead to more of these; `prose`: other pages with text of their own;
`nothing`: nothing new; `later`: not before it is known where the content is; empty: more pages must be tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from siteseer.page.links import canonical
from siteseer.strategies.aware.adaptation.navigation.link_groups import LinkGroup
from siteseer.strategies.aware.adaptation.navigation.url_classes import ExploredPage, UrlClass, UrlClasses, Verdict
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import skeleton

FIRST_TRY = 3
ENOUGH_TO_LEARN = 10
TRIED_LATER = 2
"""Pages of a class that are tried once it is known where the content is."""
FEW = 8
"""Pages that a person wrote one by one, such as the imprint, are few and unlike; one page speaks for a larger class."""
NEW_LINKS = 2
SAMPLED = 60
"""URLs of a class that are asked whether they continue the address of a page with objects."""


def class_outcome(
    one: UrlClass, classes: UrlClasses, has_content: bool, has_prose: Callable[[ExploredPage], bool]
) -> tuple[Verdict, str | None]:
    """Decide a class by its fetched pages; return the outcome and the level of its pages."""
    looks, content = one.looks, classes.terminal if has_content else {}
    if looks and is_alias(looks) and (has_content or len(looks) >= min(TRIED_LATER, len(one.urls))):
        _prefer_canonical(one, classes)
        return "nothing", None
    if (level := continued_level(one, classes)) is not None and any(look.adds for look in looks):
        return "terminal", level
    known = [look.level for look in looks if look.level and look.terminal]
    if len(known) * 2 > len(looks):
        if content and sum(look.repeats for look in looks) * 2 > len(looks):
            return "nothing", None
        return "terminal", Counter(known).most_common(1)[0][0]
    if content:
        return _with_content(one, looks, content), None
    return _without_content(one, looks, has_prose), None


def _with_content(one: UrlClass, looks: Sequence[ExploredPage], content: dict[str, None]) -> Verdict:
    if one.verdict == "prose":
        return "prose"
    if sum(len(look.fresh & content.keys()) >= NEW_LINKS for look in looks) * 2 >= len(looks):
        return "list"
    if len(one.urls) > FEW and not any(look.says_new for look in looks):
        return "nothing"
    if len(looks) < min(TRIED_LATER, len(one.urls)):
        return one.verdict
    new = sum(look.says_new for look in looks) * 2
    return "prose" if new > len(looks) or (new == len(looks) and len(one.urls) <= FEW) else "nothing"


def _without_content(
    one: UrlClass, looks: Sequence[ExploredPage], has_prose: Callable[[ExploredPage], bool]
) -> Verdict:
    if len(looks) < min(FIRST_TRY, len(one.urls)):
        return ""
    if not any(has_prose(look) for look in looks):
        return "later"
    # Enough pages for the learner have been seen and it found nothing: perhaps a list with excerpts.
    return "" if len(looks) < min(ENOUGH_TO_LEARN, len(one.urls)) else "later"


def continued_level(one: UrlClass, classes: UrlClasses) -> str | None:
    """Return the level of the pages that these URLs continue with one number more."""
    if not one.pager or not classes.terminal:
        return None
    sample = list(islice(one.urls, SAMPLED))
    levels = [found.level for url in sample if (found := classes.continued(url)) is not None and found is not one]
    return levels[0] if len(levels) * 2 > len(sample) else None


def is_alias(looks: Sequence[ExploredPage]) -> bool:
    """Say whether most pages of a class declare a canonical URL of another shape: links to parts of them."""
    own = [(canonical(look.page), look.page.url) for look in looks]
    return sum(name is not None and skeleton(name) != skeleton(url) for name, url in own) * 2 > len(looks)


def _prefer_canonical(one: UrlClass, classes: UrlClasses) -> None:
    """Queue the canonical URLs that the pages declare in their class."""
    for look in one.looks:
        look.is_alias = True
        name = canonical(look.page)
        if name is not None and name.split("/")[:3] == look.page.url.split("/")[:3]:
            other = classes.place(LinkGroup("a", skeleton(name), {name: None}, {look.page.url}), look.page.url)
            other.score = max(other.score, one.score)
