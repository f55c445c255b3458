"""A form in, the submissions worth making out, one after the other as their answers are heard.

Closed fields are tried in combinations, but only as far as they are useful: a search that lists everything it finds is
not refined, one that finds nothing is not refined, and a field whose values show the same records is left alone. A
search that shows only the first of many records is split by the next closed field, by a range of prices or years, or
by words. Reference: Vidal et al., section 5.2, which sends all combinations of closed fields and ten rare terms.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import median

from siteseer.forms.answers import Answer
from siteseer.forms.choices import ClosedDimension, closed_dimensions, is_any
from siteseer.forms.dependent import Dependent
from siteseer.forms.form import Field, Form
from siteseer.forms.roles import query_field, ranges
from siteseer.forms.submit import Values
from siteseer.page.urls import identity

Query = tuple[tuple[str, str], ...]
"""The values that differ from what the form sends by itself, by name."""
MOST_SUBMISSIONS = 500
MOST_PAGES = 100
"""Pages of one answer that are looked at before the search is refined instead."""
TRIED = 3
"""So many values of a field that bring nothing new show that it is of no use."""
FRUITLESS = 5
"""So many words in a row that bring nothing new end the search by words."""
CAP = 10
"""Answers of equal length from here on look cut off."""


@dataclass(slots=True)
class _Heard:
    pages: dict[str, Answer] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    was_cut: bool = False

    @property
    def is_settled(self) -> bool:
        return bool(self.pages) and not self.pending


class Plan:
    """What to send with one form, as far as its answers have been heard."""

    def __init__(
        self,
        form: Form,
        given: Values | None = None,
        terms: Sequence[str] = (),
        dependents: Sequence[Dependent] = (),
        known: Iterable[str] = (),
        most: int = MOST_SUBMISSIONS,
    ) -> None:
        self.form, self.most, self.seeds = form, most, tuple(terms)
        self.dependents = {one.field: one for one in dependents}
        self.lists: dict[tuple[str, str], tuple[str, ...]] = {}
        """Choices of dependent lists, by field and the value it depends on."""
        named = {one.name for one in form.fields}
        self.root: Query = tuple((name, value) for name, value in (given or {}).items() if name in named)
        self.heard: dict[Query, _Heard] = {}
        self.navigation = set(known)
        """Links (identities) of the page of the form that every answer has too: they are no records."""
        self._terms: dict[Query, list[str]] = {}
        fixed = {name for name, _ in self.root}
        self._closed = [one for one in closed_dimensions(form, self.dependents) if one.field.name not in fixed]
        self._ranges = [pair for pair in ranges(form) if not {one.name for one in pair} & fixed]
        ends = {one.name for pair in self._ranges for one in pair}
        query = query_field(form)
        self._text = query if query is not None and query.name not in fixed | ends else None

    @property
    def records(self) -> set[str]:
        """The identities of all records that answers listed."""
        return set().union(*(node.links for node in self.heard.values())) - self.navigation

    def _records(self, query: Query) -> set[str]:
        return self.heard[query].links - self.navigation

    # ── what is heard ─────────────────────────────────────────────────────────────────────────────────────────────

    def hear(self, query: Query, answer: Answer, asked: str = "") -> None:
        """Take in one page of the answer to a query; `asked` is the URL of a further page before any redirect."""
        node = self.heard.setdefault(query, _Heard())
        node.pages[identity(asked or answer.url) if node.pages else ""] = answer
        node.pending.discard(identity(asked or answer.url))
        links = set(map(identity, answer.records))
        node.links |= links
        self.navigation &= links
        first = identity(node.pages[""].url)
        for more in answer.more:
            if identity(more) not in node.pages and identity(more) != first:
                if len(node.pages) + len(node.pending) < MOST_PAGES:
                    node.pending.add(identity(more))
                else:
                    node.was_cut = True
        for name, values in answer.lists:
            self._learn_list(query, name, values)

    def miss(self, query: Query, url: str | None = None) -> None:
        """Take in that a page of an answer (or the answer itself) could not be had."""
        node = self.heard.setdefault(query, _Heard())
        if url is not None:
            node.pending.discard(identity(url))
        if not node.pages:
            node.pages[""] = Answer(url or "", 0, 0, (), ())

    def hear_choices(self, name: str, value: str, choices: Sequence[str]) -> None:
        """Take in the values of a dependent list."""
        self.lists[name, value] = tuple(choices)

    def _learn_list(self, query: Query, name: str, values: tuple[str, ...]) -> None:
        """Learn from a form that was shown again with a list filled in."""
        own = self.form.field(name)
        if own is None or len(own.choices) > 1 or not values or not query or name in dict(query):
            return
        self.lists.setdefault((name, query[-1][1]), tuple(value for value in values if not is_any(value, "")))

    # ── what is wanted ────────────────────────────────────────────────────────────────────────────────────────────

    def wanted(self, room: int = 8) -> list[Query]:
        """Return queries to send next; nothing where all is done or awaited. Asked again, it says the same again."""
        left = self.most - len(self.heard)
        return list(islice(dict.fromkeys(self._explore(self.root, tuple(self._dimensions()))), max(0, min(room, left))))

    def pages_wanted(self, query: Query) -> set[str]:
        """Return the identities of further pages that the answer to a query still lacks."""
        node = self.heard.get(query)
        return set(node.pending) if node else set()

    def lookups(self) -> list[tuple[Dependent, str]]:
        """Return the dependent lists to ask for, each with the value that it depends on."""
        if self.root not in self.heard:
            return []
        found = []
        for one in self.dependents.values():
            parent = self.form.field(one.on)
            for choice in parent.choices if parent else ():
                if not is_any(choice.value, choice.label) and (one.field, choice.value) not in self.lists:
                    found.append((one, choice.value))
        return found

    def _dimensions(self) -> Iterator[_Dimension]:
        yield from self._closed
        yield from self._ranges
        if self._text is not None:
            yield self._text

    def _explore(self, query: Query, left: tuple[_Dimension, ...]) -> Iterator[Query]:
        """Yield what should be sent to know everything behind a query."""
        node = self.heard.get(query)
        if node is None:
            yield query
            return
        if not node.is_settled:
            return
        verdict = self.verdict(query)
        if verdict in ("complete", "nothing"):
            return
        for at, dimension in enumerate(left):
            rest = left[at + 1 :]
            if isinstance(dimension, tuple):
                rest = (dimension, *rest)
            children = self._children(query, dimension)
            if not children:
                continue
            first, others = children[:TRIED], children[TRIED:]
            waiting = [child for child in first if not self._is_settled(child)]
            if waiting:
                yield from (want for child in waiting for want in self._explore(child, rest))
                return
            if self._is_useless(query, first):
                continue
            for child in (*first, *others):
                yield from self._explore(child, rest)
            return

    def _is_settled(self, query: Query) -> bool:
        node = self.heard.get(query)
        return node is not None and node.is_settled

    def _children(self, query: Query, dimension: _Dimension) -> list[Query]:
        if isinstance(dimension, ClosedDimension):
            values = dimension.values(dict(query), self.lists)
            return [_with(query, *pairs) for pairs in values if _with(query, *pairs) != query]
        if isinstance(dimension, tuple):
            return self._halves(query, dimension)
        return self._by_words(query, dimension)

    def _is_useless(self, query: Query, children: list[Query]) -> bool:
        """Say whether the first values of a field show that it does not refine a search."""
        known = self._records(query)
        shown = [self._records(child) for child in children]
        if not any(shown):
            return bool(known)
        if known:
            return not any(records - known for records in shown)
        return len(children) > 1 and all(records == shown[0] for records in shown)

    # ── what an answer means ──────────────────────────────────────────────────────────────────────────────────────

    def verdict(self, query: Query) -> str:
        """Say what the answer to a query means: complete, nothing, unfilled, truncated or unsure."""
        node = self.heard[query]
        count = len(self._records(query))
        if not count:
            is_root = query == self.root
            return "unfilled" if is_root or self._gist(node) == self._gist(self.heard[self.root]) else "nothing"
        claimed = self._claimed(node)
        if claimed is not None:
            return "complete" if count >= claimed else "truncated"
        if node.was_cut or (count >= CAP and self._is_cap(count)):
            return "truncated"
        return "unsure" if query == self.root and count >= CAP else "complete"

    @staticmethod
    def _gist(node: _Heard) -> int:
        return next(iter(node.pages.values())).gist

    def _is_cap(self, count: int) -> bool:
        sizes = Counter(len(self._records(query)) for query, node in self.heard.items() if node.is_settled)
        return count == max(sizes) and sizes[count] > 1

    def _claimed(self, node: _Heard) -> int | None:
        """Return how many records an answer says that there are, once it is known where answers say that."""
        word = self._counter()
        first = next(iter(node.pages.values()))
        return max((number for name, number in first.counts if name == word), default=None)

    def _counter(self) -> str | None:
        """Return the word beside the number that tells how many records there are.

        It is the one that was right for at least two different numbers, and never too low.
        """
        right: dict[str, set[int]] = {}
        wrong: set[str] = set()
        for query, node in self.heard.items():
            count = len(self._records(query))
            if not count or not node.is_settled:
                continue
            for name, number in next(iter(node.pages.values())).counts:
                if number == count:
                    right.setdefault(name, set()).add(number)
                elif number < count:
                    wrong.add(name)
        sure = {name: len(numbers) for name, numbers in right.items() if name not in wrong and len(numbers) > 1}
        return max(sure, key=lambda name: (sure[name], name), default=None)

    # ── ranges and words ──────────────────────────────────────────────────────────────────────────────────────────

    def _halves(self, query: Query, pair: tuple[Field, Field]) -> list[Query]:
        """Split the range of a search at the middle of the amounts that its answer shows."""
        low, high = pair
        values = dict(query)
        amounts = self._amounts(self.heard[query])
        bottom, top = (_number(values.get(one.name, "")) for one in pair)
        inside = [amount for amount in amounts if (bottom is None or amount > bottom) and (top is None or amount < top)]
        if len(inside) < 2:
            return []
        middle = median(sorted(inside)[: len(inside) // 2 * 2 - 1 or 1])
        written = f"{middle:.2f}" if any(amount != int(amount) for amount in amounts) else str(int(middle))
        return [_with(query, (high.name, written)), _with(query, (low.name, written))]

    @staticmethod
    def _amounts(node: _Heard) -> list[float]:
        """Return the amounts of the kind that an answer shows most different ones of."""
        kinds: dict[str, set[float]] = {}
        for page in node.pages.values():
            for shape, amount in page.amounts:
                kinds.setdefault(shape, set()).add(amount)
        best = max(kinds, key=lambda shape: (len(kinds[shape]), shape), default=None)
        return sorted(kinds[best]) if best is not None and 2 * len(kinds[best]) >= len(node.links) else []

    def _by_words(self, query: Query, text: Field) -> list[Query]:
        """Return the searches by words so far; with further words when all were heard and the last ones were of use."""
        terms = self._terms.setdefault(query, list(self.seeds))
        children = [_with(query, (text.name, term)) for term in terms]
        if all(self._is_settled(child) for child in children) and not self._is_fruitless(children):
            for term in self._further_words(terms):
                terms.append(term)
                children.append(_with(query, (text.name, term)))
        return children

    def _is_fruitless(self, children: list[Query]) -> bool:
        if len(children) < FRUITLESS:
            return False
        before = set().union(*(self._records(child) for child in children[:-FRUITLESS]))
        return all(self._records(child) <= before for child in children[-FRUITLESS:])

    def _further_words(self, used: list[str]) -> list[str]:
        """Return words that answers show on most of their pages and that were not searched for yet."""
        counts = Counter(word for node in self.heard.values() for page in node.pages.values() for word in page.words)
        fresh = (word for word in counts if word not in used and len(word) > 3)
        return sorted(fresh, key=lambda word: (-counts[word], word))[:FRUITLESS]


_Dimension = ClosedDimension | tuple[Field, Field] | Field


def _with(query: Query, *pairs: tuple[str, str]) -> Query:
    values = {**dict(query), **dict(pairs)}
    return tuple(values.items())


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def as_key(query: Query) -> str:
    """Return a query as text for a strategy's memory.

    >>> of_key(as_key((("q", "tea"),)))
    (('q', 'tea'),)
    """
    return json.dumps(query, ensure_ascii=False)


def of_key(key: str) -> Query:
    """Return the query of a text."""
    return tuple((str(name), str(value)) for name, value in json.loads(key))
