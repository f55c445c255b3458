"""TLS is verified: who cannot be trusted gets no secrets, is noted where it is archived, or refused."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from siteseer.collection.exit_codes import exit_code
from siteseer.errors import FetchError
from siteseer.fetch.certificates import CertificateError, has_authorities
from siteseer.fetch.fetch_one import fetch_page
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Exchange, Request
from siteseer.model import JSON
from siteseer.settings import ExtractionOptions
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import extract
from tests.crawler.small_site import SmallSite, pages
from tests.fetch.tls_site import Authority, TlsSite
from tests.web.chromium import required

BAD = ("self-signed", "expired", "other-host")
HEADERS = ("Authorization: Bearer s3cret-header",)
HOME = {"/": "<title>Home</title><p>Words of a page for readers.</p><a href=/two>two</a>", "/two": "<p>More words.</p>"}


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    made = Authority.make(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.file))
    return made


def reasons(summary: JSON) -> list[str]:
    return [problem["reason"] for problem in summary["problems"]]


def metadata(folder: Path) -> str:
    """Return the metadata and warcinfo records of a collection."""
    found = []
    for file in sorted((folder / "archive").iterdir()):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type in ("metadata", "warcinfo"):
                    found.append(record.content_stream().read().decode())
    return "\n".join(found)


def test_a_good_certificate_is_no_matter(run_crawl: Callable, authority: Authority, tmp_path: Path) -> None:
    with TlsSite(pages(HOME), authority.certify("good")) as site:
        summary = run_crawl(site.url, tls="strict", headers=HEADERS)
    assert (summary["pages"], summary["problems"], exit_code(summary)) == (2, [], 0)
    assert all(entry.headers["authorization"] == "Bearer s3cret-header" for entry in site.seen)
    assert "not verified" not in metadata(tmp_path / "collection")


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_certificate_is_archived_and_noted(
    run_crawl: Callable, authority: Authority, tmp_path: Path, kind: str
) -> None:
    with TlsSite(pages(HOME), authority.certify(kind)) as site:
        summary = run_crawl(site.url)
    assert summary["pages"] == 2 and exit_code(summary) == 0
    (problem,) = summary["problems"]
    assert problem["reason"] == "certificate-unverified" and problem["count"] == 1
    assert site.url.removeprefix("https://") in problem["sentence"]
    written = metadata(tmp_path / "collection")
    assert written.count("tls-certificate: not verified: ") == 3, "robots.txt and two pages"
    assert "tls: certificates verified" in written
    log = (tmp_path / "collection" / "logs" / "crawl-1.jsonl").read_text().splitlines()
    assert {json.loads(line).get("certificate", "")[:12] for line in log if '"page"' in line} == {"not verified"}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("options", [{"tls": "strict"}, {"headers": HEADERS}])
def test_a_bad_certificate_is_refused(run_crawl: Callable, authority: Authority, kind: str, options: JSON) -> None:
    with TlsSite(pages(HOME), authority.certify(kind)) as site:
        summary = run_crawl(site.url, **options)
    assert site.seen == [], "nothing was sent at all"
    assert summary["pages"] == 0 and reasons(summary) == ["seed-untrusted"] and exit_code(summary) == 1
    said = summary["problems"][0]["sentence"]
    assert "cannot be verified" in said and ("--tls strict" in said) == ("tls" in options)


def test_without_robots_the_seed_is_refused_in_the_same_words(run_crawl: Callable, authority: Authority) -> None:
    with TlsSite(pages(HOME), authority.certify("expired")) as site:
        summary = run_crawl(site.url, tls="strict", robots="ignore")
    assert reasons(summary) == ["seed-untrusted"] and "expired" in summary["problems"][0]["sentence"]


def test_cookies_and_logins_are_credentials_too(run_crawl: Callable, authority: Authority, tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tTRUE\t0\tlogin\ts3cret\n")
    with TlsSite(pages(HOME), authority.certify("self-signed")) as site:
        summary = run_crawl(site.url, cookies=cookies)
    assert site.seen == [] and reasons(summary) == ["seed-untrusted"]


def test_what_others_send_is_archived_beside_a_login(run_crawl: Callable, authority: Authority, tmp_path: Path) -> None:
    """Pictures from a host with a bad certificate: no credentials go there, so they are archived, and noted."""
    with TlsSite(pages({"/p.png": (200, {"Content-Type": "image/png"}, b"x")}), authority.certify("expired")) as third:
        home = {"/": f"<p>Words for readers.</p><img src='{third.url}/p.png'>"}
        with TlsSite(pages(home), authority.certify("good")) as site:
            summary = run_crawl(site.url, headers=HEADERS, assets="all", allow_private=True)
            strict = run_crawl(site.url, "strict", headers=HEADERS, assets="all", allow_private=True, tls="strict")
    assert "/p.png" in third.paths() and not any("authorization" in entry.headers for entry in third.seen)
    assert reasons(summary) == ["certificate-unverified"] and exit_code(summary) == 0
    assert reasons(strict) == ["certificate-refused"] and strict["pages"] == 1 and exit_code(strict) == 0
    assert third.paths().count("/p.png") == 1


def test_single_pages_are_fetched_and_it_is_said(authority: Authority, caplog: pytest.LogCaptureFixture) -> None:
    with TlsSite(pages(HOME), authority.certify("other-host")) as site:
        page = fetch_page(site.url)
    assert page.status == 200 and "cannot be verified" in caplog.text


def test_the_outcome_says_it(authority: Authority) -> None:
    async def fetched(url: str, tls: str) -> Exchange:
        fetcher = HttpFetcher("test", AddressPolicy([url], tls=tls))
        try:
            return await fetcher.fetch(Request(url))
        finally:
            await fetcher.close()

    with TlsSite(pages(HOME), authority.certify("self-signed")) as site:
        assert "self" in asyncio.run(fetched(f"{site.url}/", "lenient")).certificate
        with pytest.raises(CertificateError, match="cannot be verified"):
            asyncio.run(fetched(f"{site.url}/", "strict"))
    with SmallSite(pages(HOME)) as plain:
        assert asyncio.run(fetched(f"{plain.url}/", "strict")).certificate == ""


def test_what_is_no_tls_at_all_is_an_ordinary_failure(authority: Authority) -> None:
    with SmallSite(pages(HOME)) as plain, pytest.raises(FetchError) as raised:
        fetch_page(plain.url.replace("http:", "https:"))
    assert not isinstance(raised.value, CertificateError)


def test_a_python_without_authorities_is_told_apart(tmp_path: Path) -> None:
    known = ssl.get_default_verify_paths()
    assert not has_authorities(known._replace(cafile=None, capath=None))
    assert not has_authorities(known._replace(cafile=None, capath=str(tmp_path)))
    assert has_authorities(known._replace(cafile="/some/file"))


@pytest.mark.parametrize("browser", ["never", "always"])
def test_wrappers_note_it_too_or_refuse(authority: Authority, tmp_path: Path, browser: str) -> None:
    if browser == "always":
        required()
    found: list[Record] = []
    with TlsSite(pages(HOME), authority.certify("self-signed")) as site:
        wrapper = parse(f"doc('{site.url}/')//p:<text=string(.)>")
        lenient = ExtractionOptions(browser=browser, delay=0.0, collection=tmp_path / "c")
        extract(wrapper, found.append, lenient)
        asked = len(site.seen)
        with pytest.raises(FetchError, match="cannot be verified"):
            extract(wrapper, found.append, ExtractionOptions(browser=browser, delay=0.0, tls="strict"))
        assert len(site.seen) == asked, "nothing was sent"
    assert len(found) == 1 and "tls-certificate: not verified: self" in metadata(tmp_path / "c")
