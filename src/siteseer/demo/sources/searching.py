"""A source and what was asked in; the entries found out, or the reason why the question cannot be answered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from siteseer.demo.sources.entry import Entry, Question, Source

STOP_WORDS = frozenset(
    "a an and as at by for from how in into is it its of on or our that the their this to was we were why with".split()
)
WORD = re.compile(r"\w+")


class UnanswerableError(ValueError):
    """What was asked cannot be answered; the message is the key of the sentence to show."""


def words(text: str) -> list[str]:
    """Return the words of a text, without case and accents.

    >>> words("Zoë's Lantern")
    ['zoe', 's', 'lantern']
    """
    plain = unicodedata.normalize("NFKD", text)
    return WORD.findall("".join(one for one in plain if not unicodedata.combining(one)).casefold())


def search(source: Source, asked: Mapping[str, str]) -> list[Entry]:
    """Return the entries that fit all that was asked, the best first; `asked` has the keys of the questions.

    Raises UnanswerableError where nothing was asked, or what depends on another value does not go with it.
    """
    filled = {key: value.strip()[:200] for key, value in asked.items() if value.strip()}
    if not filled:
        raise UnanswerableError("more")
    questions = [question for question in source.questions if question.key in filled]
    for question in questions:
        if question.asks == "dependent":
            _check(source, question, filled)
    scored = []
    for entry in source.entries:
        scores = [_score(source, question, entry, filled[question.key]) for question in questions]
        if all(scores):
            scored.append((-sum(scores), entry.get("title"), entry.number, entry))
    return [one[-1] for one in sorted(scored, key=lambda one: one[:3])]


def _check(source: Source, question: Question, filled: Mapping[str, str]) -> None:
    on = next(one for one in source.questions if one.key == question.on)
    if filled[question.key] not in source.choices(question.attribute, (on.attribute, filled.get(on.key, ""))):
        raise UnanswerableError("apart")


def _score(source: Source, question: Question, entry: Entry, value: str) -> int:
    """Return how well an entry answers a question; 0 is not at all."""
    has = entry.get(question.attribute)
    if question.asks == "words":
        return _hits(source, words(value), set(words(has)))
    if question.asks in ("lowest", "highest"):
        if not value.isdecimal() or not has.isdecimal():
            return int(not value.isdecimal())
        return int(int(has) >= int(value) if question.asks == "lowest" else int(has) <= int(value))
    return int(has == value)


def _hits(source: Source, asked: list[str], has: set[str]) -> int:
    kept = [word for word in asked if source.has_stop_words or word not in STOP_WORDS]
    hits = sum(word in has for word in kept)
    return hits if kept and (source.joined == "or" or hits == len(kept)) else 0
