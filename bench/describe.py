"""Pages per CPU second of `describe` over archives of captured sites, beside an earlier commit, in one run.

    python bench/describe.py [CAPTURE ...] [--commit C] [--pages N] [--rounds N]

The first pages of each capture are written to a WARC file, which both versions describe in turn: this one, and the commit
in a temporary worktree of the repository. CPU is what the kernel charged to the process, start-up included; the least of
the rounds counts, as what else runs on the machine only adds. Both must describe as many pages and objects.
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness import ROOT, Names, Table, run
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

SITES = ROOT.parent / "shared" / "sites"
CAPTURES = ("smf", "serendipity-2k11")


def write_head(name: str, pages: int, target: Path) -> None:
    """Write the first pages of a capture, with the other records between them."""
    with lzma.open(SITES / f"{name}.warc.xz") as source, target.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for record in ArchiveIterator(source, no_record_parse=False):
            if record.rec_type == "response":
                pages -= "html" in (record.http_headers.get_header("content-type") or "")
                writer.write_record(record)
            if not pages:
                return


@contextmanager
def version(commit: str) -> Iterator[Path]:
    """Yield the sources of a commit, in a worktree that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(place), commit], check=True)
        try:
            yield place / "src"
        finally:
            subprocess.run([*git, "remove", "--force", str(place)], check=True)


def describe(source: Path, archive: Path) -> tuple[float, dict[str, object]]:
    """Return CPU seconds of describing an archive with the code of a folder, and what it reports."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "siteseer", "describe", str(archive), "-o", f"{folder}/out", "--json"],
            env={**os.environ, "PYTHONPATH": str(source)},
            cwd=folder,
            capture_output=True,
            check=True,
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


def main(names: Names = CAPTURES, /, *, commit: str = "HEAD~1", pages: int = 1_000, rounds: int = 2) -> int:
    missed = 0
    table = Table(
        "capture:<18", "pages:>7", "objects:>9", "before, pages/s:>17.1f", "now, pages/s:>14.1f", "times:>7.2f"
    )
    with version(commit) as before, tempfile.TemporaryDirectory() as folder:
        for name in names:
            archive = Path(folder) / f"{name}.warc.gz"
            write_head(name, pages, archive)
            runs = [(describe(before, archive), describe(ROOT / "src", archive)) for _ in range(rounds)]
            old, new = (min(one[side] for one in runs) for side in (0, 1))
            counts = [sum(report["objects"].values()) for _, report in (old, new)]  # type: ignore[attr-defined]
            described = new[1]["pages"]
            table.row(name, described, counts[1], pages / old[0], pages / new[0], old[0] / new[0])
            missed += counts[0] != counts[1] or old[1]["pages"] != described
    return missed


if __name__ == "__main__":
    run(main)
