"""Reads an answer to a form: the records that it lists, further pages, the number of results.

Reference: Vidal, da Silva, de Moura, Cavalcanti, Structure-Based Crawling in the Hidden Web, section 5.3: an answer is
a target page, a form page, or a list of links; the largest 30 % of the answers are taken to be right. Differs: answers
are told apart by the distinct content that they bring, which needs no share to be guessed; `bench/examples.py` compares
both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xxhash import xxh3_64_intdigest

from siteseer.forms.any_choice import real_choices
from siteseer.forms.form import Form
from siteseer.forms.next_queries import search_words
from siteseer.forms.parse_forms import forms
from siteseer.model import JSON, Page
from siteseer.page.links import links
from siteseer.page.pagination.page_links import pagination
from siteseer.page.text import text
from siteseer.page.urls import host_of, identity

MOST_RECORDS = 2_000
MOST_MORE = 100
MOST_COUNTS = 40
MOST_WORDS = 60
"""Words of one link, or of one record."""
_READ = 200_000
_COUNT = re.compile(r"\b(\d{1,3}(?:[.,]\d{3}){1,3}|\d{1,7})\b\s{1,3}([^\W\d_]{2,20})")
_AMOUNT = re.compile(r"(\S{0,4})\s?\b(\d{1,7}(?:[.,]\d{1,2})?)\b\s?([^\s\d]{0,4})")


@dataclass(frozen=True, slots=True)
class Answer:
    """One page of an answer; all of it can be stored as JSON."""

    url: str
    size: int
    gist: int
    """A number that equal texts share."""
    records: tuple[str, ...]
    """Links that lead neither to the search itself nor to further pages; navigation is still among them."""
    more: tuple[str, ...]
    """Further pages of the answer."""
    counts: tuple[tuple[str, int], ...] = ()
    """Numbers in the text with the word after each: one of them may be how many records there are."""
    amounts: tuple[tuple[str, float], ...] = ()
    """Numbers with what stands around them: prices, years."""
    words: tuple[tuple[str, ...], ...] = ()
    """The words of each of these links, lower case, in the same order."""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The choices of selection lists in the same form, shown again: they may depend on what was sent."""

    def as_json(self) -> JSON:
        """Return it for a strategy's memory."""
        return [getattr(self, name) for name in self.__slots__]

    @staticmethod
    def of_json(stored: JSON) -> Answer:
        """Return an answer that was stored."""
        url, size, gist, records, more, counts, amounts, words, lists = stored
        pairs = tuple((name, number) for name, number in counts)
        values = tuple((name, number) for name, number in amounts)
        choices = tuple((name, tuple(listed)) for name, listed in lists)
        said = tuple((one,) if isinstance(one, str) else tuple(one) for one in words)
        return Answer(url, size, gist, tuple(records), tuple(more), pairs, values, said, choices)


def read_answer(page: Page, form: Form) -> Answer:
    """Read one page of the answer to a form."""
    here = host_of(page.url)
    search = form.action.partition("?")[0]
    further = {identity(link.url): link.url for link in pagination(page) if host_of(link.url) == here}
    records: dict[str, str] = {}
    words: dict[str, tuple[str, ...]] = {}
    for link in links(page):
        name = identity(link.url)
        if link.kind != "anchor" or name in further or link.url.partition("?")[0] == search:
            continue
        if host_of(link.url) == here and len(records) < MOST_RECORDS:
            records[name] = link.url
            own = (*words.get(name, ()), *search_words(link.text))
            words[name] = tuple(dict.fromkeys(own))[:MOST_WORDS]
    visible = text(page)[:_READ]
    return Answer(
        url=page.url,
        size=len(page.body),
        gist=xxh3_64_intdigest(" ".join(visible.split()).encode("utf-8", "replace")),
        records=tuple(records.values()),
        more=tuple(further.values())[:MOST_MORE],
        counts=_counts(visible),
        amounts=_amounts(visible),
        words=tuple(words.values()),
        lists=_lists(page, form),
    )


def _lists(page: Page, form: Form) -> tuple[tuple[str, tuple[str, ...]], ...]:
    again = next((one for one in forms(page) if one.action == form.action and one.id == form.id), None)
    if again is None:
        return ()
    return tuple(
        (field.name, tuple(choice.value for choice in real_choices(field))[:500])
        for field in again.fields
        if field.type == "select" and field.name
    )


def _counts(visible: str) -> tuple[tuple[str, int], ...]:
    found: dict[tuple[str, int], None] = {}
    for match in _COUNT.finditer(visible[:20_000]):
        found[match[2].lower(), int(re.sub(r"\D", "", match[1]))] = None
        if len(found) >= MOST_COUNTS:
            break
    return tuple(found)


def _amounts(visible: str) -> tuple[tuple[str, float], ...]:
    found: dict[tuple[str, float], None] = {}
    for match in _AMOUNT.finditer(visible[:50_000]):
        number = match[2].replace(",", ".")
        digits = "#.#" if "." in number else "#"
        found[f"{match[1][-1:]}{digits}", float(number)] = None
        found[f"{digits}{match[3][:3]}", float(number)] = None
        if len(found) >= 500:
            break
    return tuple(found)


def largest(answers: Sequence[Answer], share: float = 0.3) -> list[Answer]:
    """Return the largest answers, as the paper keeps them.

    >>> sizes = [Answer("", size, 0, (), ()) for size in (5, 90, 20, 80, 1, 2, 3, 4, 6, 7)]
    >>> [one.size for one in largest(sizes)]
    [90, 80, 20]
    """
    kept = max(1, round(share * len(answers))) if answers else 0
    return sorted(answers, key=lambda one: -one.size)[:kept]


def distinct(answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers that show records which no earlier one of them shows, the fullest first.

    >>> two, one, other = (Answer("", 0, 0, links, ()) for links in (("/a", "/b"), ("/a",), ("/c",)))
    >>> [answer.records for answer in distinct([one, two, other])]
    [('/a', '/b'), ('/c',)]
    """
    kept, seen = [], set[str]()
    for answer in sorted(answers, key=lambda one: -len(one.records)):
        if not seen.issuperset(answer.records):
            kept.append(answer)
            seen.update(answer.records)
    return kept
