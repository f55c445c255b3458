"""The read view's questions to a collection of 100,000 objects, over HTTP: wanted is an answer within 300 ms.

    python bench/read.py [OBJECTS]

Prints the median of wall clock and of CPU time, and how many times faster than a scan of all objects as JSON.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import uvicorn
from harness import Table, run
from search import posts

from siteseer.collection.description import Description
from siteseer.collection.objects.object_search import Filter
from siteseer.web.api.app import make_app
from siteseer.web.service.library import Library

WANTED = 300.0
QUESTIONS: dict[str, dict[str, object]] = {
    "first page": {},
    "newest first": {"order": "newest"},
    "far into the list": {"offset": 90_000},
    "by author": {"author": "user7"},
    "by author, newest first": {"author": "user7", "order": "newest"},
    "by kind": {"kind": "post"},
    "a month": {"since": "2016-03-01", "until": "2016-03-31"},
    "since a day, newest first": {"since": "2016-03-01", "order": "newest"},
    "a word in half of them": {"text": "word1"},
    "a word in nearly all": {"text": "word0"},
    "a rare word": {"text": "word20001"},
    "two words": {"text": "word3 word40"},
    "a word by an author": {"text": "word2", "author": "user7"},
    "a word since a day": {"text": "word2", "since": "2018-01-01"},
    "a thread": {"thread": "http://forum.example/t/77#this", "order": "oldest"},
}


def asked(port: int, asking: dict[str, object]) -> dict[str, object]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", f"/api/collections/many/objects?{urlencode({'limit': 50, **asking})}")
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    assert answer.status == 200, found
    return dict(found)


def main(count: int = 100_000, /) -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many"
        with Description(path) as description:
            for page in posts(count, random.Random(0)):
                description.add(page)
            description._search.settle()
            begun = time.process_time()
            everything = sum(1 for one in description.objects(Filter()) if one.get("author") == "user7")
            scan = (time.process_time() - begun) * 1000
        server = uvicorn.Server(uvicorn.Config(make_app(Library(Path(folder)), "token"), port=0, log_level="error"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(f"{count:,} objects, {everything} by one author; a scan of all of them takes {scan:,.0f} ms CPU")
        table = Table(
            "question:<28", "found:>9,", "ms:>9.1f", "ms CPU:>9.1f", "faster:>9.0f", f"  within {WANTED:.0f} ms:<16"
        )
        for name, asking in QUESTIONS.items():
            walls, works = [], []
            for _ in range(5):
                wall, work = time.perf_counter(), time.process_time()
                found = asked(port, asking)
                walls.append((time.perf_counter() - wall) * 1000)
                works.append((time.process_time() - work) * 1000)
            wall, work = median(walls), median(works)
            missed += wall > WANTED
            table.row(name, found["count"], wall, work, scan / max(work, 0.1), "  yes" if wall <= WANTED else "  NO")
        server.should_exit = True
        thread.join(10)
    return missed


if __name__ == "__main__":
    run(main)
