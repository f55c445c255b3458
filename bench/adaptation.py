"""Adaptation proved: redesigned sites crawled again, unknown templates crawled first, working fields left alone.

    python bench/adaptation.py [--parts recrawl template kept] [--sites NAME...]

`recrawl` and `template` use the command that people use; `kept` works in memory on eight captures, or on those named.
Prints one row for each figure, wanted and measured, and for each crawl what failed and what was adapted.
Needs the captures of real software beside the project.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import Names, choose, run

ROOT = Path(__file__).resolve().parents[1]

from adaptation_kept import crawled_in_other_style, kept_fields  # noqa: E402
from prove import Proof, at_least, at_most  # noqa: E402
from tests.real.captures import capture  # noqa: E402
from tests.real.replays import SITES, _free_port, _wait_for, score  # noqa: E402
from unseen import NAMES  # noqa: E402

from siteseer.strategies.aware.adaptation.extraction.value_similarity import same_text  # noqa: E402

ONE, OTHER = "serendipity-2k11", "serendipity-bulletproof"
MOST_EXAMPLES = 3
LONGEST = 600
"""Seconds that one crawl may take."""
KNOWLEDGE = ROOT / "tests" / "real" / "adaptation"


@contextmanager
def served(name: str, port: int, log: Path) -> Iterator[str]:
    """Serve a capture at a given port."""
    log.write_text("")
    command = [sys.executable, str(SITES / "replay.py"), name, "--port", str(port), "--log", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/robots.txt")
        time.sleep(0.8)  # the server writes its log a little late
        log.write_text("")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def crawled(name: str, port: int, folder: Path, *options: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Crawl a capture into a folder; return the figures with the summary, and the objects by their names."""
    log, lines, collection = folder / "log", folder / "objects.jsonl", folder / "collection"
    with served(name, port, log) as url:
        command = [sys.executable, "-m", "siteseer", "crawl", f"{url}/", "--delay", "0", "--concurrency", "4"]
        command += ["--assets", "none", "-o", str(collection), "--json", *options]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LONGEST)
        summary = json.loads(ran.stdout)
        time.sleep(1)
    listed = [sys.executable, "-m", "siteseer", "objects", str(collection), "--format", "jsonl"]
    lines.write_text(subprocess.run(listed, capture_output=True, text=True, check=False, timeout=LONGEST).stdout)
    objects = {one["id"]: one for one in map(json.loads, lines.read_text().splitlines())}
    print(
        f"     {name} {' '.join(options)}: {summary['requests']} requests, {summary['failed_actions']} failed and "
        f"{summary['adapted_actions']} adapted actions",
        flush=True,
    )
    return {**score(name, collection, log, lines), "summary": summary}, objects


def events(folder: Path, name: str) -> int:
    """Count the events of one name in the log of the last crawl."""
    logs = sorted((folder / "collection" / "logs").glob("crawl-*.jsonl"), key=lambda path: int(path.stem[6:]))
    return sum(json.loads(line)["event"] == name for line in logs[-1].read_text().splitlines())


def recrawl() -> Iterator[Proof]:
    """One template, then the other at the same address, then the first again."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), _free_port()
        known = ("--strategy", "aware", "--knowledge", "none", "--knowledge", str(KNOWLEDGE / f"{ONE}.xml"))
        _, first = crawled(ONE, port, folder, *known)
        for way, site in (("there", OTHER), ("back", ONE)):
            found, objects = crawled(site, port, folder, *known, "--recrawl")
            yield at_most(f"recrawl {way}: requests / oracle", found["vs_oracle"], 1.15)
            yield at_least(f"recrawl {way}: objects under their names", _share(first, objects, "id"), 1.0)
            again = sum(found["summary"]["objects"].values()) / len(first)
            yield at_least(f"recrawl {way}: objects found in this crawl", again, 1.0)
            for field in ("author", "published", "title", "text"):
                yield at_least(f"recrawl {way}: same {field}", _share(first, objects, field), 0.98)
            gone = events(folder, "gone")
            yield Proof(f"recrawl {way}: reported as deleted", "0", str(gone), gone == 0)
            if site == OTHER:
                yield at_least(f"recrawl {way}: adapted actions", found["summary"]["adapted_actions"], 1)


def _share(first: dict[str, dict[str, Any]], objects: dict[str, dict[str, Any]], field: str) -> float:
    return sum(name in objects and _agrees(one, objects[name], field) for name, one in first.items()) / len(first)


def _agrees(one: dict[str, Any], other: dict[str, Any], field: str) -> bool:
    if field == "text":
        return same_text(one.get(field, ""), other.get(field, ""))
    length = 10 if field == "published" else None
    return (one.get(field) or "")[:length] == (other.get(field) or "")[:length]


def template() -> Iterator[Proof]:
    """Knowledge of one template against a site with the other."""
    for known, site in ((ONE, OTHER), (OTHER, ONE)):
        options = ("--strategy", "aware", "--knowledge", "none", "--knowledge", str(KNOWLEDGE / f"{known}.xml"))
        for adapts in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                more = () if adapts else ("--no-adapt",)
                found, _ = crawled(site, _free_port(), Path(folder), *options, *more)
            if not adapts:
                yield at_most(f"{site} without adaptation: objects recall", found["objects_recall"], 0.2)
                continue
            yield at_least(f"{site}: adapted actions", found["summary"]["adapted_actions"], 1)
            yield at_most(f"{site}: requests / oracle", found["vs_oracle"], 1.3)
            yield at_least(f"{site}: content", found["content"], 0.99)
            for figure in ("recall", "precision", "author", "day"):
                yield at_least(f"{site}: objects {figure}", found[f"objects_{figure}"], 0.97)


def kept(names: Sequence[str]) -> Iterator[Proof]:
    """Knowledge with broken fields, and captures in another style."""
    for name in names:
        for number, one in kept_fields(name):
            what = f"{name}, {number} of five fields broken"
            changed = sum(one.changed.values())
            yield Proof(f"{what}: changed values of {one.values:,}", "0", str(changed), changed == 0)
            yield at_least(f"{what}: objects read again, lowest", one.recall, 0.97)
            for example in list(dict.fromkeys(one.examples))[:MOST_EXAMPLES]:
                print(f"     {example}", flush=True)
        found = crawled_in_other_style(name)
        yield at_least(f"{name} in another style: objects recall", found["objects_recall"], 0.97)
        yield at_least(f"{name} in another style: objects precision", found["objects_precision"], 0.97)
        capture.cache_clear()


PARTS = ("recrawl", "template", "kept")


def main(named: Names = (), /, parts: Names = (), sites: Names = NAMES) -> int:
    """Print the table; say by the exit code whether every figure holds."""
    if not (SITES / "replay.py").exists():
        print("The captures of real software are not beside the project: nothing can be proved here.")
        return 0
    proofs: dict[str, Callable[[], Iterator[Proof]]] = {
        "recrawl": recrawl,
        "template": template,
        "kept": lambda: kept(sites),
    }
    missed = 0
    for name in choose((*named, *parts), PARTS) or PARTS:
        for proof in proofs[name]():
            missed += not proof.holds
            mark = "ok  " if proof.holds else "MISS"
            print(f"{mark} {proof.claim:<62} wanted {proof.wanted:>8}  {proof.measured:>8}", flush=True)
    print(f"\n{missed} figures were missed" if missed else "\nevery figure holds")
    return 1 if missed else 0


if __name__ == "__main__":
    run(main)
