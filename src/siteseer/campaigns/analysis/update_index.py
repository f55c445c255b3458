"""Updates a campaign's index from the collections of its sites: pages, links, authors, terms.

Only what is new is read. Each step writes how far it came together with what it found, so a kill costs one step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from siteseer.campaigns.analysis.campaign_index import CampaignIndex, page_key
from siteseer.campaigns.analysis.page_objects import KeptPage, kept_after, page_objects, read_kept, site_orders
from siteseer.campaigns.analysis.rescore import WEIGHED, mark_of, rescore_site
from siteseer.campaigns.load_campaign import LoadedCampaign, open_site_state
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.term_matcher import TermMatcher, words_of
from siteseer.collection.annotations import kept_after as annotations_after
from siteseer.collection.collection import Collection
from siteseer.collection.layout import has_objects, rows_of
from siteseer.collection.objects.object_store import ObjectStore, Observation
from siteseer.collection.rdf.object_triples import account
from siteseer.collection.state import State
from siteseer.crawler.results.derived_files import write_pages
from siteseer.model import WebObject
from siteseer.page.dates.normal_form import utc
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import host_of

BATCH = 96
OBSERVATIONS = 500
MOST_LINKS = 500
LONGEST_URL = 2_000
TEXTS = ("page", "article")
"""Kinds of objects that are what their page says."""

Tell = Callable[[str], None]


def update_index(campaign: LoadedCampaign, catalogue: CampaignIndex, tell: Tell = lambda line: None) -> None:
    """Index what the sites have captured since the last update."""
    term_matcher = TermMatcher.of(campaign.definition)
    pages = 0
    for number, site in enumerate(campaign.sites, 1):
        _rescore(site, catalogue, campaign.definition)
        for taken in _take_pages(site, catalogue, RelevanceScorer(campaign.definition)):
            pages += taken
            tell(f"{number:,} of {len(campaign.sites):,} sites surveyed, {pages:,} new pages")
        if has_objects(site):
            _take_objects(site, catalogue, term_matcher)
        tell(f"{number:,} of {len(campaign.sites):,} sites surveyed")


def _rescore(site: Path, catalogue: CampaignIndex, definition: Definition) -> None:
    """Rescore indexed pages and objects by the definition as it is now."""
    with open_site_state(site) as state:
        is_weighed = state.about(WEIGHED) == mark_of(definition)
    if not is_weighed:
        with Collection.open(site, "write") as collection:
            rescore_site(collection.state, definition)
            write_pages(collection.state)
    with open_site_state(site) as state:
        mark = f"{WEIGHED}: {site.name}"
        if catalogue.rows("SELECT 1 FROM about WHERE (name, value) = (?, ?)", (mark, mark_of(definition))):
            return
        scorer, number, last = RelevanceScorer(definition), 0, catalogue.done(site.name)[0]
        with catalogue.transaction() as db:
            db.execute("UPDATE page SET relevance = -1 WHERE site = ?", (site.name,))
            while met := [one for one in kept_after(state, number, BATCH) if one.number <= last]:
                for one in met:
                    _write_page(db, site.name, one if one.because else _weighed(state, one, scorer))
                number = met[-1].number
            _write_done(db, site.name, last, 0)
            db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (mark, mark_of(definition)))


def _take_pages(site: Path, catalogue: CampaignIndex, scorer: RelevanceScorer) -> Iterator[int]:
    """Index the pages of a site; yield how many, some at a time."""
    with open_site_state(site) as state:
        orders = site_orders(state)
        while met := kept_after(state, catalogue.done(site.name)[0], BATCH):
            pages = [one if one.because else _weighed(state, one, scorer) for one in met]
            bare = [one for one in pages if not one.has_objects]
            found = list(page_objects(state, bare, orders))
            if things := [(thing, one.place) for one, thing, _ in found if thing is not None]:
                with Collection.open(site, "write") as collection, collection.description() as description:
                    description.add(things)
            with catalogue.transaction() as db:
                for one in pages:
                    _write_page(db, site.name, one)
                    db.execute("DELETE FROM link WHERE source = ?", (page_key(one.url),))
                for one, thing, links in found:
                    if thing is None:
                        _write_links(db, page_key(one.url), "", links)
                _write_done(db, site.name, pages[-1].number, catalogue.done(site.name)[1])
            yield len(pages)


def _weighed(state: State, one: KeptPage, scorer: RelevanceScorer) -> KeptPage:
    """Weigh a page that a crawl outside the campaign brought, such as a revisit."""
    found = scorer.score(read_kept(state, one))
    return replace(one, relevance=found.degree, because=found.because)


def _take_objects(site: Path, catalogue: CampaignIndex, term_matcher: TermMatcher) -> None:
    ledger = ObjectStore(rows_of(site))
    try:
        if catalogue.done(site.name)[1] == 0:
            _recall_readings(ledger, catalogue)
        while met := ledger.observations(catalogue.done(site.name)[1], OBSERVATIONS):
            with catalogue.transaction() as db:
                for one in met:
                    if one.described:
                        _write_object(db, one, term_matcher)
                _write_done(db, site.name, catalogue.done(site.name)[0], met[-1].seq)
    finally:
        ledger.close()


def _recall_readings(ledger: ObjectStore, catalogue: CampaignIndex) -> None:
    """Restore the annotations made before the index was deleted: analysers do not read those objects again."""
    last = 0
    while rows := annotations_after(ledger, last, OBSERVATIONS):
        with catalogue.transaction() as db:
            for _, thing, name, _, _, told in rows:
                write_readings(db, hash_of(thing), name, [(one["kind"], one["label"], one["degree"]) for one in told])
        last = rows[-1][0]


def write_readings(db: sqlite3.Connection, number: int, analyser: str, read: Iterable[tuple[str, str, float]]) -> None:
    """Write an analyser's annotations of an object, in place of its earlier ones."""
    db.execute("DELETE FROM reading WHERE object = ? AND analyser = ?", (number, analyser))
    rows = [(number, analyser, *one) for one in read]
    db.executemany("INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?)", rows)


