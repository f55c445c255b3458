"""Stores elsewhere, against real servers: what delivering costs, and what kills leave behind.

    python bench/shelves.py [--posts 10000] [--megabytes 100] [--kills 6]

`objects`: the statements of so many posts into an Oxigraph server over HTTP, beside the embedded store, and the same
question asked of both. `files`: WARC files to an S3 server (moto's) and back, beside copying and hashing them here.
`kills`: a push is killed (SIGKILL) as soon as the server has taken one more file, again and again; then every WARC file
must be there once, whole, and none that the manifest named may have been sent again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from harness import run
from search import posts
from tests.collection.stores.servers import KEYS, S3Server, sparql_server

from siteseer.archive.storage import Storage
from siteseer.collection.description import Description
from siteseer.collection.stores import upload
from siteseer.collection.stores.store_config import choose_stores

QUESTION = 'SELECT ?p ?t { ?p sioc:has_creator/sioc:name "user7" ; sioc:content ?t } ORDER BY ?p'
FILES = 6


def main(posts: int = 10_000, megabytes: int = 100, kills: int = 6) -> int:
    failed = objects(posts)
    with tempfile.TemporaryDirectory() as folder:
        failed += files(Path(folder), megabytes)
        failed += kill_pushes(Path(folder), kills)
    return failed


def objects(count: int) -> int:
    """Fill both stores with the same posts; 1 where they answer differently."""
    pairs = [pair for page in posts(count, random.Random(0)) for pair in page]
    taken, answers = {}, {}
    with tempfile.TemporaryDirectory() as folder, sparql_server(location=Path(folder) / "server") as server:
        choose_stores(Path(folder) / "endpoint", objects=f"{server}/query")
        for name in ("embedded", "endpoint"):
            with Description(Path(folder) / name) as description:
                description.add(pairs)
                description._search.settle()
                began = time.perf_counter()
                description.settle()
                taken[name] = time.perf_counter() - began
                total = int(description.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").result.rows[0][0].value)  # type: ignore[union-attr]
                began = time.perf_counter()
                rows = description.query(QUESTION).result.rows
                answers[name] = total, rows, (time.perf_counter() - began) * 1000
    for name, (total, rows, asked) in answers.items():
        print(f"objects, {name}: {total:,} statements in {taken[name]:.1f} s; {len(rows)} answers in {asked:.0f} ms")
    same = answers["embedded"][:2] == answers["endpoint"][:2]
    print(f"endpoint / embedded: {taken['endpoint'] / taken['embedded']:.1f} times as long; the same answers: {same}")
    return 0 if same else 1


def files(folder: Path, megabytes: int) -> int:
    """Push, check and fetch a collection; 1 where a byte differs."""
    collection = folder / "collection"
    (collection / "archive").mkdir(parents=True)
    (collection / "siteseer").mkdir()
    for number in range(FILES):
        content = random.Random(number).randbytes(megabytes * 2**20 // FILES)
        (collection / "archive" / f"siteseer-20240501000000-{number:05}-h.warc.gz").write_bytes(content)
    server = S3Server()
    server.make_bucket("box")
    os.environ.update({**KEYS, "AWS_ENDPOINT_URL": server.address})
    choose_stores(collection, archive="s3://box/files")
    steps = {
        "copied and hashed here": lambda: copied(collection, folder / "copy"),
        "pushed and read back": lambda: upload.push(collection),
        "pushed again": lambda: upload.push(collection),
        "fetched": lambda: upload.pull("s3://box/files", folder / "back"),
    }
    for name, step in steps.items():
        began = time.perf_counter()
        step()
        taken = time.perf_counter() - began
        print(f"files, {name}: {megabytes} MB in {taken:.2f} s ({megabytes / taken:.0f} MB/s)")
    same = digests(collection) == digests(folder / "back") and not upload.check(collection)["problems"]
    print(f"files: the same bytes came back: {same}")
    server.stop()
    return 0 if same else 1


def kill_pushes(folder: Path, most: int) -> int:
    """Kill pushes as files arrive; 1 where one is missing, or was sent though the manifest named it."""
    collection, heard = folder / "collection", Counter[str]()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if found := re.search(r'"(?:\x1b\[[\d;]*m)*PUT /box/killed/archive/(\S+\.warc\.gz) ', record.getMessage()):
                heard[found[1]] += 1

    server = S3Server()
    log = logging.getLogger("werkzeug")
    log.setLevel(logging.INFO)
    log.handlers[:], log.propagate = [Listener()], False
    os.environ["AWS_ENDPOINT_URL"] = server.address
    choose_stores(collection, archive="s3://box/killed")
    shelf = Storage("s3://box/killed")
    again = 0
    for _ in range(most):
        before, named = sum(heard.values()), set(upload.manifest(shelf))
        counted = Counter(heard)
        with subprocess.Popen(
            [sys.executable, "-m", "siteseer", "store", "push", str(collection)], stderr=subprocess.DEVNULL
        ) as process:
            while process.poll() is None and sum(heard.values()) == before:
                time.sleep(0.002)
            process.kill()
        again += sum(heard[name] - counted[name] for name in heard if f"archive/{name}" in named)
    upload.push(collection)
    problems = upload.check(collection)["problems"]
    print(
        f"kills: {most} pushes killed; {sum(heard.values())} files sent for {FILES}; sent again though they were named: "
        f"{again} (wanted 0); problems: {len(problems)} (wanted 0)"
    )
    server.stop()
    return 1 if again or problems or len(heard) != FILES else 0


def copied(collection: Path, target: Path) -> None:
    shutil.copytree(collection, target)
    digests(target)


def digests(collection: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (collection / "archive").glob("*.warc.gz")
    }


if __name__ == "__main__":
    run(main)
