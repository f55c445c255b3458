"""A campaign from beginning to end: read its definition, crawl its sites, write what is derived, sum up."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from siteseer.crawl.derive import ending, with_undelivered
from siteseer.crawl.lock import only_one
from siteseer.crawl.run import LEDGER
from siteseer.crawl.state import state_path
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.reading import read_definition
from siteseer.errors import ConfigurationError, UnreachableError, UsageError
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.campaign.ledger import SET_ASIDE, SiteRow
from siteseer.jobs.campaign.local import Local
from siteseer.jobs.campaign.process import Watch, allow_many_files, run_in_loop
from siteseer.jobs.campaign.reweighing import weigh_anew
from siteseer.jobs.campaign.run import Crawlers, Engine
from siteseer.jobs.campaign.slices import open_site, report_of, visits_of
from siteseer.model import JSON

COPY = "campaign.toml"
MOST_SENTENCES = 10
LARGEST_DEFINITION = 10 * 2**20
PATIENCE = 10.0
"""Seconds for which a campaign waits that is still held: processes of a run that was killed go within less."""


def load_definition(path: Path) -> tuple[Definition, str]:
    """Return the definition in a file, and its text."""
    text = definition_text(path)
    return read_definition(text, str(path)), text


def definition_text(path: Path) -> str:
    """Return what stands in the file of a definition."""
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
    engine: Callable[[Dossier], Crawlers] = Local,
) -> JSON:
    """Run a campaign, or go on with it where it stopped; return the summary.

    `requests` overrules the budget, as a reference crawl does; that may also know the topic by example pages alone.
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
    with only_one(folder, PATIENCE) as lock:
        (folder / COPY).write_text(text, encoding="utf-8")
        dossier = Dossier(definition, text, folder, lock.fileno())
        try:
            dossier.weigh_anew()
            turns = Engine(dossier, engine(dossier), watch)
            stopped_by = run_in_loop(turns.run())
            totals, undelivered = finish(dossier, dossier.ledger.sites("requests > 0"))
            rows = dossier.ledger.sites()
        finally:
            dossier.ledger.close()
        result = _summary(definition, folder, rows, totals, stopped_by, time.monotonic() - began)
        result = with_undelivered(result, undelivered)
        result |= {"at_once": True} if turns.is_cut_off else {}
        _write(folder / "reports", result, rows)
    is_over = stopped_by is None or (
        stopped_by == "limit" and sum(result["silent"].values()) == result["crawled_sites"]
    )
    if is_over and not result["pages"] and (result["errors"] or not result["bytes"]):
        raise UnreachableError(
            f"none of the sites of {path} gave a page; see {folder / 'sites'} for what they answered"
        )
    return result


def check_directory(folder: Path) -> None:
    """Complain in one sentence about a directory that cannot be a campaign's."""
    if state_path(folder).exists() and not (folder / LEDGER).exists():
        raise UsageError(f"{folder} is the collection of a crawl: name another directory for the campaign")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a directory for the campaign")


def finish(dossier: Dossier, rows: list[SiteRow]) -> tuple[Counter[str], list[str]]:
    """Write what is derived from each site's archive; return the objects of each kind, and what was not delivered."""
    objects: Counter[str] = Counter()
    undelivered: dict[str, None] = {}
    visits = visits_of(dossier.definition)
    for row in rows:
        sitting = open_site(dossier.place(row), dossier.definition, dossier.text, visits, dossier.apprentice)
        try:
            if weigh_anew(sitting.state, dossier.definition):  # a worker that does not read the archive had it
                dossier.ledger.reweigh(row.host, report_of(sitting))
            told = sitting.finish()
            objects.update(told["objects"])
            undelivered |= dict.fromkeys(told.get("undelivered", ()))
        finally:
            sitting.close()
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
    folder.mkdir(exist_ok=True)
    (folder / "summary.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    with (folder / "sites.jsonl").open("w", encoding="utf-8") as file:
        for row in sorted(rows, key=lambda row: (-row.relevant, row.host)):
            facts = {
                name: getattr(row, name)
                for name in ("host", "first", "requests", "pages", "relevant", "errors", "bytes")
            }
            file.write(
                json.dumps({**facts, "waiting_promise": row.best, "status": row.status}, ensure_ascii=False) + "\n"
            )
