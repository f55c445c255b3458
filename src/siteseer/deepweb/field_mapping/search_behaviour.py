"""Learns how a source searches a column, by comparing numbers of records: stop words, connectors, spelling.

Reference: Oita's thesis, section 3.1: are stop words indexed, which connectors are used, do spelling errors matter?
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, islice

from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.sampling.query_budget import Steps
from siteseer.deepweb.sampling.sampling import Exploration
from siteseer.deepweb.understanding_model import Record, SearchBehaviour
from siteseer.extract.function_words import FUNCTION_WORDS
from siteseer.forms.form import Field

YES, NO = "yes", "no"


def learn_search_behaviour(field: Field, column: str, exploration: Exploration) -> Steps[SearchBehaviour]:
    """Return the search behaviour of a field on its column."""
    records = list(exploration.source.records().values())
    texts = {record.id: fold(" ".join(record.values.get(column, ()))).split() for record in records}
    counts = Counter(word for words in texts.values() for word in set(words))
    return SearchBehaviour(
        stop_words=(yield from _stop_words(field, exploration, counts)),
        joined=(yield from _joined(field, exploration, texts, counts)),
        parts_of_words=(yield from _parts(field, exploration, counts)),
        spelling=(yield from _spelling(field, exploration, counts)),
    )


def _found(field: Field, words: str, exploration: Exploration) -> Steps[list[Record]]:
    query = ((field.name, words),)
    (page,) = yield from exploration.inquiry.send([query], "how does the source search?")
    return exploration.source.take(exploration.inquiry.whole(query), page) if page is not None else []


def _stop_words(field: Field, exploration: Exploration, counts: Counter[str]) -> Steps[str]:
    common = [word for word in counts if word in FUNCTION_WORDS and len(word) > 2 and counts[word] > 1]
    for word in sorted(common, key=lambda word: -counts[word])[:1]:
        return YES if (yield from _found(field, word, exploration)) else NO
    return ""


def _telling(counts: Counter[str]) -> list[str]:
    words = [word for word in counts if len(word) > 4 and word.isalpha() and word not in FUNCTION_WORDS]
    return sorted(words, key=lambda word: (counts[word], -len(word), word))


def _joined(field: Field, exploration: Exploration, texts: dict[str, list[str]], counts: Counter[str]) -> Steps[str]:
    """Compare the answers to two words apart and together; where none comes, two words of one record tell more."""
    for one, other in islice(_strangers(texts, _telling(counts)), 2):
        first = yield from _found(field, one, exploration)
        second = yield from _found(field, other, exploration)
        if not first or not second:
            continue
        both = yield from _found(field, f"{one} {other}", exploration)
        if len(both) >= max(len(first), len(second)) and both:
            return "or"
        if both:
            continue
        pairs = list(islice(_apart(texts), 2))
        for name, apart in pairs:
            met = yield from _found(field, apart, exploration)
            if met:
                return "and" if any(record.id == name for record in met) else ""
        return "phrase" if pairs else ""
    return ""


def _strangers(texts: dict[str, list[str]], words: Sequence[str]) -> Sequence[tuple[str, str]]:
    """Return pairs of words that no record has together."""
    holding: dict[str, set[str]] = defaultdict(set)
    for name, own in texts.items():
        for word in own:
            holding[word].add(name)
    return [pair for pair in combinations(words[:12], 2) if not holding[pair[0]] & holding[pair[1]]]


def _apart(texts: dict[str, list[str]]) -> Sequence[tuple[str, str]]:
    """Return records with two of their words that do not stand side by side, in their order."""
    found = []
    for name, words in texts.items():
        long = [(at, word) for at, word in enumerate(words) if len(word) > 3 and word not in FUNCTION_WORDS]
        if len(long) > 1 and long[-1][0] - long[0][0] > 1:
            found.append((name, f"{long[0][1]} {long[-1][1]}"))
    return found


def _parts(field: Field, exploration: Exploration, counts: Counter[str]) -> Steps[str]:
    for word in islice((word for word in _telling(counts) if len(word) > 6), 1):
        part = word[1:-1]
        if not any(part in other for other in counts if other != word):
            return YES if (yield from _found(field, part, exploration)) else NO
    return ""


def _spelling(field: Field, exploration: Exploration, counts: Counter[str]) -> Steps[str]:
    for word in islice((word for word in _telling(counts) if len(word) > 6), 1):
        wrong = f"{word[:3]}{word[4]}{word[3]}{word[5:]}"
        if wrong != word and wrong not in counts:
            return YES if (yield from _found(field, wrong, exploration)) else NO
    return ""