def _write_page(db: sqlite3.Connection, site: str, one: KeptPage) -> None:
    """Write a page as the capture shows it in which it is most relevant, of several the newest."""
    key = page_key(one.url)
    referrer = page_key(one.referrer) if one.referrer else None
    db.execute(
        "INSERT INTO page (key, site, host, url, title, capture, time, digest, relevance, because, referrer) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET title = excluded.title, "
        "capture = excluded.capture, time = excluded.time, digest = excluded.digest, "
        "relevance = excluded.relevance, because = excluded.because WHERE excluded.relevance >= relevance",
        (key, site, host_of(one.url), one.url, one.title, one.number, one.time, one.digest, one.relevance, one.because,
         None if referrer == key else referrer),
    )  # fmt: skip


def _write_object(db: sqlite3.Connection, met: Observation, term_matcher: TermMatcher) -> None:
    thing, number, page = met.thing, hash_of(met.thing.id), page_key(met.url)
    who = account(thing) or ""
    if who:
        db.execute("INSERT OR IGNORE INTO author VALUES (?, ?, ?)", (who, thing.author or who, host_of(thing.url)))
    db.execute(
        "INSERT OR REPLACE INTO written VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, page, who or None, thing.published, utc(met.capture.time), _relevance(db, thing, page), thing.kind),
    )
    if thing.kind in TEXTS:
        words = hash_of(" ".join(words_of(thing.text or ""))) if thing.text else None
        db.execute(
            "UPDATE page SET words = ?, author = ?, published = ? WHERE key = ?",
            (words, who or None, thing.published, page),
        )
    _write_links(db, page, who, thing.links)
    db.execute("DELETE FROM mention WHERE object = ?", (number,))
    said = term_matcher.find(words_of(" ".join(filter(None, (thing.title, thing.text)))))
    for place, count in said.items():
        db.execute("INSERT OR REPLACE INTO mention VALUES (?, ?, ?)", (number, term_matcher.sought[place].name, count))


def _write_links(db: sqlite3.Connection, page: int, author: str, links: tuple[str, ...]) -> None:
    (origin,) = db.execute("SELECT host FROM page WHERE key = ?", (page,)).fetchone() or ("",)
    for url in links[:MOST_LINKS]:
        if url.startswith(("http://", "https://")) and len(url) <= LONGEST_URL and (target := page_key(url)) != page:
            row = (page, author, target, origin, host_of(url), url)
            db.execute("INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?, ?)", row)


def _write_done(db: sqlite3.Connection, site: str, capture: int, observation: int) -> None:
    db.execute("INSERT OR REPLACE INTO done VALUES (?, ?, ?)", (site, capture, observation))


def _relevance(db: sqlite3.Connection, thing: WebObject, page: int) -> float:
    try:
        return float(thing.fields["relevance"])
    except (KeyError, ValueError):
        row = db.execute("SELECT relevance FROM page WHERE key = ?", (page,)).fetchone()
        return float(row[0] or 0.0) if row else 0.0
