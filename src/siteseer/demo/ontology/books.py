"""The books of a shop in, what the ontology says of books and the persons who created them out."""

from __future__ import annotations

from siteseer.demo.ontology.writer import PERSONS, TITLES, Writer
from siteseer.demo.prose import Prose
from siteseer.demo.shop.content import CATEGORIES
from siteseer.demo.truth import TrueText


def describe_books(writer: Writer, books: tuple[TrueText, ...], seed: int) -> dict[str, str]:
    """Write books, persons and genres. An author is reached from a book only over who created it."""
    same: dict[str, str] = {}
    for book in books:
        if writer.knows():
            fields = dict(book.fields)
            same[book.page] = _book(writer, book.title, book.author, fields["category"], fields.get("year", ""))
    taken = {book.title for book in books}
    persons = sorted({book.author for book in books})
    for number in range(len(books)):
        prose = Prose("other book", seed, number)
        title = prose.title()
        author = prose.random.choice(persons) if prose.random.random() < 0.3 else prose.name()
        if title not in taken:
            taken.add(title)
            year = str(prose.random.randint(1921, 2024))
            _book(writer, title, author, prose.random.choice(CATEGORIES), year)
    return same


def _book(writer: Writer, title: str, author: str, category: str, year: str) -> str:
    book = writer.instance("Book", title, TITLES)
    writer.fact(writer.known("Person", author, PERSONS), "created", book)
    writer.fact(book, "hasGenre", writer.known("Genre", category))
    if year and writer.random.random() < 0.8:
        writer.fact(book, "publicationYear", year)
    return book
