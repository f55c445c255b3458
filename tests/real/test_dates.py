"""The day of publication on labelled pages: floors of accuracy for the shipped weights."""

from __future__ import annotations

import json
import tarfile
from datetime import date
from pathlib import Path

import pytest

from siteseer.extract.timestamps import answer
from siteseer.model import Page

LABELLED = Path(__file__).parents[2] / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the labelled pages at {LABELLED}")
HTML = (("Content-Type", "text/html"),)
SETS = {"htmldate_eval": (date(2023, 12, 31), 0.94), "newspaper424": (date(2024, 3, 1), 0.90)}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    found = {}
    with tarfile.open(LABELLED) as archive:
        for member in archive:
            name = member.name.removeprefix("./")
            if member.isfile() and name.partition("/")[0] in SETS:
                stored = archive.extractfile(member)
                found[name] = stored.read() if stored else b""
    return found


@pytest.mark.parametrize("name", sorted(SETS))
def test_exact_day(files: dict[str, bytes], name: str) -> None:
    latest, floor = SETS[name]
    right, total = 0, 0
    for line in files[f"{name}/index_open.jsonl"].decode().splitlines():
        row = json.loads(line)
        gold = row.get("gold_date") or row.get("date")
        if isinstance(gold, str):
            page = Page(row["url"], 200, HTML, files[f"{name}/{row['page_file']}"])
            found = answer(page, latest)
            assert 0 <= found.confidence <= 1
            right, total = right + (found.day == date.fromisoformat(gold[:10])), total + 1
    assert right / total >= floor
