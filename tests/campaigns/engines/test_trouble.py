"""Workers are killed, stopped and slow, the broker forgets everything: nothing is lost and nothing comes twice."""

from __future__ import annotations

import signal
from pathlib import Path

from siteseer.collection.state import State
from siteseer.collection.verify import verify
from siteseer.crawler.results.derived_files import capture_rows
from siteseer.demo import Server
from tests.campaigns.engines.small_grid import Gate, Grid, overlaps, responses, wait_for
from tests.campaigns.small_web import definition, ring

SITES, PAGES = 3, 31


def test_a_campaign_survives_killed_and_stopped_workers_and_a_broker_that_forgets(tmp_path: Path) -> None:
    gate = Gate(ring(SITES, PAGES), 12)
    with Server(gate.gated()) as server, Grid(tmp_path) as grid:
        spec, out = tmp_path / "kelp.toml", tmp_path / "out"
        spec.write_text(definition(server.port, "concurrency = 1\n", SITES))
        for name in "abc":
            grid.hire(name)
        grid.ready(*"abc")
        campaign = grid.run(spec, out)

        def asked(host: str) -> int:
            return sum(entry.headers["host"] == host for entry in list(server.log))

        wait_for(lambda: gate.count >= 12 + SITES, campaign.poll)  # each has a site, and waits for an answer
        wait_for(lambda: all(grid.card(name)["site"] for name in "ab"), campaign.poll)
        stopped_site = str(grid.card("b")["site"])
        before = asked(stopped_site)
        grid.workers["b"].send_signal(signal.SIGSTOP)
        grid.workers["a"].kill()
        grid.restart_broker()
        gate.open(1000)
        wait_for(lambda: asked(stopped_site) > before + 1, campaign.poll)  # one was on its way
        grid.workers["b"].send_signal(signal.SIGCONT)
        wait_for(lambda: "ran out: its slice is given up" in grid.said("b"), grid.workers["b"].poll)
        assert campaign.wait() == 0, grid.said("campaign")
        grid.workers["b"].terminate()
        grid.workers["c"].send_signal(signal.SIGINT)
        assert (grid.workers["b"].wait(), grid.workers["c"].wait()) == (0, 0)
        assert not any("Traceback" in grid.said(name) for name in "abc")
        assert overlaps(server.log) == 0
    urls = {f"http://s{site}.localhost:{server.port}/{place or ''}" for site in range(SITES) for place in range(PAGES)}
    robots = {f"http://s{site}.localhost:{server.port}/robots.txt" for site in range(SITES)}
    found = responses(out)
    assert found.keys() == urls | robots
    assert set(found.values()) == {1}
    for folder in (out / "sites").iterdir():
        state = State(folder, create=False)
        assert verify(folder, capture_rows(state)).is_sound
        state.close()
