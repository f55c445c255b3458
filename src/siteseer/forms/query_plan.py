"""Plans the submissions of a form that are worth making, step by step from the answers so far.

Closed fields are tried in combinations, but only as far as they are useful: a search that lists everything it finds is
not refined, one that finds nothing is not refined, and a field whose values show the same records is left alone. A
search that shows only the first of many records is split by the next closed field, by a range of prices or years, or
by words: first those of the records found, see `next_queries`, then those of the page of the form.
Reference: Vidal et al., section 5.2, which sends all combinations of closed fields and ten rare terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from statistics import median

from siteseer.forms.answer_types import Answers, Query
from siteseer.forms.any_choice import real_choices
from siteseer.forms.closed_fields import ClosedDimension, closed_dimensions
from siteseer.forms.dependent_lists import Dependent
from siteseer.forms.field_roles import query_field, ranges
from siteseer.forms.form import Field, Form
from siteseer.forms.form_request import Values
from siteseer.forms.next_queries import PORTION, SearchedWord, is_complete, is_spent, next_words, shared_words
from siteseer.forms.result_pages import Answer, distinct

MOST_SUBMISSIONS = 500
TRIED = 3
"""So many values of a field that bring nothing new show that it is of no use."""


class Plan:
    """The query plan of one form, given its answers so far.

    `given` is sent with every search; `terms` returns the first words to search for; `known` are the links of the page
    of the form; only the fields in `varied`, where it is given, take other values than the form sends by itself.
    """

    def __init__(
        self,
        form: Form,
        given: Values | None = None,
        terms: Callable[[], Sequence[str]] = tuple,
        dependents: Sequence[Dependent] = (),
        known: Iterable[str] = (),
        varied: Collection[str] | None = None,
        most: int = MOST_SUBMISSIONS,
    ) -> None:
        self.form, self.most, self._first_terms = form, most, terms
        self.dependents = {one.field: one for one in dependents}
        self.lists: dict[tuple[str, str], tuple[str, ...]] = {}
        """Choices of dependent lists, by field and the value it depends on."""
        named = {one.name for one in form.fields}
        root = tuple((name, value) for name, value in (given or {}).items() if name in named)
        self.root: Query = root
        self.answers = Answers(root, known)
        self._terms: dict[Query, list[str]] = {}
        """The words that were searched for to split a query, those that are awaited too."""
        self._record_pages: dict[str, tuple[str, ...]] = {}
        """The words of the pages of records, by the identity of the record."""
        fixed = {name for name, _ in root} | (named.difference(varied) if varied is not None else set())
        dimensions = closed_dimensions(form, self.dependents)
        self._closed = [one for one in dimensions if (one.dependent or one.field.name) not in fixed]
        self._ranges = [pair for pair in ranges(form) if not {one.name for one in pair} & fixed]
        ends = {one.name for pair in self._ranges for one in pair}
        query = query_field(form)
        self._text = query if query is not None and query.name not in fixed | ends else None

    @property
    def records(self) -> set[str]:
        """The identities of all records that answers listed."""
        return set().union(*map(self.answers.records, self.answers.heard))

    def useful(self) -> list[Query]:
        """Return the queries whose answers list records that no other one of them does, the fullest first."""
        totals = {
            query: Answer("", 0, 0, tuple(sorted(self.answers.records(query))), ()) for query in self.answers.heard
        }
        kept = set(map(id, distinct(list(totals.values()))))
        return [query for query, total in totals.items() if id(total) in kept]

    # ── what is heard ─────────────────────────────────────────────────────────────────────────────────────────────

    def hear(self, query: Query, answer: Answer, asked: str = "", is_planned: bool = True) -> None:
        """Add one page of the answer to a query; `asked` is the URL of a further page before any redirect.

        `is_planned` is false where the query was sent for another reason than this plan.
        """
        self.answers.hear(query, answer, asked)
        if is_planned:
            self._count_word(query)
        for name, values in answer.lists:
            self._learn_list(query, name, values)

    def miss(self, query: Query, url: str | None = None, is_planned: bool = True) -> None:
        """Record that a page of an answer (or the answer itself) could not be fetched."""
        self.answers.miss(query, url)
        if is_planned:
            self._count_word(query)

    @property
    def searches_words(self) -> bool:
        """Whether the form has a field for words, so that the words of records are of use."""
        return self._text is not None

    @property
    def lacks_shared_words(self) -> bool:
        """Whether records are known, were searched for by words, and have no word in common where they are listed."""
        return bool(self.records) and any(self._terms.values()) and max(self._words()[0].values(), default=0) < 2

    def hear_record(self, name: str, words: Sequence[str]) -> None:
        """Add the words of the page of a record."""
        self._record_pages[name] = tuple(words)

    def _count_word(self, query: Query) -> None:
        """Count a search by a word as one that splits the query without it, also after an interruption."""
        if self._text is None or (word := dict(query).get(self._text.name)) is None:
            return
        terms = self._terms.setdefault(tuple(pair for pair in query if pair[0] != self._text.name), [])
        if word not in terms:
            terms.append(word)

    def hear_choices(self, name: str, value: str, choices: Sequence[str]) -> None:
        """Add the values of a dependent list."""
        self.lists[name, value] = tuple(choices)

    def _learn_list(self, query: Query, name: str, values: tuple[str, ...]) -> None:
        """Learn from a form that was shown again with a list filled in."""
        own = self.form.field(name)
        if own is None or len(own.choices) > 1 or not values or not query or name in dict(query):
            return
        self.lists.setdefault((name, query[-1][1]), values)

    # ── what is wanted ────────────────────────────────────────────────────────────────────────────────────────────

    def wanted(self, room: int = 8) -> list[Query]:
        """Return queries to send next; nothing where all is done or pending. The same call returns the same again."""
        left = self.most - len(self.answers.heard)
        return list(islice(dict.fromkeys(self._explore(self.root, tuple(self._dimensions()))), max(0, min(room, left))))

    def pages_wanted(self) -> list[tuple[Query, str]]:
        """Return the further pages that answers still lack: query and URL."""
        return [(query, url) for query, one in self.answers.heard.items() for url in one.pending.values()]

    def lookups(self) -> list[tuple[Dependent, str]]:
        """Return the dependent lists to ask for, each with the value that it depends on."""
        if self.root not in self.answers.heard:
            return []
        found: list[tuple[Dependent, str]] = []
        for one in self.dependents.values():
            parent = self.form.field(one.on)
            given = dict(self.root).get(one.on)
            choices = [choice.value for choice in real_choices(parent)] if parent else []
            values = choices if given is None else [given]
            found += [(one, value) for value in values if (one.field, value) not in self.lists]
        return found

    def _dimensions(self) -> Iterator[_Dimension]:
        yield from self._closed
        yield from self._ranges
        if self._text is not None:
            yield self._text

    def _explore(self, query: Query, left: tuple[_Dimension, ...]) -> Iterator[Query]:
        """Yield what should be sent to know everything behind a query."""
        if query not in self.answers.heard:
            yield query
            return
        if not self.answers.is_settled(query):
            return
        if self.answers.verdict(query) in ("complete", "nothing"):
            left = tuple(one for one in left if self._is_chosen(one, query))
        for at, dimension in enumerate(left):
            rest = left[at + 1 :]
            if isinstance(dimension, tuple):
                rest = (dimension, *rest)
            children = self._children(query, dimension)
            if isinstance(dimension, Field):
                yield from (child for child in children if not self.answers.is_settled(child))
                return
            if not children:
                continue
            first, others = children[:TRIED], children[TRIED:]
            waiting = [child for child in first if not self.answers.is_settled(child)]
            if waiting:
                yield from (want for child in waiting for want in self._explore(child, rest))
                return
            if self._is_useless(query, first):
                continue
            for child in (*first, *others):
                yield from self._explore(child, rest)
            return

    def _is_chosen(self, dimension: _Dimension, query: Query) -> bool:
        """Say whether a field has a value when nobody touches it, so that a complete answer is one for that value."""
        if not isinstance(dimension, ClosedDimension) or not dimension.is_chosen or dimension.field.name in dict(query):
            return False
        first = self._children(self.root, dimension)[:TRIED]
        is_tried = all(map(self.answers.is_settled, first))
        return query == self.root or (is_tried and not self._is_useless(self.root, first))

    def _children(self, query: Query, dimension: _Dimension) -> list[Query]:
        if isinstance(dimension, ClosedDimension):
            return [_with(query, *pairs) for pairs in dimension.values(dict(query), self.lists)]
        if isinstance(dimension, tuple):
            return self._halves(query, dimension)
        return self._by_words(query, dimension)

    def _is_useless(self, query: Query, children: list[Query]) -> bool:
        """Say whether the first values of a field show that it does not refine a search."""
        known = self.answers.records(query)
        shown = [self.answers.records(child) for child in children]
        if not any(shown):
            return bool(known)
        if known:
            return not any(records - known for records in shown)
        return len(children) > 1 and all(records == shown[0] for records in shown)

    # ── ranges and words ──────────────────────────────────────────────────────────────────────────────────────────

    def _halves(self, query: Query, pair: tuple[Field, Field]) -> list[Query]:
        """Split the range of a search at the middle of the amounts that its answer shows."""
        low, high = pair
        values = dict(query)
        amounts = self.answers.heard[query].amounts(low.name)
        bottom, top = (_number(values.get(one.name, "")) for one in pair)
        inside = [amount for amount in amounts if (bottom is None or amount > bottom) and (top is None or amount < top)]
        if len(inside) < 2:
            return []
        middle = median(sorted(inside)[: len(inside) // 2 * 2 - 1 or 1])
        written = f"{middle:.2f}" if any(amount != int(amount) for amount in amounts) else str(int(middle))
        return [_with(query, (high.name, written)), _with(query, (low.name, written))]

    def _by_words(self, query: Query, text: Field) -> list[Query]:
        """Return the searches by words so far; with further words when all were heard and words are still of use."""
        terms = self._terms.setdefault(query, [])
        children = [_with(query, (text.name, term)) for term in terms]
        if all(map(self.answers.is_settled, children)):
            more = self._further_words(query, children)
            terms += more
            children += [_with(query, (text.name, term)) for term in more]
        return children

    def _further_words(self, query: Query, children: Sequence[Query]) -> list[str]:
        """Return words to search for next: of the records found, else of the page of the form."""
        if self._is_known_wholly(query, children) or self._is_deaf(query, children[:TRIED]):
            return []
        sources = self._words()
        searched = self._searched(query, children)
        if is_complete(searched, set().union(*sources)):
            return []
        useful = [words for words in sources if not is_spent(searched, words)]
        used = {one.word for one in searched}
        first = [word for word in self._first_terms() if word not in used] if len(useful) == len(sources) else []
        return next_words(useful, searched) or first[:PORTION]

    def _words(self) -> tuple[Counter[str], Counter[str]]:
        """Return the words of links to records, and those that only pages of records have, without the template's."""
        template = self.answers.template_words()
        listed = Counter({word: count for word, count in self.answers.words().items() if word not in template})
        return listed, shared_words(self._record_pages.values(), template.union(listed))

    def _searched(self, query: Query, children: Sequence[Query]) -> list[SearchedWord]:
        """Return what each word brought that was searched for."""
        known = set(self.answers.records(query))
        found: list[SearchedWord] = []
        for child in children:
            shown = self.answers.records(child)
            is_whole = self.answers.verdict(child) == "complete"
            found.append(SearchedWord(child[-1][1], len(shown), len(shown - known), is_whole))
            known |= shown
        return found

    def _is_known_wholly(self, query: Query, children: Sequence[Query]) -> bool:
        """Say whether all records are known that the answer to a query says there are."""
        claimed = self.answers.claimed(query)
        shown = self.answers.records(query).union(*map(self.answers.records, children))
        return claimed is not None and len(shown) >= claimed

    def _is_deaf(self, query: Query, children: Sequence[Query]) -> bool:
        """Say whether the same records come whatever word is sent."""
        shown = [self.answers.records(child) for child in children]
        known = self.answers.records(query) or (shown[0] if shown else set())
        return len(shown) == TRIED and bool(known) and all(records == known for records in shown)


_Dimension = ClosedDimension | tuple[Field, Field] | Field


def _with(query: Query, *pairs: tuple[str, str]) -> Query:
    values = {**dict(query), **dict(pairs)}
    return tuple(values.items())


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
