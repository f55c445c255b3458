"""What the demo web may be about: words of the field, of which a campaign is told a few, and names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: `keywords` are told to the campaign, `further` only stand in the pages."""

    name: str
    keywords: tuple[str, ...]
    further: tuple[str, ...]
    person: str
    body: str
    alias: str


TOPICS = (
    Topic(
        "the kelp harvest", ("kelp", "seaweed", "kelp harvest"),
        ("frond", "holdfast", "alginate", "dredging", "quota", "spores", "stipe", "kelpline"),
        "Maren Ostby", "Seaweed Inspectorate", "the Inspectorate",
    ),
    Topic(
        "the reservoir protest", ("reservoir", "dam", "dam protest"),
        ("spillway", "turbine", "eviction", "injunction", "sluice", "megawatt", "sitdown", "floodline"),
        "Teodor Hruska", "Valley Defence League", "the League",
    ),
    Topic(
        "the comet of the decade", ("comet", "perihelion", "comet tail"),
        ("coma", "nucleus", "magnitude", "ephemeris", "telescope", "dust", "outburst", "skywatch"),
        "Ines Calvao", "Observers Circle", "the Circle",
    ),
    Topic(
        "the tram strike", ("tram", "strike", "tram strike"),
        ("picket", "depot", "arbitration", "timetable", "wages", "ballot", "walkout", "stoppage"),
        "Gus Verhoeven", "Carmen's Union", "the Union",
    ),
    Topic(
        "the beetle in the spruces", ("bark beetle", "spruce", "infestation"),
        ("larvae", "pheromone", "felling", "foresters", "galleries", "drought", "clearcut", "sawlogs"),
        "Liesl Adler", "Forest Health Office", "the Office",
    ),
)  # fmt: skip
