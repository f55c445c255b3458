"""Writes the lists of pages, skipped and failed URLs: of each crawl, and of all by the last known outcomes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path

from siteseer.collection.derived import rewritten
from siteseer.collection.history.crawl_history import crawl_rows, totals
from siteseer.collection.history.url_history import skipped_by_rule, skipped_urls
from siteseer.collection.layout import FAILED, PAGES, SKIPPED, SUMMARY, report_of
from siteseer.collection.state import State
from siteseer.collection.whole_file import write_lines, write_text
from siteseer.crawler.results.failed_urls import failures
from siteseer.crawler.results.problems import find_lasting_problems
from siteseer.model import JSON


def write_reports(state: State, crawl: int, flawed: Collection[str] = ()) -> None:
    """Write the lists of the whole and of a crawl; those of earlier crawls where they are missing or flawed."""
    _write_lists(state)
    for one in crawl_rows(state):
        lists = {report_of(Path(), name, one.number).as_posix() for name in (SKIPPED, FAILED, PAGES)}
        is_whole = report_of(state.collection, PAGES, one.number).is_file() and lists.isdisjoint(flawed)
        if one.number == crawl or not is_whole:
            _write_lists(state, one.number)


def write_summary(collection: Path, result: JSON, is_newest: bool = True) -> None:
    """Write the summary of a crawl beside its reports; that of the newest, with totals, stands for the whole too."""
    of_crawl = {name: value for name, value in result.items() if name != "total"}
    places = {
        report_of(Path(), SUMMARY, result["crawl"]).as_posix(): of_crawl,
        **({SUMMARY: result} if is_newest else {}),
    }
    with rewritten(collection, *places):
        for name, told in places.items():
            write_text(collection / name, json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def all_totals(state: State) -> JSON:
    """Return what a collection holds after all its crawls, and what it lacks by the last known outcome of each URL."""
    return {
        **totals(state),
        "errors": sum(1 for _ in failures(state)),
        "skipped": skipped_by_rule(state),
        "problems": find_lasting_problems(state),
    }


def page_lines(state: State, crawl: int | None = None) -> Iterator[JSON]:
    """Return the lines of pages.jsonl: its header, then one line per kept page, the newest capture of each URL."""
    yield {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
    found = state.rows(
        "SELECT max(id), url, time, title, level, record, degree, because FROM captures LEFT JOIN relevance "
        "ON capture = id WHERE status = 200 AND mime IN ('text/html', 'application/xhtml+xml', '') "
        "AND title IS NOT NULL AND crawl = coalesce(?, crawl) GROUP BY key ORDER BY 1",
        (crawl,),
    )
    for number, url, time, title, level, record, degree, because in list(found):
        line = {"id": record.rpartition(":")[2], "url": url, "ts": time[:19] + "Z", "title": title or url}
        objects = [one for (one,) in state.rows("SELECT DISTINCT id FROM objects WHERE capture = ?", (number,))]
        weighed = {"relevance": degree, "because": because} if degree is not None else {}
        yield {**line, **({"level": level} if level else {}), **({"objects": objects} if objects else {}), **weighed}


def _write_lists(state: State, crawl: int | None = None) -> None:
    where = state.collection
    write_lines(report_of(where, SKIPPED, crawl), (one.as_skipped() for one in skipped_urls(state, crawl)))
    write_lines(report_of(where, FAILED, crawl), (one.as_json() for one in failures(state, crawl)))
    write_lines(report_of(where, PAGES, crawl), page_lines(state, crawl))
