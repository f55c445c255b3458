"""The two templates of the shop: `modern` with cards, `classic` with tables and German labels."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from siteseer.demo.shop.write_shop import CATEGORIES, Book

MODERN_STYLE = """body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#fbfaf7;color:#262626}header{background:#3d2b56;color:#fff;padding:20px 8%}header a{color:#fff;margin-right:20px}
main{padding:24px 8%}.shelf{display:grid;grid-template-columns:repeat(3,1fr);gap:18px}.card{background:#fff;border:1px solid #e2ddea;border-radius:8px;padding:16px}.price{color:#9a3412;font-weight:600}
form{background:#f0ecf6;padding:16px;border-radius:8px;margin:18px 0}label{display:inline-block;margin:6px 14px 6px 0}dt{font-weight:600}footer{padding:20px 8%;color:#777}"""
CLASSIC_STYLE = """body{font:12px Tahoma,sans-serif;background:#cfd8dc}table.laden{background:#fff;width:900px;margin:auto;border:1px solid #607d8b}td,input,select{font-size:12px}td.kopf{background:#37474f;color:#fff;padding:12px}td.kopf a{color:#ffe082}
td.mitte{padding:14px}table.treffer td{border-bottom:1px solid #cfd8dc;padding:4px 8px}table.daten td{padding:3px 10px}td.name{font-weight:bold;background:#eceff1}"""


@dataclass(frozen=True)
class Names:
    """The names of fields and labels, and the paths of pages."""

    title: str
    author: str
    category: str
    subject: str
    lowest: str
    highest: str
    page: str
    labels: dict[str, str]
    book: str
    currency: str


ENGLISH = Names(
    "title", "author", "category", "subject", "min", "max", "page",
    {"title": "Title", "author": "Author", "category": "Category", "subject": "Subject", "lowest": "Price from", "highest": "to",
     "year": "Year", "isbn": "ISBN", "price": "Price", "any": "Any category", "search": "Search", "found": "books found",
     "none": "No books were found.", "more": "Please fill in at least one field (three letters or more).", "next": "Next page", "top": "Bestsellers"},
    "/book/{}", "£ {}",
)  # fmt: skip
GERMAN = Names(
    "titel", "verfasser", "rubrik", "fach", "von", "bis", "blatt",
    {"title": "Titel", "author": "Verfasser", "category": "Rubrik", "subject": "Fach", "lowest": "Preis von", "highest": "bis",
     "year": "Jahr", "isbn": "ISBN", "price": "Preis", "any": "alle Rubriken", "search": "Suchen", "found": "Treffer",
     "none": "Leider nichts gefunden.", "more": "Bitte mindestens ein Feld ausfüllen (ab drei Buchstaben).", "next": "weiter", "top": "Unsere Lieblinge"},
    "/buch.php?nr={}", "{} EUR",
)  # fmt: skip


class Modern:
    """The template `modern` of the shop."""

    names = ENGLISH

    def results(self, books: list[Book]) -> str:
        """Draw a list of books."""
        cards = "".join(
            f'<div class="card"><h3><a href="{self.names.book.format(book.number)}">{escape(book.title)}</a></h3><p class="by">{escape(book.author)}</p>'
            f'<p class="cat">{book.category}</p><p class="price">{self.names.currency.format(book.price)}</p><p class="pub">{"" if book.year is None else f"<b>{book.year}</b>"} <span class="isbn">{book.isbn}</span></p></div>'
            for book in books
        )
        return f'<div class="shelf">{cards}</div>'

    def bestsellers(self, books: list[Book]) -> str:
        """Draw the box beside every answer, whatever was asked."""
        named = "".join(f"<li>{escape(book.title)} <small>{escape(book.author)}</small></li>" for book in books)
        return f'<aside class="top"><h4>{self.names.labels["top"]}</h4><ol>{named}</ol></aside>'

    def details(self, book: Book) -> str:
        """Draw everything about a book."""
        rows = "".join(
            f"<dt>{label}</dt><dd class='{key}'>{escape(value)}</dd>" for key, label, value in facts(book, self.names)
        )
        return f'<article class="book"><h1>{escape(book.title)}</h1><dl>{rows}</dl><div class="blurb">{book.passage.html()}</div></article>'

    def frame(self, shop: str, title: str, content: str) -> str:
        """Draw a page around its content."""
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} | {escape(shop)}</title><style>{MODERN_STYLE}</style></head><body><header><h2>{escape(shop)}</h2><nav>'
            f'<a href="/">Home</a><a href="/antiquarian">Second-hand</a><a href="/academic">Academic</a><a href="/basket">Basket</a><a href="/login">Log in</a></nav></header>'
            f"<main>{content}</main><footer>All prices include postage. A demo shop: nothing is sold here.</footer></body></html>"
        )


