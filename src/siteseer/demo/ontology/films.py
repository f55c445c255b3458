"""The films of an archive in, what the ontology says of films and the persons who made them out."""

from __future__ import annotations

from siteseer.demo.ontology.writer import PERSONS, TITLES, Writer
from siteseer.demo.prose import Prose
from siteseer.demo.sources.films import COUNTRIES, GENRES
from siteseer.demo.truth import TrueText


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
