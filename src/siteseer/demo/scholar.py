"""The demo search engine for papers: a form, results with title and authors, a next link.

Made to the description in Faheem's thesis, section 6.1. The template `modern` draws its results by script and pages in
place; `classic` needs no script.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from urllib.parse import quote_plus

from siteseer.demo.prose import Prose
from siteseer.demo.result_pages import as_data, cut, drawing, page
from siteseer.demo.site import Site, SiteRequest, SiteResponse, html
from siteseer.demo.truth import TrueText, Truth

DEFAULT_SIZE = 60
STYLE = "h3 a {color: blue; font-size: 16px} .gs_a {color: green} .more a {color: gray} .gone {display: none}"


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper."""

    number: int
    title: str
    authors: str

    def html(self) -> str:
        """Return it as a result: title and authors are what a wrapper wants, the rest is there to mislead."""
        link = f'<a href="/paper/{self.number}">{escape(self.title)}</a>'
        more = (
            f'<div class="more"><a href="/cite/{self.number}">Cite</a> <a href="/like/{self.number}">Similar</a></div>'
        )
        return f'<div class="gs_r"><h3>{link}</h3><span class="gs_a">{escape(self.authors)}</span>{more}</div>'


def write_papers(seed: int, size: int) -> list[Paper]:
    """Write papers; two of three speak of XPath."""
    papers = []
    for number in range(1, size + 1):
        prose = Prose("scholar", seed, number)
        title = prose.title() if number % 3 == 0 else f"XPath and {prose.title()}"
        papers.append(Paper(number, title, ", ".join(prose.name() for _ in range(1 + number % 3))))
    return papers


def make_scholar(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a search engine over `size` papers."""
    papers = write_papers(seed, size)
    texts = tuple(
        TrueText("record", f"/paper/{one.number}", f"/paper/{one.number}", one.title, one.authors, "", one.title,
                 fields=(("title", one.title), ("authors", one.authors)))
        for one in papers
    )  # fmt: skip
    paths = frozenset(text.page for text in texts)
    truth = Truth("scholar", seed, template, texts, paths, frozenset(), len(texts) + 1, paths)
    return Site(truth, _Scholar(papers, template == "modern").answer)


class _Scholar:
    def __init__(self, papers: list[Paper], scripts: bool) -> None:
        self.papers, self.scripts = papers, scripts

    def answer(self, request: SiteRequest) -> SiteResponse:
        query = request.query.get("q", "")
        if request.path == "/":
            return html(page("Scholar", self._form(), STYLE))
        if request.path == "/search":
            return html(self._results(query, request.query.get("start", "0")))
        if request.path == "/results":
            return as_data(self._rows(query), request.query.get("start", "0"))
        number = request.path.rpartition("/")[2]
        if request.path.startswith("/paper/") and number.isdigit() and 0 < int(number[:9]) <= len(self.papers):
            paper = self.papers[int(number) - 1]
            return html(page(paper.title, f"<h1>{escape(paper.title)}</h1><p class='by'>{escape(paper.authors)}</p>"))
        return html(page("Nothing", "<p>There is nothing here.</p>"), 404)

    def _form(self) -> str:
        trap = '<input class="gone" style="display: none" name="trap">'
        fields = f'<input type="hidden" name="hl" value="en">{trap}<input name="q">'
        return f'<form action="/search">{fields}<button type="submit">Search</button></form>'

    def _rows(self, query: str) -> list[str]:
        return [one.html() for one in self.papers if query.casefold() in one.title.casefold()]

    def _results(self, query: str, start: str) -> str:
        head = f"{self._form()}<p>Results for {escape(query)}</p>"
        asked = quote_plus(query)
        if self.scripts:
            script = drawing(f"/results?q={asked}", '<a href="#">Next &raquo;</a>')
            return page(query, f'{head}<div id="results"></div><p id="next"></p>{script}', STYLE)
        rows, following = cut(self._rows(query), start)
        more = f'<a href="/search?q={asked}&amp;start={following}">Next &raquo;</a>' if following else ""
        return page(query, f'{head}<div id="results">{"".join(rows)}</div><p id="next">{more}</p>', STYLE)
