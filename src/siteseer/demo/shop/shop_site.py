"""Serves the demo shop in one of its templates: three departments with three kinds of search form, and unsafe forms."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import json
import re
from html import escape
from urllib.parse import urlencode

from siteseer.demo.shop.shop_templates import Skin, category_field, facts, text_field
from siteseer.demo.shop.write_shop import CATEGORIES, SUBJECTS, Book, Shop
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import SearchTruth, TrueText, Truth

PER_PAGE = 10
MOST_RESULTS = 30
"""A search with more results shows only the first of them, as many shops do."""
STATE_CHANGING = {
    "/login": "login", "/newsletter": "newsletter", "/basket/add": "basket", "/order": "order", "/review": "review",
}  # fmt: skip
SCRIPT = """<script>document.getElementById("%(category)s").onchange=function(){var s=document.getElementById("%(subject)s");
fetch("/academic/subjects?%(category)s="+this.value).then(r=>r.json()).then(l=>{s.innerHTML="";l.forEach(n=>{
var o=document.createElement("option");o.value=n.toLowerCase();o.textContent=n;s.append(o)});s.disabled=false})}</script>"""


def shop_site(shop: Shop, skin: Skin, seed: int, template: str) -> Site:
    """Return the site of a shop in a template."""
    counter = _ShopSite(shop, skin)
    return Site(_truth(shop, skin, seed, template), counter.answer)


class _ShopSite:
    """Answers customers."""

    def __init__(self, shop: Shop, skin: Skin) -> None:
        self.shop, self.skin, self.names = shop, skin, skin.names
        self.records = {skin.names.book.format(book.number): book for book in shop.books}

    def answer(self, request: SiteRequest) -> SiteResponse:
        """Answer one request."""
        form = STATE_CHANGING.get(request.path)
        if form and (request.method == "POST" or request.query):
            return SiteResponse(200, (("Content-Type", "text/plain"),), b"Done.", violation=form)
        if request.method == "POST" and request.path != "/antiquarian/results":
            return self._page("405", "<p>Not allowed.</p>", 405)
        if book := self.records.get(request.target):
            return self._page(book.title, self.skin.details(book) + self._book_forms(book))
        if request.path == "/academic/subjects":
            subjects = SUBJECTS.get(request.query.get(self.names.category, "").title(), ())
            return document(json.dumps(subjects), "application/json")
        pages = {
            "/": self._home, "/search": self._search, "/antiquarian": self._antiquarian, "/antiquarian/results": self._used,
            "/academic": self._academic, "/academic/find": self._find, "/login": self._login, "/basket": self._basket,
        }  # fmt: skip
        if request.path == "/robots.txt":
            return document("User-agent: *\nDisallow: /basket\nDisallow: /login\n", "text/plain; charset=utf-8")
        page = pages.get(request.path)
        return page(request) if page else self._page("404", "<p>There is no such page.</p>", 404)

    def _page(self, title: str, content: str, status: int = 200) -> SiteResponse:
        return html(self.skin.frame(self.shop.title, title, content), status)

    def _button(self, text: str = "") -> str:
        return f'<input type="submit" value="{text or self.names.labels["search"]}">'

    def _home(self, request: SiteRequest) -> SiteResponse:
        fields = "".join(text_field(self.names, key) for key in ("title", "author")) + category_field(self.names)
        fields += "".join(text_field(self.names, key) for key in ("lowest", "highest"))
        search = f'<form id="search" method="get" action="/search">{fields}{self._button()}</form>'
        news = (
            '<form id="news" method="post" action="/newsletter"><label>E-mail <input type="email" name="email"></label>'
        )
        return self._page(
            self.shop.title,
            f"{search}{self.skin.results(self.shop.bargains())}{news}{self._button('Newsletter')}</form>",
        )

    def _search(self, request: SiteRequest) -> SiteResponse:
        chosen = self._matching("new", request.query)
        if chosen is None:
            return self._page(self.names.labels["search"], f"<p>{self.names.labels['more']}</p>")
        page = request.query.get(self.names.page, "1")
        start = (int(page) - 1) * PER_PAGE if page.isdigit() else 0
        following = ""
        if start + PER_PAGE < min(len(chosen), MOST_RESULTS):
            query = urlencode({**request.query, self.names.page: start // PER_PAGE + 2})
            following = f'<p><a rel="next" href="/search?{escape(query)}">{self.names.labels["next"]}</a></p>'
        return self._results(chosen, chosen[:MOST_RESULTS][start : start + PER_PAGE], following)

    def _results(self, chosen: list[Book], shown: list[Book], following: str = "") -> SiteResponse:
        labels = self.names.labels
        if not shown:
            return self._page(labels["search"], f"<p>{labels['none']}</p>")
        return self._page(
            labels["search"],
            f"<p>{len(chosen)} {labels['found']}</p>{self.skin.results(shown)}{following}{self._bestsellers()}",
        )

    def _bestsellers(self) -> str:
        return self.skin.bestsellers(self.shop.stock("new")[::9][:5])

    def _matching(self, stock: str, query: dict[str, str]) -> list[Book] | None:
        """Return the books that a query finds; None where it asks for nothing."""
        names = self.names
        title, author = (query.get(name, "").strip().lower() for name in (names.title, names.author))
        category = query.get(names.category, "").lower()
        lowest, highest = (_cents(query.get(name, "")) for name in (names.lowest, names.highest))
        if (len(title) < 3 and len(author) < 3 and not category) and lowest is None and highest is None:
            return None
        return [
            book
            for book in self.shop.stock(stock)
            if title in book.title.lower()
            and author in book.author.lower()
            and category in ("", book.category.lower())
            and (lowest or 0) <= book.cents <= (10**9 if highest is None else highest)
        ]

    def _antiquarian(self, request: SiteRequest) -> SiteResponse:
        fields = "".join(text_field(self.names, key) for key in ("title", "author")) + category_field(self.names)
        hidden = f'<input type="hidden" name="token" value="{self.shop.token}">'
        form = f'<form id="used" method="post" action="/antiquarian/results">{hidden}{fields}{self._button()}</form>'
        return self._page("Antiquarian", form)

    def _used(self, request: SiteRequest) -> SiteResponse:
        if request.method != "POST" or request.form.get("token") != self.shop.token:
            return self._page("403", "<p>This form has expired.</p>", 403)
        chosen = self._matching("used", request.form)
        if chosen is None:
            return self._page(self.names.labels["search"], f"<p>{self.names.labels['more']}</p>")
        return self._results(chosen, chosen)

    def _academic(self, request: SiteRequest) -> SiteResponse:
        names = self.names
        select = f'<select id="{names.subject}" name="{names.subject}" disabled></select>'
        fields = f'{category_field(names)}<label for="{names.subject}">{names.labels["subject"]}</label> {select} '
        form = f'<form id="academic" method="get" action="/academic/find">{fields}{self._button()}</form>'
        return self._page("Academic", form + SCRIPT % {"category": names.category, "subject": names.subject})

    def _find(self, request: SiteRequest) -> SiteResponse:
        wanted = [request.query.get(name, "").lower() for name in (self.names.category, self.names.subject)]
        if not all(wanted):
            return self._page(self.names.labels["search"], f"<p>{self.names.labels['more']}</p>")
        chosen = [
            book for book in self.shop.stock("academic") if [book.category.lower(), book.subject.lower()] == wanted
        ]
        return self._results(chosen, chosen)

    def _login(self, request: SiteRequest) -> SiteResponse:
        form = '<form method="post" action="/login"><label>E-mail <input name="email"></label>'
        return self._page(
            "Log in",
            f'{form}<label>Password <input type="password" name="password"></label>{self._button("Log in")}</form>',
        )

    def _basket(self, request: SiteRequest) -> SiteResponse:
        form = '<form method="post" action="/order"><label>Name <input name="name"></label><label>Address <input name="address"></label>'
        return self._page("Basket", f"<p>Your basket is empty.</p>{form}{self._button('Order now')}</form>")

    def _book_forms(self, book: Book) -> str:
        hidden = f'<input type="hidden" name="book" value="{book.number}">'
        return (
            f'<form class="buy" method="post" action="/basket/add">{hidden}{self._button("Add to basket")}</form>'
            f'<form class="review" method="post" action="/review">{hidden}<label>Your review <textarea name="review"></textarea>'
            f"</label>{self._button('Send review')}</form>"
        )


def _cents(text: str) -> int | None:
    return round(float(text) * 100) if re.fullmatch(r"\d{1,7}(\.\d{1,2})?", text) else None


def _oracle(shop: Shop, skin: Skin) -> set[str]:
    """Return the fewest requests: price ranges of ten books each, then category by category. POSTs say so."""
    names = skin.names
    requests = {"/", "/antiquarian", "/academic", *(names.book.format(book.number) for book in shop.books)}
    cheap = sorted(shop.stock("new"), key=lambda book: book.cents)[PER_PAGE:]
    for at in range(0, len(cheap), PER_PAGE):
        part = cheap[at : at + PER_PAGE]
        requests.add("/search?" + urlencode({names.lowest: part[0].price, names.highest: part[-1].price}))
    for category in CATEGORIES:
        key = category.lower()
        if any(book.category == category for book in shop.stock("used")):
            requests.add("POST /antiquarian/results?" + urlencode({"token": shop.token, names.category: key}))
        subjects = sorted({book.subject.lower() for book in shop.stock("academic") if book.category == category})
        if subjects:
            requests.add("/academic/subjects?" + urlencode({names.category: key}))
        requests.update(
            "/academic/find?" + urlencode({names.category: key, names.subject: subject}) for subject in subjects
        )
    return requests


def _truth(shop: Shop, skin: Skin, seed: int, template: str) -> Truth:
    texts = []
    for book in shop.books:
        path = skin.names.book.format(book.number)
        fields = tuple((key, value) for key, _, value in facts(book, skin.names))
        tags = (book.category, book.stock)
        texts.append(TrueText("record", path, path, book.title, book.author, "", book.passage.text, tags, fields))
    oracle = _oracle(shop, skin)
    new = frozenset(skin.names.book.format(book.number) for book in shop.stock("new"))
    names = skin.names
    asked = (
        (names.title, "title"), (names.author, "author"), (names.category, "category"), (names.lowest, "price"),
        (names.highest, "price"),
    )  # fmt: skip
    search = SearchTruth(asked, ("title", "author", "category", "price", "year", "isbn"), "phrase", True, new)
    links = frozenset(link for book in shop.books for link in book.passage.links)
    return Truth(
        "shop",
        seed,
        template,
        tuple(texts),
        frozenset(text.page for text in texts),
        links,
        len(oracle),
        frozenset(oracle),
        search,
    )
