"""Two bookshops that are made: real words and names, and all that makes one book look different in two shops, seeded.

Works have editions (their ISBN is the gold), series have volumes, authors write several books for one or two houses,
short titles recur. Each shop has its own habits, kept to mostly: subtitles, remarks, order and number of authors, which
name of a publisher. What is made here resembles no shop in particular.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from siteseer.alignment import Fact

Gold = set[tuple[str, str]]
SUFFIXES = ("Inc", "Ltd", "Co", "Publishing", "Publishers", "Publishing Group", "Press", "Books", "Pr", "LLC", "USA")
GENRES = ("A Novel", "A Memoir", "Stories", "A Guide for Beginners", "The Complete Story", "Poems")
BINDINGS = ("Paperback", "Hardcover", "Large Print", "Mass Market Paperback", "Audio CD", "Kindle Edition")
MONTHS = ("January", "March", "May", "June", "August", "October")


@dataclass(frozen=True)
class Words:
    """What titles and names are made of: words by how often they occur, given names, surnames, publishers."""

    title: Sequence[str]
    given: Sequence[str]
    surname: Sequence[str]
    publisher: Sequence[str]


@dataclass(frozen=True)
class Edition:
    isbn: str
    title: str
    subtitle: str
    series: str
    volume: int
    authors: tuple[str, ...]
    publisher: str
    number: int
    work: int


@dataclass(frozen=True)
class Habit:
    """How often a shop does what."""

    subtitle: float
    series: float
    remark: float
    last_first: float
    initials: float
    joined: float
    fewer: float
    lost: float
    other_name: float
    names: dict[str, str] = field(hash=False)
    dated: bool = False
    prefix: str = ""
    slip: float = 0.01


def editions(words: Words, rng: random.Random, works: int, more: float) -> list[Edition]:
    """Return the editions of so many works; `more` is the chance of each further edition."""
    common = [" ".join(rng.choices(words.title, k=2)).title() for _ in range(max(works // 60, 3))]
    found: list[Edition] = []
    work = 0
    while work < works:
        authors = tuple(_name(words, rng) for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3))))
        house = rng.choices(words.publisher, weights=[1 / (k + 1) for k in range(len(words.publisher))], k=2)
        series = _title(words, rng, 1, 3) if rng.random() < 0.25 else ""
        numbered = series and rng.random() < 0.5
        for volume in range(1, 1 + min(int(rng.paretovariate(1.1)), 40)):
            title = rng.choice(common) if rng.random() < 0.03 else _title(words, rng, 1, 5)
            title = series if numbered else title
            subtitle = (
                _title(words, rng, 2, 6) if rng.random() < 0.35 else rng.choice(GENRES) if rng.random() < 0.2 else ""
            )
            number, publisher = 1, rng.choice(house[: 1 if rng.random() < 0.8 else 2])
            while True:
                isbn = f"978{rng.randrange(10**10):010d}"
                found.append(Edition(isbn, title, subtitle, series, volume, authors, publisher, number, work))
                if rng.random() >= more:
                    break
                number += 1
                publisher = publisher if rng.random() < 0.5 else rng.choice(words.publisher)
            work += 1
    return found


def _name(words: Words, rng: random.Random) -> str:
    middle = f" {rng.choice('ABCDEFGHJLMRSTW')}." if rng.random() < 0.15 else ""
    return f"{rng.choice(words.given).title()}{middle} {rng.choice(words.surname).title()}"


def _title(words: Words, rng: random.Random, least: int, most: int) -> str:
    start = rng.choice(("The ", "", "", "A ", ""))
    return start + " ".join(rng.choices(words.title, k=rng.randint(least, most))).title()


def habit(words: Words, rng: random.Random, much: float) -> Habit:
    """Return the habits of a shop; `much` from 0 to 1 says how far they go."""
    names = {name: _other_publisher(name, words.publisher, rng) for name in words.publisher}
    return Habit(
        subtitle=1 - much * rng.choice((0.1, 0.5, 1.0)),
        series=rng.random(),
        remark=much * rng.choice((0.0, 0.1, 0.5)),
        last_first=rng.choice((0.0, 0.05, much)),
        initials=much * rng.choice((0.0, 0.05, 0.2)),
        joined=rng.choice((0.0, 0.0, 1.0)),
        fewer=rng.choice((0.0, 0.2, 0.6 * much)),
        lost=rng.choice((0.0, 0.05, 0.15 * much)),
        other_name=much * rng.choice((0.1, 0.4, 0.8)),
        names=names,
        dated=rng.random() < 0.2,
        prefix=rng.choice(("", "", "", "Publisher: ", ": ")),
    )


def _other_publisher(name: str, every: Sequence[str], rng: random.Random) -> str:
    """Return another name of a publisher: shorter, longer, or that of the group it belongs to."""
    words, turn = name.split(), rng.random()
    if turn < 0.4:
        return f"{name}{rng.choice((', ', ' '))}{rng.choice(SUFFIXES)}"
    if turn < 0.65 and len(words) > 1:
        return words[0].rstrip(",")
    if turn < 0.8:
        return name.replace(" and ", " & ").replace("Press", "Pr").replace("Publishing", "Pub")
    return rng.choice(every[:20])


def listed(edition: Edition, habit: Habit, rng: random.Random) -> dict[str, list[str]]:
    """Return what a shop tells of an edition."""
    title = edition.title
    if edition.series and title == edition.series:
        title += rng.choice((" {}", ", Vol. {}", ": v. {}", " Volume {}")).format(edition.volume)
    elif edition.series and rng.random() < habit.series:
        title += rng.choice((" ({}, Book {})", ": {} No. {}", ", {} Series #{}")).format(edition.series, edition.volume)
    if edition.subtitle and rng.random() < habit.subtitle:
        title += rng.choice((": ", ": ", " - ")) + edition.subtitle
    if edition.number > 1 and rng.random() < 0.3:
        title += rng.choice((", {}nd ed.", " ({}nd Edition)", ", Edition {}")).format(edition.number)
    if rng.random() < habit.remark:
        title += rng.choice((" ({})", " [{}]")).format(rng.choice(BINDINGS))
    authors = list(edition.authors[: 1 if rng.random() < habit.fewer else None])
    if rng.random() < habit.initials:
        authors = [f"{name[0]}. {name.split()[-1]}" for name in authors]
    if rng.random() < habit.last_first:
        authors = [f"{name.split()[-1]}, {' '.join(name.split()[:-1])}" for name in authors]
    if len(authors) > 1 and rng.random() < habit.joined:
        authors = [rng.choice(("; ", " and ", " & ", ", ")).join(authors)]
    publisher = habit.names[edition.publisher] if rng.random() < habit.other_name else edition.publisher
    if habit.dated:
        publisher += (
            f"; {edition.number} edition ({rng.choice(MONTHS)} {rng.randint(1, 28)}, {rng.randint(1998, 2010)})"
        )
    told = {"title": [title], "author": authors, "publisher": [habit.prefix + publisher]}
    return {key: values for key, values in told.items() if key == "title" or rng.random() >= habit.lost}


def bookshops(
    words: Words,
    seed: int,
    books: int = 1500,
    common: float = 0.2,
    much: float = 0.6,
    more: float = 0.03,
    crowded: float = 0.0,
) -> tuple[list[Fact], list[Fact], Gold, dict[str, int]]:
    """Return two shops of so many books, what they have in common, and the work of each book.

    `much` says how differently they write, `more` how likely a work has a further edition, `crowded` which share of the
    books on the left are further editions of books there, as when a shop's answers to the same query were gathered.
    """
    rng = random.Random(f"bookshops {seed}")
    every = editions(words, rng, int(books * (2 - common)) + 50, more)
    rng.shuffle(every)
    shared, own = round(common * books), books - round(common * books)
    every = every[: shared + 2 * own]
    sides = (every[: shared + own], every[:shared] + every[shared + own :])
    for edition in rng.sample(sides[0], round(crowded * len(sides[0]))):
        publisher = edition.publisher if rng.random() < 0.5 else rng.choice(words.publisher)
        every.append(replace(edition, isbn=f"978{rng.randrange(10**10):010d}", publisher=publisher, number=2))
        sides[0].append(every[-1])
    facts: list[list[Fact]] = [[], []]
    names = ({"title": "title", "author": "author", "publisher": "publisher"},)
    names += ({"title": "name", "author": "by", "publisher": "imprint"},)
    for side, editions_ in enumerate(sides):
        habits = habit(words, rng, much)
        for edition in editions_:
            for key, values in listed(edition, habits, rng).items():
                facts[side] += [Fact(f"{'lr'[side]}:{edition.isbn}", names[side][key], value, True) for value in values]
    gold = {(f"l:{edition.isbn}", f"r:{edition.isbn}") for edition in every[:shared]}
    works = {f"{side}:{edition.isbn}": edition.work for side in "lr" for edition in every}
    return facts[0], facts[1], gold, works
