"""What may be reached, decided where the connection is opened."""

import asyncio
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import pytest

from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy, RefusedAddressError, is_public
from siteseer.interfaces import Request
from tests.crawler.small_site import SmallSite, pages

PRIVATE = (
    "10.1.2.3 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1 fc00::1 "
    "::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1"
).split()


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(ip_address(address))
    assert not AddressPolicy().allows(address, 80)
    assert AddressPolicy(allow_private=True).allows(address, 80)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_public_addresses(address: str) -> None:
    assert AddressPolicy().allows(address, 80)


def test_a_seed_allows_its_host_and_port_only() -> None:
    policy = AddressPolicy(["http://localhost:8080/x"])
    assert policy.allows("127.0.0.1", 8080) and policy.allows("::ffff:127.0.0.1", 8080)
    assert not policy.allows("127.0.0.1", 22) and not policy.allows("127.0.0.2", 8080)


def test_the_connection_itself_is_refused() -> None:
    async def fetch(url: str) -> None:
        fetcher = HttpFetcher("test", AddressPolicy())
        try:
            await fetcher.fetch(Request(url))
        finally:
            await fetcher.close()

    with SmallSite(pages({"/": "secret"})) as site:
        for url in (site.url, site.url.replace("127.0.0.1", "localhost")):
            with pytest.raises(RefusedAddressError):
                asyncio.run(fetch(url + "/"))
        assert site.seen == []


def test_redirects_and_assets_do_not_lead_into_the_local_network(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages({"/": "a secret of the local network"})) as secret:
        table = {
            "/": f'<a href="/r">r</a><img src="{secret.url}/"><a href="{secret.url}/">direct</a>',
            "/r": (302, {"Location": f"{secret.url}/"}, b""),
        }
        with SmallSite(pages(table)) as site:
            summary = run_crawl(site.url, assets="all", scope="any")
        assert secret.seen == [] and summary["finished"]
        assert [(one["reason"], one["count"]) for one in summary["problems"]] == [("private-address", 1)]
        with SmallSite(pages(table)) as site:
            run_crawl(site.url, "allowed", assets="all", scope="any", allow_private=True)
        assert secret.seen
