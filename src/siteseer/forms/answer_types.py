"""Interprets the answers to a form: whether each lists everything, nothing, or only the first of many records.

How many records there are is learned: the number beside a word that was right before is believed.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from siteseer.forms.result_pages import Answer
from siteseer.page.urls import identity

Query = tuple[tuple[str, str], ...]
"""The values that differ from what the form sends by itself, by name."""
MOST_PAGES = 100
"""Pages of one answer that are looked at before the search is refined instead."""
CAP = 10
"""Answers of equal length from here on look cut off."""


@dataclass(slots=True)
class QueryAnswer:
    """The pages of the answer to one query."""

    pages: dict[str, Answer] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    """Further pages that were not heard yet: identity to URL."""
    links: set[str] = field(default_factory=set)
    was_cut: bool = False

    @property
    def is_settled(self) -> bool:
        """Say whether all pages have come."""
        return bool(self.pages) and not self.pending

    @property
    def first(self) -> Answer:
        """The first page."""
        return next(iter(self.pages.values()))

    def add(self, answer: Answer, asked: str) -> None:
        """Add a page; `asked` is the URL of a further page before any redirect."""
        name = identity(asked or answer.url)
        self.pages[name if self.pages else ""] = answer
        self.pending.pop(name, None)
        self.links.update(map(identity, answer.records))
        first = identity(self.first.url)
        for more in answer.more:
            if identity(more) not in self.pages and identity(more) != first:
                if len(self.pages) + len(self.pending) < MOST_PAGES:
                    self.pending[identity(more)] = more
                else:
                    self.was_cut = True

    def amounts(self, known: str = "") -> list[float]:
        """Return the amounts known under a name, or those of the kind that an answer shows most different ones of."""
        kinds: dict[str, set[float]] = {}
        for page in self.pages.values():
            for shape, amount in page.amounts:
                kinds.setdefault(shape, set()).add(amount)
        if known in kinds:
            return sorted(kinds[known])
        best = max(kinds, key=lambda shape: (len(kinds[shape]), shape), default=None)
        return sorted(kinds[best]) if best is not None and 2 * len(kinds[best]) >= len(self.links) else []


class Answers:
    """The answers of one form, by query."""

    def __init__(self, root: Query, known: Iterable[str] = ()) -> None:
        self.root = root
        self.heard: dict[Query, QueryAnswer] = {}
        self.navigation = set(known)
        """Links (identities) of the page of the form that every answer has too: they are no records."""
        self._words: dict[str, set[str]] = defaultdict(set)
        """What links say, by the identity of where they lead."""

    def hear(self, query: Query, answer: Answer, asked: str = "") -> None:
        """Add one page of the answer to a query."""
        self.heard.setdefault(query, QueryAnswer()).add(answer, asked)
        names = list(map(identity, answer.records))
        self.navigation.intersection_update(names)
        for name, words in zip(names, answer.words, strict=False):
            self._words[name].update(words)

    def miss(self, query: Query, url: str | None) -> None:
        """Record that a page of an answer (or the answer itself) could not be fetched."""
        one = self.heard.setdefault(query, QueryAnswer())
        if url is not None:
            one.pending.pop(identity(url), None)
        if not one.pages:
            one.pages[""] = Answer(url or "", 0, 0, (), ())

    def records(self, query: Query) -> set[str]:
        """Return the identities of the records that the answer to a query lists."""
        return self.heard[query].links - self.navigation

    def is_settled(self, query: Query) -> bool:
        """Say whether all pages of an answer have come."""
        one = self.heard.get(query)
        return one is not None and one.is_settled

    def verdict(self, query: Query) -> str:
        """Return the meaning of an answer: complete, nothing, unfilled, truncated or unsure."""
        one = self.heard[query]
        count = len(self.records(query))
        if not count:
            is_root = query == self.root
            return "unfilled" if is_root or one.first.gist == self.heard[self.root].first.gist else "nothing"
        claimed = self._claimed(one)
        if claimed is not None:
            return "complete" if count >= claimed else "truncated"
        if one.was_cut or (count >= CAP and self._is_cap(count)):
            return "truncated"
        return "unsure" if query == self.root and count >= CAP else "complete"

    def _is_cap(self, count: int) -> bool:
        sizes = Counter(len(self.records(query)) for query, one in self.heard.items() if one.is_settled)
        return count == max(sizes) and sizes[count] > 1

    def _claimed(self, one: QueryAnswer) -> int | None:
        """Return how many records an answer says that there are, once it is known where answers say that."""
        word = self._counter()
        return max((number for name, number in one.first.counts if name == word), default=None)

    def _counter(self) -> str | None:
        """Return the word beside the number that tells how many records there are.

        It is the one that was right for at least two different numbers, and never too low.
        """
        right: dict[str, set[int]] = {}
        wrong: set[str] = set()
        for query, one in self.heard.items():
            count = len(self.records(query))
            if not count or not one.is_settled:
                continue
            for name, number in one.first.counts:
                if number == count:
                    right.setdefault(name, set()).add(number)
                elif number < count:
                    wrong.add(name)
        sure = {name: len(numbers) for name, numbers in right.items() if name not in wrong and len(numbers) > 1}
        return max(sure, key=lambda name: (sure[name], name), default=None)

    def claimed(self, query: Query) -> int | None:
        """Return the number of records that the answer to a query states, where that is known."""
        return self._claimed(self.heard[query])

    def template_words(self) -> set[str]:
        """Return the words of links that answers have which list nothing: they belong to the template."""
        empty = (one for query, one in self.heard.items() if not self.records(query))
        return {word for one in empty for page in one.pages.values() for words in page.words for word in words}

    def words(self) -> Counter[str]:
        """Return the words of links to records, with how many records have each."""
        return Counter(word for name, words in self._words.items() if name not in self.navigation for word in words)


def as_key(query: Query) -> str:
    """Return a query as text for a strategy's memory.

    >>> of_key(as_key((("q", "tea"),)))
    (('q', 'tea'),)
    """
    return json.dumps(query, ensure_ascii=False)


def of_key(key: str) -> Query:
    """Return the query of a text."""
    return tuple((str(name), str(value)) for name, value in json.loads(key))
