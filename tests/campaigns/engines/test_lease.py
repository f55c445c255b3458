"""Leases have one holder, run out by the holder's own clock first, and come back from a broker that forgot them."""

from __future__ import annotations

import asyncio
import io
from datetime import UTC, datetime

import pytest

from siteseer.campaigns.engines.site_slice import fetcher_of
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.demo import Server, make_site
from siteseer.interfaces import Exchange, Request
from siteseer.page.urls import host_of
from siteseer.workers.broker import connect
from siteseer.workers.lease import SAFE, LeaseLostError, Leases, key_of
from siteseer.workers.leased_fetcher import LeasedFetcher
from tests.campaigns.engines.small_grid import Grid


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_one_holder_and_a_clock_of_its_own(grid: Grid) -> None:
    clock, client = Clock(), connect(grid.broker)
    ours, theirs = Leases(client, clock), Leases(client)
    lease = ours.take("one.test", "t1", 60.0)
    assert lease is not None and lease.is_held
    assert theirs.take("one.test", "t1", 60.0) is None, "not even under the same token"
    clock.now += SAFE * 60 - 1
    ours.renew()
    clock.now += SAFE * 60 - 1
    assert lease.is_held
    clock.now += 2
    assert not lease.is_held
    ours.renew()
    clock.now -= 10
    assert lease.is_lost, "what ran out is not taken up again"
    with pytest.raises(LeaseLostError):
        lease.check()
    ours.release(lease)
    assert client.get(key_of("one.test")), "who has lost a lease leaves it alone"
    client.delete(key_of("one.test"))


def test_a_forgetful_broker_gets_leases_back_unless_another_was_faster(grid: Grid) -> None:
    clock, client = Clock(), connect(grid.broker)
    leases = Leases(client, clock)
    kept, lost = leases.take("kept.test", "t1", 60.0), leases.take("lost.test", "t2", 60.0)
    assert kept is not None and lost is not None
    client.delete(key_of("kept.test"), key_of("lost.test"))
    other = Leases(client).take("lost.test", "t3", 60.0)
    clock.now += 20
    leases.renew()
    assert (kept.is_held, lost.is_held) == (True, False)
    assert client.get(key_of("kept.test")) == kept.holder
    leases.release(kept)
    leases.release(lost)
    assert other is not None and client.get(key_of("lost.test")) == other.holder
    assert client.get(key_of("kept.test")) is None


class Recording:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        self.asked.append(request.url)
        await asyncio.sleep(0.01)
        return Exchange(request.url, datetime.now(UTC), 1, "", b"", b"", 200, "OK", (), io.BytesIO(), 0)

    async def close(self) -> None:
        pass


def test_nothing_is_asked_without_a_lease_and_other_hosts_one_at_a_time(grid: Grid) -> None:
    clock, client = Clock(), connect(grid.broker)
    leases = Leases(client, clock)
    lease, wire = leases.take("site.test", "t1", 60.0), Recording()
    assert lease is not None
    guarded = LeasedFetcher(wire, lease, leases, 0.05)

    async def pictures() -> None:
        await guarded.fetch(Request("http://site.test/"))
        await asyncio.gather(*(guarded.fetch(Request(f"http://pictures.test/{number}")) for number in range(2)))
        assert leases.take("pictures.test", "t2", 5.0) is None, "the host rests for the delay"
        clock.now += 59
        with pytest.raises(LeaseLostError):
            await guarded.fetch(Request("http://site.test/late"))

    asyncio.run(pictures())
    assert len(wire.asked) == 3
    leases.release(lease)


def test_a_lease_that_runs_out_while_a_connection_is_made_holds_the_request_back(grid: Grid) -> None:
    clock, client = Clock(), connect(grid.broker)
    leases = Leases(client, clock)
    with Server(make_site("forum", seed=1, size=2)) as server:
        definition = read_definition(f'name = "x"\nkeywords = ["kelp"]\nseeds = ["{server.url}/"]\n')
        lease = leases.take(host_of(server.url), "t1", 60.0)
        assert lease is not None

        async def asked() -> None:
            fetcher = fetcher_of(definition, is_shared=True)
            guarded = LeasedFetcher(fetcher, lease, leases, 0.0)
            await guarded.fetch(Request(f"{server.url}/"))
            for url in (f"{server.url}/1", server.url.replace("127.0.0.1", "localhost") + "/2"):
                with pytest.raises(LeaseLostError):  # an open connection, and a new one
                    await fetcher.fetch(Request(url, last_word=stopped))
            await fetcher.close()

        def stopped() -> None:
            clock.now += 59
            lease.check()

        asyncio.run(asked())
        assert len(server.log) == 1
    leases.release(lease)
