"""Writes the derived files when a run ends: index, page list, skipped URLs, objects, the summary."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from siteseer.archive.cdxj import Entry, write_index
from siteseer.archive.request_keys import request_query
from siteseer.archive.warc_record import RENDERED, target_uri
from siteseer.collection.derived import stamp
from siteseer.collection.exit_codes import exit_code
from siteseer.collection.history.crawl_history import requests_sent
from siteseer.collection.history.url_history import skipped_by_rule
from siteseer.collection.layout import INDEX, PAGES, SUMMARY, report_of
from siteseer.collection.state import State, capture_of
from siteseer.collection.stores.store_config import load_stores
from siteseer.collection.whole_file import write_lines
from siteseer.crawler.results.crawl_reports import all_totals, page_lines, write_reports, write_summary
from siteseer.crawler.results.failed_urls import failures
from siteseer.crawler.results.problems import UNDELIVERED, CrawlFacts, find_problems, not_delivered
from siteseer.errors import StoreError
from siteseer.model import JSON, Capture, WebObject
from siteseer.strategies.form_search.sent_searches import FORM_ASKED

APPLICATION, VERSION, EVENT, STATUS = "application ", "version ", "event ", "status "


def write_derived_files(state: State, crawl: int, flawed: Collection[str] = ()) -> None:
    """Write everything that other tools read from the truth; reports of earlier crawls only where they are flawed."""
    folder = state.collection
    write_index(_index_entries(state), folder / INDEX)
    write_reports(state, crawl, flawed)
    describe_new(state)
    stamp(state)


def write_pages(state: State) -> None:
    """Write the list of pages."""
    write_lines(state.collection / PAGES, page_lines(state))


def describe_new(state: State) -> None:
    """Bring the semantic store up to date with the objects in the database.

    A store elsewhere that fails does not end the crawl: the objects are kept here, and it gets them the next time.
    """
    done = int(state.about("described") or 0)
    newest = next(iter(state.rows("SELECT max(row) FROM objects")))[0] or 0
    if newest == done and not state.about(UNDELIVERED) and not (newest and load_stores(state.collection).objects):
        return
    from siteseer.collection.description import Description  # a crawl without objects does without it

    failure = ""
    with Description(state.collection) as description:
        try:
            description.describe(observed(state, done))
            description.settle()
        except StoreError as error:
            failure = str(error)
        description.stamp()
    state.say("described", str(newest))
    state.say(UNDELIVERED, failure)
    state.commit()


def _index_entries(state: State) -> Iterator[Entry]:
    for url, made in state.renderings():
        where = made.digest, made.file, made.offset, made.length
        yield Entry(target_uri(RENDERED + url), made.time, 200, "text/html", *where)
    for row in state.captures():
        if "#" in row["url"]:
            continue  # a view of a page's script: the page itself is in the index
        sent = json.loads(row["request"]) if row["request"] else None
        method = sent["method"] if sent else "GET"
        query = request_query(method, sent["type"], sent["body"].encode()) if sent else ""
        mime = "warc/revisit" if row["original"] is not None else row["mime"] or "unk"
        place = row["digest"], row["file"], row["offset"], row["length"]
        time = datetime.fromisoformat(row["time"])
        yield Entry(target_uri(row["url"]), time, row["status"], mime, *place, method, query)


def capture_rows(state: State) -> Iterator[Capture]:
    """Return every capture that the database knows."""
    for row in state.rows("SELECT file, offset, length, time, digest, record FROM captures ORDER BY id"):
        yield capture_of(row)
    for _, place in state.renderings():
        yield place


def summary(state: State, crawl: int, counts: Counter[str]) -> JSON:
    """Return the summary of a crawl with the totals of its collection: the keys that people script against."""
    rows = state.rows("SELECT strategy, stopped_by, options FROM crawls WHERE id = ?", (crawl,))
    strategy, stopped_by, options = next(iter(rows))
    objects = dict(state.rows("SELECT kind, count(DISTINCT id) FROM objects WHERE crawl = ? GROUP BY kind", (crawl,)))
    problems = find_problems(CrawlFacts(state, crawl, counts, json.loads(options), stopped_by))
    return {
        "collection": str(state.collection),
        "strategy": strategy,
        **software(counts),
        "requests": requests_sent(counts),
        "responses": dict(sorted(_with_prefix(counts, STATUS).items())),
        "pages": counts["pages"],
        "bytes": counts["bytes"],
        "duplicates": counts["duplicates"],
        "errors": sum(1 for _ in failures(state, crawl)),
        "skipped": skipped_by_rule(state, crawl),
        "objects": objects,
        "two_grams": counts["two grams"],
        **({"estimated": True} if counts["two grams estimated"] else {}),
        "failed_actions": counts[f"{EVENT}failed_action"],
        "adapted_actions": counts[f"{EVENT}adapted_action"],
        **({"rendered": counts[f"{EVENT}rendered"]} if counts[f"{EVENT}rendered"] else {}),
        **searches_of(state, crawl),
        "seconds": round(counts["milliseconds"] / 1000, 1),
        **ending(stopped_by, problems),
        **({"undelivered": [undelivered]} if (undelivered := state.about(UNDELIVERED)) else {}),
        "crawl": crawl,
        "total": all_totals(state),
    }


def searches_of(state: State, crawl: int) -> JSON:
    """Return how often forms were sent and how many records they listed, as far as the strategy says so."""
    rows = state.rows("SELECT details FROM notes WHERE crawl = ? AND event = ? ORDER BY row", (crawl, FORM_ASKED))
    last = {details["form"]: details for (stored,) in rows if (details := json.loads(stored))}
    total = {name: sum(details[name] for details in last.values()) for name in ("searches", "records")}
    return {"forms": total} if last else {}


def software(counts: Counter[str]) -> JSON:
    """Return the keys of a summary that name the software of most pages, and its version where pages say it."""
    applications = _with_prefix(counts, APPLICATION)
    application = applications.most_common(1)[0][0] if applications else None
    versions = _with_prefix(counts, f"{VERSION}{application} ")
    return {"application": application, **({"version": versions.most_common(1)[0][0]} if versions else {})}


def ending(stopped_by: str | None, problems: list[JSON]) -> JSON:
    """Return the keys of a summary that say how a crawl ended: finished is only what has nothing to make up for."""
    how = {"stopped_by": stopped_by, "problems": problems}
    return {"finished": stopped_by is None and exit_code(how) == 0, **how}


def with_undelivered(result: JSON, sentences: list[str]) -> JSON:
    """Return a summary that says too what stores elsewhere did not take."""
    if not sentences:
        return result
    every = [*result.get("undelivered", ()), *sentences]
    others = [problem for problem in result["problems"] if problem["reason"] != "undelivered"]
    return {**result, "undelivered": every, **ending(result["stopped_by"], [asdict(not_delivered(every)), *others])}


def _with_prefix(counts: Counter[str], prefix: str) -> Counter[str]:
    return Counter({name.removeprefix(prefix): count for name, count in counts.items() if name.startswith(prefix)})


def derive_again(state: State, crawl: int, flawed: Collection[str]) -> None:
    """Write everything derived from a crawl, and the summaries that are flawed or cannot be read any more."""
    write_derived_files(state, crawl, flawed)
    rows = list(state.rows("SELECT id, counts FROM crawls WHERE id <= ? ORDER BY id", (crawl,)))
    for number, counts in rows:
        of_crawl = report_of(Path(), SUMMARY, number).as_posix()
        is_lost = number == crawl and (SUMMARY in flawed or not _is_json(state.collection / SUMMARY))
        if is_lost or of_crawl in flawed:
            write_summary(
                state.collection, summary(state, number, Counter(json.loads(counts))), is_newest=number == crawl
            )


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return True


def observed(state: State, after: int = 0) -> Iterator[tuple[WebObject, Capture]]:
    """Return the meetings with objects after a row, each with its capture."""
    for _, thing, capture in state.objects(after):
        yield thing, capture
