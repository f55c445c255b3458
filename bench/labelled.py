"""The labelled pages that stand beside the project: one set of them read from its archive."""

from __future__ import annotations

import json
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

from siteseer.model import Page

LABELLED = Path(__file__).parents[1] / ".." / "shared" / "data" / "labelled.tar.xz"
HTML = (("Content-Type", "text/html"),)


@cache
def labelled(name: str, index: str = "index_open.jsonl") -> list[tuple[dict[str, Any], Page]]:
    """Return the rows of a set's index, each with its page."""
    if not LABELLED.is_file():
        raise SystemExit(f"{LABELLED} is not there: the labelled pages are needed")
    files: dict[str, bytes] = {}
    with tarfile.open(LABELLED, "r|xz") as archive:
        for member in archive:
            inside = member.name.removeprefix("./").partition(f"{name}/")
            if member.isfile() and inside[1] and not inside[0].strip("./"):
                stored = archive.extractfile(member)
                files[inside[2]] = stored.read() if stored else b""
            elif files and not inside[1]:
                break
    rows = [json.loads(line) for line in files[index].decode().splitlines()]
    return [(row, Page(row["url"], 200, HTML, files[row["page_file"]])) for row in rows]
