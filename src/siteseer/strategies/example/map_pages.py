"""What a crawl by example met in, the pages of its map out: kept pages, feeds, and the answers to forms.

Reference: Vidal et al., Structure-based crawling in the hidden Web, section 5.4: a form stands on the map as one
generic URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from siteseer.decide.example_pages import links_of
from siteseer.decide.example_ways import FurtherWays
from siteseer.decide.searched import FormKey, key_of
from siteseer.examples.navigation import FormUse, Step
from siteseer.examples.paths import MapPage
from siteseer.forms.find import forms
from siteseer.forms.submit import generic_url
from siteseer.model import Page
from siteseer.page.urls import identity

Links = tuple[tuple[str, str], ...]


def map_pages(
    ways: FurtherWays, pages: Iterable[Page], targets: set[str], moved: Mapping[str, str]
) -> dict[str, MapPage]:
    """Return all that was met, by URL, with its links; `moved` says where redirects lead."""

    def led(links: Iterable[tuple[str, str]]) -> Links:
        return tuple((moved.get(url, url), place) for url, place in links)

    answered, sent = answers(ways, targets)
    found = {name: replace(one, links=led(one.links)) for name, one in answered.items()}
    for url, links in ways.lists.items():
        found.setdefault(url, MapPage(False, led(links)))
    for page in pages:
        url = identity(page.url)
        if url not in ways.lists:
            found[url] = MapPage(url in targets, led(links_of(page)) + form_links(page, sent))
    return found


def answers(ways: FurtherWays, targets: set[str]) -> tuple[dict[str, MapPage], dict[FormKey, Links]]:
    """Return the answers that belong on the map, by name, and for every form of use the links to the first ones.

    Those belong there that are targets, or list records which no other one lists.
    """
    found: dict[str, MapPage] = {}
    links: dict[FormKey, Links] = {}
    for one in ways.searches.searched:
        useful = set(one.plan.useful())
        heard = {
            query: [name for answer in pages.pages.values() if (name := identity(answer.url)) in ways.lists]
            for query, pages in one.plan.answers.heard.items()
        }
        kept = {query: names for query, names in heard.items() if query in useful or targets.intersection(names)}
        varied = tuple(sorted({name for query in kept for name, _ in query}))
        action = one.form.action.partition("?")[0]
        step = Step(generic_url(one.form, varied), form=FormUse(action, one.form.method, varied))
        for name in (name for names in kept.values() for name in names):
            found[name] = MapPage(name in targets, tuple(ways.lists[name]), step)
        links[key_of(one.form)] = tuple((names[0], "form") for names in kept.values() if names)
    return found, {key: some for key, some in links.items() if some}


def form_links(page: Page, sent: Mapping[FormKey, Links]) -> Links:
    """Return the links that a page has through its forms."""
    return tuple(link for form in forms(page) for link in sent.get(key_of(form), ())) if sent else ()
