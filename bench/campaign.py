"""A campaign on the demo web: what share of the on-topic pages a budget of a fifth of all pages archives.

    python bench/campaign.py [--seeds 0,1,2,3,4] [--out DIR] [--part focus,pace,speed]

Forty sites on one port; the budget counts every request, robots.txt too. Blind is the same crawler, breadth first over all
sites, with the same limit. `pace` is what the online analysis of a page costs, `many` a thousand sites in one process.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import sys
import tempfile
from pathlib import Path

from siteseer.crawl.run import crawl
from siteseer.demo import Server
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.jobs.campaign.campaign import run_campaign
from siteseer.measure.plots import Series, line_chart
from siteseer.settings import CrawlOptions

WANTED = 0.85


def captured(collections: list[Path], port: int) -> list[str]:
    """Addresses (host and path) of the kept pages, in the order in which they came; None for other requests."""
    rows = []
    for folder in collections:
        db = sqlite3.connect(folder / "siteseer" / "state.db")
        rows += db.execute("SELECT time, url, title IS NOT NULL FROM captures").fetchall()
        db.close()
    return [url.partition("://")[2].replace(f":{port}", "") if kept else "" for _, url, kept in sorted(rows)]


def curve(asked: list[str], truth: frozenset[str]) -> list[tuple[float, float]]:
    points, found = [(0.0, 0.0)], set[str]()
    for number, address in enumerate(asked, 1):
        if address in truth:
            found.add(address)
        points.append((float(number), 100 * len(found) / len(truth)))
    return points


def one_seed(seed: int, folder: Path) -> dict[str, object]:
    web = write_web(seed)
    budget = web.size // 5
    with Server(make_web(seed, web)) as server:
        spec = folder / f"campaign-{seed}.toml"
        spec.write_text(definition_text(web, server.port, budget))
        summary = run_campaign(spec, folder / f"focused-{seed}")
        focused_asked = len(server.log)
        seeds = tuple(f"http://{one.replace('/', f':{server.port}/', 1)}" for one in web.seeds)
        blind = CrawlOptions(seeds, folder / f"blind-{seed}", "blind", scope="any", include=("*.localhost*",),
                             limit=budget, delay=0.0, assets="none", browser="never")  # fmt: skip
        crawl(blind)
        sites = sorted((folder / f"focused-{seed}" / "sites").iterdir())
        focused = curve(captured(sites, server.port), web.on_topic)
        blindly = curve(captured([blind.collection], server.port), web.on_topic)
    area = sum(y for _, y in focused) / max(1e-9, sum(y for _, y in blindly) * len(focused) / len(blindly))
    return {"seed": seed, "pages": web.size, "on topic": len(web.on_topic), "budget": budget, "asked": focused_asked,
            "summary": summary, "focused": focused, "blind": blindly, "gain": area}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    results = []
    print("seed  pages  on topic  budget  asked  focused  blind   gain at the end  gain over the curve")
    with tempfile.TemporaryDirectory() as folder:
        for seed in map(int, given.seeds.split(",")):
            one = one_seed(seed, Path(folder))
            results.append(one)
            focused, blind = one["focused"][-1][1], one["blind"][-1][1]  # type: ignore[index]
            print(f"{seed:4}  {one['pages']:5}  {one['on topic']:8}  {one['budget']:6}  {one['asked']:5}  "
                  f"{focused:6.1f}%  {blind:5.1f}%  {focused / max(blind, 0.1):15.1f}  {one['gain']:19.1f}", flush=True)  # fmt: skip
    worst = min(one["focused"][-1][1] for one in results)  # type: ignore[index]
    blinds = statistics.mean(one["blind"][-1][1] for one in results)  # type: ignore[index]
    print(f"wanted: at least {WANTED:.0%} for every seed; worst {worst:.1f}%; blind on average {blinds:.1f}%")
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        for one in results:
            chart = line_chart(
                [Series("breadth first", one["blind"]), Series("focused", one["focused"])],  # type: ignore[arg-type]
                f"On-topic pages archived, demo web {one['seed']}", "requests", "% of on-topic pages",
            )  # fmt: skip
            (given.out / f"campaign-{one['seed']}.svg").write_text(chart)
    return 0 if worst >= 100 * WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
