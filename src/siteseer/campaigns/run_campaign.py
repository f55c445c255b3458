"""Runs a campaign from beginning to end: reads its definition, crawls its sites, writes derived files and a summary."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from siteseer.campaigns.analysis.rescore import rescore_site
from siteseer.campaigns.campaign_ledger import SET_ASIDE, SiteRow
from siteseer.campaigns.campaign_process import Watch, allow_many_files
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.engine_in_process import InProcessEngine
from siteseer.campaigns.engines.site_slice import open_site, report_of, visits_of
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.scheduler import Engine, SliceRunner
from siteseer.collection.layout import REPORTS, SUMMARY, state_path
from siteseer.collection.lock import hold_lock
from siteseer.collection.state import LEDGER
from siteseer.collection.whole_file import write_lines, write_text
from siteseer.crawler.results.derived_files import ending, with_undelivered
from siteseer.errors import ConfigurationError, UnreachableError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.model import JSON

COPY = "campaign.toml"
SITES = f"{REPORTS}/sites.jsonl"
MOST_SENTENCES = 10
LARGEST_DEFINITION = 10 * 2**20
PATIENCE = 10.0
"""Seconds for which a campaign waits that is still held: processes of a run that was killed go within less."""


def load_definition(path: Path) -> tuple[Definition, str]:
    """Return the definition in a file, and its text."""
    text = definition_text(path)
    return read_definition(text, str(path)), text


def definition_text(path: Path) -> str:
    """Return the text of a definition's file."""
    try:
        if path.stat().st_size > LARGEST_DEFINITION:
            raise ConfigurationError(f"{path} is too large for a definition")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not written in UTF-8") from error


def run_campaign(
    path: Path,
    folder: Path,
    watch: Watch = lambda standing: None,
    requests: int | None = None,
    needs_terms: bool = True,
    engine: Callable[[CampaignState], SliceRunner] = InProcessEngine,
) -> JSON:
    """Run a campaign, or continue it; return the summary.

    `requests` overrules the budget, as a reference crawl does; without `needs_terms`, example pages alone may describe
    the topic.
    """
    definition, text = load_definition(path)
    if needs_terms and not (definition.terms or definition.entities):
        raise ConfigurationError(
            f"{path}: there are only example pages; siteseer campaign learn {path} -o DIR finds their vocabulary"
        )
    if requests is not None:
        definition = replace(definition, budget=replace(definition.budget, requests=requests))
    check_directory(folder)
    allow_many_files()
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    with hold_lock(folder, PATIENCE) as lock:
        (folder / COPY).write_text(text, encoding="utf-8")
        campaign_state = CampaignState(definition, text, folder, lock.fileno())
        try:
            campaign_state.rescore_sites()
            turns = Engine(campaign_state, engine(campaign_state), watch)
            stopped_by = run_coroutine(turns.run())
            totals, undelivered = finish(campaign_state, campaign_state.ledger.sites("requests > 0"))
            rows = campaign_state.ledger.sites()
        finally:
            campaign_state.ledger.close()
        result = _summary(definition, folder, rows, totals, stopped_by, time.monotonic() - began)
        result = with_undelivered(result, undelivered)
        result |= {"at_once": True} if turns.is_cut_off else {}
        _write(folder, result, rows)
    is_over = stopped_by is None or (
        stopped_by == "limit" and sum(result["silent"].values()) == result["crawled_sites"]
    )
    if is_over and not result["pages"] and (result["errors"] or not result["bytes"]):
        raise UnreachableError(
            f"none of the sites of {path} gave a page; see {folder / 'sites'} for what they answered"
        )
    return result


def check_directory(folder: Path) -> None:
    """Raise where a directory cannot be a campaign's."""
    if state_path(folder).exists() and not (folder / LEDGER).exists():
        raise UsageError(f"{folder} is the collection of a crawl: name another directory for the campaign")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a directory for the campaign")


def finish(campaign_state: CampaignState, rows: list[SiteRow]) -> tuple[Counter[str], list[str]]:
    """Write the derived files of each site's archive; return the objects of each type, and the links not delivered."""
    objects: Counter[str] = Counter()
    undelivered: dict[str, None] = {}
    visits = visits_of(campaign_state.definition)
    for row in rows:
        site_crawl = open_site(
            campaign_state.place(row),
            campaign_state.definition,
            campaign_state.text,
            visits,
            campaign_state.term_learner,
        )
        try:
            if rescore_site(
                site_crawl.state, campaign_state.definition
            ):  # a worker that does not read the archive had it
                campaign_state.ledger.rescore(row.host, report_of(site_crawl))
            told = site_crawl.finish()
            objects.update(told["objects"])
            undelivered |= dict.fromkeys(told.get("undelivered", ()))
        finally:
            site_crawl.close()
    return objects, list(undelivered)[:MOST_SENTENCES]


def _summary(
    definition: Definition,
    folder: Path,
    rows: list[SiteRow],
    objects: Counter[str],
    stopped_by: str | None,
    seconds: float,
) -> JSON:
    asked = [row for row in rows if row.requests]
    return {
        "campaign": definition.name,
        "directory": str(folder),
        "sites": len(rows),
        "crawled_sites": len(asked),
        "requests": sum(row.requests for row in asked),
        "pages": sum(row.pages for row in asked),
        "relevant_pages": sum(row.relevant for row in asked),
        "bytes": sum(row.bytes for row in asked),
        "errors": sum(row.errors for row in asked),
        "objects": dict(objects),
        "set_aside": {row.host: row.reason for row in rows if row.status == SET_ASIDE},
        "silent": dict(Counter(row.reason for row in asked if row.reason and row.status != SET_ASIDE)),
        "seconds": round(seconds, 1),
        **ending(stopped_by, []),
    }


def _write(folder: Path, result: JSON, rows: list[SiteRow]) -> None:
    names = ("host", "first", "requests", "pages", "relevant", "errors", "bytes")
    told = (
        {**{name: getattr(row, name) for name in names}, "waiting_promise": row.best, "status": row.status}
        for row in sorted(rows, key=lambda row: (-row.relevant, row.host))
    )
    write_lines(folder / SITES, told)
    write_text(folder / SUMMARY, json.dumps(result, indent=2, ensure_ascii=False) + "\n")
