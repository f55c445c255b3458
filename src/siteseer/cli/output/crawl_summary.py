"""Prints the summary of a crawl for people: prose, a small table, and the command to type next."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from textwrap import wrap

from siteseer.cli.output.skip_words import skip_sentence
from siteseer.cli.terminal import plain
from siteseer.model import JSON

STOPPED = {
    "limit": "Stopped at your limit of requests",
    "size": "Stopped at your limit of bytes",
    "time": "Stopped at your limit of time",
    "depth": "Done, as deep as you wanted",
    "interrupt": "Stopped by you",
    "rate": "Stopped: the site refuses requests",
    "error": "Stopped by an error",
}
KINDS = ("post", "article", "page", "comment", "thread", "board", "record", "user")
"""The kinds of objects, in the order in which people ask for them."""
WIDEST, INDENT = 100, 12


def print_crawl_summary(summary: JSON) -> None:
    """Print what a crawl did, what is missing, and what to do next; problems have been said before."""
    for line in summary_lines(summary, min(shutil.get_terminal_size().columns, WIDEST)):
        print(plain(line))


def summary_lines(summary: JSON, width: int = 80) -> Iterator[str]:
    """Yield the lines of a summary."""
    yield from wrap(_first(summary), width)
    yield ""
    for name, text in _rows(summary):
        lines = wrap(text, width - INDENT, break_long_words=False, break_on_hyphens=False) or [""]
        yield f"  {name:<{INDENT - 2}}{lines[0]}"
        yield from (f"{'':{INDENT}}{line}" for line in lines[1:])
    yield ""
    yield from _wrapped("Next: ", _next(summary), width)


def _first(summary: JSON) -> str:
    done = STOPPED.get(summary["stopped_by"] or "", "Done")
    if not summary["stopped_by"] and not summary["finished"]:
        done = "Ended, but not all is there,"
    seeds = summary.get("total", {}).get("seeds", [])
    others = f" and {len(seeds) - 1:,} other {'seed' if len(seeds) == 2 else 'seeds'}" if len(seeds) > 1 else ""
    of_what = f" of {seeds[0]}{others}" if seeds else ""
    if not summary["pages"] and not summary["finished"]:
        cost = f"{_count(summary['requests'], 'request')} sent in {time_words(summary['seconds'])}"
        return f"Nothing{of_what} was kept; {cost}."
    kept = f"{_count(summary['pages'], 'page')}{of_what} kept with {_count(summary['requests'], 'request')}"
    return f"{done} {'in' if done == 'Done' else 'after'} {time_words(summary['seconds'])}: {kept}."


def time_words(seconds: float) -> str:
    """Return a span of time for people.

    >>> time_words(1.42), time_words(38.5), time_words(125), time_words(7300)
    ('1.4 s', '38 s', '2 min 5 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def objects_words(objects: dict[str, int]) -> str:
    """Return how many objects of each kind there are.

    >>> objects_words({"comment": 215, "post": 1})
    '1 post, 215 comments'
    """
    order = sorted(objects, key=lambda kind: KINDS.index(kind) if kind in KINDS else len(KINDS))
    return ", ".join(_count(objects[kind], kind) for kind in order) or "no posts or other objects"


def _rows(summary: JSON) -> Iterator[tuple[str, str]]:
    yield "Found", objects_words(summary["objects"])
    yield "Software", _software(summary)
    if summary["skipped"]:
        yield "Skipped", skip_sentence(summary["skipped"])
    if summary["errors"]:
        yield "Failed", f"{_count(summary['errors'], 'address', 'es')}; reports/failed.jsonl says why"
    if failed := summary.get("failed_actions"):
        repaired = f", {summary['adapted_actions']:,} of them repaired" if summary.get("adapted_actions") else ""
        yield "Changed", f"{_count(failed, 'known way')} to content led nowhere{repaired}; see reports/adaptation.html"
    total = summary.get("total", {})
    if total.get("crawls", 1) > 1:
        yield (
            "In all",
            f"{total['crawls']:,} crawls, {_count(total['pages'], 'page')}, {objects_words(total['objects'])}",
        )
    count = len(summary["problems"])
    yield "Problems", f"{count:,}, said above" if count else "none"


def _software(summary: JSON) -> str:
    if summary["application"]:
        return " ".join(filter(None, (str(summary["application"]), str(summary.get("version") or ""))))
    if summary["strategy"] in ("blind", "example"):
        return "not looked at"
    is_learned = summary["pages"] and summary["strategy"] != "aware"
    return "unknown" + ("; its structure was learned while crawling" if is_learned else "")


def _wrapped(title: str, commands: list[str], width: int) -> Iterator[str]:
    """Yield commands on as few lines as they need; none is broken."""
    line = title + commands[0]
    for command in commands[1:]:
        if len(line) + len(command) + 3 > width:
            yield line
            line = " " * len(title) + command
        else:
            line += f" · {command}"
    yield line


def _next(summary: JSON) -> list[str]:
    where = shlex.quote(summary["collection"])
    if summary["stopped_by"] in ("limit", "size", "time", "interrupt", "rate", "error") or not summary["finished"]:
        return ["run the same command again, it continues where it stopped", f"siteseer ui {where}"]
    commands = [
        f"siteseer ui {where}",
        f"siteseer export {where} --wacz {shlex.quote(summary['collection'] + '.wacz')}",
    ]
    if summary["objects"]:
        commands.insert(0, f"siteseer objects {where}")
    if any(rule != "scope" for rule in summary["skipped"]) and summary["strategy"] != "blind":
        commands.append(f"siteseer audit {where}")
    return commands


def _count(count: int, noun: str, plural: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else plural}"
