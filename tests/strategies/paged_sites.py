"""Small sites of unknown software whose content stands behind the pages of a list, each with another way to page.

Around the list stands what software puts there: other orders of the list with pages of their own, print views, replies,
a login.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qsl, urlencode

from siteseer.demo.site import Site, SiteRequest, SiteResponse, html
from siteseer.demo.truth import TrueText, Truth
from tests.strategies.learned.unknown_sites import Writer, parts

ORDERS = ("date", "title", "author", "size")
MONTHS = "january february march april may june july august september october november december".split()


@dataclass(frozen=True)
class Way:
    """A way to page: how the list is asked for, and how a page of it leads on."""

    first: str
    """The address of the first page; empty where the front page is it."""
    address: Callable[[str, int, int], str]
    """Order, page number from 1, entries before it, to the address of that page."""
    pager: Callable[[Callable[[int], str], int, int], str]
    """Addresses by page number, this page, the number of pages, to markup."""
    order: str = "date"
    per_page: int = 10


def _query(path: str, **fields: object) -> str:
    return f"{path}?{urlencode({name.removesuffix('_'): str(value) for name, value in fields.items()})}"


def _next(label: str, back: str = "", rel: str = "") -> Callable[[Callable[[int], str], int, int], str]:
    def pager(at: Callable[[int], str], here: int, last: int) -> str:
        before = f'<a href="{escape(at(here - 1))}">{back}</a> ' if here > 1 and back else ""
        return before + (f'<a href="{escape(at(here + 1))}"{rel}>{label}</a>' if here < last else "")

    return pager


def _numbers(at: Callable[[int], str], here: int, last: int) -> str:
    links = (f"<b>{n}</b>" if n == here else f'<a href="{escape(at(n))}">{n}</a>' for n in range(1, last + 1))
    return f"<div>Page {' '.join(links)}</div>"


def _hidden(url: str, but: str = "") -> str:
    pairs = parse_qsl(url.partition("?")[2])
    return "".join(f'<input type=hidden name="{n}" value="{escape(v)}">' for n, v in pairs if n != but)


def _button(at: Callable[[int], str], here: int, last: int) -> str:
    if here == last:
        return ""
    path = at(here + 1).partition("?")[0]
    return f"<form action='{path}' method=get>{_hidden(at(here + 1))}<input type=submit value='Next 10 &gt;'></form>"


def _menu(at: Callable[[int], str], here: int, last: int) -> str:
    options = "".join(f"<option value={n}{' selected' if n == here else ''}>{n}" for n in range(1, last + 1))
    path = at(1).partition("?")[0]
    menu = f"<select name=page onchange=submit()>{options}</select>"
    return f"<form action='{path}'>{_hidden(at(1), 'page')}Page {menu}</form>"


def _scripted(at: Callable[[int], str], here: int, last: int) -> str:
    return f"<button onclick=\"window.location.href='{at(here + 1)}'\">Next page</button>" if here < last else ""


WAYS = {
    "offset behind a sort": Way(
        "",
        lambda order, n, before: f"/entries?@startwith={before}&@pagesize=10&@sort=-{order}&@filter=a&status=-1,1,2",
        _next("next &gt;&gt;", "&lt;&lt; previous"),
    ),
    "sorted from the start": Way(
        _query("/list", order="date", dir="desc"),
        lambda order, n, before: _query("/list", order=order, dir="desc", **({"start": before} if before else {})),
        _next("Next", "Prev"),
    ),
    "older posts": Way(
        "", lambda order, n, before: _query("/", orderby=order, before=f"e{9000 - before}") if n > 1 else "/",
        _next("&larr; Older posts"),
    ),
    "a picture that says next": Way(
        "/liste", lambda order, n, before: _query("/liste", sort=order, seite=n) if n > 1 else "/liste",
        _next("<img src=/r.gif alt='N\u00e4chste Seite'>", "<img src=/l.gif alt='Vorherige Seite'>"),
    ),
    "next in japanese": Way(
        "", lambda order, n, before: _query("/", order=order, p=n) if n > 1 else "/", _next("\u6b21\u3078"),
    ),
    "next in russian": Way(
        "", lambda order, n, before: _query("/index.php", view="list", sort=order, offset=before) if n > 1 else "/",
        _next("\u0421\u043b\u0435\u0434\u0443\u044e\u0449\u0430\u044f &raquo;"),
    ),
    "nofollow": Way(
        "/all", lambda order, n, before: _query("/all", sort=order, page=n) if n > 1 else "/all",
        _next("&raquo;", "&laquo;", " rel=nofollow"),
    ),
    "numbers": Way(
        "/browse", lambda order, n, before: _query("/browse", sort_by=order, dir="asc", page=n) if n > 1 else "/browse",
        _numbers,
    ),
    "a form with a button": Way(
        "/catalog", lambda order, n, before: _query("/catalog", start=before, sort=order), _button
    ),
    "a menu of pages": Way("/catalog", lambda order, n, before: _query("/catalog", sort=order, page=n), _menu),
    "a button with a script": Way(
        "/records", lambda order, n, before: _query("/records", sort=order, page=n) if n > 1 else "/records", _scripted
    ),
    "no sorting at all": Way("", lambda order, n, before: f"/page/{n}/" if n > 1 else "/", _next("Older entries")),
}  # fmt: skip


def paged_site(name: str, seed: int = 3, items: int = 90) -> Site:
    """Return the site that pages in the way named."""
    way = WAYS[name]
    writer = Writer(seed)
    texts = [(writer.title(), writer.person(), " ".join(writer.text(20, 60) for _ in range(2))) for _ in range(items)]
    lists = {order: _ordered(texts, order) for order in ORDERS}
    pages: dict[str, str] = {}
    for number, (title, person, text) in enumerate(texts, 100):
        pages[f"/entry{number}"] = _frame(
            f"<h1>{title}</h1><p class=by>{person}</p><div>{text}</div><a href='/entry{number}/print'>Print</a> "
            f"<a href='/reply?to={number}'>Reply</a> <a href='/edit?id={number}'>Edit</a>"
        )
        pages[f"/entry{number}/print"] = f"<h1>{title}</h1><p>{person}<p>{text}"
    for order in (*(one for one in ORDERS if one != way.order), way.order):
        pages.update(_list_pages(way, order, lists[order], texts))
    front = pages[_key(way.address(way.order, 1, 0))]
    first = _key(way.first)
    pages.setdefault(
        "/", front if not first else _frame(f"<p>Welcome. <a href='{escape(way.first)}'>All entries</a></p>")
    )
    if first:
        pages.setdefault(first, front)
    oracle = items + -(-items // way.per_page) + bool(first)
    return Site(_truth(name, seed, texts, oracle), _answer(pages))


def _ordered(texts: list[tuple[str, str, str]], order: str) -> list[int]:
    key = {
        "date": lambda n: n,
        "title": lambda n: texts[n][0],
        "author": lambda n: texts[n][1:],
        "size": lambda n: len(texts[n][2]),
    }
    return sorted(range(len(texts)), key=key[order])


def _list_pages(
    way: Way, order: str, listed: list[int], texts: list[tuple[str, str, str]]
) -> Iterator[tuple[str, str]]:
    sheets = parts(listed, way.per_page)

    def at(n: int) -> str:
        return way.address(order, n, (n - 1) * way.per_page)

    heads = "".join(f"<th><a href='{escape(_sorted(way, by))}'>{by}</a>" for by in ORDERS)
    for n, sheet in enumerate(sheets, 1):
        rows = "".join(f"<tr><td><a href=/entry{100 + k}>{texts[k][0]}</a><td>{texts[k][1]}" for k in sheet)
        body = _frame(f"<table><tr>{heads}{rows}</table>{way.pager(at, n, len(sheets))}")
        yield _key(at(n)), body
        if n == 1:
            yield _key(_sorted(way, order)), body


def _sorted(way: Way, order: str) -> str:
    """Return the address of the first page with its order written out."""
    second = way.address(order, 2, way.per_page)
    path = (way.first or "/").partition("?")[0]
    fields = {
        name: value for name, value in parse_qsl(second.partition("?")[2]) if value == order or value == f"-{order}"
    }
    return f"{path}?{urlencode(fields)}" if fields else path


def _frame(main: str) -> str:
    menu = "<a href=/>Home</a> <a href=/about>About</a> <a href=/login?next=/>Log in</a> <a href=/search>Search</a>"
    return f"<!doctype html><title>Entries</title><div>{menu}</div>{main}<hr>Made with care."


def _key(address: str) -> str:
    path, _, query = address.partition("?")
    return path + ("?" + urlencode(sorted(parse_qsl(query, keep_blank_values=True))) if query else "")


def _answer(pages: dict[str, str]) -> Callable[[SiteRequest], SiteResponse]:
    pages["/about"] = _frame("<p>These are entries that somebody wrote down over many years of work.")
    for path in ("/login", "/search", "/reply", "/edit"):
        pages[path] = _frame("<form method=post><input name=a><input type=submit value=Go></form>")

    def answer(request: SiteRequest) -> SiteResponse:
        found = pages.get(_key(request.target)) or (
            pages.get(request.path) if request.path in ("/login", "/search", "/reply", "/edit") else None
        )
        return html(found) if found else html("<h1>Not found</h1>", 404)

    return answer


def _truth(name: str, seed: int, texts: list[tuple[str, str, str]], oracle: int) -> Truth:
    true = tuple(
        TrueText("post", f"/entry{number}", f"/entry{number}", title, person, "", text)
        for number, (title, person, text) in enumerate(texts, 100)
    )
    return Truth(name, seed, "plain", true, frozenset(one.page for one in true), frozenset(), oracle)
