"""Checkpoints in S3-compatible storage, on a real server."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from siteseer.archive.storage import Storage
from siteseer.campaigns.engines.warc_cache import WarcCache
from siteseer.demo import Server
from tests.campaigns.engines.small_grid import Grid, responses
from tests.campaigns.small_web import definition, ring


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0, verbose=False)
    server.start()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.get_host_and_port()[1]}",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    name = f"kelp-{secrets.token_hex(4)}"  # the server keeps its buckets for as long as this process lives
    pytest.importorskip("boto3").client("s3").create_bucket(Bucket=name)
    yield f"s3://{name}/campaigns"
    server.stop()


@pytest.mark.large
@pytest.mark.parametrize("strategy", ["blind", "auto"])
def test_sites_move_between_workers_through_a_bucket(bucket: str, tmp_path: Path, strategy: str) -> None:
    with Server(ring(3, 11)) as server, Grid(tmp_path) as grid:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        text = definition(server.port, "concurrency = 1\n[budget]\nrequests = 30\n", 3)
        spec.write_text(f'strategy = "{strategy}"\n{text}')
        grid.hire("a")
        grid.hire("b")
        grid.ready("a", "b")
        assert grid.run(spec, out, 10.0, "--storage", bucket).wait() == 0, grid.said("campaign")
        assert grid.run(spec, tmp_path / "other", 10.0, "--storage", "s3://nowhere").wait() == 2
        assert "there is no such bucket" in grid.said("campaign") or "name another place" in grid.said("campaign")
    found = responses(out)
    assert sum(found.values()) == len(found) == 30
    summary = json.loads((out / "reports" / "summary.json").read_text())
    assert summary["requests"] == 30
    kept = [name for name in Storage(bucket).names() if name.endswith(".warc.gz")]
    assert len(kept) == len(list((out / "sites").glob("*/archive/*.warc.gz"))) > 3


def test_a_worker_fetches_a_file_once_and_forgets_what_it_used_longest_ago(bucket: str, tmp_path: Path) -> None:
    storage, kept = Storage(bucket), WarcCache(most=9)
    for name in ("one", "two", "three"):
        storage.write(name, b"warc")

    def brought(name: str, place: str, size: int = 4) -> bytes:
        kept.bring(storage, name, tmp_path / place, size)
        return (tmp_path / place).read_bytes()

    assert brought("one", "a") == brought("two", "b") == b"warc"
    for name in ("one", "two", "three"):
        storage.write(name, b"another")
    assert brought("one", "c") == b"warc", "it is not fetched again"
    assert brought("three", "d") == b"another"
    assert brought("one", "e") == brought("two", "f") == b"another", "both had to go"
    assert brought("two", "g", 4) == b"another", "what has another length is fetched again"
    kept.close()
    assert not kept.folder.exists()
