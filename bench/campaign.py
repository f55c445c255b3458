"""A campaign on the demo web: what share of the on-topic pages a budget of a fifth of all pages archives.

    python bench/campaign.py [--parts focus,other,speed,many] [--seeds 0,1,2,3,4] [--out DIR]

Forty sites on one port; the budget counts every request, robots.txt too. Blind is the same crawler, breadth first over all
sites, from the same seeds, with the same limit; a random order would archive the budget's share. `speed` is the processor
time of the online analysis of a page (tree parsed already), beside that of parsing and finding links, on demo pages and on
captures of real software; `many` is the memory of a thousand sites queued, a hundred crawled at a time, with the order of
their turns. `other` is `focus` on two further Webs: plain pages, four homepages to a host, of which the campaign is told one
word; and blogs with sidebars, tags and months.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import sqlite3
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from harness import Names, choose, run
from tests.campaigns.blog_web import BlogWeb
from tests.campaigns.plain_web import PlainWeb
from tests.campaigns.small_web import definition, ring
from tests.real.captures import SITES, capture

from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.link_scoring import score_links
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.relevance_blocks import KNOWN
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.cli.garbage_collection import collect_seldom
from siteseer.crawler.run import crawl
from siteseer.demo import Server, SiteRequest, make_site
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.measure.charts.svg_charts import Series, line_chart
from siteseer.model import Page
from siteseer.page.links import targets
from siteseer.page.text import text
from siteseer.page.tree import is_html
from siteseer.settings import CrawlOptions

WANTED = 0.85
CAPTURES = ("fluxbb", "phpbb-prosilver", "smf", "wordpress-2021", "serendipity-2k11", "textpattern", "dokuwiki")


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
    with Server(make_web(seed, web)) as server:
        text = definition_text(web, server.port, web.size // 5)
        return crawled(seed, folder, server, text, web.seeds, web.on_topic, web.size)


def other_seed(make: type[PlainWeb | BlogWeb], seed: int, folder: Path) -> dict[str, object]:
    web = make(seed)
    with Server(web.site()) as server:
        return crawled(seed, folder, server, web.definition(server.port), web.seeds, web.truth, web.size)


def crawled(
    seed: int, folder: Path, server: Server, text: str, begins: tuple[str, ...], truth: frozenset[str], size: int
) -> dict[str, object]:
    budget, spec = size // 5, folder / f"campaign-{seed}.toml"
    spec.write_text(text)
    summary = run_campaign(spec, folder / f"focused-{seed}")
    focused_asked = len(server.log)
    seeds = tuple(f"http://{one.replace('/', f':{server.port}/', 1)}" for one in begins)
    blind = CrawlOptions(seeds, folder / f"blind-{seed}", "blind", scope="any", include=("*.localhost*",),
                         limit=budget, delay=0.0, assets="none", browser="never")  # fmt: skip
    crawl(blind)
    sites = sorted((folder / f"focused-{seed}" / "sites").iterdir())
    focused = curve(captured(sites, server.port), truth)
    blindly = curve(captured([blind.collection], server.port), truth)
    area = sum(y for _, y in focused) / max(1e-9, sum(y for _, y in blindly) * len(focused) / len(blindly))
    return {"seed": seed, "pages": size, "on topic": len(truth), "budget": budget, "asked": focused_asked,
            "summary": summary, "focused": focused, "blind": blindly, "gain": area}  # fmt: skip


def speed() -> bool:
    """Weigh pages of demo sites and of captures with their links, as a campaign does."""
    print(f"five million additions take {additions():.2f} s of this machine's processor")
    print("30 terms, each on 5 to 30 % of the pages; 300 terms, of which each page has many. Analysis in ms:")
    print(
        "pages of              pages   KB  links  30 terms: median   95 %   mean  first 60  300 terms: mean   times parsing"
    )
    sites = {kind: demo_pages(kind) for kind in ("blog", "forum", "wiki")}
    if SITES.exists():
        sites |= {name: captured_pages(name) for name in CAPTURES}
    means = [compared(name, pages) for name, pages in sites.items()]
    for terms, found in zip((30, 300), zip(*means, strict=True), strict=True):
        print(f"{terms} terms: {sum(one <= 3 for one in found)} of {len(found)} kinds of pages within 3 ms, "
              f"{statistics.mean(found):.2f} ms over all")  # fmt: skip
    return all(one[0] <= 3 for one in means)


def additions() -> float:
    """Return how fast the machine is just now: other figures can be read beside it."""
    began, total = time.process_time(), 0
    for number in range(5_000_000):
        total += number
    return time.process_time() - began


def compared(name: str, pages: list[Page]) -> tuple[float, float]:
    """Return the mean time of a page in ms with few and with many terms."""
    words = [set(words_of(text(page))) for page in pages]
    on_pages = Counter(word for one in words for word in one)
    usual = sorted(word for word, count in on_pages.items() if 0.05 <= count / len(pages) <= 0.3 and not word.isdigit())
    few, _ = timed(pages, usual[:: max(1, len(usual) // 30)][:30])
    many, parsing = timed(pages, sorted({word for one in words[:40] for word in one})[::9][:300])
    size = statistics.mean(len(one.body) for one in pages) / 1024
    links = statistics.mean(len(targets(page)) for page in pages)
    print(f"{name:20}  {len(pages):5}  {size:3.0f}  {links:5.0f}  {statistics.median(few):16.2f}  "
          f"{sorted(few)[int(0.95 * len(few))]:5.2f}  {statistics.mean(few):5.2f}  {statistics.mean(few[:60]):8.2f}  {statistics.mean(many):15.2f}  "
          f"{sum(few) / sum(parsing):6.1f} {sum(many) / sum(parsing):6.1f}", flush=True)  # fmt: skip
    return statistics.mean(few), statistics.mean(many)


def timed(pages: list[Page], terms: list[str]) -> tuple[list[float], list[float]]:
    """Return the times of the analysis of each page and of parsing it in ms: each page is met once, as in a crawl."""
    KNOWN.clear()
    collect_seldom()  # as `campaign run` does
    scorer = RelevanceScorer(
        Definition("speed", ("http://demo.test/",), tuple(terms), languages=("en",), since=date(2000, 1, 1))
    )
    parsing, weighing = list[float](), list[float]()
    for one in pages:
        page = Page(one.url, one.status, one.headers, one.body)  # nothing known of it
        began = time.process_time()
        targets(page)
        parsed = time.process_time()
        score_links(page.url, scorer.score(page), scorer, 0.5)
        weighing.append(1000 * (time.process_time() - parsed))
        parsing.append(1000 * (parsed - began))
    return weighing, parsing


def captured_pages(name: str, most: int = 600) -> list[Page]:
    pages = [page for page in capture(name).pages.values() if page.status == 200 and is_html(page)]
    random.Random(1).shuffle(pages)
    return pages[:most]


def demo_pages(kind: str) -> list[Page]:
    site, found = make_site(kind, 1), []
    for path in sorted(site.truth.oracle_paths):
        answer = site.respond(SiteRequest("GET", path, {"host": "demo.test"}))
        if answer.status == 200 and "html" in dict(answer.headers).get("Content-Type", ""):
            found.append(Page(f"http://demo.test{path}", 200, answer.headers, answer.body))
    return found


def many(sites: int = 1000, pages: int = 2) -> bool:
    """Crawl a thousand small sites; the server runs in a process of its own."""
    ready = multiprocessing.Queue()
    server = multiprocessing.get_context("fork").Process(target=serve_ring, args=(sites, pages, ready), daemon=True)
    server.start()
    port = ready.get()
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "many.toml"
        spec.write_text(definition(port, "[sites]\nat_once = 100\n", sites))
        most = [0]
        summary = run_campaign(spec, Path(folder) / "out", lambda now: most.__setitem__(0, max(most[0], now.running)))
        db = sqlite3.connect(Path(folder) / "out" / "campaign.db")
        slices = [count for (count,) in db.execute("SELECT slices FROM sites")]
    server.kill()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{sites} sites, {most[0]} at a time: {summary['pages']} pages, {summary['seconds']} s, peak memory {memory:.0f} MB "
          f"(wanted: under 1000), slices a site {min(slices)} to {max(slices)}")  # fmt: skip
    return memory < 1000 and summary["pages"] == sites * pages


def serve_ring(sites: int, pages: int, ready: Any) -> None:
    with Server(ring(sites, pages)) as server:
        ready.put(server.port)
        threading.Event().wait()


CrawlSeed = Callable[[int, Path], dict[str, object]]


def main(
    parts: Names = ("focus", "speed", "many"), seeds: Names = ("0", "1", "2", "3", "4"), out: Path | None = None
) -> int:
    crawls = partial(focus, seeds=[int(seed) for seed in seeds], out=out)
    offered = {"many": many, "speed": speed, "focus": lambda: crawls(one_seed), "other": lambda: other(crawls)}
    return sum(not offered[name]() for name in sorted(choose(parts, offered), reverse=True))


def other(crawls: Callable[[CrawlSeed], bool]) -> bool:
    kept = []
    for make in (PlainWeb, BlogWeb):
        print(f"{make.__name__}:")
        kept.append(crawls(partial(other_seed, make)))
    return all(kept)


def focus(crawl_seed: CrawlSeed, *, seeds: Sequence[int], out: Path | None) -> bool:
    results = []
    print("seed  pages  on topic  budget  asked  focused  blind   gain at the end  gain over the curve")
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            one = crawl_seed(seed, Path(folder))
            results.append(one)
            focused, blind = one["focused"][-1][1], one["blind"][-1][1]  # type: ignore[index]
            print(f"{seed:4}  {one['pages']:5}  {one['on topic']:8}  {one['budget']:6}  {one['asked']:5}  "
                  f"{focused:6.1f}%  {blind:5.1f}%  {focused / max(blind, 0.1):15.1f}  {one['gain']:19.1f}", flush=True)  # fmt: skip
    worst = min(one["focused"][-1][1] for one in results)  # type: ignore[index]
    blinds = statistics.mean(one["blind"][-1][1] for one in results)  # type: ignore[index]
    print(f"wanted: at least {WANTED:.0%} for every seed; worst {worst:.1f}%; blind on average {blinds:.1f}%")
    if out:
        out.mkdir(parents=True, exist_ok=True)
        for one in results:
            chart = line_chart(
                [Series("blind", one["blind"]), Series("focused", one["focused"])],  # type: ignore[arg-type]
                f"On-topic pages archived, demo web {one['seed']}", "requests", "% of on-topic pages",
            )  # fmt: skip
            (out / f"campaign-{one['seed']}.svg").write_text(chart)
    return bool(worst >= 100 * WANTED)


if __name__ == "__main__":
    run(main)
