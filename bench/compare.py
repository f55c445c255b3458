"""Intelligent and blind crawls of all captured sites, as in the thesis' figures 3.7, 3.8, 5.7, 5.9 and 5.11.

    python bench/compare.py [-o FOLDER] [NAME...]

Prints the table with what the seeds report beside it, and writes compare.html with box charts over the sites.
"""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from typing import Annotated

from harness import Names, run

ROOT = Path(__file__).resolve().parents[1]

from tests.real.replays import SITES, replayed  # noqa: E402

from siteseer.measure.compare import compare_crawls  # noqa: E402
from siteseer.measure.comparison_report import write  # noqa: E402
from siteseer.settings import CrawlOptions  # noqa: E402

STRATEGIES = ("blind", "aware", "learned")
REPORTED = {"aware": (7.0, 0.98, 0.995), "learned": (5.0, 0.968, 0.993)}
"""Times fewer requests, median share of 2-grams, external links without boilerplate: the helper, and ACEBot."""


def main(names: Names = (), /, output: Annotated[Path | None, "where the report goes", "-o"] = None) -> None:
    names = names or sorted(path.name.removesuffix(".warc.xz") for path in SITES.glob("*.warc.xz"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = output or Path(scratch)
        found = []
        print(f"{'site':<26} {'crawl':<8} {'requests':>9} {'fewer':>7} {'2-grams':>9} {'external':>9}")
        for name in names:
            folder.mkdir(parents=True, exist_ok=True)
            with replayed(name, folder / f"{name}.jsonl") as url:
                options = CrawlOptions((f"{url}/",), folder / name, delay=0.0, concurrency=4, assets="none")
                quiet = nullcontext(lambda now: None)
                one = compare_crawls(options, STRATEGIES, lambda quiet=quiet: quiet, lambda text: None).as_json()
            found.append({**one, "site": name})
            for strategy, row in one["strategies"].items():
                print(
                    f"{name:<26} {strategy:<8} {row['requests']:>9,} {row['times_fewer']:>7.1f} {row['coverage']:>9.2%} "
                    f"{row['external_content_coverage']:>9.2%}",
                    flush=True,
                )
        write(found, folder)
        for strategy, (fewer, seen, external) in REPORTED.items():
            rows = [one["strategies"][strategy] for one in found]
            blind = sum(one["strategies"]["blind"]["requests"] for one in found)
            print(
                f"{strategy}: {blind / sum(row['requests'] for row in rows):.1f} times fewer requests (seeds: {fewer}), "
                f"median 2-grams {median(row['coverage'] for row in rows):.2%} ({seen:.1%}), "
                f"external links {median(row['external_content_coverage'] for row in rows):.2%} ({external:.1%})"
            )


if __name__ == "__main__":
    run(main)
