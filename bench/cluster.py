"""A campaign on many machines: the same captures, nothing lost or twice in trouble, and how speed grows with workers.

    python bench/cluster.py [--parts same,trouble,speed,polite] [--seed 0]

A real Redis, workers and campaigns as processes (`siteseer worker`, `siteseer campaign run --engine celery`), and the demo
web with 50 ms before each answer; its own log says what was asked and when. Sites are asked one request at a time, so any
two requests to a host at once are of two workers.
"""

from __future__ import annotations

import argparse
import itertools
import json
import signal
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "cluster"))

from small_grid import Grid, overlaps, responses, wait_for

from siteseer.archive.verify import verify
from siteseer.crawl.derive import capture_rows
from siteseer.crawl.state import State
from siteseer.demo import Server
from siteseer.demo.server import LoggedRequest
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.demo.web.content import SmallWeb
from siteseer.jobs.campaign.campaign import run_campaign

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
    """One campaign by both engines: to its natural end, and with a budget of a fifth of all pages."""
    with Server(make_web(seed, web), latency=LATENCY) as server, Grid(folder) as grid:
        hired(grid, 4)
        for budget in (None, web.size // 5):
            spec = written(folder, web, server.port, budget)
            run_campaign(spec, folder / f"local-{budget}")
            here, begin = addresses(server.log), len(server.log)
            assert grid.run(spec, folder / f"celery-{budget}", LEASE).wait() == 0, grid.said("campaign")
            there = addresses(server.log[begin:])
            found = responses(folder / f"celery-{budget}")
            shared = len(here & there) / len(here | there)
            del server.log[:]
            if budget is None:
                row(
                    "captures of the local engine that four workers also made",
                    "all",
                    f"{len(here & there)} of {len(here)}",
                    here == there,
                )
                row("captures twice", "0", str(sum(found.values()) - len(found)), set(found.values()) == {1})
                continue
            share = [len(web.on_topic & one) / len(web.on_topic) for one in (here, there)]
            row(
                "on-topic pages with a fifth of the requests, four workers",
                "85 %",
                f"{share[1]:.1%} (local {share[0]:.1%})",
                share[1] >= 0.85,
            )
            row("URLs that both engines asked for, with that budget", "", f"{shared:.0%}", True)


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
    found = responses(folder / "out")
    urls = {url.partition("://")[2].replace(f":{server.port}", "") for url in found}
    row("exit code after two kills, an empty broker, a worker stopped", "0", str(code), code == 0)
    missing = len(addresses(log) - urls) + abs(len(urls) - web.size - len(web.sites))
    row("pages lost", "0", f"{missing} of {web.size}", missing == 0)
    row("captures twice", "0", str(sum(found.values()) - len(found)), set(found.values()) == {1})
    row(
        "requests to a host while it answered another worker", "0", f"{overlaps(log)} of {len(log)}", overlaps(log) == 0
    )
    row("requests sent again for slices that were lost", "", str(len(log) - len(found)), True)
    sound = [is_sound(one) for one in sorted((folder / "out" / "sites").iterdir())]
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", default="same,trouble,speed,polite")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    web = write_web(given.seed)
    print(
        f"demo web {given.seed}: {len(web.sites)} sites, {web.size} pages, {len(web.on_topic)} on topic; latency {LATENCY} s"
    )
    parts: dict[str, Any] = {"same": same, "trouble": trouble, "speed": speed, "polite": polite}
    for name in given.parts.split(","):
        with tempfile.TemporaryDirectory() as folder:
            parts[name](web, given.seed, Path(folder))
    print(json.dumps({what: measured for what, _, measured, _ in ROWS}))
    return 0 if all(is_met for *_, is_met in ROWS) else 1


if __name__ == "__main__":
    sys.exit(main())
