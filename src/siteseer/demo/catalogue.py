"""Makes a demo site of a given kind."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from siteseer.demo.blog import make_blog
from siteseer.demo.estate import make_estate
from siteseer.demo.forum import make_forum
from siteseer.demo.hostile import make_hostile
from siteseer.demo.scholar import make_scholar
from siteseer.demo.scripted import make_scripted
from siteseer.demo.shop import make_shop
from siteseer.demo.site import Site
from siteseer.demo.sources import make_films, make_places
from siteseer.demo.trap import make_trap
from siteseer.demo.wiki import make_wiki
from siteseer.errors import UsageError

MAKERS: dict[str, Callable[..., Site]] = {
    "blog": make_blog,
    "forum": make_forum,
    "wiki": make_wiki,
    "shop": make_shop,
    "films": make_films,
    "places": make_places,
    "scholar": make_scholar,
    "estate": make_estate,
    "scripted": make_scripted,
    "trap": make_trap,
    "hostile": make_hostile,
}
KINDS = tuple(MAKERS)
TEMPLATES = ("modern", "classic")


def make_site(kind: str, seed: int = 0, template: str | None = None, size: int | None = None, **changes: Any) -> Site:
    """Make a demo site; the same arguments always make the same site, byte for byte.

    `changes` belong to the kind: `grown` (blog: so many newer posts), `pause` (hostile: seconds between slow bytes).

    >>> make_site("blog", seed=3).truth.oracle_requests == make_site("blog", seed=3).truth.oracle_requests
    True
    """
    if kind not in MAKERS:
        raise UsageError(f"There is no demo site of kind {kind!r}; choose one of {', '.join(KINDS)}.")
    chosen = template or TEMPLATES[0]
    if chosen not in TEMPLATES:
        raise UsageError(f"There is no demo template {template!r}; choose one of {', '.join(TEMPLATES)}.")
    if size is not None:
        if size < 1:
            raise UsageError("A demo site needs a size of at least 1.")
        changes["size"] = size
    known = set(signature(MAKERS[kind]).parameters) - {"seed", "template"}
    if unknown := set(changes) - known:
        raise UsageError(
            f"A demo {kind} has no {', '.join(sorted(unknown))}; it can be given {', '.join(sorted(known))}."
        )
    return MAKERS[kind](seed, chosen, **changes)
