"""A slice of a site asks for what promises enough, and for nothing in place of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from siteseer.campaigns.campaign_ledger import Report, arrivals_of
from siteseer.campaigns.engines.site_slice import CampaignSite, crawl_slice, fetcher_of, open_site, visits_of
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.demo import Server
from tests.campaigns.small_web import definition, ring


def test_links_to_a_page_that_was_asked_for_bring_its_site_no_requests(tmp_path: Path) -> None:
    async def crawl(port: int, links: list[str]) -> list[Report]:
        """Crawl the first page, then two slices with links of another site."""
        text, host = definition(port), f"s0.localhost:{port}"
        wanted, place = (
            read_definition(text),
            CampaignSite(host, f"http://{host}/", {"inherited": 0.5}, tmp_path / str(port)),
        )
        fetcher = fetcher_of(wanted)
        site_crawl = open_site(place, wanted, text, visits_of(wanted, fetcher), TermLearner())
        letters = [[f"http://{host}{path}", 0.95, "said again", "other", 0.5, "http://o/", 0] for path in links]
        try:
            return [
                await crawl_slice(site_crawl, [], 2, 0.4),
                await crawl_slice(site_crawl, arrivals_of(letters), 4, 0.94),
            ]
        finally:
            site_crawl.close()
            await fetcher.close()

    with Server(ring(1, 15)) as server:
        first, second = asyncio.run(crawl(server.port, ["/"]))
        assert second.requests == first.requests == 2
        assert 0 < second.best < 0.94
    with Server(ring(1, 15)) as server:
        first, second = asyncio.run(crawl(server.port, ["/", "/7"]))
        assert second.requests == first.requests + 1
        assert server.log[-1].path == "/7"
