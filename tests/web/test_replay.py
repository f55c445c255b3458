"""Full replay, started as the interface starts it: who may look at it, and who may not."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from siteseer.crawler.run import crawl
from siteseer.demo import Server, make_site
from siteseer.settings import CrawlOptions
from siteseer.web.replay_server import Replay

pytestmark = pytest.mark.skipif(not Replay.is_installed(), reason="replay needs pywb")


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("library") / "blog"
    with Server(make_site("blog", 2, size=3)) as server:
        crawl(CrawlOptions((server.url,), folder, "auto", delay=0.0, limit=8))
        replay = Replay()
        try:
            yield replay.address("blog", folder, server.url + "/")
        finally:
            replay.close()


class Asked:
    """An answer of the replay."""

    def __init__(self, address: str, **headers: str) -> None:
        split = urlsplit(address)
        connection = HTTPConnection("127.0.0.1", split.port or 0, timeout=30)
        sent = {"Host": split.netloc, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request("GET", split.path, headers=sent)
        answer = connection.getresponse()
        self.status, self.body = answer.status, answer.read()
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        connection.close()


def inside(link: str) -> tuple[str, str]:
    """Return the address behind the link, and the cookie that opens it."""
    entered = Asked(link)
    assert entered.status == 303, entered.body
    split = urlsplit(link)
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite" in cookie
    return f"{split.scheme}://{split.netloc}{entered.headers['location']}", cookie.partition(";")[0]


def test_the_link_opens_the_archived_page(link):
    address, cookie = inside(link)
    assert "/open/" not in address
    frame = Asked(address, Cookie=cookie)
    assert frame.status == 200 and frame.headers["cross-origin-resource-policy"] == "same-origin"
    page = Asked(address.replace("/blog/", "/blog/mp_/"), Cookie=cookie)
    assert page.status == 200 and b"<article" in page.body
    policy = page.headers["content-security-policy"]
    assert "ws:" not in policy and "'self'" in policy and "access-control-allow-origin" not in page.headers


def test_nobody_else_gets_in(link):
    address, cookie = inside(link)
    refused = [
        Asked(address),
        Asked(address, Cookie=cookie + "x"),
        Asked(link.replace("/open/", "/open/x")),
        Asked(address, Cookie=cookie, Host="evil.example"),
        Asked(address, Cookie=cookie, Host=f"evil.example:{urlsplit(address).port}"),
        Asked(address, Cookie=cookie, Origin="http://evil.example"),
        Asked(address, Cookie=cookie, Origin="null"),
        Asked(address, Cookie=cookie, Origin=f"http://localhost:{(urlsplit(address).port or 0) + 1}"),
        Asked(address, Cookie=cookie, Sec_Fetch_Site="same-site", Sec_Fetch_Mode="cors", Sec_Fetch_Dest="empty"),
        Asked(address, Cookie=cookie, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe"),
        Asked(link, Host=f"evil.example:{urlsplit(link).port}"),
    ]
    assert [one.status for one in refused] == [403] * len(refused)
    assert not any(b"<article" in one.body for one in refused)


def test_the_link_never_leads_elsewhere(link):
    entered = Asked(link.partition("/blog/")[0] + "//evil.example/")
    assert entered.status == 303 and entered.headers["location"] == "/evil.example/"
