"""A campaign in several processes of this machine: killed, interrupted, taken up by other engines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.campaigns.engines.celery_options import celery_engine
from siteseer.campaigns.engines.engine_processes import local_engine
from siteseer.campaigns.overview import workers
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.collection.state import State
from siteseer.collection.verify import verify
from siteseer.crawler.results.derived_files import capture_rows
from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.workers.host_locks import HostLocks
from tests.campaigns.engines.small_grid import Gate, Grid, overlaps, responses, wait_for
from tests.campaigns.small_web import definition, ring

SITES, PAGES = 3, 23


def addresses(port: int, sites: int, pages: int) -> set[str]:
    return {
        f"http://s{site}.localhost:{port}/{place or ''}"
        for site in range(sites)
        for place in [*range(pages), "robots.txt"]
    }


@contextmanager
def started(spec: Path, out: Path, processes: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "siteseer", "campaign", "run", str(spec), "-o", str(out), "--json"]
    process = subprocess.Popen(
        [*command, "--processes", str(processes)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(one) for one in listed.split()]


def is_running(process: int) -> bool:
    """Whether a process is more than a name that nobody has asked after."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def is_sound(collection: Path) -> bool:
    state = State(collection, create=False)
    try:
        return bool(verify(collection, capture_rows(state)).is_sound)
    finally:
        state.close()


def test_nothing_is_lost_or_archived_twice_when_a_process_or_the_campaign_is_killed(tmp_path: Path) -> None:
    gate = Gate(ring(SITES, PAGES), 12)
    with Server(gate.gated()) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, "concurrency = 1\n", SITES))
        with started(spec, out, 2) as first:
            wait_for(lambda: gate.count == 12 + SITES, first.poll)
            lost, *_ = children(first)
            first.send_signal(signal.SIGSTOP)
            os.kill(lost, signal.SIGKILL)
            gate.open(28)
            wait_for(lambda: len(server.log) >= 12 + SITES)  # what it had asked for was answered, to nobody
            first.send_signal(signal.SIGCONT)
            wait_for(lambda: gate.count > 28 and lost not in children(first), first.poll)
            orphans = children(first)
            first.kill()
            first.wait()
        wait_for(lambda: not any(map(is_running, orphans)))
        gate.open(1000)
        wait_for(lambda: len(server.log) == gate.count)
        summary = run_campaign(spec, out)
        assert overlaps(server.log) == 0
    found = responses(out)
    assert found.keys() == addresses(server.port, SITES, PAGES) and set(found.values()) == {1}
    assert all(is_sound(folder) for folder in (out / "sites").iterdir())
    assert (summary["pages"], summary["stopped_by"]) == (SITES * PAGES, None)


def test_an_interrupted_campaign_ends_cleanly_and_leaves_no_process(tmp_path: Path) -> None:
    gate = Gate(ring(2, PAGES), 10)
    with Server(gate.gated()) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, "concurrency = 1\n", 2))
        with started(spec, out, 2) as process:
            wait_for(lambda: gate.count == 12, process.poll)
            below = children(process)
            process.send_signal(signal.SIGINT)
            time.sleep(1.5)  # a busy machine: the signal is heard before the sites answer again
            gate.open(1000)
            _, complaints = process.communicate()
        assert process.returncode == 11 and "Traceback" not in complaints
        assert not any(map(is_running, below))
        kept = {url: number for url, number in responses(out).items() if not url.endswith("/robots.txt")}
        asked = [one for one in server.log if one.path != "/robots.txt"]  # one awaited by a late process is asked again
        assert sum(kept.values()) == len(asked) < 2 * PAGES
        assert run_campaign(spec, out)["pages"] == 2 * PAGES
    assert set(responses(out).values()) == {1}
    assert not (out / "siteseer" / "hosts").exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_second_interrupt_drops_what_is_in_flight_and_says_so_by_its_exit_code(
    tmp_path: Path, processes: int
) -> None:
    gate = Gate(ring(2, PAGES), 10)
    with Server(gate.gated()) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, "concurrency = 1\n", 2))
        with started(spec, out, processes) as process:
            wait_for(lambda: gate.count == 12, process.poll)
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)  # two at once are one
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate()
        assert process.returncode == 13 and "Traceback" not in complaints
        summary = json.loads((out / "reports" / "summary.json").read_text())
        assert (summary["stopped_by"], summary["at_once"]) == ("interrupt", True)
        gate.open(1000)
        assert run_campaign(spec, out)["pages"] == 2 * PAGES
    assert set(responses(out).values()) == {1}


