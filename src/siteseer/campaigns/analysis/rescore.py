"""Rescores the archived pages and objects of a site when the campaign's definition has changed.

A digest of the definition stands in the collection's own database, so it travels with the degrees: also to other
machines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from siteseer.campaigns.analysis.page_objects import fields_of, kept_after, read_kept
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.collection.description import Description
from siteseer.collection.layout import has_objects
from siteseer.collection.objects.object_json import dumps, loads
from siteseer.collection.state import State
from siteseer.model import WebObject
from siteseer.page.urls import url_key

WEIGHED = "weighed by"
"""Under this name databases keep the mark of the definition that weighed what they hold."""
BATCH = 96


def mark_of(definition: Definition) -> str:
    """Return a digest of the parts of a definition that decide how pages are scored.

    >>> one = Definition("Kelp", ("http://e.org/",), keywords=("kelp",))
    >>> mark_of(one) == mark_of(replace(one, name="Kelp!")), mark_of(one) == mark_of(replace(one, keywords=("algae",)))
    (True, False)
    """
    weighing = definition.terms, definition.entities, definition.since, definition.until, definition.languages
    return hashlib.sha256(repr(weighing).encode()).hexdigest()[:16]


def mark_new(state: State, definition: Definition, requests: int) -> None:
    """Record for a site without any requests by which definition its pages are scored."""
    if not requests and state.about(WEIGHED) is None:
        state.say(WEIGHED, mark_of(definition))


def rescore_site(state: State, definition: Definition) -> bool:
    """Rescore what a site has by this definition; return whether another definition had scored it."""
    if state.about(WEIGHED) == mark_of(definition):
        return False
    scorer = RelevanceScorer(definition)
    _weigh_pages(state, scorer)

    def weighed(thing: WebObject) -> WebObject:
        if "relevance" not in thing.fields:
            return thing
        found = _degree_of(state, thing.url) if thing.kind == "page" else None
        said = " ".join(filter(None, (thing.title, thing.text, " ".join(thing.tags))))
        return replace(thing, fields={**thing.fields, **fields_of(*(found or scorer.score_text(said)))})

    _weigh_objects(state, weighed)
    if has_objects(state.collection):
        with Description(state.collection) as description:
            description.rewrite_objects(weighed)
    state.say(WEIGHED, mark_of(definition))
    state.commit()
    return True


def _weigh_pages(state: State, scorer: RelevanceScorer) -> None:
    """Weigh the pages that a campaign weighed before, in the order in which they came; those not at hand stay."""
    number, at_hand = 0, {one.name for one in (state.archive).glob("*")}
    while met := kept_after(state, number, BATCH):
        for one in met:
            if one.because and one.file in at_hand:
                found = scorer.score(read_kept(state, one))
                row = found.degree, found.because, one.number
                state.db.execute("UPDATE relevance SET degree = ?, because = ? WHERE capture = ?", row)
        number = met[-1].number


def _degree_of(state: State, url: str) -> tuple[float, str] | None:
    """Return how relevant a page is and why, None where nobody weighed it."""
    found: tuple[float, str] | None = state.db.execute(
        "SELECT w.degree, w.because FROM captures c JOIN relevance w ON w.capture = c.id WHERE c.key = ? AND c.url = ? "
        "ORDER BY c.id DESC LIMIT 1",
        (url_key(url), url),
    ).fetchone()
    return found


def _weigh_objects(state: State, weighed: Callable[[WebObject], WebObject]) -> None:
    """Weigh the objects that the crawl found; those of a description that is made later come from here."""
    last = 0
    while rows := list(state.rows("SELECT row, object FROM objects WHERE row > ? ORDER BY row LIMIT ?", (last, BATCH))):
        for row, text in rows:
            stored = loads(text)
            thing = weighed(stored)
            if thing != stored:
                state.db.execute("UPDATE objects SET object = ? WHERE row = ?", (dumps(thing), row))
        last = rows[-1][0]
