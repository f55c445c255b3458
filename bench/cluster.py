"""A campaign on many machines, or in many processes: the same captures, nothing lost or twice in trouble, and speed.

    python bench/cluster.py [--parts same,budget,trouble,speed,polite,processes] [--seed 0] [--budget-seeds 0,1,2]

A real Redis, workers and campaigns as processes (`siteseer worker`, `siteseer campaign run --engine celery`), and the demo
web with 50 ms before each answer; its own log says what was asked and when. Sites are asked one request at a time, so any
two requests to a host at once are of two workers.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from harness import Names, choose, run
from tests.campaigns.engines.small_grid import Grid, overlaps, responses, wait_for

from siteseer.campaigns.run_campaign import run_campaign
from siteseer.collection.state import State
from siteseer.collection.verify import verify
from siteseer.crawler.results.derived_files import capture_rows
from siteseer.demo import Server
from siteseer.demo.server import LoggedRequest
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.demo.web.write_web import SmallWeb

LATENCY, LEASE, DELAY = 0.05, 4.0, 0.3
ROWS: list[tuple[str, str, str, bool]] = []


def row(what: str, wanted: str, measured: str, is_met: bool) -> None:
    ROWS.append((what, wanted, measured, is_met))
    print(f"{what:62}  {wanted:>12}  {measured:>22}  {'' if is_met else 'MISSED'}", flush=True)


def written(folder: Path, web: SmallWeb, port: int, budget: int | None, delay: float = 0.0) -> Path:
    """A definition file; without a budget everything is crawled."""
    text = definition_text(web, port, budget).replace("delay = 0.0", f"delay = {delay}\nconcurrency = 1")
    if budget is None:
        text = text.replace(f"[budget]\nrequests = {web.size // 5}\n", "")
    spec = folder / f"campaign-{budget}-{delay}.toml"
    spec.write_text(text)
    return spec


def addresses(log: list[LoggedRequest]) -> set[str]:
    return {entry.headers["host"].partition(":")[0] + entry.path for entry in log}


def hired(grid: Grid, count: int) -> list[str]:
    names = [f"w{number}" for number in range(count)]
    for name in names:
        grid.hire(name)
    grid.ready(*names)
    return names


def same(web: SmallWeb, seed: int, folder: Path) -> None:
    """One campaign by both engines, to its natural end."""
    with Server(make_web(seed, web), latency=LATENCY) as server, Grid(folder) as grid:
        hired(grid, 4)
        spec = written(folder, web, server.port, None)
        run_campaign(spec, folder / "local")
        here, begin = addresses(server.log), len(server.log)
        assert grid.run(spec, folder / "celery", LEASE).wait() == 0, grid.said("campaign")
        there = addresses(server.log[begin:])
        found = responses(folder / "celery")
        measured = f"{len(here & there)} of {len(here)}"
        row("captures of the local engine that four workers also made", "all", measured, here == there)
        row("captures twice", "0", str(sum(found.values()) - len(found)), set(found.values()) == {1})


def budget(web: SmallWeb, seed: int, folder: Path) -> None:
    """One campaign by all engines, with requests for a fifth of all pages."""
    with Server(make_web(seed, web), latency=LATENCY) as server, Grid(folder) as grid:
        hired(grid, 4)
        spec = written(folder, web, server.port, web.size // 5)
        run_campaign(spec, folder / "local")
        here = taken(server)
        assert grid.run(spec, folder / "celery", LEASE).wait() == 0, grid.said("campaign")
        there = taken(server)
        assert begun(grid, spec, folder / "processes", 4).wait() == 0, grid.said("campaign")
        beside = taken(server)
        share = [len(web.on_topic & one) / len(web.on_topic) for one in (here, there, beside)]
        what = f"demo web {seed}: on-topic pages with a fifth of the requests"
        row(f"{what}, four workers", "85 %", f"{share[1]:.1%} (local {share[0]:.1%})", share[1] >= 0.85)
        row(f"{what}, four processes", "85 %", f"{share[2]:.1%}", share[2] >= 0.85)
        shared = len(here & there) / len(here | there)
        row(f"demo web {seed}: URLs that workers and local both asked for", "", f"{shared:.0%}", True)


def taken(server: Server) -> set[str]:
    """What was asked for since the last time."""
    found = addresses(server.log)
    del server.log[:]
    return found


def begun(grid: Grid, spec: Path, out: Path, processes: int) -> subprocess.Popen[bytes]:
    """The campaign, in so many processes of this machine."""
    command = [sys.executable, "-m", "siteseer", "campaign", "run", str(spec), "-o", str(out)]
    return grid.start([*command, "--processes", str(processes)], "campaign")


def trouble(web: SmallWeb, seed: int, folder: Path) -> None:
    """Two workers killed, the broker killed and started empty, a worker stopped until another has its site."""
    with Server(make_web(seed, web), latency=LATENCY) as server, Grid(folder) as grid:
        names = hired(grid, 4)
        campaign = grid.run(written(folder, web, server.port, None), folder / "out", LEASE)

        def after(requests: int) -> None:
            wait_for(lambda: len(server.log) >= requests, campaign.poll)

        def asked(host: str) -> int:
            return sum(entry.headers["host"] == host for entry in list(server.log))

        after(150)
        grid.workers[names[0]].kill()
        after(300)
        grid.restart_broker()
        after(450)
        grid.workers[names[1]].kill()
        after(500)
        wait_for(lambda: (host := grid.card(names[2])["site"]) and asked(host) > 1, campaign.poll)
        grid.workers[names[2]].send_signal(signal.SIGSTOP)
        host = grid.card(names[2])["site"]
        before = asked(host)
        wait_for(lambda: asked(host) > before + 1, campaign.poll)
        grid.workers[names[2]].send_signal(signal.SIGCONT)
        wait_for(lambda: "its slice is given up" in grid.said(names[2]), grid.workers[names[2]].poll)
        code = campaign.wait()
        log = list(server.log)
    row("exit code after two kills, an empty broker, a worker stopped", "0", str(code), code == 0)
    whole(web, server.port, log, folder / "out")


def whole(web: SmallWeb, port: int, log: list[LoggedRequest], out: Path) -> None:
    """What a campaign that was in trouble has left."""
    found = responses(out)
    urls = {url.partition("://")[2].replace(f":{port}", "") for url in found}
    missing = len(addresses(log) - urls) + abs(len(urls) - web.size - len(web.sites))
    row("pages lost", "0", f"{missing} of {web.size}", missing == 0)
    row("captures twice", "0", str(sum(found.values()) - len(found)), set(found.values()) == {1})
    measured = f"{overlaps(log)} of {len(log)}"
    row("requests to a host while it answered another process", "0", measured, overlaps(log) == 0)
    row("requests sent again for slices that were lost", "", str(len(log) - len(found)), True)
    sound = [is_sound(one) for one in sorted((out / "sites").iterdir())]
    row("collections that verify finds sound", "all", f"{sum(sound)} of {len(sound)}", all(sound))


def is_sound(collection: Path) -> bool:
    state = State(collection, create=False)
    try:
        return bool(verify(collection, capture_rows(state)).is_sound)
    finally:
        state.close()


def speed(web: SmallWeb, seed: int, folder: Path) -> None:
    """Pages a second from the first request to the last."""
    rates = {}
    for count in (1, 4):
        inside = folder / str(count)
        inside.mkdir()
        with Server(make_web(seed, web), latency=LATENCY) as server, Grid(inside) as grid:
            hired(grid, count)
            assert grid.run(written(inside, web, server.port, None), inside / "out", 30.0).wait() == 0, grid.said(
                "campaign"
            )
            span = max(one.time_finished for one in server.log) - min(one.time_started for one in server.log)
            rates[count] = len(server.log) / span
    row("pages a second, one worker · four workers", "", f"{rates[1]:.1f} · {rates[4]:.1f}", True)
    row("four workers against one", "3 times", f"{rates[4] / rates[1]:.2f} times", rates[4] >= 3 * rates[1])


def processes(web: SmallWeb, seed: int, folder: Path) -> None:
    """No broker: one process against two and four, sites slow and fast, and kills in between."""
    for latency in (LATENCY, 0.0):
        rates, asked = {}, {}
        for count in (1, 2, 4):
            inside = folder / f"{latency}-{count}"
            inside.mkdir()
            with Server(make_web(seed, web), latency=latency) as server, Grid(inside) as grid:
                spec = written(inside, web, server.port, None)
                assert begun(grid, spec, inside / "out", count).wait() == 0, grid.said("campaign")
                span = max(one.time_finished for one in server.log) - min(one.time_started for one in server.log)
                rates[count], asked[count] = len(server.log) / span, addresses(server.log)
        kind = f"{'slow' if latency else 'fast'} sites ({latency} s)"
        told = " · ".join(f"{rates[count]:.0f}" for count in rates)
        row(f"{kind}: pages a second, 1 · 2 · 4 processes", "", told, True)
        gains = " · ".join(f"{rates[count] / rates[1]:.2f}" for count in (2, 4))
        row(f"{kind}: 2 · 4 processes against one, {os.cpu_count()} cores", "", f"{gains} times", True)
        measured = f"{len(asked[1] & asked[4])} of {len(asked[1])}"
        row(f"{kind}: captures of one process that four also made", "all", measured, asked[1] == asked[4])
    with Server(make_web(seed, web), latency=LATENCY) as server, Grid(folder) as grid:
        spec, out = written(folder, web, server.port, None), folder / "out"
        first = begun(grid, spec, out, 4)
        for requests in (150, 300):
            wait_for(lambda wanted=requests: len(server.log) >= wanted, first.poll)
            os.kill(below(first)[0], signal.SIGKILL)
        wait_for(lambda: len(server.log) >= 500, first.poll)
        first.kill()
        code = begun(grid, spec, out, 3).wait()
        row("exit code after two kills, and of the campaign itself", "0", str(code), code == 0)
        whole(web, server.port, list(server.log), out)


def below(process: subprocess.Popen[bytes]) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def polite(web: SmallWeb, seed: int, folder: Path) -> None:
    """The pause between two requests to a host, also from one worker's slice to the next one's."""
    with Server(make_web(seed, web)) as server, Grid(folder) as grid:
        hired(grid, 2)
        assert grid.run(written(folder, web, server.port, 90, DELAY), folder / "out", LEASE).wait() == 0
        seen = shortest((entry.headers["host"], entry.time_started) for entry in server.log)
        slices = (
            sqlite3.connect(folder / "out" / "campaign.db").execute("SELECT total(slices) FROM sites").fetchone()[0]
        )
    sent = shortest(
        (one.name, datetime.fromisoformat(time).timestamp())
        for one in (folder / "out" / "sites").iterdir()
        for (time,) in sqlite3.connect(one / "siteseer" / "state.db").execute("SELECT time FROM captures")
    )
    row(
        f"shortest pause between requests to a host ({slices:.0f} slices)", f"{DELAY} s", f"{sent:.3f} s", sent >= DELAY
    )
    row("the same by the clock of the loaded server, which reads late", "", f"{seen:.3f} s", True)


def shortest(asked: Iterable[tuple[str, float]]) -> float:
    times = defaultdict(list)
    for host, time in asked:
        times[host].append(time)
    return min(b - a for one in times.values() for a, b in itertools.pairwise(sorted(one)))


def main(
    parts: Names = ("same", "budget", "trouble", "speed", "polite", "processes"),
    seed: int = 0,
    budget_seeds: Annotated[Names, "demo webs of the part `budget`"] = ("0", "1", "2", "3", "200", "201", "202", "203"),
) -> int:
    offered: dict[str, Any] = {
        "same": same, "budget": budget, "trouble": trouble, "speed": speed, "polite": polite, "processes": processes,
    }  # fmt: skip
    for name in choose(parts, offered):
        for number in map(int, budget_seeds) if name == "budget" else [seed]:
            web = write_web(number)
            size = f"{len(web.sites)} sites, {web.size} pages, {len(web.on_topic)} on topic"
            print(f"{name}: demo web {number}, {size}; latency {LATENCY} s")
            with tempfile.TemporaryDirectory() as folder:
                offered[name](web, number, Path(folder))
    print(json.dumps({what: measured for what, _, measured, _ in ROWS}))
    return 0 if all(is_met for *_, is_met in ROWS) else 1


if __name__ == "__main__":
    run(main)
