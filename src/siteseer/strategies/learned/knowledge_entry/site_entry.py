"""Makes a knowledge-base entry of a site from its kept pages and the links to them, ready to be reviewed.

The entry is made of three things: which links are followed (`strategies.learned.knowledge_entry.navigation_actions`),
how pages with content are told from others (`marks`), and where their records and fields stand (`levels`, from the
record learner). It is then tried on the very pages that it was made from, and says how many of their objects it finds
again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from siteseer.errors import UsageError
from siteseer.extract.by_knowledge import extract
from siteseer.extract.records import RecordModel, learn_records
from siteseer.knowledge.recognise import level_of
from siteseer.knowledge.types import Application, Detection, Entry, Identity, Learned, Site
from siteseer.model import Page, WebObject
from siteseer.page.text import WORD
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of
from siteseer.strategies.learned.knowledge_entry.entry_levels import OTHER, category, group_name, levels
from siteseer.strategies.learned.knowledge_entry.level_patterns import Groups, template_pattern
from siteseer.strategies.learned.knowledge_entry.navigation_actions import Route, actions, avoids, drops, pagings
from siteseer.strategies.learned.online_learner.identity_rules import Part
from siteseer.strategies.learned.record_extraction import FEWEST, draw, harvest_records

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
BEGINNING = 8
Pages = Callable[[], Iterable[Page]]


@dataclass(frozen=True, slots=True)
class PageWithObjects:
    """The group of a page with objects of its own, and how their texts begin."""

    group: str
    beginnings: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class NavigationWays:
    """What a crawl learned about a site's addresses."""

    seed: str
    method: str
    """Who learned it, in words."""
    routes: Sequence[Route] = ()
    idle: Sequence[Part] = ()
    sitemaps: Sequence[str] = ()
    left: Sequence[Route] = ()
    """What is known and not worth following."""


def make_entry(name: str, ways: NavigationWays, pages: Pages, at: str = "", random_seed: int = 0) -> Application:
    """Return the knowledge-base entry of a site from what was learned about it; `at` says when that was."""
    check_name(name)
    sample = draw(pages(), random_seed)
    model = learn_records(sample) if len(sample) >= FEWEST else None
    owned = _owned(pages, model, random_seed) if model else {}
    groups = Groups()
    for page in pages():
        if is_html(page):
            groups.add(owned[page.url].group if page.url in owned else OTHER, page)
            page.memo.clear()
    found = levels(model or RecordModel(()), groups, ways.method)
    pattern = template_pattern(groups.common()) if groups.pages else None
    host = host_of(ways.seed)
    followed = actions(ways.routes, ways.method)
    made = Application(
        id=name,
        category=category(found),
        name=f"Learned from {host}",
        detections=(Detection((pattern,), 5),) if pattern else (),
        identity=Identity(drops(ways.idle), pagings([route.template for route in ways.routes])),
        avoids=avoids(ways.left, followed, ways.routes),
        entries=tuple(Entry("sitemap", url, "it listed the pages of the site") for url in ways.sitemaps),
        navigations=followed,
        levels=found,
        sites=(Site(host),),
    )
    again, objects = _tried(made, pages, owned)
    evidence = f"{again} of {objects} objects found again on {sum(groups.pages.values())} pages"
    share = round(again / objects, 3) if objects else None
    return replace(made, learned=Learned(ways.seed, at, ways.method, share, evidence))


def check_name(name: str) -> None:
    """Raise where a name cannot be that of an entry."""
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a kind of site: use small letters, digits and hyphens")


def _owned(pages: Pages, model: RecordModel, seed: int) -> dict[str, PageWithObjects]:
    """Return for each page that shows objects of its own the wrapper that found them, and how they begin."""
    found: dict[str, PageWithObjects] = {}
    for page, one in harvest_records(pages, seed, model):
        if page.url not in found and (wrapper := model.wrapper_for(page)) is not None:
            found[page.url] = PageWithObjects(
                group_name(next(n for n, known in enumerate(model.wrappers) if known is wrapper))
            )
        if page.url in found:
            found[page.url].beginnings.add(_beginning(one))
    return found


def _tried(made: Application, pages: Pages, owned: dict[str, PageWithObjects]) -> tuple[int, int]:
    """Return how many of the objects the entry finds again, and how many there are."""
    again = 0
    for page in pages():
        told = level_of(page, made) if page.url in owned else None
        if told and told[0].extractions:
            again += len(owned[page.url].beginnings & set(map(_beginning, extract(page, told[0], made))))
    return again, sum(len(one.beginnings) for one in owned.values())


def _beginning(one: WebObject) -> str:
    return " ".join(WORD.findall((one.text or "").lower())[:BEGINNING])
