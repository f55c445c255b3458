"""A campaign moves between this process and workers, is stopped and killed, and refuses what does not fit."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.campaigns.campaign_ledger import CampaignLedger
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.celery_options import celery_engine
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.campaigns.scheduler import SliceRunner
from siteseer.cli.main import run
from siteseer.demo import Server
from siteseer.errors import UsageError
from siteseer.workers.broker import make_app
from tests.campaigns.engines.small_grid import Gate, Grid, responses, wait_for
from tests.campaigns.small_web import definition, ring

Made = Callable[[CampaignState], SliceRunner]


def engine(grid: Grid, storage: Path) -> Made:
    return celery_engine(grid.broker, str(storage), 30.0)


def addresses(port: int, sites: int, pages: int) -> set[str]:
    return {
        f"http://s{site}.localhost:{port}/{place or ''}"
        for site in range(sites)
        for place in [*range(pages), "robots.txt"]
    }


def test_a_site_moves_to_the_workers_and_back_with_all_that_it_has(grid: Grid, tmp_path: Path) -> None:
    with Server(ring(2, 15)) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, seeds=2))
        run_campaign(spec, out, requests=8)
        run_campaign(spec, out, requests=18, engine=engine(grid, tmp_path / "first"))
        with pytest.raises(UsageError, match="name that with --storage"):
            _with_something_left(out, lambda: run_campaign(spec, out, engine=engine(grid, tmp_path / "second")))
        with pytest.raises(UsageError, match="--engine celery"):
            _with_something_left(out, lambda: run_campaign(spec, out))
        run_campaign(spec, out, requests=24, engine=engine(grid, tmp_path / "second"))
        summary = run_campaign(spec, out)
        assert len(server.log) == 2 * 16
    found = responses(out)
    assert found.keys() == addresses(server.port, 2, 15) and set(found.values()) == {1}
    assert (summary["pages"], summary["stopped_by"]) == (30, None)


def _with_something_left(out: Path, what: Callable[[], object]) -> None:
    """Do something while a part of the campaign was not brought together yet."""
    db = sqlite3.connect(out / "campaign.db", isolation_level=None)
    db.execute("UPDATE checkpoints SET assembled = 0")
    try:
        what()
    finally:
        db.execute("UPDATE checkpoints SET assembled = 1")
        db.close()


def test_the_campaign_is_interrupted_killed_and_goes_on(grid: Grid, tmp_path: Path) -> None:
    gate = Gate(ring(3, 23), 15)
    with Server(gate.gated()) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, "concurrency = 1\n", 3))
        first = grid.run(spec, out, 30.0)
        wait_for(lambda: gate.count > 15, first.poll)
        first.send_signal(signal.SIGINT)
        wait_for(lambda: grid.client.keys("siteseer:stop:*"), first.poll)
        asked = time.time()
        wait_for(lambda: grid.card("steady")["seen"] > asked + 1.5, grid.workers["steady"].poll)  # it has heard of it
        gate.open(1000)
        assert first.wait() == 11, grid.said("campaign")
        stopped_at = len(server.log)
        assert sum(responses(out).values()) == stopped_at < 3 * 24
        gate.open(stopped_at + 8)
        second = grid.run(spec, out, 30.0)
        wait_for(lambda: gate.count > stopped_at + 8, second.poll)
        second.kill()
        second.wait()
        gate.open(1000)
        run_campaign(spec, out, engine=engine(grid, out / "storage"))
        assert len(server.log) == 3 * 24, "a slice that went on without the campaign is taken, not repeated"
    found = responses(out)
    assert found.keys() == addresses(server.port, 3, 23) and set(found.values()) == {1}
    ledger = CampaignLedger(out, 10, 0.5)
    (worker,) = ledger.workers()
    ledger.close()
    assert worker.name == "steady" and worker.seen >= worker.since > 0
    left = [path for path in (out / "storage").rglob("*") if path.is_file() and "sites" not in path.parts]
    assert [path.name for path in left] == ["campaign.toml"]


def test_strangers_in_the_queue_do_no_harm(grid: Grid, tmp_path: Path) -> None:
    for junk in ("no json", "{}", '{"body": "e30=", "content-type": "application/x-python-serialize"}', "\x00\xff"):
        grid.client.lpush("siteseer", junk)
    evil = {"storage": str(tmp_path / "evil"), "campaign": "../../x", "token": "0" * 32}
    app = make_app(grid.broker)
    app.send_task("siteseer.slice", args=[evil], queue="siteseer")
    app.send_task("siteseer.slice", args=[["storage"]], queue="siteseer")
    with Server(ring(1, 3)) as server:
        spec = tmp_path / "kelp.toml"
        spec.write_text(definition(server.port))
        assert run_campaign(spec, tmp_path / "out", engine=engine(grid, tmp_path / "storage"))["pages"] == 3
    assert not (tmp_path / "evil").exists()
    assert "no token of ours" in grid.said("steady")


def test_complaints_are_one_sentence_with_the_right_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "kelp.toml"
    spec.write_text(definition(80))
    command = ["campaign", "run", str(spec), "-o", str(tmp_path / "out"), "--engine"]
    for more, code, words in (
        (["celery"], 2, "needs a broker"),
        (["celery", "--broker", "amqp://me:secret@host"], 2, "amqp://host' is no broker"),
        (["celery", "--broker", "redis://:secret@127.0.0.1:1/0"], 9, "redis://127.0.0.1:1/0 does not answer"),
        (["mesos"], 2, "there is no engine 'mesos'"),
    ):
        assert run([*command, *more]) == code
        said = capsys.readouterr().err
        assert words in said and "secret" not in said and said.count("\n") == 1
    assert run(["worker", "--engine", "local"]) == 2


def test_what_workers_gathered_is_weighed_by_the_definition_as_it_is_now(grid: Grid, tmp_path: Path) -> None:
    spec, out = tmp_path / "kelp.toml", tmp_path / "out"
    with Server(ring(2, 7)) as server:
        text = definition(server.port, "[budget]\nrequests = 9\n", 2)
        for changed in (text, text.replace('"kelp"', '"tea"').replace("requests = 9", "requests = 50")):
            spec.write_text(changed)
            process = grid.run(spec, out)
            assert process.wait(120) == 0
    pages = [json.loads(line) for file in out.glob("sites/*/pages/*") for line in file.read_text().splitlines()[1:]]
    assert len(pages) == 14 and all((one["relevance"] > 0.5) == one["title"].startswith("tea") for one in pages)
    assert json.loads((out / "reports" / "summary.json").read_text())["relevant_pages"] == 8
