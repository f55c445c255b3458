"""Serves a searchable demo site: the form, its answers page by page, the entries, and searches that end badly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from siteseer.demo.prose import Prose
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html, redirect
from siteseer.demo.sources.entry import TITLE, Entry, Question, Source
from siteseer.demo.sources.form_fields import CITIES, asked, dependent_choices, draw_fields, draw_script, spelled
from siteseer.demo.sources.source_templates import Skin
from siteseer.demo.truth import SearchTruth, TrueText, Truth

# ruff: noqa: E501 - markup reads better unbroken


PER_PAGE = 10
FAVOURITES = 5
STOP_WORDS = frozenset(
    "a an and as at by for from how in into is it its of on or our that the their this to was we were why with".split()
)
WORD = re.compile(r"\w+")


def source_site(source: Source, skin: Skin, seed: int, template: str) -> Site:
    """Return the site of a source in a template."""
    return Site(_truth(source, skin, seed, template), _SourceSite(source, skin, seed).answer)


class _SourceSite:
    """Answers visitors."""

    def __init__(self, source: Source, skin: Skin, seed: int) -> None:
        self.source, self.skin, self.tongue, self.seed = source, skin, skin.tongue, seed
        self.entries = {self.tongue.entry.format(entry.number): entry for entry in source.entries}
        self.form = skin.form(self.tongue.path, draw_fields(source, skin)) + draw_script(source, self.tongue)
        self.favourites = "".join(
            f'<li><a href="{self.tongue.entry.format(entry.number)}">{escape(entry.get(TITLE))}</a></li>'
            for entry in Prose("favourites", seed).random.sample(source.entries, min(FAVOURITES, len(source.entries)))
        )

    def answer(self, request: SiteRequest) -> SiteResponse:
        """Answer one request."""
        if request.path == "/login" and request.method == "POST":
            return SiteResponse(200, (("Content-Type", "text/plain"),), b"Done.", violation="login")
        if request.method not in ("GET", "HEAD"):
            return self._page(request, "405", "<p>405</p>", 405)
        if entry := self.entries.get(request.target):
            return self._page(request, entry.get(TITLE), self.skin.details(self.source, entry))
        if request.path == CITIES:
            return document(dependent_choices(self.source, self.tongue, request.query), "application/json")
        if request.path == "/robots.txt":
            return document("User-agent: *\nDisallow: /login\n", "text/plain; charset=utf-8")
        if request.path == "/":
            return self._page(request, self.tongue.says["about"], self.form)
        if request.path == self.tongue.path:
            return self._search(request)
        return self._ending_badly(request) or self._page(request, "404", f"<p>{self.tongue.says['gone']}</p>", 404)

    def _page(self, request: SiteRequest, title: str, content: str, status: int = 200) -> SiteResponse:
        advert = Prose("advert", self.seed, request.target).sentence()
        return html(self.skin.frame(self.source, title, content, self.favourites, advert), status)

    def _search(self, request: SiteRequest) -> SiteResponse:
        says = self.tongue.says
        wanted = asked(self.source, self.tongue, request.query)
        try:
            found = search(self.source, wanted)
        except UnanswerableError as reason:
            return self._page(request, says["search"], f'<p class="notice">{says[str(reason)]}</p>{self.form}')
        page = request.query.get(self.tongue.page, "1")
        number = max(1, int(page)) if page.isdecimal() and len(page) < 6 else 1
        shown = found[(number - 1) * PER_PAGE : number * PER_PAGE]
        if not shown:
            return self._page(request, says["search"], f'<p class="notice">{says["none"]}</p>{self.form}')
        echoed = ", ".join(value for value in wanted.values() if value)
        head = f"<p><b>{len(found)}</b> {says['found']} <i>{escape(echoed)}</i></p>"
        content = head + self.skin.results(self.source, shown) + self._following(request, number, len(found))
        return self._page(request, says["search"], content)

    def _following(self, request: SiteRequest, number: int, found: int) -> str:
        if number * PER_PAGE >= found:
            return ""
        query = urlencode({**request.query, self.tongue.page: number + 1})
        return f'<p class="pager"><a rel="next" href="{self.tongue.path}?{escape(query)}">{self.tongue.says["next"]}</a></p>'

    def _ending_badly(self, request: SiteRequest) -> SiteResponse | None:
        """Answer at the searches of the film archive that nothing can be learned from."""
        says = self.tongue.says
        name = request.path.strip("/").removesuffix("/find")
        if self.source.kind != "films" or name not in ("press", "lost", "members", "login"):
            return None
        if name == "login":
            fields = '<label>E-mail <input name="email"></label> <label>Password <input type="password" name="password"></label>'
            form = f'<form method="post" action="/login">{fields}<input type="submit" value="{says["login"]}"></form>'
            return self._page(request, says["login"], form)
        if not request.path.endswith("/find"):
            form = self.skin.form(f"/{name}/find", draw_fields(self.source, self.skin))
            return self._page(request, says[name], form)
        if name == "members":
            return redirect("/login")
        return self._page(
            request, says[name], f'<p class="notice">{says["error"]}</p>', 500 if name == "press" else 200
        )


def _truth(source: Source, skin: Skin, seed: int, template: str) -> Truth:
    texts = tuple(_text(source, skin, entry) for entry in source.entries)
    pages = frozenset(text.page for text in texts)
    links = frozenset(link for entry in source.entries for link in entry.passage.links)
    fields = tuple((skin.tongue.fields[one.key], one.attribute) for one in source.questions)
    search = SearchTruth(
        fields, source.attributes, source.joined, source.has_stop_words, pages,
        tuple((one.attribute, one.on) for one in source.questions if one.asks == "dependent"),
    )  # fmt: skip
    oracle = pages | _answers(source, skin)
    return Truth(source.kind, seed, template, texts, pages, links, len(oracle), oracle, search)


def _text(source: Source, skin: Skin, entry: Entry) -> TrueText:
    path = skin.tongue.entry.format(entry.number)
    fields = {name: entry.get(name) for name in source.attributes[1:] if entry.get(name)} | dict(entry.more or {})
    author = entry.get(source.author) if source.author else ""
    return TrueText("record", path, path, entry.get(TITLE), author, "", entry.passage.text, (), tuple(fields.items()))


def _answers(source: Source, skin: Skin) -> set[str]:
    """Return the requests that list everything: each choice of the first list, page by page."""
    question = next(one for one in source.questions if one.asks == "choice")
    requests = {"/"}
    for choice in source.choices(question.attribute):
        found = len(search(source, {question.key: choice}))
        sent = {skin.tongue.fields[question.key]: spelled(source, skin.tongue, question.attribute, choice)}
        requests.add(f"{skin.tongue.path}?{urlencode(sent)}")
        requests |= {
            f"{skin.tongue.path}?{urlencode({**sent, skin.tongue.page: page})}"
            for page in range(2, (found + PER_PAGE - 1) // PER_PAGE + 1)
        }
    return requests


class UnanswerableError(ValueError):
    """A query cannot be answered; the message is the key of the sentence to show."""


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
