"""Derives flags from an element's tag, class and id: body, comment, caption, navigation, as bits.

The names that people give to `class` and `id` are claims, not facts: a model weighs them, and what wraps most of a page
loses the bad ones (see `text_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import re2

NAMES = (
    "article navt head foot aside form list table figure bodycls poscls comment related share caption byline nav ad"
    " side meta hidden promo itembody quote main"
).split()
"""Flags in the order of their bits."""
BIT = {name: 1 << place for place, name in enumerate(NAMES)}

_TAGS = {
    "article": "article", "nav": "navt", "menu": "navt", "header": "head", "footer": "foot", "aside": "aside",
    "form": "form", "ul": "list", "ol": "list", "dl": "list", "table": "table", "figure": "figure",
    "figcaption": "caption", "caption": "caption", "blockquote": "quote", "main": "main", "address": "byline",
}  # fmt: skip
_ROLES = {
    "navigation": "navt", "banner": "navt", "contentinfo": "navt", "search": "navt", "menu": "navt",
    "complementary": "aside", "main": "main", "article": "main",
}  # fmt: skip
_PROPERTIES = {"articlebody": "itembody", "author": "byline", "datepublished": "byline", "datemodified": "byline"}

_CLAIMS = {
    "bodycls": r"article[-_]?(body|text|content|main|copy)|story[-_]?(body|text|content|copy)"
    r"|entry[-_]?(content|body|text)|post[-_]?(body|content|text|entry)|body[-_]?(text|copy|content)|maincontent|page[-_]?content|hentry",
    "poscls": r"article|story|entry|post|content|body|text|main|blog|news",
    "comment": r"comment|disqus|respond|replies|discussion|feedback|livefyre|echo-|talkback",
    "related": r"relat|recommend|popular|trending|more[-_]?(stor|news|from|on|in|article|head)|most[-_]?|also[-_]"
    r"|read[-_]?more|outbrain|taboola|seealso|topstor|headlines|latest|next|previous|prev[-_]|pager|pagin|recirc"
    r"|inline[-_]?link|slideshow|gallery",
    "share": r"shar(e|ing)|social|facebook|twitter|tweet|tool|bookmark|addthis|digg|email|print|utility|follow"
    r"|actions?\b",
    "caption": r"caption|credit|photo|image|img|pic(ture)?s?\b|cutline|media|video|player|figure|thumb",
    "byline": r"by[-_]?line|author|date|time|dateline|posted|publi[sc]|source|writer|contributor|bio\b",
    "nav": r"nav|menu|breadcrumb|crumb|tab(s|list)?\b|masthead|topbar|header|skip|logo|search|index|channel",
    "ad": r"\bad[sv]?\b|[-_]ads?([-_]|\b)|ad[-_](box|slot|unit|wrap)|advert|sponsor|dfp|banner|doubleclick|paid|adsense"
    r"|google",
    "side": r"side[-_]?bar|right[-_]?(col|rail)|rail|left[-_]?(col|rail|nav)|column[-_]?(2|3|b|c|right)|widget|module"
    r"|secondary|rightbar|aside",
    "meta": r"foot|copyright|legal|disclaimer|terms|tag(s|list)?\b|keyword|topic|categor|label|info|meta\b|kicker"
    r"|section[-_]?(head|title)|eyebrow|rubric|subscri|newsletter|login|sign|regist",
    "hidden": r"\bhidden\b|visually-hidden|sr-only|display-none|screen-reader|\bd-none\b|invisible",
    "promo": r"promo|teaser|partner|offer|deal|shop|market|subscribe|alert|poll|survey|quiz|rating|vote|rank",
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LONGEST = 300
"""Characters of a class or id that are looked at."""
_KNOWN_LIMIT = 50_000


def _compile() -> re2.Set:
    patterns = re2.Set.SearchSet()
    for pattern in _CLAIMS.values():
        patterns.Add(f"(?i){pattern}")
    patterns.Compile()
    return patterns


_PATTERNS = _compile()
_BITS = [BIT[name] for name in _CLAIMS]
_known: dict[str, int] = {}


def claims(value: str) -> int:
    """Return the flags that a class or id claims.

    >>> claims("ArticleBody") == BIT["bodycls"] | BIT["poscls"], claims("x1")
    (True, 0)
    """
    found = _known.get(value)
    if found is None:
        if len(_known) >= _KNOWN_LIMIT:
            _known.clear()
        found = 0
        for number in _PATTERNS.Match(_CAMEL.sub("-", value[:_LONGEST])) or ():
            found |= _BITS[number]
        _known[value] = found
    return found


def is_unseen(style: str | None) -> bool:
    """Say whether a style hides the element."""
    return bool(style) and bool(_UNSEEN.search((style or "")[:_LONGEST]))


def flags_of(tag: str, attributes: Mapping[str, str]) -> int:
    """Return all flags of an element.

    >>> flags_of("aside", {"class": "share"}) == BIT["aside"] | BIT["share"]
    True
    """
    found = BIT[_TAGS[tag]] if tag in _TAGS else 0
    for name, value in attributes.items():
        if name == "class" or name == "id":
            found |= claims(value)
        elif name == "role" and value.lower() in _ROLES:
            found |= BIT[_ROLES[value.lower()]]
        elif name == "itemprop" and value.lower() in _PROPERTIES:
            found |= BIT[_PROPERTIES[value.lower()]]
        elif (name == "style" and is_unseen(value)) or name == "hidden":
            found |= BIT["hidden"]
    return found
