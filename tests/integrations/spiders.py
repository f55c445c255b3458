"""Spiders as people write them, run as `python spiders.py '[{"spider": ..., "url": ..., "out": ..., "settings": {}}]'`.

All crawls of the list run in this one process. Items and stats of each go to `OUT.jsonl` and `OUT.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from scrapy import FormRequest, Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Everything(CrawlSpider):
    """Follows all links."""

    name = "everything"
    rules = (Rule(LinkExtractor(), callback="parse_item", follow=True),)

    def parse_item(self, response: Response) -> Iterator[Any]:
        yield {"visited": response.url}


class Coroutine(Spider):
    """Follows all links, in a coroutine."""

    name = "coroutine"

    async def parse(self, response: Response, **how: Any) -> AsyncIterator[Any]:
        for link in LinkExtractor().extract_links(response):
            yield Request(link.url)


class Narrow(Spider):
    """Knows boards and the first pages of threads only; each kind of page has its callback."""

    name = "narrow"

    def parse(self, response: Response, **how: Any) -> Iterator[Any]:
        yield from response.follow_all(css="h3.node-title a", callback=self.parse_board)

    def parse_board(self, response: Response) -> Iterator[Any]:
        yield {"board": response.url}
        yield from response.follow_all(css="div.topic-title > a", callback=self.parse_thread, cb_kwargs={"tag": "t"})

    def parse_thread(self, response: Response, tag: str) -> Iterator[Any]:
        yield {"thread": response.url, "tag": tag}


class Titles(Spider):
    """Follows nothing; reads every page that it is given."""

    name = "titles"

    def parse(self, response: Response, **how: Any) -> Iterator[Any]:
        yield {"heading": response.css("h1::text").get(), "type": response.headers["Content-Type"].decode()}


class Failing(Everything):
    """Has a callback that fails on every thread, after its first result."""

    name = "failing"

    def parse_item(self, response: Response) -> Iterator[Any]:
        yield {"visited": response.url}
        if "/thread/" in response.url:
            raise ValueError("not as expected")


class Own(Spider):
    """Asks for what no page links to, sends a form, insists on a page, and leaves the site."""

    name = "own"

    def parse(self, response: Response, **how: Any) -> Iterator[Any]:
        yield Request(response.urljoin("/members/?mine=1"), self.parse_own)
        yield Request(response.urljoin("/members/"), self.parse_own, dont_filter=True)
        yield Request(response.url.replace("127.0.0.1", "localhost"), self.parse_own)
        yield FormRequest(response.urljoin("/login/"), self.parse_own, formdata={"a": "b"})

    def parse_own(self, response: Response) -> Iterator[Any]:
        yield {"own": f"{response.request.method} {response.url}" if response.request else ""}


SPIDERS: dict[str, type[Spider]] = {one.name: one for one in (Everything, Coroutine, Narrow, Titles, Failing, Own)}
QUIET = {
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "RETRY_ENABLED": False,
}


def run(crawls: list[dict[str, Any]]) -> None:
    """Run the crawls side by side."""
    process = CrawlerProcess({"LOG_LEVEL": "ERROR", **crawls[0].get("process", {})})
    running = []
    for crawl in crawls:
        out = Path(crawl["out"])
        feeds = {str(out.with_suffix(".jsonl")): {"format": "jsonlines", "overwrite": True}}
        spider = SPIDERS[crawl["spider"]]
        chosen = {**QUIET, "FEEDS": feeds, **crawl["settings"]}
        made = type(spider.__name__, (spider,), {"custom_settings": chosen})
        crawler = process.create_crawler(made)
        hosts = crawl.get("allowed", ["127.0.0.1"])
        process.crawl(crawler, start_urls=[crawl["url"]], allowed_domains=hosts)
        running.append((out, crawler))
    process.start()
    for out, crawler in running:
        stats = crawler.stats.get_stats() if crawler.stats else {}
        out.with_suffix(".json").write_text(json.dumps(stats, default=str))


if __name__ == "__main__":
    run(json.loads(sys.argv[1]))
