"""Every figure that the documentation promises, measured again: one table, then the benchmarks.

    make prove            everything; takes half an hour or more
    python bench/prove.py aware learned      only these

Needs the captures of real software beside the project.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from all import BENCHES, run_benches
from fields import field_figures
from harness import ROOT, Names, choose, run
from tests.real.replays import SITES, replayed, score

KNOWN = ("wordpress-2021", "phpbb-prosilver", "smf", "dokuwiki", "fluxbb", "serendipity-2k11", "textpattern")
UNKNOWN = ("roundup", "mhonarc", "nikola", "mkdocs")


@dataclass(frozen=True)
class Proof:
    claim: str
    wanted: str
    measured: str
    holds: bool


def at_least(claim: str, value: float, floor: float) -> Proof:
    return Proof(claim, f"≥ {floor:g}", f"{value:.4g}", value >= floor)


def at_most(claim: str, value: float, ceiling: float) -> Proof:
    return Proof(claim, f"≤ {ceiling:g}", f"{value:.4g}", value <= ceiling)


def crawled(name: str, folder: Path, *options: str) -> dict[str, float]:
    """Crawl a capture with the command that people use, and score it."""
    log, objects, collection = folder / "log", folder / "objects.jsonl", folder / "collection"
    with replayed(name, log) as url:
        command = [sys.executable, "-m", "siteseer", "crawl", f"{url}/", "--delay", "0", "--concurrency", "4"]
        command += ["--assets", "none", "-o", str(collection), "--json", *options]
        summary = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        import time

        time.sleep(1)
    listed = [sys.executable, "-m", "siteseer", "objects", str(collection), "--format", "jsonl"]
    objects.write_text(subprocess.run(listed, capture_output=True, text=True, check=False).stdout)
    return {**score(name, collection, log, objects), "summary": summary}  # type: ignore[dict-item]


def aware() -> Iterator[Proof]:
    for name in KNOWN:
        with tempfile.TemporaryDirectory() as folder:
            found = crawled(name, Path(folder), "--strategy", "aware")
        yield at_most(f"aware {name}: requests / oracle", found["vs_oracle"], 1.10)
        yield at_least(f"aware {name}: content", found["content"], 0.995)
        yield at_least(f"aware {name}: external links", found["external"], 0.99)
        yield at_least(f"aware {name}: objects recall", found["objects_recall"], 0.98)
        yield at_least(f"aware {name}: objects precision", found["objects_precision"], 0.98)
        if name != "dokuwiki":
            yield at_least(f"aware {name}: authors", found["objects_author"], 0.98)
        yield at_least(f"aware {name}: days", found["objects_day"], 0.98)
        yield at_least(f"aware {name}: titles", found["objects_title"], 0.98)
        if name != "textpattern":
            yield at_least(f"aware {name}: times fewer requests than blind", found["vs_blind"], 9.5)


def learned() -> Iterator[Proof]:
    ratios, contents = [], []
    for name in KNOWN:
        with tempfile.TemporaryDirectory() as folder:
            found = crawled(name, Path(folder), "--strategy", "learned")
        ratios.append(found["vs_oracle"])
        contents.append(found["content"])
        yield at_most(f"learned {name}: requests / oracle", found["vs_oracle"], 2.2)
        yield at_least(f"learned {name}: content", found["content"], 0.99)
        yield at_least(f"learned {name}: external links", found["external"], 0.98)
        yield at_least(f"learned {name}: objects recall", found["objects_recall"], 0.95)
        yield at_least(f"learned {name}: objects precision", found["objects_precision"], 0.95)
    yield at_most("learned: median requests / oracle", sorted(ratios)[len(ratios) // 2], 1.4)
    yield at_least("learned: median content", sorted(contents)[len(contents) // 2], 0.997)


def auto() -> Iterator[Proof]:
    for name in KNOWN:
        with tempfile.TemporaryDirectory() as folder:
            found = crawled(name, Path(folder))
        yield at_most(f"auto {name}: requests / oracle", found["vs_oracle"], 1.10)
    with tempfile.TemporaryDirectory() as folder:
        found = crawled("textpattern", Path(folder), "--knowledge", "none")
    yield at_most("auto textpattern without knowledge: requests / oracle", found["vs_oracle"], 2.2)


def unknown() -> Iterator[Proof]:
    """Sites of software that nobody described, by `auto` and its defaults."""
    for name in UNKNOWN:
        with tempfile.TemporaryDirectory() as folder:
            found = crawled(name, Path(folder))
            fields = field_figures(name, Path(folder) / "objects.jsonl")
        yield at_least(f"unknown {name}: content", found["content"], 0.98)
        yield at_least(f"unknown {name}: texts", found["texts"], 0.995)
        yield at_most(f"unknown {name}: requests / oracle", found["vs_oracle"], 1.35)
        yield at_least(f"unknown {name}: objects recall", found["objects_recall"], 0.97)
        yield at_least(f"unknown {name}: objects precision", found["objects_precision"], 0.97)
        for field in ("author", "day"):
            if fields[f"{field}_shown"]:
                yield at_least(f"unknown {name}: {field}s found of those shown", fields[f"{field}_found"], 0.97)
                yield at_most(f"unknown {name}: {field}s wrong of those given", fields[f"{field}_wrong"], 0.005)
            else:
                yield at_most(f"unknown {name}: {field}s given where none is shown", fields[f"{field}_given"], 0)


def blind() -> Iterator[Proof]:
    from tests.real.test_blind import prove_blind

    for name, wanted in (("phpbb-prosilver", "12,2xx"), ("wordpress-2021", "4,1xx")):
        with tempfile.TemporaryDirectory() as folder:
            summary = prove_blind(name, Path(folder))
        yield Proof(f"blind {name}: all archived, read by warcio, pywb, wacz", wanted, str(summary["requests"]), True)


def describe() -> Iterator[Proof]:
    """The objects of a blind crawl's WARC files are those of the aware crawl."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a").mkdir()
        (folder / "b").mkdir()
        crawled("smf", folder / "a", "--strategy", "aware")
        with replayed("smf", folder / "log") as url:
            command = [sys.executable, "-m", "siteseer", "crawl", f"{url}/", "--strategy", "blind", "--delay", "0"]
            command += ["--concurrency", "8", "--robots", "ignore", "--assets", "none", "-o", str(folder / "b" / "c")]
            subprocess.run(command, check=True, capture_output=True)
        redo = [
            sys.executable,
            "-m",
            "siteseer",
            "describe",
            str(folder / "b" / "c" / "archive"),
            "-o",
            str(folder / "d"),
        ]
        subprocess.run(redo, check=True, capture_output=True)
        told = []
        for collection in (folder / "a" / "collection", folder / "d"):
            listed = [sys.executable, "-m", "siteseer", "objects", str(collection), "--format", "jsonl"]
            lines = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
            found = [json.loads(re.sub(r"127\.0\.0\.1(?::|%3A)\d+", "the-site", line)) for line in lines]
            keys = ("kind", "id", "title", "author", "published", "text", "thread", "parent")
            told.append({tuple(one.get(key) for key in keys) for one in found})
    aware, again = told
    for kind in sorted({row[0] for row in aware}):
        wanted, got = ({row for row in rows if row[0] == kind} for rows in (aware, again))
        yield Proof(f"describe smf: the same {kind}s", str(len(wanted)), str(len(wanted & got)), wanted == got)


