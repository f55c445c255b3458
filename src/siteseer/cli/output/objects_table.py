"""Shows the objects of a collection on a terminal: a table that fits, newest first, or one object in full."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

from siteseer.cli.output.crawl_summary import objects_words
from siteseer.cli.terminal import plain, print_message
from siteseer.collection.description import Description
from siteseer.collection.objects.object_search import Filter
from siteseer.errors import NotFoundError
from siteseer.model import JSON

ROWS = 50
"""Rows of a table, where --limit says nothing else."""
LETTERS = {
    "post": "p", "comment": "c", "article": "a", "page": "g", "thread": "t", "board": "b", "user": "u", "record": "r",
}  # fmt: skip
"""Short ids begin with a letter for the kind."""
_SHORT = re.compile(r"([a-z])([1-9][0-9]{0,11})")
AUTHOR = 18
NARROWEST = 60


def print_objects(description: Description, wanted: Filter, place: Path) -> None:
    """Print objects as a table, with how many there are."""
    wanted = forgiving(description, wanted)
    most = ROWS if wanted.limit is None else wanted.limit
    order = wanted.order or ("relevance" if wanted.text else "newest")
    rows = list(description.numbered(replace(wanted, limit=most, order=order)))
    if not rows:
        print_message(f"No object fits; siteseer objects {place} lists all.")
        return
    everything = replace(wanted, limit=None)
    kinds = {kind: description.count(replace(everything, kind=kind)) for kind in _kinds(wanted)}
    shown = f" · showing {len(rows):,}" if len(rows) < sum(kinds.values()) else ""
    how = "best first" if order == "relevance" else "newest first"
    print(f"{objects_words({kind: count for kind, count in kinds.items() if count})} · {how}{shown}\n")
    for line in table_lines(rows, max(NARROWEST, shutil.get_terminal_size().columns)):
        print(line)
    print(f"\nsiteseer objects {place} {short_id(*rows[0])} shows one in full; --format jsonl or csv lists all.")


def _kinds(wanted: Filter) -> list[str]:
    return [wanted.kind] if wanted.kind else list(LETTERS)


def table_lines(rows: list[tuple[int, JSON]], width: int) -> Iterator[str]:
    """Yield a heading and a line for each object, none longer than the terminal is wide."""
    ids = max(2, *(len(short_id(key, found)) for key, found in rows))
    authors = min(AUTHOR, max(6, *(len(_line(found.get("author"))) for _, found in rows)))
    rest = width - ids - authors - 10 - 6
    yield f"{'id':<{ids}}  {'date':<10}  {'author':<{authors}}  title or text"
    for key, found in rows:
        mark = "↳ " if found.get("parent") else ""
        said = _cut(mark + _line(found.get("title") or found.get("text") or found.get("url")), rest)
        author = _cut(_line(found.get("author")), authors)
        day = str(found.get("published") or "")[:10]
        yield f"{short_id(key, found):<{ids}}  {day:<10}  {author:<{authors}}  {said}".rstrip()


def short_id(key: int, found: JSON) -> str:
    """Return the id by which a person names an object of a collection."""
    return f"{LETTERS.get(found['kind'], 'o')}{key}"


def full_id(description: Description, name: str) -> str:
    """Return the id of an object that is named by it, or by its short id; raise NotFoundError where there is none."""
    if match := _SHORT.fullmatch(name):
        found = next(description.numbered(Filter(keys=(int(match[2]),), limit=1)), None)
        if found is not None and short_id(*found) == name:
            return str(found[1]["id"])
        raise NotFoundError(f"there is no object {name} in this collection; `siteseer objects` lists their ids")
    return name


def print_object(description: Description, name: str, place: Path) -> None:
    """Print one object in full, with its page, its capture and how to cite it."""
    identity = full_id(description, name)
    found = next(description.objects(Filter(ids=(identity,), limit=1)), None)
    if found is None:
        raise NotFoundError(f"there is no object {name} in {place}; `siteseer objects` lists their ids")
    for line in _full(found, place):
        print(plain(line))


def _full(found: JSON, place: Path) -> Iterator[str]:
    yield str(found.get("title") or found["kind"].capitalize())
    shown = ("kind", "author", "published", "modified", "url", "permalink", "thread", "parent", "because", "confidence")
    for name in (*shown, "id"):
        if found.get(name) is not None:
            yield f"  {name:<12}{found[name]}"
    if found.get("tags"):
        yield f"  {'tags':<12}{', '.join(found['tags'])}"
    if capture := found.get("capture"):
        yield f"  {'capture':<12}{capture['file']} at {capture['offset']:,}, {capture['time']}"
    yield f"  {'cite':<12}siteseer export {place} --object {found['id']} -o FILE"
    width = max(NARROWEST, min(100, shutil.get_terminal_size().columns))
    yield ""
    for paragraph in str(found.get("text") or "").splitlines():
        yield fill(paragraph, width)


def forgiving(description: Description, wanted: Filter) -> Filter:
    """Return a filter that finds what was probably meant where the exact words find nothing, and say so."""
    if wanted.author and not description.count(replace(wanted, limit=None)):
        wider = replace(wanted, author=None, author_part=wanted.author)
        if description.count(replace(wider, limit=None)):
            print_message(f"Nobody is called {plain(wanted.author)}: these are by authors in whose names it occurs.")
            wanted = wider
    if wanted.text and not description.count(replace(wanted, limit=None)):
        words = re.findall(r"\w+", wanted.text)
        wider = replace(wanted, text=" ".join(f"{word}*" for word in words))
        if words and description.count(replace(wider, limit=None)):
            print_message("No object holds these words: these hold words that begin with them.")
            wanted = wider
    return wanted


def _line(value: Any) -> str:
    text = " ".join(str(value or "").split())
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
