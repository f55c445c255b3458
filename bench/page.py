"""What a page costs after parsing: its walk and the cuts of it, in time and memory, beside an earlier commit, in one run.

    python bench/page.py [CAPTURE ...] [--commit C] [--pages N]

Each version reads the same pages of captured sites. Times are CPU milliseconds a page for each reader of a parsed page that
nothing else has read, and for *everything* where one page is asked for all of them; the least of the rounds. Memory is what
Python allocates for a page asked for everything, its tree not counted, over the size of its body; 20 times are allowed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from describe import version, write_head
from harness import ROOT, Names, Table, run

CAPTURES = ("smf", "serendipity-2k11", "wordpress-2021")
READERS = {
    "text": "siteseer.page.text.text",
    "words": "siteseer.page.text.words",
    "2-grams": "siteseer.page.two_grams.grams",
    "prose": "siteseer.strategies.learned.online_learner.prose.prose",
    "blocks": "siteseer.page.placed_blocks.placed_blocks",
    "slot values": "siteseer.page.slot_values.slot_values",
}
MOST_MEMORY = 20.0
ROUNDS = 5


def measure(archive: Path) -> dict[str, float]:
    """Return milliseconds a page for each reader and for everything, and the memory of everything."""
    from siteseer.archive.archived_pages import pages
    from siteseer.page.tree import is_html, tree

    parsed = [page for page, _ in pages(archive) if page.status == 200 and is_html(page)]
    for page in parsed:
        tree(page)
    kept = [dict(page.memo) for page in parsed]
    readers = {}
    for name, path in READERS.items():
        module, _, function = path.rpartition(".")
        readers[name] = getattr(import_module(module), function)

    def milliseconds(chosen: list[Callable[[Any], object]]) -> float:
        least = float("inf")
        for _ in range(ROUNDS):
            for page, memo in zip(parsed, kept, strict=True):
                page.memo.clear()
                page.memo.update(memo)
            before = time.process_time()
            for page in parsed:
                for reader in chosen:
                    reader(page)
            least = min(least, time.process_time() - before)
        return 1000 * least / len(parsed)

    figures = {name: milliseconds([reader]) for name, reader in readers.items()}
    figures["everything"] = milliseconds(list(readers.values()))
    for page in parsed:
        page.memo.clear()
    shares = []
    tracemalloc.start()
    for page in parsed:
        tree(page)
        before = tracemalloc.get_traced_memory()[0]
        for reader in readers.values():
            reader(page)
        shares.append((tracemalloc.get_traced_memory()[0] - before) / len(page.body))
        page.memo.clear()
    figures["memory, times"] = sorted(shares)[len(shares) // 2]
    return figures


def measured_by(source: Path, archive: Path) -> dict[str, float]:
    """Return what the code of a folder measures."""
    command = [sys.executable, __file__, "--archive", str(archive)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def main(
    names: Names = CAPTURES,
    /,
    *,
    commit: str = "HEAD~1",
    pages: int = 200,
    archive: Annotated[Path | None, "measure this version alone on an archive"] = None,
) -> int:
    if archive is not None:
        print(json.dumps(measure(archive)))
        return 0
    missed = 0
    table = Table("capture:<18", "reader:<14", "before:>9.3f", "now:>9.3f", "before / now:>14.2f")
    with version(commit) as before, tempfile.TemporaryDirectory() as folder:
        for name in names:
            written = Path(folder) / f"{name}.warc.gz"
            write_head(name, pages, written)
            old, new = measured_by(before, written), measured_by(ROOT / "src", written)
            for reader, figure in new.items():
                table.row(name, reader, old[reader], figure, old[reader] / figure)
            missed += new["memory, times"] > MOST_MEMORY
    return missed


if __name__ == "__main__":
    run(main)
