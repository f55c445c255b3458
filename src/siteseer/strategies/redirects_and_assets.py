"""Follows redirects and requests page requisites, alike for every strategy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from siteseer.model import Action, Follow, Outcome, Page, Skip, Submit
from siteseer.page.links import requisites
from siteseer.settings import FetchLimits

ASSETS = "assets"
"""The family of page requisites."""
_MAX_REDIRECTS = FetchLimits().redirects


def follow_redirect(outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
    """Request the target of a redirect as the original URL was requested."""
    if outcome.target is None:
        return
    hops = why.hops + 1 if isinstance(why, Follow) else 1
    if hops > _MAX_REDIRECTS:
        yield Skip(outcome.target, f"more than {_MAX_REDIRECTS} redirects in a row", "redirect loop")
        return
    because = f"redirect from {outcome.url}"
    if isinstance(why, Submit):
        why = Follow(why.url, why.because, why.family, why.priority, why.state, why.referrer, why.depth)
    yield replace(why, url=outcome.target, because=because, referrer=outcome.url, hops=hops)


def follow_requisites(page: Page, why: Follow | Submit) -> Iterator[Follow]:
    """Request what a browser needs to show this page: pictures, styles, scripts, fonts."""
    for url in requisites(page):
        yield Follow(url, "needed to show a kept page", ASSETS, -1.0, None, page.url, why.depth)
