"""Runs the demonstration: crawls small local sites with each strategy, and compares the results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from siteseer.archive.archived_pages import pages
from siteseer.cli.live_progress import live
from siteseer.cli.terminal import print_message
from siteseer.collection.layout import archive_of
from siteseer.crawler.run import crawl
from siteseer.demo import Server, Truth, make_site
from siteseer.model import JSON
from siteseer.page.text import WORD
from siteseer.page.tree import is_html
from siteseer.page.two_grams import Grams, grams, hash_words
from siteseer.settings import CrawlOptions

KINDS = ("blog", "forum", "wiki")


@dataclass(frozen=True, slots=True)
class Row:
    """What one crawl of one site took and brought."""

    site: str
    strategy: str
    requests: int
    content: float
    objects: int
    folder: Path


def showcase(folder: Path, seed: int) -> list[Row]:
    """Crawl every kind of site with both strategies into folders."""
    rows = []
    for kind in KINDS:
        site = make_site(kind, seed)
        with Server(site) as server:
            for strategy in ("auto", "blind"):
                print_message(f"crawling the {kind} with --strategy {strategy} ...")
                rows.append(_crawl(server.url, folder / f"{kind}-{strategy}", kind, strategy, site.truth))
    return rows


def _crawl(url: str, folder: Path, kind: str, strategy: str, truth: Truth) -> Row:
    options = CrawlOptions(
        (url,), folder, strategy=strategy, delay=0.0, concurrency=4, robots="ignore", assets="none", overwrite=True
    )
    with live() as watch:
        summary: JSON = crawl(options, watch)
    kept = sum(count for name, count in summary["objects"].items() if name in ("post", "comment", "page", "article"))
    return Row(kind, strategy, summary["requests"], content_share(folder, truth), kept, folder)


def content_share(collection: Path, truth: Truth) -> float:
    """Return the share of the true texts' 2-grams that the archived pages show."""
    wanted: set[int] = set()
    for text in truth.texts:
        wanted.update(_text_grams(text.text).tolist())
    seen: set[int] = set()
    for page, _ in pages(archive_of(collection)):
        if page.status == 200 and is_html(page):
            seen.update(wanted.intersection(grams(page).tolist()))
    return len(seen) / len(wanted) if wanted else 1.0


def _text_grams(text: str) -> Grams:
    return hash_words(WORD.findall(text.lower()))


def rows_json(rows: list[Row]) -> list[JSON]:
    """Return what each crawl took and brought, for programs."""
    blind = {row.site: row.requests for row in rows if row.strategy == "blind"}
    return [{**asdict(row), "folder": str(row.folder), "times_fewer": blind[row.site] / row.requests} for row in rows]


def print_rows(rows: list[Row], folder: Path) -> None:
    """Print the table that compares the crawls."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="The same content with fewer requests")
    for name in ("site", "strategy", "requests", "content", "objects", "times fewer"):
        table.add_column(name, justify="left" if name in ("site", "strategy") else "right")
    blind = {row.site: row.requests for row in rows if row.strategy == "blind"}
    for row in rows:
        fewer = f"{blind[row.site] / row.requests:.1f}" if row.strategy != "blind" else ""
        share = f"{row.content:.1%}"
        table.add_row(row.site, row.strategy, f"{row.requests:,}", share, f"{row.objects:,}", fewer)
    Console().print(table)
    print(f"The collections are in {folder}. Look into one:\n  ./siteseer objects {rows[0].folder}")
