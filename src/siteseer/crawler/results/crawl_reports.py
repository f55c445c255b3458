"""Writes the lists of pages, skipped and failed URLs: of each crawl, and of all by the last known outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from siteseer.collection.derived import PAGES
from siteseer.collection.history.crawl_history import crawl_rows, reports_of, totals
from siteseer.collection.history.url_history import skipped_by_rule, skipped_urls
from siteseer.collection.state import State
from siteseer.collection.whole_file import write_lines, write_text
from siteseer.crawler.results.failed_urls import failures
from siteseer.crawler.results.problems import find_lasting_problems
from siteseer.model import JSON

SKIPPED_LIST, FAILED_LIST, PAGE_LIST = "skipped.jsonl", "failed.jsonl", "pages.jsonl"


def write_reports(state: State, crawl: int) -> None:
    """Write the lists of the whole and of a crawl, and those of earlier crawls that have none yet."""
    reports = state.collection / "reports"
    _write_lists(state, reports)
    write_lines(state.collection / PAGES, page_lines(state))
    for one in crawl_rows(state):
        folder = reports_of(state.collection, one.number)
        if one.number == crawl or not (folder / PAGE_LIST).is_file():
            _write_lists(state, folder, one.number)
            write_lines(folder / PAGE_LIST, page_lines(state, one.number))


def write_summary(collection: Path, result: JSON) -> None:
    """Write the summary of a crawl where the crawl's reports lie and, with the totals, beside those of the whole."""
    of_crawl = {name: value for name, value in result.items() if name != "total"}
    for folder, told in ((reports_of(collection, result["crawl"]), of_crawl), (collection / "reports", result)):
        write_text(folder / "summary.json", json.dumps(told, indent=2, ensure_ascii=False) + "\n")


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


def _write_lists(state: State, folder: Path, crawl: int | None = None) -> None:
    write_lines(folder / SKIPPED_LIST, (one.as_skipped() for one in skipped_urls(state, crawl)))
    write_lines(folder / FAILED_LIST, (one.as_json() for one in failures(state, crawl)))
