"""What comes from a queue or a bucket is looked at before it is believed; a message delivered twice is done once."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from siteseer.archive.storage import Storage
from siteseer.campaigns.campaign_ledger import CampaignLedger, Letter, Report
from siteseer.campaigns.engines.messages import Order, message_json, order_name, read_message, read_order, read_result
from siteseer.campaigns.engines.slice_executor import SliceExecutor
from siteseer.campaigns.relevance.remote_term_learner import RemoteTermLearner, heaviest_terms, train_from_notes
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.errors import ArchiveError, UsageError
from siteseer.workers.broker import connect
from siteseer.workers.fencing_tokens import Checkpoint, FencingTokens, Outstanding
from siteseer.workers.lease import Leases
from siteseer.workers.registry import WorkerCard, registered_workers, sign_in, sign_out
from tests.campaigns.engines.small_grid import Grid

TOKEN, CAMPAIGN = "a" * 32, "b" * 32
ORDER = Order("e.test", "http://e.test/", {}, "", 5, 0.0, 60.0, 2.0, [], 0, "", [], 0.0, {})
REPORT = Report(0.5, 3, 900, 2, 1, 0.4, 0)


@pytest.mark.parametrize(
    "changed",
    [
        {"archive": [[TOKEN, "../../etc/passwd", 1]]},
        {"archive": [[TOKEN, "siteseer-20260101000000-00001-a/../b.warc.gz", 1]]},
        {"state": "../x"},
        {"lease": 1e9},
        {"requests": 0},
        {"host": 7},
        {"letters": None},
    ],
)
def test_orders_that_lead_astray_are_refused(changed: dict[str, Any]) -> None:
    assert read_order(message_json(ORDER)) == ORDER
    with pytest.raises(UsageError):
        read_order(json.dumps({**asdict(ORDER), **changed}).encode())


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b"{}", b"[" * 100_000, b'{"storage": 1}'])
def test_what_is_no_order_or_result_is_refused(text: bytes) -> None:
    for read in (read_order, read_result, read_message):
        with pytest.raises(UsageError):
            read(text)


def test_a_message_that_is_delivered_again_is_left_alone(grid: Grid, tmp_path: Path) -> None:
    said: list[str] = []
    executor = SliceExecutor("here", Leases(connect(grid.broker)), say=said.append)
    storage = Storage(str(tmp_path))
    order = replace(ORDER, definition="no definition")
    storage.write(order_name(CAMPAIGN, TOKEN), message_json(order))
    message = {"storage": str(tmp_path), "campaign": CAMPAIGN, "token": TOKEN}
    for _ in range(2):
        executor.perform(message)
    assert len(said) == 1 and "e.test" in said[0], "it fails once, and the second time nothing happens"
    storage.delete(order_name(CAMPAIGN, TOKEN))
    executor.perform(message)
    executor.perform({**message, "token": "../x"})
    assert len(said) == 2 and "no token of ours" in said[1]
    executor.only = "/elsewhere"
    executor.perform(message)
    assert "left alone" in said[2]
    executor.close()


def test_a_result_is_accepted_once_and_only_while_it_is_waited_for(tmp_path: Path) -> None:
    ledger = CampaignLedger(tmp_path, 10, 0.5)
    tokens = FencingTokens(ledger)
    ledger.deliver(Letter("http://e.test/", 1.0, "seed", "the definition", 1.0, ""))
    first, second = Outstanding("e.test", TOKEN, 5, 0.0, 1), Outstanding("e.test", "c" * 32, 5, 0.0, 1)
    tokens.issue(first)
    tokens.refuse(first, "waiting", "")
    tokens.issue(second)

    def accept(token: str) -> None:
        part = Checkpoint(token, (("siteseer/state.db", 9),), 0.0)
        link = (7, ["http://f.test/", 0.4, "link", "e.test", 0.1, "http://e.test/", 0])
        ledger.end("e.test", 1, REPORT, [link], lambda: tokens.accept("e.test", part))

    with pytest.raises(ArchiveError):
        accept(TOKEN)
    assert [row.host for row in ledger.sites()] == ["e.test"], "nothing of a late result is taken"
    accept(second.token)
    with pytest.raises(ArchiveError):
        accept(second.token)
    assert {row.host for row in ledger.sites()} == {"e.test", "f.test"}
    assert [part.token for part in tokens.checkpoints("e.test")] == [second.token] and tokens.unassembled() == [
        "e.test"
    ]
    with pytest.raises(UsageError, match="--engine celery"):
        tokens.leave()
    ledger.close()


def test_the_apprentice_learns_from_afar_what_it_would_have_learned_here() -> None:
    here, afar = TermLearner(), TermLearner()
    pages = [({"frond", "boat"}, 0.9), ({"boat", "tea"}, 0.0)] * 12
    for words, degree in pages:
        here.learn(words, degree)
    for part in (pages[:10], pages[10:]):
        remote_learner = RemoteTermLearner(heaviest_terms(afar))
        for words, degree in part:
            remote_learner.learn(words, degree)
        train_from_notes(afar, json.loads(json.dumps(remote_learner.notes())))
    assert dict(afar.weights()) == dict(here.weights()) and afar.pages == here.pages
    evidence = RemoteTermLearner(heaviest_terms(afar)).evidence(["frond"])
    assert evidence > 0 and evidence == pytest.approx(here.evidence(["frond"]), abs=1e-4)


def test_workers_that_are_there_and_cards_that_are_none(grid: Grid) -> None:
    client = connect(grid.broker)
    card = WorkerCard("one", "machine", "e.test", 1.0, 2.0, 3, 4, 5, 6)
    sign_in(client, card)
    client.sadd("siteseer:workers", "odd", "gone")
    client.set("siteseer:worker:odd", '{"name": {}}')
    assert [one for one in registered_workers(client) if one.name != "steady"] == [card]
    sign_out(client, "one")
    client.srem("siteseer:workers", "odd", "gone")
    assert {one.name for one in registered_workers(client)} <= {"steady"}