class Classic:
    """The template `classic` of the shop."""

    names = GERMAN

    def results(self, books: list[Book]) -> str:
        """Draw a list of books."""
        rows = "".join(
            f'<tr><td>{at}.</td><td><a href="{self.names.book.format(book.number)}">{escape(book.title)}</a></td><td>{escape(book.author)}</td>'
            f'<td>{book.category}</td><td align="right">{self.names.currency.format(book.price)}</td><td>{book.year or "&nbsp;"}</td><td>{book.isbn}</td></tr>'
            for at, book in enumerate(books, 1)
        )
        named = (self.names.labels[key] for key in ("title", "author", "category", "price", "year", "isbn"))
        heads = "".join(f"<th align='left'>{label}</th>" for label in named)
        return f'<table class="treffer" width="100%"><tr><th></th>{heads}</tr>{rows}</table>'

    def bestsellers(self, books: list[Book]) -> str:
        """Draw the box beside every answer, whatever was asked."""
        named = "<br>".join(f"{escape(book.author)}: {escape(book.title)}" for book in books)
        return f'<p class="tipp"><b>{self.names.labels["top"]}</b><br>{named}</p>'

    def details(self, book: Book) -> str:
        """Draw everything about a book."""
        rows = "".join(
            f'<tr><td class="name">{label}:</td><td>{escape(value)}</td></tr>'
            for _, label, value in facts(book, self.names)
        )
        return f'<font size="4">{escape(book.title)}</font><table class="daten">{rows}</table><div>{book.passage.html("br")}</div>'

    def frame(self, shop: str, title: str, content: str) -> str:
        """Draw a page around its content."""
        return (
            f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{escape(shop)} - {escape(title)}</title><style type="text/css">{CLASSIC_STYLE}</style></head><body>'
            f'<table class="laden" cellspacing="0"><tr><td class="kopf"><font size="5">{escape(shop)}</font></td><td class="kopf" align="right"><a href="/">Laden</a> <a href="/antiquarian">Antiquariat</a> '
            f'<a href="/academic">Wissenschaft</a> <a href="/basket">Korb</a> <a href="/login">Anmelden</a></td></tr><tr><td class="mitte" colspan="2">{content}</td></tr></table></body></html>'
        )


Skin = Modern | Classic


def facts(book: Book, names: Names) -> list[tuple[str, str, str]]:
    """Return key, label and value of a book's attributes."""
    values = {
        "author": book.author, "category": book.category, "price": names.currency.format(book.price), "year": str(book.year or ""),
        "isbn": book.isbn,
    }  # fmt: skip
    return [(key, names.labels[key], value) for key, value in values.items() if value]


def text_field(names: Names, key: str) -> str:
    """Draw a text field with its label."""
    name = getattr(names, key)
    return f'<label for="{name}">{names.labels[key]}</label> <input type="text" id="{name}" name="{name}" value=""> '


def category_field(names: Names) -> str:
    """Draw the list of categories."""
    options = "".join(f'<option value="{name.lower()}">{name}</option>' for name in CATEGORIES)
    select = f'<select id="{names.category}" name="{names.category}"><option value="">{names.labels["any"]}</option>{options}</select>'
    return f'<label for="{names.category}">{names.labels["category"]}</label> {select} '
