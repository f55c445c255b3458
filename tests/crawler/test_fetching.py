"""Page requisites, cookies, proxies, redirects and headers, on real servers."""

import json
from collections.abc import Callable
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from siteseer.archive.archived_pages import pages as archived
from tests.crawler.small_site import Answer, SmallSite, pages


def test_page_requisites_are_fetched_and_their_requisites_too(run_crawl: Callable, tmp_path: Path) -> None:
    table = {
        "/": '<link rel=stylesheet href=/s.css><img src="/i.png"><a href="/next">n</a>',
        "/s.css": (200, {"Content-Type": "text/css"}, b"body{background:url(/b.gif)}"),
        "/i.png": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
        "/b.gif": (200, {"Content-Type": "image/gif"}, b"GIF89a"),
        "/next": "next page",
    }
    with SmallSite(pages(table)) as site:
        run_crawl(site.url, assets="all")
        assert set(site.paths()) == {"/robots.txt", "/", "/s.css", "/i.png", "/b.gif", "/next"}
    with SmallSite(pages(table)) as site:
        run_crawl(site.url, "none", assets="none")
        assert set(site.paths()) == {"/robots.txt", "/", "/next"}


def test_cookies_live_for_one_crawl_and_stay_out_of_the_archive(run_crawl: Callable, tmp_path: Path) -> None:
    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/":
            return 200, {"Set-Cookie": "visit=secret-visit; Path=/"}, b'<a href="/a">a</a>'
        return 200, {}, headers.get("cookie", "no cookie").replace("secret", "the").encode()

    cookies = tmp_path / "cookies.txt"
    with SmallSite(answer) as site:
        cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\tsecret-login\n")
        run_crawl(site.url, cookies=cookies, headers=("X-Key: secret-key",), concurrency=1)
        sent = next(entry.headers for entry in site.seen if entry.path == "/a")
    assert "visit=secret-visit" in sent["cookie"] and "login=secret-login" in sent["cookie"]
    assert sent["x-key"] == "secret-key"
    for file in (tmp_path / "collection" / "archive").iterdir():
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "request":
                    text = str(record.http_headers)
                    assert "secret" not in text, text


def test_redirects_are_captures_of_their_own(run_crawl: Callable, tmp_path: Path) -> None:
    table = {"/": '<a href="/old">o</a>', "/old": (301, {"Location": "/new"}, b"moved"), "/new": "here now"}
    with SmallSite(pages(table)) as site:
        summary = run_crawl(site.url)
    assert summary["responses"] == {"200": 2, "301": 1, "404": 1}
    found = {page.url.rpartition("/")[2]: page.status for page, _ in archived(tmp_path / "collection" / "archive")}
    assert found["old"] == 301 and found["new"] == 200


def test_a_session_id_does_not_make_another_page(run_crawl: Callable, tmp_path: Path) -> None:
    def answer(path: str, headers: dict[str, str]) -> Answer:
        token = f"{len(path):032x}"
        return 200, {}, f'<a href="/a?sid={token}">a</a><a href="/b?sid={token[::-1]}">b</a>'.encode()

    with SmallSite(answer) as site:
        run_crawl(site.url)
    assert sorted(path.partition("?")[0] for path in site.paths()) == ["/", "/a", "/b", "/robots.txt"]


def test_a_proxy_is_asked_instead_of_the_host(run_crawl: Callable, tmp_path: Path) -> None:
    def proxy(path: str, headers: dict[str, str]) -> Answer:
        return 200, {}, f"you asked the proxy for {path}".encode()

    with SmallSite(proxy) as site:
        summary = run_crawl("http://nowhere.invalid/", proxy=site.url)
        assert "http://nowhere.invalid/" in site.paths()
    assert summary["pages"] == 1
    lines = (tmp_path / "collection" / "pages" / "pages.jsonl").read_text().splitlines()
    assert json.loads(lines[1])["url"] == "http://nowhere.invalid/"


def test_the_archive_names_the_address_that_answered(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages({"/": "short"})) as site:
        run_crawl(site.url)
    found = []
    for file in (tmp_path / "collection" / "archive").iterdir():
        with file.open("rb") as stream:
            found += [one.rec_headers.get_header("WARC-IP-Address") for one in ArchiveIterator(stream)][1:]
    assert set(found) == {"127.0.0.1", None}
