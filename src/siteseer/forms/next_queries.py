"""Chooses the next words to search for from the records found so far, and tells when words bring nothing more.

References: Barbosa and Freire, Siphoning Hidden-Web Data through Keyword-Based Interfaces, SBBD 2004; Ntoulas, Zerfos
and Cho, Downloading Textual Hidden Web Content Through Keyword Queries, JCDL 2005: words that many known records share
bring most new ones. Differs: a source of words (what links to records say, what pages of records say) is asked as often
as it has been of use; the search ends when enough records were seen again and none was new.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

PORTION = 5
"""Words that are sent before their answers are heard."""
FRUITLESS, MOST_FRUITLESS = 5, 10
"""So many words in a row that bring nothing new end a search: the first where enough records came again."""
SEEN_AGAIN = 20
"""Known records that came again, each beside the one whose word was sent, with no new one among them."""
SHARE_AGAIN, SHARE_FRUITLESS = 0.25, 0.08
"""With many records the search goes on for longer: so many times their number must come again, or bring nothing."""
EVERYWHERE = 0.8
"""A word on this share of the pages of records belongs to their template."""
LEAST_PAGES = 4
"""With fewer pages nobody can tell what belongs to the template."""
MOST_WORDS = 200
"""Words of a page that are taken in."""
_LETTERS = re.compile(r"[^\W\d_]{2,30}")
_RUN = re.compile(r"[\u3400-\u9fff]{2,}|[\u30a1-\u30fa\u30fc]{2,}|[\uac00-\ud7af]{2,}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LONGEST_RUN = 4


def search_words(text: str) -> list[str]:
    """Return the words of a text that may be searched for; where words are not separated, runs of one script, or pairs.

    >>> search_words("Smoked trout, a pie"), search_words("黒豆の煮物とパイ")
    (['smoked', 'trout', 'pie'], ['黒豆', '煮物', 'パイ'])
    """
    found: list[str] = []
    for word in _LETTERS.findall(text.lower()):
        if not _UNSPACED.search(word):
            found += [word] if len(word) > 2 else []
            continue
        for run in _RUN.findall(word):
            is_short = len(run) <= LONGEST_RUN
            found += [run] if is_short else [run[at : at + 2] for at in range(0, len(run) - 1, 2)]
    return found


@dataclass(frozen=True, slots=True)
class SearchedWord:
    """A word that was searched for: how many records it brought, how many of these were new, and whether all were
    shown.
    """

    word: str
    records: int
    new: int
    is_whole: bool = True


def is_complete(searched: Sequence[SearchedWord], own: Collection[str]) -> bool:
    """Say whether so many known records came again, and no new one, that few can be missing.

    Only words in `own`, which records have, can show that.

    >>> is_complete([SearchedWord("tea", 1, 0)] * 9, {"tea"}), is_complete([SearchedWord("tea", 9, 0)] * 6, {"tea"})
    (False, True)
    """
    telling = [one for one in _fruitless(searched) if one.word in own]
    again = sum(max(0, one.records - 1) for one in telling if one.is_whole)
    known = sum(one.new for one in searched)
    return len(telling) >= FRUITLESS and again >= max(SEEN_AGAIN, SHARE_AGAIN * known)


def is_spent(searched: Sequence[SearchedWord], source: Collection[str]) -> bool:
    """Say whether the words of a source bring nothing more: too many of them in a row brought nothing.

    >>> is_spent([SearchedWord("tea", 1, 0)] * 9, {"tea"}), is_spent([SearchedWord("tea", 1, 0)] * 10, {"tea"})
    (False, True)
    """
    known = sum(one.new for one in searched)
    fruitless = _fruitless([one for one in searched if one.word in source])
    return len(fruitless) >= max(MOST_FRUITLESS, SHARE_FRUITLESS * known)


def _fruitless(searched: Sequence[SearchedWord]) -> list[SearchedWord]:
    """Return the words after the last one that brought something new."""
    return list(takewhile(lambda one: not one.new, reversed(searched)))


def next_words(sources: Sequence[Counter[str]], searched: Sequence[SearchedWord], most: int = PORTION) -> list[str]:
    """Return the words to search for next, the most frequent of each source, more from a source that was of use.

    >>> sources = [Counter({"pie": 3, "tea": 1}), Counter({"basque": 2})]
    >>> next_words(sources, []), next_words(sources, [SearchedWord("pie", 9, 0)], 2)
    (['pie', 'basque', 'tea'], ['basque', 'tea'])
    """
    used = {one.word for one in searched}
    rates = [_rate(counts, searched) for counts in sources]
    waiting = [
        sorted(counts.keys() - used, key=lambda word: (-counts[word], word)) if rate else []
        for counts, rate in zip(sources, rates, strict=True)
    ]
    taken, found = [0] * len(sources), dict[str, None]()
    while len(found) < most and any(waiting):
        at = max((at for at, words in enumerate(waiting) if words), key=lambda at: (rates[at] / (1 + taken[at]), -at))
        found[waiting[at].pop(0)] = None
        taken[at] += 1
    return list(found)


def _rate(counts: Counter[str], searched: Iterable[SearchedWord]) -> float:
    """Return how probable it is that a word of a source brings something new; 0 where its words find nothing at all."""
    tried = [one for one in searched if one.word in counts]
    if len(tried) >= FRUITLESS and not any(one.records for one in tried):
        return 0.0
    return (1 + sum(one.new > 0 for one in tried)) / (2 + len(tried))


def shared_words(pages: Collection[Sequence[str]], without: Collection[str]) -> Counter[str]:
    """Return the words of the pages of records, with on how many pages each stands, without those of the template.

    >>> pages = [("home", "minutes", kitchen) for kitchen in ("basque", "tamil", "basque", "tamil")]
    >>> sorted(shared_words(pages, {"home"}).items())
    [('basque', 2), ('tamil', 2)]
    """
    counts = Counter(word for words in pages for word in set(words))
    most = EVERYWHERE * len(pages) if len(pages) >= LEAST_PAGES else len(pages)
    return Counter({word: count for word, count in counts.items() if count < max(2, most) and word not in without})
