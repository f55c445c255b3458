"""Writes a demo guide to places from a seed: every place in a city, every city in a region."""

# ruff: noqa: E501 - tables of words read better unbroken

from __future__ import annotations

from siteseer.demo.prose import Prose
from siteseer.demo.sources.entry import Entry, Question, Source, TemplateWords, habits

KINDS = ("Museum", "Park", "Theatre", "Castle", "Bridge", "Library", "Market hall")
NAMES = {
    "Museum": ("Museum of {a} {ns}", "{f} Museum", "The {n} Collection"), "Park": ("{f} Park", "The {a} garden", "{n} meadows"),
    "Theatre": ("Theatre at the {n}", "{f} Playhouse", "The {a} stage"), "Castle": ("{f} Castle", "The {a} keep", "{n} tower"),
    "Bridge": ("{f} Bridge", "The {a} crossing", "{n} viaduct"), "Library": ("{f} Library", "House of {ns}", "The {a} reading room"),
    "Market hall": ("{f} Market", "Hall of {ns} and {ns}", "The {a} exchange"),
}  # fmt: skip
FIRST = tuple("Brack Corven Dray Elm Foss Glen Hax Isel Kerr Lowen Mar Nor Ost Pell Rush Stan Tarn Ul Vey Whit".split())
LAST = tuple("bury ham ford stead mouth wick ton minster bridge gate leigh haven".split())
REGIONS = tuple("Northmarch Südmoor Westvale Îlemont Upper-Tarn Highfell Saltcoast Middlemere Ørland Eastreach".split())
QUESTIONS = (
    Question("region", "region", "choice"),
    Question("city", "city", "dependent", "region"),
    Question("name", "title", "words"),
)
ATTRIBUTES = ("title", "kind", "city", "region", "postcode", "coordinates")
GAPS = {"kind": 0.08, "postcode": 0.12, "coordinates": 0.12}

ENGLISH = TemplateWords(
    "en",
    {"region": "region", "city": "city", "name": "name"},
    {"region": "Region", "city": "City", "name": "Name", "title": "Name", "kind": "Kind", "postcode": "Postcode", "coordinates": "Coordinates"},
    {"search": "Find places", "any": "Any region", "found": "places found for", "none": "No places were found.", "next": "Next",
     "more": "Please choose a region or enter a name.", "apart": "This city does not lie in that region.", "favourites": "Places people love",
     "about": "Guide to places", "advert": "Advertisement", "error": "Sorry, something went wrong. Please try again later.",
     "press": "Press search", "lost": "Old search", "members": "Members' search", "login": "Log in", "gone": "There is no such page."},
    "/place/{}", "/places",
)  # fmt: skip
SPANISH = TemplateWords(
    "es",
    {"region": "prov", "city": "ciudad", "name": "nombre"},
    {"region": "Provincia", "city": "Ciudad", "name": "Nombre", "title": "Nombre", "kind": "Tipo", "postcode": "Código postal", "coordinates": "Coordenadas"},
    {"search": "Buscar", "any": "todas", "found": "lugares encontrados para", "none": "No se ha encontrado ningún lugar.", "next": "siguiente",
     "more": "Elija una provincia o escriba un nombre.", "apart": "Esta ciudad no está en esa provincia.", "favourites": "Lugares favoritos",
     "about": "Guía de lugares", "advert": "Publicidad", "error": "Se ha producido un error. Inténtelo más tarde.",
     "press": "Prensa", "lost": "Búsqueda antigua", "members": "Socios", "login": "Entrar", "gone": "La página no existe."},
    "/lugar.asp?n={}", "/buscar.asp", "pag", True,
)  # fmt: skip
PLACE_TONGUES = {"modern": ENGLISH, "classic": SPANISH}


def write_places(seed: int, size: int) -> Source:
    """Write a guide to `size` places; no two have the same name."""
    prose = Prose("places", seed)
    regions = prose.random.sample(REGIONS, 6)
    towns = prose.random.sample([first + last for first in FIRST for last in LAST], max(24, size // 6))
    cities = {
        town: (regions[at % len(regions)], f"{prose.random.randint(10, 98)}{at % 10}") for at, town in enumerate(towns)
    }
    names: set[str] = set()
    entries = tuple(_write_place(Prose("place", seed, number), number, cities, names) for number in range(1, size + 1))
    joined, has_stop_words = habits(seed)
    title = prose.fill("{g} {f}'s guide")
    return Source("places", title, entries, ATTRIBUTES, QUESTIONS, joined, has_stop_words)


def _write_place(prose: Prose, number: int, cities: dict[str, tuple[str, str]], names: set[str]) -> Entry:
    name = kind = ""
    while not name or name in names:
        kind = prose.random.choice(KINDS)
        name = prose.fill(prose.random.choice(NAMES[kind]))
        name = name[0].upper() + name[1:]
    names.add(name)
    city = prose.random.choice(list(cities))
    region, code = cities[city]
    values = {
        "title": name, "kind": kind, "city": city, "region": region, "postcode": f"{code}{prose.random.randint(10, 99)}",
        "coordinates": f"{prose.random.uniform(51, 59):.4f}, {prose.random.uniform(-6, 2):.4f}",
    }  # fmt: skip
    for attribute, share in GAPS.items():
        if prose.random.random() < share:
            del values[attribute]
    return Entry(number, values, prose.passage(1, 2, 0.1))
