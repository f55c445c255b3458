"""What a crawl says of its end while it runs, against its end: on captures of real software and on demo sites.

    python bench/forecast.py [--sites A,B,C] [--strategies auto,learned,blind] [--points]

Each site is crawled to its end. At 10, 25, 50 and 75 % of its requests the forecast of that moment is compared with what
came. `unknown`: points of which the forecast said that nobody can tell; of the others, `content`: how often the true
share of all 2-grams lies in the stated interval, `requests`: how often the true number of requests does; `too much`:
intervals that begin more than 15 points above the truth; `width`: the middle of the intervals' widths, in points.
--points prints every point.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import Names, run
from tests.measure.certificate.watched_crawl import snapshots
from tests.real.replays import SITES, replayed

from siteseer.crawler.progress import Snapshot
from siteseer.demo import make_site
from siteseer.demo.server import Server
from siteseer.measure.remaining_content import forecast

DEMOS = (
    "blog 0 modern", "blog 3 classic 300", "forum 0 modern", "forum 5 classic", "forum 4 classic 300", "wiki 5 modern",
)  # fmt: skip
STRATEGIES = ("auto", "learned", "blind")
BLIND_TAKES_LONG = (
    "phpbb-prosilver", "smf", "dokuwiki", "wordpress-2021", "serendipity-2k11", "serendipity-bulletproof",
)  # fmt: skip
FEWEST_REQUESTS = 30
"""A smaller crawl is over before anything can be told."""
MOST_TOO_MUCH = 0.15
PARTS = (0.1, 0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Point:
    """One forecast, and what came."""

    site: str
    strategy: str
    part: float
    share: float
    low: float
    high: float
    left: int
    left_low: int
    left_high: int | None

    @property
    def is_known(self) -> bool:
        return self.left_high is not None

    @property
    def is_covered(self) -> bool:
        return self.low - 0.0005 <= self.share <= self.high + 0.0005

    @property
    def is_left_covered(self) -> bool:
        return self.left_low <= self.left and (self.left_high is None or self.left <= self.left_high)

    @property
    def claims_too_much(self) -> bool:
        return self.low > self.share + MOST_TOO_MUCH

    def __str__(self) -> str:
        stated = f"{self.low:4.0%} to {self.high:4.0%}" if self.is_known else "     unknown"
        high = "?" if self.left_high is None else self.left_high
        left = f"left {self.left:5}, said {self.left_low} to {high}"
        marks = ("" if self.is_covered else " MISSED") + (" TOO MUCH" if self.claims_too_much else "")
        return f"    at {self.part:3.0%}: {self.share:4.0%} there, said {stated}; {left}{marks}"


def points(site: str, strategy: str, seen: list[Snapshot]) -> list[Point]:
    """Return the forecasts at some points of a crawl."""
    end, found = seen[-1], list[Point]()
    curve = [(one.requests, one.two_grams) for one in seen]
    for part in PARTS:
        at = next(number for number, one in enumerate(seen) if one.requests >= part * end.requests)
        now, said = seen[at], forecast(curve[: at + 1], seen[at].left)
        share, low, high = now.two_grams / max(1, end.two_grams), said["complete"]["low"], said["complete"]["high"]
        left = end.requests - now.requests
        found.append(Point(site, strategy, part, share, low, high, left, now.left.low, now.left.high))
    return found


@contextmanager
def served(site: str, folder: Path) -> Iterator[str]:
    """Serve a capture, or a demo site given as kind, seed, template and size."""
    if (SITES / f"{site}.warc.xz").exists():
        with replayed(site, folder / "requests.jsonl") as url:
            yield url + "/"
        return
    kind, seed, template, *size = site.split()
    with Server(make_site(kind, int(seed), template, int(size[0]) if size else None)) as server:
        yield server.url + "/"


def measured(site: str, strategy: str) -> list[Point]:
    """Crawl a site and return the points of its crawl; none where it is too small."""
    with tempfile.TemporaryDirectory() as name, served(site, Path(name)) as url:
        seen = snapshots(url, Path(name) / "collection", strategy)
    return points(site, strategy, seen) if seen and seen[-1].requests >= FEWEST_REQUESTS else []


def told(name: str, found: list[Point]) -> str:
    """Return one line of the table."""
    known = [one for one in found if one.is_known]
    row = f"{name:34} {len(found):6} {len(found) - len(known):8}"
    if not known:
        return row
    content = sum(one.is_covered for one in known) / len(known)
    requests = sum(one.is_left_covered for one in known) / len(known)
    width = 100 * median(one.high - one.low for one in known)
    return f"{row} {content:8.1%} {requests:8.1%} {sum(one.claims_too_much for one in known):8} {width:7.0f}"


def main(sites: Names = (), strategies: Names = tuple(STRATEGIES), points: bool = False) -> None:
    captures = sorted(path.name.removesuffix(".warc.xz") for path in SITES.glob("*.warc.xz"))
    print(f"{'':34} points  unknown  content requests too much   width")
    everything: list[Point] = []
    for site in sites or (*captures, *DEMOS):
        for strategy in strategies:
            if strategy == "blind" and site in BLIND_TAKES_LONG:
                continue
            if found := measured(site, strategy):
                print(told(f"{site}, {strategy}", found), flush=True)
                everything += found
                for one in found if points else ():
                    print(one)
    for strategy in strategies:
        if found := [one for one in everything if one.strategy == strategy]:
            print(told(f"all, {strategy}", found))
    for part in PARTS if everything else ():
        print(told(f"all, at {part:.0%}", [one for one in everything if one.part == part]))
    if everything:
        print(told("all", everything))


if __name__ == "__main__":
    run(main)
