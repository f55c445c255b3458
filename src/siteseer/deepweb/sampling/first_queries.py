"""Sends the first queries of a form, until an answer is neither an error nor always the same.

Reference: Oita's thesis, sections 3.1 and 3.2. The answer to a nonsense word shows what an empty result looks like, and
where an answer repeats the query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from lxml import html

from siteseer.deepweb.records.record_leaves import CONTROLS
from siteseer.deepweb.sampling.give_up import is_nonsense, refuse_errors, refuse_sameness
from siteseer.deepweb.sampling.query_budget import LoginNeededError, NoAnswerError, QueryBudget, Steps
from siteseer.deepweb.source import Source
from siteseer.forms.answer_types import Query
from siteseer.forms.any_choice import real_choices
from siteseer.forms.closed_fields import closed_dimensions
from siteseer.forms.dependent_lists import dependents, read_choices
from siteseer.forms.form import Form
from siteseer.forms.parse_forms import forms
from siteseer.forms.rare_terms import rarest, terms_of
from siteseer.forms.safe_to_submit import permission
from siteseer.forms.seed_queries import NONSENSE, contextual_terms, stop_words, text_fields
from siteseer.model import Page
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import is_html, tree

_UNREAD = CONTROLS | UNREAD_IN["errors repeated"]

MOST_ROUNDS = 6
MOST_HARVESTS = 3
"""Rounds of words that answers showed."""
A_ROUND = 6
"""Questions of one round, while nothing is known."""


def choose_form(page: Page, index: int | None = None, post: bool = True) -> Form:
    """Return the form of a page that is to be understood: the one named, or the search form with the most fields."""
    found = forms(page)
    if page.status in (401, 403, 407):
        raise LoginNeededError(f"{page.url} needs a login: its answer is {page.status}; name one with --profile")
    if not found:
        why = f" (its answer is {page.status})" if page.status >= 400 else ""
        raise NoAnswerError(f"there is no form in {page.url}{why}; name the page that shows the search form")
    if index is not None and index >= len(found):
        raise NoAnswerError(f"{page.url} has {len(found)} forms, counted from 0; there is no form {index}")
    chosen = found if index is None else (found[index],)
    allowed = [form for form in chosen if permission(form, post).allowed]
    if allowed:
        return max(allowed, key=lambda form: (sum(bool(one.name) for one in form.fields), -form.index))
    if any(field.type == "password" for form in chosen for field in form.fields):
        raise LoginNeededError(
            f"{page.url} only has a form to log in; record a login with siteseer login and name it with --profile"
        )
    reason = permission(chosen[0], post).because
    raise NoAnswerError(f"no form of {page.url} is sent without a person: {reason}")


def send_first_queries(inquiry: QueryBudget, source: Source) -> Steps[None]:
    """Send a form with values that need no knowledge until its answers show records; raise where none does."""
    heard: list[tuple[Query, Page | None]] = []
    filled = yield from _filled_lists(inquiry)
    batches = _batches(inquiry, filled)
    for _ in range(len(batches) + MOST_HARVESTS):
        batch = batches.pop(0) if batches else _harvested(inquiry, source, heard)
        pages = yield from inquiry.send(batch, "to see how the form answers")
        heard += zip(batch, pages, strict=True)
        for query, page in zip(batch, pages, strict=True):
            if is_nonsense(query) and page is not None and page.status < 400:
                source.empty.append(page)
            elif page is not None and is_html(page):
                source.add(inquiry.whole(query), page)
        refuse_errors(inquiry.form, heard, is_last=not batches)
        if (len(heard) >= A_ROUND or not batches) and source.learn() and _is_enough(source):
            return
        refuse_sameness(inquiry.form, inquiry.page, heard)
    raise NoAnswerError(
        f"no answer of the form of {inquiry.form.page} lists records: {inquiry.asked} searches were tried; "
        "give it words to search for with --set FIELD=VALUE"
    )


def _harvested(inquiry: QueryBudget, source: Source, heard: Sequence[tuple[Query, Page | None]]) -> list[Query]:
    """Return searches for words that answers show, and neither the page of the form nor an empty answer does."""
    typed = [field for field in text_fields(inquiry.form) if field.type != "number"]
    asked = {value for query, _ in heard for _, value in query}
    template = {word for page in (inquiry.page, *source.empty) for word in terms_of(page)}
    counts: Counter[str] = Counter()
    for _, page in source.pages:
        counts.update(terms_of(page))
    fresh = {word: count for word, count in counts.items() if word not in template and word not in asked}
    return [((field.name, word),) for word in rarest(fresh, A_ROUND // 2) for field in typed[:2]]


def _is_enough(source: Source) -> bool:
    """Say whether different records were met in different answers, and more than one in some answer.

    What says the same in every answer is no record: a frame of table cells around an advert that changes is none.
    """
    shown = [[frozenset(leaf.text for leaf in one.leaves) for one in source.seen(*pair)] for pair in source.pages]
    whole = [frozenset(text for item in items for text in item) for items in shown]
    everywhere = frozenset.intersection(*filter(None, whole)) if any(whole) else frozenset()
    most = max((sum(not item <= everywhere for item in items) for items in shown), default=0)
    return most > 1 and len({texts for texts in whole if texts}) > 1


def _filled_lists(inquiry: QueryBudget) -> Steps[list[Query]]:
    """Return choices of lists together with what is filled into the lists that depend on them."""
    found: list[Query] = []
    for one in dependents(inquiry.page, inquiry.form)[:2]:
        parent = inquiry.form.field(one.on)
        real = [each.value for each in (real_choices(parent) if parent else ())][:2]
        pages = yield from inquiry.fetch([one.url(value) for value in real], "the values of a list")
        for value, page in zip(real, pages, strict=True):
            listed = read_choices(page) if page is not None and page.status < 400 else ()
            found += [((one.on, value), (one.field, each)) for each in listed][:3]
    return found


def _batches(inquiry: QueryBudget, filled: Sequence[Query]) -> list[list[Query]]:
    """Return what to send, a round after the other: as it stands, nonsense, choices, stop words, words of the page."""
    form, page = inquiry.form, inquiry.page
    typed = [field for field in text_fields(form) if field.type != "number"]
    nonsense: list[Query] = [((typed[0].name, NONSENSE),)] if typed else []
    chosen: list[Query] = []
    for dimension in closed_dimensions(form, {}):
        chosen += [((dimension.field.name, choice.value),) for choice in real_choices(dimension.field)[:3]]
    common: list[Query] = [((field.name, word),) for word in stop_words(page)[:2] for field in typed[:3]]
    terms = list(islice(contextual_terms(form, page), 20))
    rare: list[Query] = [((field.name, word),) for word in terms for field in typed[:2]]
    waiting = [*_mixed([*filled, *chosen][:9], common), *rare]
    first, second, later = waiting[:2], waiting[2:4], waiting[4:]
    rounds = [second, *(later[at : at + A_ROUND] for at in range(0, len(later), A_ROUND))]
    alone = [[query] for query in ((), *nonsense, *first)]
    return [*alone, *rounds[:MOST_ROUNDS]]


def _mixed(one: list[Query], other: list[Query]) -> list[Query]:
    pairs = [query for pair in zip(one, other, strict=False) for query in pair]
    return [*pairs, *one[len(other) :], *other[len(one) :]]


def _in_control(element: html.HtmlElement) -> bool:
    return any(one.tag in CONTROLS for one in element.iterancestors())


def error_place(inquiry: QueryBudget, source: Source) -> str:
    """Return the XPath at which an empty result repeats the query; empty where it does not."""
    for page in source.empty:
        for element in tree(page).iter():
            if not isinstance(element.tag, str) or element.tag in _UNREAD:
                continue
            own = [element.text or "", *(child.tail or "" for child in element)]
            if NONSENSE in " ".join(own).lower() and not _in_control(element):
                return _path(element)
    return ""


def _path(element: html.HtmlElement) -> str:
    steps = []
    for one in (element, *element.iterancestors()):
        told = one.get("id") or one.get("class")
        name = "id" if one.get("id") else "class"
        test = f"[@{name}='{told}']" if told and "'" not in told else ""
        steps.append(f"{one.tag}{test}")
        if test:
            break
    return "//" + "/".join(reversed(steps))
