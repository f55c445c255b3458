"""Collects the pages of the target map after a crawl by example: kept pages, feeds, and the answers to forms.

Reference: Vidal et al., Structure-based crawling in the hidden Web, section 5.4: a form stands on the map as one
generic URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from siteseer.forms.form_request import generic_url
from siteseer.forms.parse_forms import forms
from siteseer.model import Page
from siteseer.page.urls import identity
from siteseer.strategies.example.feeds_and_searches import FeedsAndSearches
from siteseer.strategies.example.link_paths import MapPage
from siteseer.strategies.example.navigation_patterns import FormUse, Step
from siteseer.strategies.example.sample_pages import links_of
from siteseer.strategies.form_search.sent_searches import FormKey, key_of

Links = tuple[tuple[str, str], ...]


def map_pages(
    ways: FeedsAndSearches, pages: Iterable[Page], targets: set[str], moved: Mapping[str, str]
) -> dict[str, MapPage]:
    """Return all pages that were seen, by URL, with their links; `moved` maps redirects to their targets."""

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


def answers(ways: FeedsAndSearches, targets: set[str]) -> tuple[dict[str, MapPage], dict[FormKey, Links]]:
    """Return the answers that belong on the map, by name, and for every useful form the links to the first ones.

    These are answers that are targets, or that list records which no other answer lists.
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
