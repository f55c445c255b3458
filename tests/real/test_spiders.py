"""A spider that follows all links, with the add-on, on captured software: hardly more requests than the fewest."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")

from tests.integrations.scrapy_run import run_spiders
from tests.real.captures import SITES, capture, score_module

pytestmark = [
    pytest.mark.skipif(not SITES.is_dir(), reason="the captured sites are not beside the project (../shared/sites)"),
    pytest.mark.slow,
]


@contextmanager
def replayed(name: str, log: Path) -> Iterator[str]:
    """Serve a capture on loopback by real HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(SITES / "replay.py"), name, "--port", str(port), "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None and "serving" in server.stdout.readline()
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.communicate()


@pytest.mark.parametrize("name", ["fluxbb", "wordpress-2021"])
def test_every_post_with_hardly_more_requests_than_the_fewest(name: str, tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    with replayed(name, log) as url:
        (crawled,) = run_spiders(tmp_path, {"spider": "everything", "url": url})
    truth = capture(name).truth
    requests = len(log.read_text().splitlines())
    objects = tmp_path / "objects.jsonl"
    objects.write_text("".join(json.dumps(item) + "\n" for item in crawled.of("kind")), encoding="utf-8")
    figures = score_module().match_objects(truth, objects)
    assert requests <= 1.10 * truth["oracle_requests"]
    assert figures["objects_recall"] >= 0.98
    assert figures["objects_precision"] >= 0.98
