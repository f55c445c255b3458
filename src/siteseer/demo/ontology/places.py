"""The places of a guide in, what the ontology says of places, cities and regions out."""

from __future__ import annotations

from siteseer.demo.ontology.writer import TITLES, Writer
from siteseer.demo.prose import Prose
from siteseer.demo.sources.places import FIRST, KINDS, LAST, NAMES
from siteseer.demo.truth import TrueText


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
