"""Learns where pages show their title: mostly a heading whose text is part of the title element."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from siteseer.extract.records.element_keys import KeyedDocument
from siteseer.extract.records.record_model import TitleRule
from siteseer.page.tree import title as title_element

LOWEST = 0.6
HEADINGS = frozenset(("h1", "h2", "h3"))
LONGEST_TITLE = 250
UNMATCHED = 0.55
"""What a heading keeps on a page whose title element does not hold it."""
PRESENCE = 0.5
LEAST_DISTINCT = 0.5
"""Share of different titles among the pages below which repetition is not explained by further pages."""
ONE_WORD = 0.8
"""What is left for a place that shows single words: names of pages rather than titles."""
_TITLE_LIKE = re.compile(r"title|subject|headline|heading|topic|thread", re.I)
_REPLY = re.compile(r"^(?:(?:re|aw|sv|antw|odp|rif|res)(?:\[\d+\])?:\s*)+", re.I)
_EDGE = " \t-–—|:»«·•/"


def learn_title(keyed: Sequence[KeyedDocument]) -> TitleRule:
    """Return the rule for the titles of these pages."""
    values: dict[str, list[str]] = defaultdict(list)
    matches: dict[str, float] = defaultdict(float)
    pages: Counter[str] = Counter()
    several: Counter[str] = Counter()
    for document in keyed:
        whole = _plain(title_element(document.doc.page))
        on_page = _candidates(document, whole)
        for key, strings in on_page.items():
            pages[key] += 1
            several[key] += len(strings) > 1
            values[key].append(strings[0])
            inside = _plain(strings[0]) in whole
            matches[key] += 1.0 if inside else UNMATCHED if _tag(key) in HEADINGS else 0.0
    best, best_score = None, LOWEST
    present = {key: found for key, found in values.items() if pages[key] >= PRESENCE * len(keyed)}
    # Further pages of a thread or an article repeat its title: places are compared with the one that says most.
    shares = [len(set(found)) / len(found) for key, found in present.items() if matches[key] >= PRESENCE * pages[key]]
    most_distinct = max(LEAST_DISTINCT, *shares) if shares else 1.0
    for key, found in present.items():
        weight = 1.3 if _tag(key) in HEADINGS else 1.0 if _TITLE_LIKE.search(key.partition("<")[0]) else 0.7
        length = sum(len(value) for value in found) / len(found)
        score = (matches[key] / pages[key]) * min(1.0, len(set(found)) / len(found) / most_distinct) * weight
        if _tag(key) not in HEADINGS and sum(" " in value for value in found) < 0.3 * len(found):
            score *= ONE_WORD
        score *= (1 - 0.3 * several[key] / pages[key]) * min(1.0, length / 12)
        if score > best_score:
            best, best_score = key, score
    prefix, suffix = common_words([title_element(document.doc.page) for document in keyed])
    return TitleRule(best, prefix, suffix)


def _candidates(keyed: KeyedDocument, whole: str) -> dict[str, list[str]]:
    """Return short strings by key: headings, and whatever is part of the title element."""
    doc = keyed.doc
    found: dict[str, list[str]] = defaultdict(list)
    for element, tag in enumerate(doc.tags):
        first, stop = doc.first_text[element], doc.stop_text[element]
        if not 0 < stop - first <= 4:
            continue
        string = doc.string(element)
        if 3 <= len(string) <= LONGEST_TITLE and (tag in HEADINGS or (len(string) > 5 and _plain(string) in whole)):
            found[keyed.key(element)].append(string)
    return found


def read_title(keyed: KeyedDocument, rule: TitleRule) -> str | None:
    """Return the title of a page as it stands there."""
    doc = keyed.doc
    if rule.key is not None:
        step = rule.key.partition("<")[0]
        for element in range(len(doc.tags)):
            is_title = keyed.step(element) == step and keyed.key(element) == rule.key
            if is_title and (found := doc.string(element)[:LONGEST_TITLE]):
                return found
    whole = title_element(doc.page)
    if rule.prefix and whole.startswith(rule.prefix):
        whole = whole[len(rule.prefix) :]
    if rule.suffix and whole.endswith(rule.suffix):
        whole = whole[: -len(rule.suffix)]
    return whole.strip(_EDGE) or None


def without_reply(title: str) -> str:
    """Return a title without the marks of replies.

    >>> without_reply("Re: Re: Lenses")
    'Lenses'
    """
    return _REPLY.sub("", title).strip()


def common_words(titles: Sequence[str]) -> tuple[str, str]:
    """Return what nearly all titles begin and end with, cut at spaces.

    >>> common_words(["Lenses - My Site", "Trees - My Site", "Rain - My Site"])
    ('', ' - My Site')
    """
    titles = [title for title in titles if title]
    if len(titles) < 3:
        return "", ""
    return _shared(titles), _shared([title[::-1] for title in titles])[::-1]


def _shared(titles: Sequence[str]) -> str:
    """The longest beginning, ending at a space, that four of five titles have."""
    found = ""
    model = Counter(title[:8] for title in titles).most_common(1)[0][0]
    leaders = [title for title in titles if title.startswith(model)]
    model_title = leaders[0] if len(leaders) >= 0.8 * len(titles) else min(titles, key=len)
    for place, letter in enumerate(model_title[:120]):
        if letter == " ":
            start = model_title[: place + 1]
            if sum(title.startswith(start) for title in titles) < 0.8 * len(titles):
                break
            found = start
    return found


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _tag(key: str) -> str:
    return re.split(r"[#.\[:~<]", key, maxsplit=1)[0]
