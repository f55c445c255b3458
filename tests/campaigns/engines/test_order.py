"""What comes from a queue or a bucket is looked at before it is believed; a message delivered twice is done once."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from small_grid import Grid

from siteseer.archive.shelf import Shelf
from siteseer.decide.focused.apprentice import Apprentice
from siteseer.errors import ArchiveError, UsageError
from siteseer.jobs.campaign.ledger import Ledger, Report
from siteseer.jobs.campaign.tokens import Checkpoint, Outstanding, Tokens
from siteseer.jobs.cluster.broker import connect
from siteseer.jobs.cluster.lease import Leases
from siteseer.jobs.cluster.order import Order, order_name, read_message, read_order, read_result, written
from siteseer.jobs.cluster.pupil import Pupil, heaviest, teach
from siteseer.jobs.cluster.roll import Card, present, sign_in, sign_out
from siteseer.jobs.cluster.station import Station

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
    assert read_order(written(ORDER)) == ORDER
    with pytest.raises(UsageError):
        read_order(json.dumps({**asdict(ORDER), **changed}).encode())


@pytest.mark.parametrize("text", [b"", b"\xff", b"[]", b"{}", b"[" * 100_000, b'{"storage": 1}'])
def test_what_is_no_order_or_result_is_refused(text: bytes) -> None:
    for read in (read_order, read_result, read_message):
        with pytest.raises(UsageError):
            read(text)


def test_a_message_that_is_delivered_again_is_left_alone(grid: Grid, tmp_path: Path) -> None:
    said: list[str] = []
    station = Station("here", Leases(connect(grid.broker)), say=said.append)
    shelf = Shelf(str(tmp_path))
    order = replace(ORDER, definition="no definition")
    shelf.write(order_name(CAMPAIGN, TOKEN), written(order))
    message = {"storage": str(tmp_path), "campaign": CAMPAIGN, "token": TOKEN}
    for _ in range(2):
        station.perform(message)
    assert len(said) == 1 and "e.test" in said[0], "it fails once, and the second time nothing happens"
    shelf.delete(order_name(CAMPAIGN, TOKEN))
    station.perform(message)
    station.perform({**message, "token": "../x"})
    assert len(said) == 2 and "no token of ours" in said[1]
    station.only = "/elsewhere"
    station.perform(message)
    assert "left alone" in said[2]
    station.close()


def test_a_result_is_accepted_once_and_only_while_it_is_waited_for(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, 10, 0.5)
    tokens = Tokens(ledger)
    ledger.deliver("http://e.test/", 1.0, "seed", "the definition", 1.0, "")
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
    here, afar = Apprentice(), Apprentice()
    pages = [({"frond", "boat"}, 0.9), ({"boat", "tea"}, 0.0)] * 12
    for words, degree in pages:
        here.learn(words, degree)
    for part in (pages[:10], pages[10:]):
        pupil = Pupil(heaviest(afar))
        for words, degree in part:
            pupil.learn(words, degree)
        teach(afar, json.loads(json.dumps(pupil.notes())))
    assert dict(afar.weights()) == dict(here.weights()) and afar.pages == here.pages
    evidence = Pupil(heaviest(afar)).evidence(["frond"])
    assert evidence > 0 and evidence == pytest.approx(here.evidence(["frond"]), abs=1e-4)


def test_workers_that_are_there_and_cards_that_are_none(grid: Grid) -> None:
    client = connect(grid.broker)
    card = Card("one", "machine", "e.test", 1.0, 2.0, 3, 4, 5, 6)
    sign_in(client, card)
    client.sadd("siteseer:workers", "odd", "gone")
    client.set("siteseer:worker:odd", '{"name": {}}')
    assert [one for one in present(client) if one.name != "steady"] == [card]
    sign_out(client, "one")
    client.srem("siteseer:workers", "odd", "gone")
    assert {one.name for one in present(client)} <= {"steady"}