def test_a_campaign_goes_on_with_other_processes_and_other_engines(grid: Grid, tmp_path: Path) -> None:
    with Server(ring(2, 15)) as server:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, seeds=2))
        run_campaign(spec, out, requests=8, engine=local_engine(2))
        run_campaign(spec, out, requests=18, engine=celery_engine(grid.broker, str(tmp_path / "storage"), 30.0))
        summary = run_campaign(spec, out, engine=local_engine(3))
        assert len(server.log) == 2 * 16
    found = responses(out)
    assert found.keys() == addresses(server.port, 2, 15) and set(found.values()) == {1}
    assert (summary["pages"], summary["stopped_by"]) == (30, None)
    names = [one.name for one in workers(out)]
    assert sum("process" in name for name in names) == 2, "two sites need no third process"


@pytest.mark.large
def test_a_site_that_ends_every_process_is_set_aside(tmp_path: Path) -> None:
    site = ring(1, 3)

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/1":
            for one in Path("/proc").glob("[0-9]*"):
                with suppress(OSError):
                    if str(tmp_path).encode() in (one / "cmdline").read_bytes():
                        os.kill(int(one.name), signal.SIGKILL)
        return site.respond(request)

    with Server(replace(site, answer=answer)) as server:
        spec = tmp_path / "kelp.toml"
        spec.write_text(definition(server.port, "concurrency = 1\n"))
        summary = run_campaign(spec, tmp_path / "out", engine=local_engine(2))
        asked = [entry.path for entry in server.log]
    assert set(summary["set_aside"].values()) == {"5 slices in a row came to nothing: its process ended"}
    assert asked.count("/1") >= 5 and summary["pages"] == len(responses(tmp_path / "out")) - 1 > 0


@pytest.mark.large
def test_a_host_that_serves_pictures_to_several_sites_is_asked_by_one_process_at_a_time(tmp_path: Path) -> None:
    site = ring(2, 7)

    def answer(request: SiteRequest) -> SiteResponse:
        host, _, port = request.headers["host"].partition(":")
        if host.startswith("pictures"):
            return SiteResponse(200, (("Content-Type", "image/png"),), b"\x89PNG" + request.path.encode())
        page = site.respond(request)
        shown = f'<img src="http://pictures.localhost:{port}/{host}{request.path}.png">'.encode()
        return replace(page, body=page.body + shown) if page.status == 200 else page

    with Server(replace(site, answer=answer), latency=0.03) as server:
        spec = tmp_path / "kelp.toml"
        text = definition(server.port, "concurrency = 1\n", 2)
        spec.write_text(f'assets = "all"\n{text}')
        run_campaign(spec, tmp_path / "out", engine=local_engine(2))
        assert overlaps(server.log) == 0
    found = {url: count for url, count in responses(tmp_path / "out").items() if url.endswith(".png")}
    assert len(found) == 14 and set(found.values()) == {1}
    assert len({row.name for row in workers(tmp_path / "out") if row.pages}) == 2


def test_a_host_has_one_holder_and_rests_when_it_was_asked(tmp_path: Path) -> None:
    ours, theirs = HostLocks(tmp_path), HostLocks(tmp_path)
    lease = ours.take("pictures.test")
    assert lease is not None and theirs.take("pictures.test") is None and ours.take("pictures.test") is None
    ours.release(lease, rest=0.2)
    rested = time.time() + 0.2
    assert not lease.is_held and (theirs.take("pictures.test") is None or time.time() >= rested - 0.01)
    wait_for(lambda: theirs.take("pictures.test"))
    assert time.time() >= rested - 0.01
    theirs.lose()
    assert ours.take("other.test") is not None
