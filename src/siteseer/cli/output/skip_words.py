"""Says in words why links were skipped: the rules of a crawl, grouped by what a person would call them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

KINDS: tuple[tuple[str, str, str], ...] = (
    (r"replytocom|reply|quote|respond", "reply link", "reply links"),
    (r"other name of|same page|session", "address of a page already kept", "addresses of pages already kept"),
    (r"\blog_?in\b|log_?out|register|signin|signup|password", "log-in page", "log-in pages"),
    (r"feed|\brss\b|\batom\b", "feed", "feeds"),
    (r"print", "print view", "print views"),
    (r"order|sort|direction", "other order of a list", "other orders of lists"),
    (r"calendar|trap|endless|chain|redirect loop", "address of an endless list", "addresses of endless lists"),
    (r"search", "search result", "search results"),
    (r"histor|revision|diff|oldid|version", "older version of a page", "older versions of pages"),
    (r"edit|action=|posting|delete|report|mark=|watch", "button that does something", "buttons that do something"),
    (r"member|user|profile|author", "page of a member", "pages of members"),
    (r"nothing new|not worthwhile|no selected|content|brings? (too )?little", "page that brings nothing new",
     "pages that bring nothing new"),
)  # fmt: skip
"""Expressions that occur in rules, and what people call the links that they skip."""
EXACT = {
    "scope": ("on another site", "on other sites"),
    "robots": ("that robots.txt forbids", "that robots.txt forbids"),
    "unreachable": ("on a host that does not answer", "on hosts that do not answer"),
    "depth": ("deeper than your limit", "deeper than your limit"),
    "limit of the seed": ("beyond the limit of its seed", "beyond the limits of their seeds"),
    "soft 404": ("that leads to a page that says “not found”", "that lead to pages that say “not found”"),
}
MOST_KINDS = 4
"""Kinds that are named; the others are counted together."""


def kind_of(rule: str) -> tuple[str, str]:
    """Return what people call a link that a rule skipped, and several.

    >>> kind_of("/0/0/*/?replytocom=0: other name of /0/0/*/")[1], kind_of("scope")[1]
    ('reply links', 'on other sites')
    """
    if rule in EXACT:
        return EXACT[rule]
    if rule.startswith("--exclude"):
        return "that you excluded", "that you excluded"
    for expression, one, several in KINDS:
        if re.search(expression, rule, re.IGNORECASE):
            return one, several
    return "other", "others"


def rules_in_words(rules: Sequence[str]) -> list[str]:
    """Return what people call what each rule skips; rules of one kind are told apart by their addresses.

    >>> rules_in_words(["/*/feed/: feed", "/thread/*/print/: print", "/print/*/: print", "scope"])
    ['feeds', 'print views: /thread/*/print/', 'print views: /print/*/', 'on other sites']
    """
    words = [kind_of(rule)[1] for rule in rules]
    shared = {one for one, count in Counter(words).items() if count > 1 or one == "others"}
    return [f"{one}: {_address(rule)}" if one in shared else one for one, rule in zip(words, rules, strict=True)]


def _address(rule: str) -> str:
    """Return the addresses that a rule is about.

    >>> _address("/0/0/*/?replytocom=0: other name of /0/0/*/")
    '/0/0/*/?replytocom=0'
    """
    return rule.partition(": ")[0]


def skip_sentence(skipped: Mapping[str, int]) -> str:
    """Return how many links were skipped and why, the most frequent reasons first.

    >>> skip_sentence({"scope": 88, "/*/feed/: feed": 1})
    '89 links: 88 on other sites, 1 feed'
    """
    if not skipped:
        return "no link"
    counts: Counter[tuple[str, str]] = Counter()
    for rule, count in skipped.items():
        counts[kind_of(rule)] += count
    rest = counts.pop(("other", "others"), 0)
    named = counts.most_common()
    if len(named) > MOST_KINDS + 1:
        rest += sum(count for _, count in named[MOST_KINDS:])
        named = named[:MOST_KINDS]
    parts = [f"{count:,} {one if count == 1 else several}" for (one, several), count in named]
    parts += [f"{rest:,} {'other' if rest == 1 else 'others'}"] if rest else []
    total = sum(skipped.values())
    return f"{total:,} {'link' if total == 1 else 'links'}: {', '.join(parts)}"
