"""Demo sites whose records are only found by searching: films, and places with a list that depends on another."""

from __future__ import annotations

from siteseer.demo.site import Site
from siteseer.demo.sources.films import FILM_TONGUES, write_films
from siteseer.demo.sources.places import PLACE_TONGUES, write_places
from siteseer.demo.sources.source_site import source_site
from siteseer.demo.sources.source_templates import Classic, Modern

FILMS = 90
PLACES = 120


def make_films(seed: int, template: str, size: int = FILMS) -> Site:
    """Make a film archive of `size` films."""
    tongue = FILM_TONGUES[template]
    skin = Classic(tongue) if template == "classic" else Modern(tongue)
    return source_site(write_films(seed, size), skin, seed, template)


def make_places(seed: int, template: str, size: int = PLACES) -> Site:
    """Make a guide to `size` places, in cities that lie in regions."""
    tongue = PLACE_TONGUES[template]
    skin = Classic(tongue) if template == "classic" else Modern(tongue)
    return source_site(write_places(seed, size), skin, seed, template)
