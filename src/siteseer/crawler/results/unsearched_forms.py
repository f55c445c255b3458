"""Finds search forms that a crawl did not send although content lies behind them that no link reaches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.errors import ArchiveError
from siteseer.forms.field_concepts import concepts, folded
from siteseer.forms.form import Form
from siteseer.forms.parse_forms import forms
from siteseer.forms.safe_to_submit import permission, spaced
from siteseer.forms.unreached_content import FEW_PAGES, FormSurroundings, content_behind
from siteseer.model import Page
from siteseer.page.links import links
from siteseer.page.text import text
from siteseer.page.urls import identity

FIRST_PAGES, SEARCH_PAGES = 20, 10
"""So many pages are looked at: those met first, and those whose address speaks of searching."""
MOST_TITLES = 20_000
MOST_WORDS = 200
"""A page with more words beside its form is there for something else."""
LINKED = 3
"""So many links to answers of a form are a way to what it finds; fewer are examples."""
SEARCHING = frozenset(("probe", "probe-get", "understand"))
"""Strategies that send forms."""
FormKey = tuple[str, tuple[str, ...]]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class UnsearchedForm:
    """A form that was not sent, and why content lies behind it."""

    page: str
    because: str


def unsearched_forms(state: State, crawl: int, strategy: str, seeds: Sequence[str]) -> list[UnsearchedForm]:
    """Return the search forms of a crawl behind which there is likely content that links do not reach."""
    if strategy in SEARCHING or next(iter(_noted(state, crawl)), None):
        return []
    pages = list(_pages(state, crawl))
    met: dict[FormKey, Form] = {}
    for form in (form for page in pages for form in forms(page)):
        met.setdefault(_key(form), form)
    allowed = [form for form in met.values() if permission(form).allowed]
    if not allowed:
        return []
    named, kept = _named(state, crawl, pages), _kept(state, crawl)
    begun = {identity(url) for url in seeds}
    found: list[UnsearchedForm] = []
    for form in allowed:
        around = _around(form, pages, named, kept, begun)
        because = "" if _is_linked(state, crawl, form) else content_behind(form, around)
        if because:
            found.append(UnsearchedForm(form.page, because))
    return found


def _around(form: Form, pages: Sequence[Page], named: set[str], kept: int, begun: Collection[str]) -> FormSurroundings:
    """Return what is known around a form; of a large site also what its pages without the form say."""
    key = _key(form)
    without = [page for page in pages if key not in map(_key, forms(page))]
    beside = {_plain(text(page)) for page in without} if kept > FEW_PAGES else set()
    page = next(one for one in pages if one.url == form.page)
    is_first = identity(page.url) in begun or page is pages[0]
    is_main = is_first and _words_beside(page, form) <= MOST_WORDS
    return FormSurroundings(named | beside, kept, len(pages) - len(without), len(pages), is_main)


def _noted(state: State, crawl: int) -> Iterator[tuple[str]]:
    """Yield something where the strategy searched with a form itself."""
    yield from state.rows("SELECT url FROM notes WHERE crawl = ? AND event = 'form_searched' LIMIT 1", (crawl,))


def _key(form: Form) -> FormKey:
    """Return what tells a form from others: names of fields, and where it is sent, unless that is the page itself."""
    is_own = not form.raw_action.partition("?")[0].strip("./#")
    names = sorted({field.name for field in form.fields if field.type != "hidden"})
    return "" if is_own else form.action.partition("?")[0], tuple(names)


def _pages(state: State, crawl: int) -> Iterator[Page]:
    """Yield the pages with forms to look at, as they were archived; a page without one has an empty body."""
    rows = state.rows(
        "SELECT c.url, coalesce(o.file, c.file), coalesce(o.offset, c.offset) FROM captures c "
        "LEFT JOIN captures o ON o.id = c.original WHERE c.crawl = ? AND c.status = 200 AND c.title IS NOT NULL "
        "GROUP BY c.key ORDER BY min(c.id)",
        (crawl,),
    )
    first = searching = 0
    for url, file, offset in rows:
        speaks = "search" in concepts(spaced(url.partition("://")[2].partition("/")[2]))
        if file is None or offset is None or not (first < FIRST_PAGES or (speaks and searching < SEARCH_PAGES)):
            continue
        first, searching = first + 1, searching + speaks
        try:
            yield read_capture(state.archive / file, offset)
        except (ArchiveError, OSError):  # it lies elsewhere
            continue


def _named(state: State, crawl: int, pages: Sequence[Page]) -> set[str]:
    """Return what the links of these pages and the titles of all pages say."""
    rows = state.rows(
        "SELECT DISTINCT title FROM captures WHERE crawl = ? AND title IS NOT NULL LIMIT ?", (crawl, MOST_TITLES)
    )
    titles = {title for (title,) in rows if title}
    said = {link.text for page in pages for link in links(page) if link.kind == "anchor"}
    return {_plain(one[:200]) for one in titles | said} - {""}


def _plain(said: str) -> str:
    return " ".join(_WORD.findall(folded(said)))


def _kept(state: State, crawl: int) -> int:
    rows = state.rows(
        "SELECT count(DISTINCT key) FROM captures WHERE crawl = ? AND status = 200 AND title IS NOT NULL", (crawl,)
    )
    return int(next(iter(rows))[0])


def _words_beside(page: Page, form: Form) -> int:
    """Return how many words a page has beside a form and the choices of its lists."""
    own = form.text + " ".join(choice.label for field in form.fields for choice in field.choices)
    return len(_WORD.findall(text(page))) - len(_WORD.findall(own))


def _is_linked(state: State, crawl: int, form: Form) -> bool:
    """Say whether links lead to answers of a form: they then lead to what it finds."""
    start = form.action.partition("?")[0]
    names = {field.name for field in form.fields if field.name and field.type != "hidden"}
    rows = state.rows(
        "SELECT url FROM urls WHERE crawl = ? AND url > ? AND url < ? LIMIT 1000", (crawl, f"{start}?", f"{start}@")
    )
    return sum(_sets(url, names) for (url,) in rows) >= LINKED


def _sets(url: str, names: set[str]) -> bool:
    pairs = (pair.partition("=") for pair in url.partition("?")[2].replace(";", "&").split("&"))
    return any(name in names and value for name, _, value in pairs)
