"""What is derived from WARC and database when a run ends: index, page list, skipped URLs, objects, the summary."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from siteseer.archive.canonical import request_query
from siteseer.archive.cdx import Entry, write_index
from siteseer.archive.record import RENDERED, target_uri
from siteseer.crawl.failures import failures
from siteseer.crawl.frontier import Frontier
from siteseer.crawl.keep import object_of
from siteseer.crawl.problems import UNDELIVERED, CrawlFacts, exit_code, find_problems, not_delivered
from siteseer.crawl.state import State, capture_of
from siteseer.decide.searched import FORM_ASKED
from siteseer.describe.stores import load_stores
from siteseer.errors import StoreError
from siteseer.model import JSON, Capture, WebObject

APPLICATION, VERSION, EVENT, STATUS = "application ", "version ", "event ", "status "


def derive(state: State, crawl: int) -> None:
    """Write everything that other tools read from the truth."""
    folder = state.collection
    write_index(_index_entries(state), folder / "indexes" / "index.cdxj")
    write_pages(state)
    _write_lines(folder / "reports" / "skipped.jsonl", _skipped_lines(state, crawl))
    _write_lines(folder / "reports" / "failed.jsonl", (failure.as_json() for failure in failures(state, crawl)))
    describe_new(state)


def write_pages(state: State) -> None:
    """Write the list of pages."""
    _write_lines(state.collection / "pages" / "pages.jsonl", _page_lines(state))


def describe_new(state: State) -> None:
    """Bring the semantic store up to date with the objects in the database.

    A store elsewhere that fails does not end the crawl: the objects are kept here, and it gets them the next time.
    """
    done = int(state.about("described") or 0)
    newest = next(iter(state.rows("SELECT max(row) FROM objects")))[0] or 0
    if newest == done and not state.about(UNDELIVERED) and not (newest and load_stores(state.collection).objects):
        return
    from siteseer.describe.describe import Description  # a crawl without objects does without it

    failure = ""
    with Description(state.collection) as description:
        try:
            description.describe(_observed(state, done))
            description.settle()
        except StoreError as error:
            failure = str(error)
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


def _page_lines(state: State) -> Iterator[JSON]:
    """Return the lines of pages.jsonl: its header, then one line per kept page, the newest capture of each URL."""
    yield {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
    found = state.rows(
        "SELECT max(id), url, time, title, level, record, degree, because FROM captures LEFT JOIN relevance "
        "ON capture = id WHERE status = 200 AND mime IN ('text/html', 'application/xhtml+xml', '') "
        "AND title IS NOT NULL GROUP BY key ORDER BY 1"
    )
    for number, url, time, title, level, record, degree, because in list(found):
        line = {"id": record.rpartition(":")[2], "url": url, "ts": time[:19] + "Z", "title": title or url}
        objects = [one for (one,) in state.rows("SELECT DISTINCT id FROM objects WHERE capture = ?", (number,))]
        weighed = {"relevance": degree, "because": because} if degree is not None else {}
        yield {**line, **({"level": level} if level else {}), **({"objects": objects} if objects else {}), **weighed}


def _skipped_lines(state: State, crawl: int) -> Iterator[JSON]:
    for url, rule, because, referrer in Frontier.skipped_of(state, crawl):
        yield {"url": url, "rule": rule, "because": because, "from": referrer}


def _write_lines(path: Path, lines: Iterable[JSON]) -> None:
    """Write JSON lines; an existing file is replaced in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.new")
    with made.open("w", encoding="utf-8", errors="replace") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    made.replace(path)


def summary(state: State, crawl: int, counts: Counter[str]) -> JSON:
    """Return the summary of a crawl: the keys that people script against."""
    rows = state.rows("SELECT strategy, stopped_by, options FROM crawls WHERE id = ?", (crawl,))
    strategy, stopped_by, options = next(iter(rows))
    objects = dict(state.rows("SELECT kind, count(DISTINCT id) FROM objects WHERE crawl = ? GROUP BY kind", (crawl,)))
    problems = find_problems(CrawlFacts(state, crawl, counts, json.loads(options), stopped_by))
    return {
        "collection": str(state.collection),
        "strategy": strategy,
        **software(counts),
        "requests": counts["requests"],
        "responses": dict(sorted(_with_prefix(counts, STATUS).items())),
        "pages": counts["pages"],
        "bytes": counts["bytes"],
        "duplicates": counts["duplicates"],
        "errors": sum(1 for _ in failures(state, crawl)),
        "skipped": Frontier.skipped_by_rule(state, crawl),
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


def _observed(state: State, after: int) -> Iterator[tuple[WebObject, Capture]]:
    for _, stored, capture in state.objects(after):
        yield object_of(stored), capture
