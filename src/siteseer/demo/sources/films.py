"""Writes a demo film archive from a seed."""

# ruff: noqa: E501 - tables of words read better unbroken

from __future__ import annotations

from siteseer.demo.prose import Prose
from siteseer.demo.sources.entry import Entry, Question, Source, TemplateWords, habits

GENRES = ("Comedy", "Documentary", "Drama", "Adventure", "Mystery", "Romance", "Western", "Fantasy")
COUNTRIES = ("France", "Ireland", "Japan", "Norway", "Portugal", "Canada", "India", "Brazil")
FAMILIES = tuple("Núñez Lefèvre Dvořák Ångström Jørgensen Peña Gonçalves Brontë Müller Szabó Çelik Étienne Håkansson Ruiz".split())  # fmt: skip
"""Family names with accents, as film makers have them."""
QUESTIONS = (
    Question("title", "title", "words"),
    Question("director", "director", "words"),
    Question("genre", "genre", "choice"),
    Question("from", "year", "lowest"),
    Question("to", "year", "highest"),
)
ATTRIBUTES = ("title", "director", "year", "genre", "country", "minutes")
GAPS = {"year": 0.06, "country": 0.15, "minutes": 0.1}
"""How often an attribute is not known."""

ENGLISH = TemplateWords(
    "en",
    {"title": "title", "director": "director", "genre": "genre", "from": "year_from", "to": "year_to"},
    {"title": "Title", "director": "Director", "genre": "Genre", "from": "Year from", "to": "to", "year": "Year", "country": "Country",
     "minutes": "Minutes", "cast": "Cast"},
    {"search": "Search", "any": "Any genre", "found": "films found for", "none": "No films match your search.", "next": "Next page",
     "more": "Please fill in at least one field.", "favourites": "Most watched", "about": "Film archive", "advert": "Advertisement",
     "error": "Sorry, something went wrong. Please try again later.", "press": "Press search", "lost": "Old search", "members": "Members' search",
     "login": "Log in", "apart": "", "gone": "There is no such page."},
    "/film/{}", "/films",
)  # fmt: skip
FRENCH = TemplateWords(
    "fr",
    {"title": "titre", "director": "real", "genre": "genre", "from": "de", "to": "a"},
    {"title": "Titre", "director": "Réalisation", "genre": "Genre", "from": "Année de", "to": "à", "year": "Année", "country": "Pays",
     "minutes": "Durée", "cast": "Distribution"},
    {"search": "Rechercher", "any": "tous les genres", "found": "films trouvés pour", "none": "Aucun film trouvé.", "next": "suivant",
     "more": "Veuillez remplir au moins un champ.", "favourites": "Les plus vus", "about": "Archives du film", "advert": "Publicité",
     "error": "Une erreur est survenue. Veuillez réessayer plus tard.", "press": "Recherche presse", "lost": "Ancienne recherche",
     "members": "Recherche des membres", "login": "Connexion", "apart": "", "gone": "Cette page n'existe pas."},
    "/fiche.php?id={}", "/cherche.php", "p", True,
)  # fmt: skip
FILM_TONGUES = {"modern": ENGLISH, "classic": FRENCH}


def write_films(seed: int, size: int) -> Source:
    """Write an archive of `size` films; no two have the same title."""
    prose = Prose("films", seed)
    directors = _people(prose, 4 + size // 4)
    actors = _people(prose, 8 + size // 3)
    entries: list[Entry] = []
    titles: set[str] = set()
    for number in range(1, size + 1):
        entries.append(_write_film(Prose("film", seed, number), number, titles, directors, actors))
    joined, has_stop_words = habits(seed)
    title = prose.fill("The {p} film archive")
    return Source("films", title, tuple(entries), ATTRIBUTES, QUESTIONS, joined, has_stop_words, "director")


def _people(prose: Prose, number: int) -> list[str]:
    def person() -> str:
        name = prose.name()
        return name if prose.random.random() < 0.6 else f"{name.split()[0]} {prose.random.choice(FAMILIES)}"

    return list(dict.fromkeys(person() for _ in range(number)))


def _write_film(prose: Prose, number: int, titles: set[str], directors: list[str], actors: list[str]) -> Entry:
    while (title := prose.title()) in titles:
        pass
    titles.add(title)
    values = {
        "title": title, "director": prose.random.choice(directors), "year": str(prose.random.randint(1931, 2023)),
        "genre": prose.random.choice(GENRES), "country": prose.random.choice(COUNTRIES), "minutes": str(prose.random.randint(58, 187)),
    }  # fmt: skip
    for attribute, share in GAPS.items():
        if prose.random.random() < share:
            del values[attribute]
    cast = ", ".join(prose.random.sample(actors, min(len(actors), prose.random.randint(2, 5))))
    return Entry(number, values, prose.passage(1, 2, 0.1), {"cast": cast})
