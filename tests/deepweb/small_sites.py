"""Small sources in many shapes, answered in memory: what understanding is tried on, without a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import parse_qsl, urlencode

from siteseer.deepweb.ontology.ontology_paths import Ontology
from siteseer.deepweb.sampling.first_queries import choose_form
from siteseer.deepweb.sampling.query_budget import FormQuery
from siteseer.deepweb.understanding import Options, understand
from siteseer.deepweb.understanding_model import Understanding
from siteseer.forms.form_request import body_of, submission
from siteseer.model import Page

ORIGIN = "http://small.example"
Row = dict[str, str]
NOUNS = "lantern harbour orchard compass feather granite meadow thimble saddle beacon copper violin".split()
KINDS = ("Novel", "Poetry", "Drama")
NAMES = ("Ann Lee", "Bob Roe", "Cleo Marsh", "Dov Stern", "Eva Quist", "Finn Odell", "Gil Navarro")


def books(count: int = 40) -> list[Row]:
    """Return books: title, author, kind, year, price."""
    return [
        {
            "id": str(at),
            "title": f"The {NOUNS[at % 12]} of {NOUNS[(at * 5 + at // 12 + 1) % 12]} {NOUNS[(at * 7 + 3) % 12]}",
            "author": NAMES[(at * 3) % 7],
            "kind": KINDS[at % 3],
            "year": str(1950 + (at * 17) % 70),
            "price": f"{3 + (at * 37) % 60}.{(at * 13) % 100:02}",
        }
        for at in range(count)
    ]


Draw = Callable[[Sequence[Row]], str]


def _href(row: Row) -> str:
    return f"/book/{row['id']}"


def cards(rows: Sequence[Row]) -> str:
    """Cards with classes."""
    return "".join(
        f'<div class="hit"><a href="{_href(row)}"><h4>{row["title"]}</h4></a><span class="au">{row["author"]}</span>'
        f'<span class="ki">{row["kind"]}</span><span class="yr">{row["year"]}</span><em>€ {row["price"]}</em></div>'
        for row in rows
    )


def flat(rows: Sequence[Row]) -> str:
    """Headings and paragraphs side by side: no element holds a record."""
    return "".join(
        f'<h3><a href="{_href(row)}">{row["title"]}</a></h3><p class="a">by {row["author"]}</p>'
        f'<p class="b">{row["kind"]} · {row["year"]} · ${row["price"]}</p>'
        for row in rows
    )


def terms(rows: Sequence[Row]) -> str:
    """A list of terms for each record, without classes, prices missing here and there."""
    return "".join(
        f"<li><dl><dt>Title</dt><dd>{row['title']}</dd><dt>Author</dt><dd>{row['author']}</dd><dt>Kind</dt><dd>{row['kind']}</dd>"
        + (f"<dt>Price</dt><dd>{row['price']} GBP</dd>" if int(row["id"]) % 4 else "")
        + f"<dt>Year</dt><dd>{row['year']}</dd></dl></li>"
        for row in rows
    )


def lines(rows: Sequence[Row]) -> str:
    """Labels in the text, broken lines, no class and no link."""
    return "".join(
        f"<div><b>{row['title']}</b><br>Author: {row['author']}<br>Kind: {row['kind']}<br>Year: {row['year']}<br>"
        f"Price: {row['price']} EUR</div>"
        for row in rows
    )


def grid(rows: Sequence[Row]) -> str:
    """Three cards to a row."""
    drawn = [
        f'<div class="cell"><div class="box"><h5><a href="{_href(row)}">{row["title"]}</a></h5>'
        f"<div>{row['author']}</div><div>{row['kind']}</div><div>{row['year']}</div><div>{row['price']} USD</div>"
        "</div></div>"
        for row in rows
    ]
    return "".join(f'<div class="line">{"".join(drawn[at : at + 3])}</div>' for at in range(0, len(drawn), 3))


def table(rows: Sequence[Row]) -> str:
    """A table with a head and numbered rows."""
    head = "<tr><th>#</th><th>Author</th><th>Title</th><th>Kind</th><th>Year</th><th>Price</th></tr>"
    body = "".join(
        f'<tr class="{"odd" if at % 2 else "even"}"><td>{at + 1}</td><td>{row["author"]}</td>'
        f'<td><a href="{_href(row)}">{row["title"]}</a></td>'
        f"<td>{row['kind']}</td><td>{row['year']}</td><td>{row['price']}&nbsp;€</td></tr>"
        for at, row in enumerate(rows)
    )
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def pairs(rows: Sequence[Row]) -> str:
    """Two rows of a table for each record, without a class that tells them apart."""
    return "".join(
        f'<tr><td><a href="{_href(row)}">{row["title"]}</a></td><td>{row["author"]}</td></tr>'
        f"<tr><td colspan=2><i>{row['kind']}</i>, <b>{row['year']}</b> <tt>{row['price']} EUR</tt></td></tr>"
        for row in rows
    )


def paragraphs(rows: Sequence[Row]) -> str:
    """Paragraphs that stand among others which are no records."""
    return "".join(
        f'<p><b><a href="{_href(row)}">{row["title"]}</a></b><br>Author: {row["author"]}<br>Kind: {row["kind"]}<br>'
        f"Year: {row['year']}<br>Price: {row['price']} EUR</p>"
        for row in rows
    )


DRAWN: dict[str, Draw] = {
    "cards": lambda rows: f'<section id="found">{cards(rows)}</section>',
    "flat": lambda rows: f'<div id="list">{flat(rows)}</div>',
    "terms": lambda rows: f"<ol>{terms(rows)}</ol>",
    "lines": lambda rows: f"<div>{lines(rows)}</div>",
    "grid": lambda rows: f'<div class="grid">{grid(rows)}</div>',
    "table": table,
    "paragraphs": paragraphs,
    "pairs": lambda rows: f"<table>{pairs(rows)}</table>",
}
FORM = """<form action="/find" method="{method}"><input type="hidden" name="token" value="t1">
<label>Words in the title <input name="ti"></label><label>Written by <input name="au"></label>
<label>Kind <select name="ki"><option value="">any kind</option><option value="n">Novel</option>
<option value="p">Poetry</option><option value="d">Drama</option></select></label>
<label>Price up to <input name="most"></label>
<select name="sort"><option value="t">by title</option><option value="y">by year</option></select>
<input type="submit" value="Search"></form>"""


@dataclass
class SmallSite:
    """A source in memory: a form page, answers of ten records, further pages, a menu that never changes."""

    draw: Draw
    rows: list[Row] = field(default_factory=books)
    method: str = "get"
    per_page: int = 10
    marks: bool = False
    """Whether the words that were asked for are emphasised in titles."""
    requests: list[str] = field(default_factory=list)

    def get(self, url: str, body: bytes = b"") -> Page:
        """Answer a request."""
        self.requests.append(url)
        path, _, query = url.removeprefix(ORIGIN).partition("?")
        values = dict(parse_qsl(query or body.decode(), keep_blank_values=True))
        content = self._find(values) if path == "/find" else FORM.format(method=self.method)
        menu = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in ("home", "help", "about", "news"))
        html = f"<html><body><ul class=menu>{menu}</ul><h1>Books</h1>{content}<p>Open every day.</p></body></html>"
        return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())

    def _find(self, values: dict[str, str]) -> str:
        title, author = values.get("ti", "").lower(), values.get("au", "").lower()
        kind = {"n": "Novel", "p": "Poetry", "d": "Drama"}.get(values.get("ki", ""), "")
        if not (title or author or kind or values.get("most")):
            return "<p>Please say what you look for.</p>"
        try:
            most = float(values.get("most") or 1e9)
        except ValueError:
            most = 1e9
        found = [
            row
            for row in self.rows
            if title in row["title"].lower()
            and author in row["author"].lower()
            and kind in ("", row["kind"])
            and float(row["price"]) <= most
        ]
        found.sort(key=lambda row: row["year" if values.get("sort") == "y" else "title"])
        if not found:
            return f"<p class='none'>Nothing was found for <i>{escape(title or author)}</i>.</p>"
        if self.marks and title:
            found = [{**row, "title": row["title"].replace(title, f"<b>{title}</b>")} for row in found]
        start = int(values.get("from", "0"))
        more = ""
        if self.method == "get" and start + self.per_page < len(found):
            query = urlencode({**values, "from": start + self.per_page})
            more = f'<p class="pages"><a rel="next" href="/find?{escape(query)}">Next page</a></p>'
        end = start + self.per_page if self.method == "get" else len(found)
        return f"<p>{len(found)} books</p>{self.draw(found[start:end])}{more}"

    def understand(self, ontology: Ontology | None = None, options: Options = Options()) -> Understanding:  # noqa: B008
        """Drive understanding to its end."""
        page = self.get(f"{ORIGIN}/")
        form = choose_form(page, options.form, options.post)
        steps = understand(page, ontology, options)

        def ask(one: FormQuery) -> Page:
            if one.url:
                return self.get(one.url)
            sent = submission(form, dict(one.query), "test")
            return self.get(sent.url) if sent.method == "GET" else self.get(sent.url, body_of(sent)[1])

        try:
            asks = next(steps)
            while True:
                asks = steps.send(tuple(map(ask, asks)))
        except StopIteration as done:
            found: Understanding = done.value
            return found


KEYWORD_FORM = '<form action="/s" role="search"><input type="search" name="q"><button>Go</button></form>'


@dataclass
class KeywordSite(SmallSite):
    """A source with a single box that searches everything; all words must be there; the form is on every page."""

    def get(self, url: str, body: bytes = b"") -> Page:
        """Answer a request."""
        self.requests.append(url)
        path, _, query = url.removeprefix(ORIGIN).partition("?")
        values = dict(parse_qsl(query, keep_blank_values=True))
        content = KEYWORD_FORM + (self._hits(values) if path == "/s" else "")
        html = f"<html><body><h1>Library</h1>{content}</body></html>"
        return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())

    def _hits(self, values: dict[str, str]) -> str:
        wanted = values.get("q", "").lower().split()
        found = [row for row in self.rows if set(wanted) <= set(" ".join(row.values()).lower().split())]
        if not found:
            return "<p>No hits.</p>"
        start = int(values.get("p", "0"))
        more = urlencode({"q": values.get("q", ""), "p": start + 10})
        following = f'<a href="/s?{escape(more)}">Next</a>' if start + 10 < len(found) else ""
        return f"<p>{len(found)} hits</p>{self.draw(found[start : start + 10])}{following}"
