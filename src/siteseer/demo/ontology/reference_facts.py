"""Writes what the reference ontology says of the books, films and places of the demo sites."""

from __future__ import annotations

from siteseer.demo.ontology.turtle_writer import PERSONS, TITLES, Writer
from siteseer.demo.prose import Prose
from siteseer.demo.shop.write_shop import CATEGORIES
from siteseer.demo.sources.films import COUNTRIES, GENRES
from siteseer.demo.sources.places import FIRST, KINDS, LAST, NAMES
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


def describe_films(writer: Writer, films: tuple[TrueText, ...], seed: int) -> dict[str, str]:
    """Write films, persons, genres and countries."""
    same: dict[str, str] = {}
    for film in films:
        if writer.knows():
            same[film.page] = _film(writer, film.title, film.author, dict(film.fields))
    taken = {film.title for film in films}
    for number in range(len(films)):
        prose = Prose("other film", seed, number)
        title = prose.title()
        if title not in taken:
            taken.add(title)
            fields = {
                "year": str(prose.random.randint(1931, 2023)), "genre": prose.random.choice(GENRES),
                "country": prose.random.choice(COUNTRIES), "cast": f"{prose.name()}, {prose.name()}",
            }  # fmt: skip
            _film(writer, title, prose.name(), fields)
    return same


def _film(writer: Writer, title: str, director: str, fields: dict[str, str]) -> str:
    film = writer.instance("Film", title, TITLES)
    writer.fact(writer.known("Person", director, PERSONS), "directed", film)
    writer.fact(film, "hasGenre", writer.known("Genre", fields["genre"]))
    if "country" in fields:
        writer.fact(film, "producedIn", writer.known("Country", fields["country"]))
    if "year" in fields and writer.random.random() < 0.8:
        writer.fact(film, "releaseYear", fields["year"])
    for actor in dict.fromkeys(fields["cast"].split(", ")):
        writer.fact(writer.known("Person", actor, PERSONS), "actedIn", film)
    return film


def describe_places(writer: Writer, places: tuple[TrueText, ...], seed: int) -> dict[str, str]:
    """Write places, each in a city and a region; cities have inhabitants."""
    for kind in KINDS:
        writer.subclass(_class(kind), "Place")
    same: dict[str, str] = {}
    for place in places:
        if writer.knows():
            fields = dict(place.fields)
            same[place.page] = _place(writer, place.title, fields.get("kind", ""), fields["city"], fields["region"])
    towns = {fields["city"]: fields["region"] for place in places for fields in (dict(place.fields),)}
    regions = sorted(set(towns.values()))
    taken = {place.title for place in places}
    for number in range(len(places)):
        prose = Prose("other place", seed, number)
        kind = prose.random.choice(KINDS)
        name = prose.fill(prose.random.choice(NAMES[kind]))
        name = name[0].upper() + name[1:]
        town = prose.random.choice(FIRST) + prose.random.choice(LAST)
        if name not in taken:
            taken.add(name)
            _place(writer, name, kind, town, towns.setdefault(town, prose.random.choice(regions)))
    for (of, town), city in sorted(writer.named.items()):
        if of == "City":
            writer.fact(city, "inRegion", writer.known("Region", towns[town]))
            writer.fact(city, "hasInhabitants", str(writer.random.randint(3_000, 900_000)))
    return same


def _place(writer: Writer, name: str, kind: str, city: str, region: str) -> str:
    place = writer.instance(_class(kind or "Place"), name, TITLES)
    writer.fact(place, "locatedIn", writer.known("City", city))
    writer.fact(place, "inRegion", writer.known("Region", region))
    return place


def _class(kind: str) -> str:
    return kind.title().replace(" ", "")