def large() -> Iterator[Proof]:
    """The tests that `make test` leaves out because they take long."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-m", "large", "tests"], cwd=ROOT, check=False)
    yield Proof(
        "tests on the largest captures", "pass", "pass" if done.returncode == 0 else "fail", done.returncode == 0
    )


PROOFS: dict[str, Callable[[], Iterator[Proof]]] = {
    "aware": aware,
    "learned": learned,
    "auto": auto,
    "unknown": unknown,
    "describe": describe,
    "large": large,
    "blind": blind,
}


def main(names: Names = (), /) -> int:
    if not (SITES / "replay.py").exists():
        print("The captures of real software are not beside the project: nothing can be proved here.")
        return 0
    chosen = choose(names, [*PROOFS, *BENCHES]) or [*PROOFS, *BENCHES]
    failed = 0
    for name in chosen:
        for proof in PROOFS[name]() if name in PROOFS else ():
            failed += not proof.holds
            print(
                f"{'ok  ' if proof.holds else 'MISS'} {proof.claim:<62} wanted {proof.wanted:>8}  {proof.measured:>8}",
                flush=True,
            )
    run_benches([name for name in chosen if name in BENCHES])
    print(
        f"\n{failed} figures were missed" if failed else "\nevery figure proved here holds; benchmarks judge themselves"
    )
    return failed


if __name__ == "__main__":
    run(main)
