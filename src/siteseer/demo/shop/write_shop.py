"""Writes the stock of a demo bookshop from a seed."""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.demo.prose import Passage, Prose

SUBJECTS = {
    "Fiction": ("Novels", "Short stories", "Poetry"),
    "History": ("Antiquity", "Middle Ages", "Modern times"),
    "Nature": ("Birds", "Trees", "Rivers"),
    "Crafts": ("Woodwork", "Weaving", "Pottery"),
    "Travel": ("Islands", "Mountains", "Railways"),
    "Cookery": ("Bread", "Preserves", "Soups"),
}
CATEGORIES = tuple(SUBJECTS)
STOCKS = ("new",) * 12 + ("used",) * 5 + ("academic",) * 3
"""Three departments, each with a search form of its own: 60, 25 and 15 of a hundred books."""


@dataclass(frozen=True, slots=True)
class Book:
    """One record."""

    number: int
    title: str
    author: str
    category: str
    subject: str
    cents: int
    year: int | None
    """Not known of every book."""
    isbn: str
    stock: str
    passage: Passage

    @property
    def price(self) -> str:
        """The price as shown, without the currency."""
        return f"{self.cents // 100}.{self.cents % 100:02}"


@dataclass(frozen=True, slots=True)
class Shop:
    """The whole stock, in order of number."""

    title: str
    token: str
    """What the form of the second-hand department carries in a hidden field."""
    books: tuple[Book, ...]

    def stock(self, name: str) -> list[Book]:
        """Return the books of a department, by title."""
        return sorted((book for book in self.books if book.stock == name), key=lambda book: (book.title, book.number))

    def bargains(self) -> list[Book]:
        """Return the ten cheapest new books: the only ones with a link on the first page."""
        return sorted(self.stock("new"), key=lambda book: book.cents)[:10]


def write_shop(seed: int, size: int) -> Shop:
    """Write a shop of `size` books; no two cost the same."""
    prose = Prose("shop", seed)
    prices = prose.random.sample(range(290, 290 + max(9000, 4 * size)), size)
    authors = list(dict.fromkeys(prose.name() for _ in range(4 + size // 3)))
    books = tuple(_write_book(seed, number, authors, prices[number - 1]) for number in range(1, size + 1))
    return Shop(prose.fill("{f} & {f}, booksellers"), f"{prose.random.getrandbits(96):024x}", books)


def _write_book(seed: int, number: int, authors: list[str], cents: int) -> Book:
    prose = Prose("book", seed, number)
    is_dated = Prose("year", seed, number).random.random() > 0.08
    category = prose.random.choice(CATEGORIES)
    return Book(
        number, prose.title(), prose.random.choice(authors), category, prose.random.choice(SUBJECTS[category]), cents,
        prose.random.randint(1921, 2024) if is_dated else None, _isbn(seed, number), STOCKS[(number - 1) % len(STOCKS)],
        prose.passage(1, 3, 0.1),
    )  # fmt: skip


def _isbn(seed: int, number: int) -> str:
    """Return a valid ISBN-13, different for every book."""
    digits = f"978{seed % 1000:03}{number:06}"
    check = -sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10
    return digits + str(check)
