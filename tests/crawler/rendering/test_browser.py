"""Crawling with a real Chromium: what scripts make is read, archived and replayed; what they must not do is not done."""

# ruff: noqa: E501 - scripts in pages read better unbroken

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from siteseer.cli.demo_run import content_share
from siteseer.crawler.run import crawl
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth, make_site
from siteseer.demo.site import document, html
from siteseer.fetch.login_profiles import save_profile
from siteseer.model import JSON
from siteseer.settings import CrawlOptions
from tests.web.chromium import required

OUTSIDE = ("*/member/*", "*/board/4", "*/board/5")
"""What would only take time."""
NO_TRUTH = Truth("small", 0, "own", (), frozenset(), frozenset(), 0)
PROSE = " ".join(f"<p>Paragraph {number} about boats and their ropes.</p>" for number in range(30))


def crawled(url: str, folder: Path, **options: Any) -> JSON:
    """Crawl without waiting."""
    usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "assets": "none"}
    return crawl(CrawlOptions((url,), folder, **(usual | options)))


def events(folder: Path) -> list[JSON]:
    """Return the lines of the log."""
    return [json.loads(line) for file in sorted((folder / "logs").iterdir()) for line in file.read_text().splitlines()]


def records(folder: Path) -> Iterator[Any]:
    """Return the records of the archive, with their content."""
    for file in sorted((folder / "archive").iterdir()):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                yield record, record.content_stream().read()


def words_archived(folder: Path) -> str:
    """Return all pages as scripts made them."""
    return " ".join(
        body.decode()
        for record, body in records(folder)
        if record.rec_headers.get_header("WARC-Target-URI", "").startswith("urn:rendered:")
    )


@pytest.fixture(scope="module", autouse=True)
def _chromium() -> None:
    required()


@pytest.fixture(scope="module")
def forum(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Server, JSON, Site]:
    """The scripted forum, crawled once; its server is down when the tests look."""
    site, folder = make_site("scripted", seed=2, size=3), tmp_path_factory.mktemp("forum")
    with Server(site) as server:
        summary = crawled(server.url, folder, robots="obey", exclude=OUTSIDE)
    return folder, server, summary, site


def test_everything_that_scripts_draw_is_archived(forum: tuple[Path, Server, JSON, Site]) -> None:
    folder, server, summary, site = forum
    assert content_share(folder, site.truth) == 1.0
    assert summary["requests"] == len(server.log)
    assert summary["pages"] == 1 + 3 + 3
    assert summary["two_grams"] > 500
    rendered = [line for line in events(folder) if line["event"] == "rendered"]
    assert all("leaves the rest to scripts" in line["because"] for line in rendered)
    assert any("pressed 'Show more'" in line["because"] for line in rendered)


def test_what_is_known_is_not_asked_for_again(forum: tuple[Path, Server, JSON, Site]) -> None:
    paths = [entry.path for entry in forum[1].log]
    assert len(paths) == len(set(paths))
    assert {entry.method for entry in forum[1].log} == {"GET"}
    assert not [path for path in paths if path.startswith("/login")], "robots.txt forbids it"


def test_the_archive_holds_all_traffic_and_the_page_as_made(forum: tuple[Path, Server, JSON, Site]) -> None:
    folder, server, _, _ = forum
    kinds: dict[str, set[str]] = {}
    responses, made = set(), []
    for record, _body in records(folder):
        url = record.rec_headers.get_header("WARC-Target-URI") or ""
        kinds.setdefault(record.rec_type, set()).add(url)
        if record.rec_type == "response":
            responses.add(record.rec_headers.get_header("WARC-Record-ID"))
        if record.rec_type == "resource":
            made.append(record.rec_headers.get_header("WARC-Concurrent-To"))
    asked = {server.url + entry.path for entry in server.log}
    assert kinds["response"] | kinds["revisit"] >= asked if "revisit" in kinds else kinds["response"] >= asked
    assert kinds["request"] >= asked
    assert {f"urn:rendered:{server.url}/thread/{number}" for number in range(1, 4)} <= kinds["resource"]
    checked = subprocess.run([sys.executable, "-m", "siteseer", "verify", str(folder)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_page_works_in_replay_from_the_archive_alone(forum: tuple[Path, Server, JSON, Site]) -> None:
    pytest.importorskip("pywb", reason="replay needs pywb")
    from playwright.sync_api import expect, sync_playwright

    from siteseer.fetch.browser.process import executable
    from siteseer.web.replay_server import Replay

    folder, server, _, site = forum
    page, count = max(
        ((text.page, sum(one.page == text.page for one in site.truth.texts)) for text in site.truth.texts),
        key=lambda one: one[1],
    )
    replay = Replay()
    try:
        address = replay.address("forum", folder, server.url + page)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable("replay needs"), args=["--no-sandbox"])
            tab = browser.new_page()
            tab.goto(address)
            frame = tab.frame_locator("#replay_iframe")
            shown = 5
            expect(frame.locator("article.post")).to_have_count(min(shown, count), timeout=60_000)
            while shown < count:
                frame.locator("button.more").click()
                shown += 5
                expect(frame.locator("article.post")).to_have_count(min(shown, count), timeout=60_000)
            browser.close()
    finally:
        replay.close()


def test_pages_from_the_archive_are_those_that_scripts_made(
    forum: tuple[Path, Server, JSON, Site], tmp_path: Path
) -> None:
    folder, server, _, site = forum
    summary = crawled(server.url, tmp_path / "again", offline=folder)
    assert summary["pages"] >= 7
    assert content_share(tmp_path / "again", site.truth) == 1.0


SPY = """<!DOCTYPE html><html><body><div id=app></div><script>
const hidden = ['/secret/data', 'http://10.1.2.3/x', 'http://127.0.0.1:1/x'];
for (const url of hidden) fetch(url).catch(() => 0);
fetch('/api/item/3', {method: 'DELETE'}).catch(() => 0);
fetch('/api/login', {method: 'POST', body: 'a=b'}).catch(() => 0);
fetch('/graphql', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Auth-Token': 'scriptsecret'}, body: '{"query": "{posts}"}'})
  .then(a => a.json()).then(a => setTimeout(() => { app.insertAdjacentHTML('beforeend', a.text + '<a href="/plain">on</a><form action=/send method=post><button>Show more</button></form>'); }, 700));
navigator.sendBeacon('/beacon', 'x'); window.open('/popup'); alert('hello');
try { new WebSocket('ws://' + location.host + '/socket'); } catch (e) {}
setTimeout(() => { location.href = '/elsewhere'; }, 100);
</script></body></html>"""


def spy_site() -> Site:
    def answer(request: SiteRequest) -> SiteResponse:
        plain = {
            "/robots.txt": document("User-agent: *\nDisallow: /secret\n", "text/plain"),
            "/": html(SPY),
            "/graphql": document(json.dumps({"text": f"<div>{PROSE}</div>"}), "application/json"),
            "/plain": html(f"<html><body>{PROSE} plain words<script>var a = 1</script></body></html>"),
            "/elsewhere": html(f"<html><body>{PROSE} elsewhere words</body></html>"),
        }
        return plain.get(request.path, html("<p>no such page</p>", 404))

    return Site(NO_TRUTH, answer)


def test_a_page_gets_only_what_a_crawl_may_fetch(tmp_path: Path, serve: Callable[..., Server]) -> None:
    server = serve(spy_site())
    summary = crawled(server.url, tmp_path)
    asked = sorted((entry.method, entry.path) for entry in server.log)
    assert asked == [
        ("GET", "/"),
        ("GET", "/elsewhere"),
        ("GET", "/plain"),
        ("GET", "/robots.txt"),
        ("POST", "/graphql"),
    ]
    assert (summary["skipped"]["robots"], summary["skipped"]["unreachable"]) == (1, 2), (
        "robots.txt of two is out of reach"
    )
    assert "about boats and their ropes" in words_archived(tmp_path), "what came after a delay is there"
    (line,) = (line for line in events(tmp_path) if line["event"] == "rendered")
    assert line["url"].endswith("/"), "the plain pages stayed on plain HTTP"
    assert line["refused"]["would change something"] == 2
    heads = [str(record.http_headers) for record, _ in records(tmp_path) if record.rec_type == "request"]
    assert any("graphql" in head and "redacted" in head for head in heads)
    assert not any("scriptsecret" in head for head in heads)


def test_hash_routes_are_pages(tmp_path: Path, serve: Callable[..., Server]) -> None:
    site = make_site("scripted", seed=2, template="classic", size=2)
    server = serve(site)
    summary = crawled(server.url, tmp_path, exclude=(*OUTSIDE, "*/board/3"))
    assert content_share(tmp_path, site.truth) == 1.0
    assert [entry.path for entry in server.log].count("/") == 1
    lines = [json.loads(line) for line in (tmp_path / "pages" / "pages.jsonl").read_text().splitlines()]
    assert f"{server.url}/#/thread/1" in {line.get("url") for line in lines}
    assert summary["requests"] == len(server.log)


BOOK = """<!DOCTYPE html><html><body><div id=app></div><script>
const show = () => fetch('/chapter/' + (location.hash.slice(2) || '0') + '.md').then(a => a.ok ? a.text() : Promise.reject())
  .then(a => { app.innerHTML = '<p>' + a + '</p>' + [0, 1, 2, 3, 4, 5].map(n => '<a href="#/' + n + '">' + n + '</a>').join(' '); })
  .catch(() => { app.innerHTML = '<p>This chapter cannot be shown.</p>'; });
fetch('/menu.md'); show();
</script></body></html>"""


def test_data_that_scripts_ask_for_in_vain_is_said(tmp_path: Path, serve: Callable[..., Server]) -> None:
    broken = {"/chapter/3.md", "/chapter/4.md"}

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path in broken:
            return html("<p>oops</p>", 500)
        if request.path.startswith("/chapter/"):
            return document(
                f"Words of {request.path} " + " ".join(f"w{request.path[9]}x{n}" for n in range(60)), "text/plain"
            )
        return html(BOOK) if request.path == "/" else html("<p>no such page</p>", 404)

    server = serve(Site(NO_TRUTH, answer))
    first = crawled(server.url, tmp_path, strategy="auto")
    (problem,) = first["problems"]
    assert (problem["reason"], problem["count"], first["finished"]) == ("many-failed", 2, False)
    failed = [json.loads(line) for line in (tmp_path / "reports" / "failed.jsonl").read_text().splitlines()]
    assert first["errors"] == len(failed)
    found = {line["url"].removeprefix(server.url): line["status"] for line in failed if line["status"] != 404}
    assert found == dict.fromkeys(broken, 500)
    asked = [entry.path for entry in server.log]
    assert asked.count("/menu.md") == 1, "what is not there is not asked for by every page"
    broken.clear()
    second = crawled(server.url, tmp_path, strategy="auto")
    assert (second["problems"], second["finished"]) == ([], True)
    assert "w3x7" in words_archived(tmp_path) and "w4x7" in words_archived(tmp_path)


def test_without_the_browser_nothing_is_shown(tmp_path: Path, serve: Callable[..., Server]) -> None:
    server = serve("scripted", seed=2, size=2)
    assert crawled(server.url, tmp_path, browser="never")["requests"] == 2


LOGIN = """<!DOCTYPE html><html><body><div id=app></div><script>
fetch('/me', {headers: {Authorization: 'Bearer ' + localStorage.getItem('token')}}).then(a => a.text()).then(a => { app.innerHTML = a; });
</script></body></html>"""


def test_a_recorded_login_is_used_and_kept_out_of_the_archive(
    tmp_path: Path, serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))

    def answer(request: SiteRequest) -> SiteResponse:
        knows = "sid=cookiesecret" in request.headers.get("cookie", "")
        if request.path == "/":
            return html(LOGIN if knows else "<p>Log in first</p>", headers=(("Set-Cookie", "sid=freshsecret; Path=/"),))
        if request.path == "/me" and request.headers.get("authorization") == "Bearer tokensecret":
            return document(f"<div>{PROSE}</div>", "text/plain")
        return html("<p>nothing</p>", 404)

    server = serve(Site(NO_TRUTH, answer))
    cookie = {
        "name": "sid",
        "value": "cookiesecret",
        "domain": "127.0.0.1",
        "path": "/",
        "expires": -1,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Lax",
    }
    save_profile(
        "me",
        {
            "cookies": [cookie],
            "origins": [{"origin": server.url, "localStorage": [{"name": "token", "value": "tokensecret"}]}],
        },
    )
    crawled(server.url, tmp_path / "c", profile="me")
    assert "about boats and their ropes" in words_archived(tmp_path / "c")
    kept = b" ".join(b"%b %b" % (str(record.http_headers).encode(), body) for record, body in records(tmp_path / "c"))
    kept += b" ".join(
        file.read_bytes() for file in (tmp_path / "c").rglob("*") if file.suffix in (".jsonl", ".json", ".db")
    )
    for secret in (b"cookiesecret", b"tokensecret", b"freshsecret"):
        assert secret not in kept
    assert b"sid=redacted" in kept


DRAWN = """<application id="drawn" category="forum">
  <detect><pattern decisive="yes">body[@data-drawn]</pattern></detect>
  <level id="thread" kind="terminal">
    <detect><pattern>div.list</pattern></detect>
    <interact do="accept">span.agree</interact>
    <interact do="click-until-gone">i.fold</interact>
    <extract type="record" of="post" scope="p.item"><field type="body">.</field></extract>
  </level>
</application>"""
FOLDED = f"""<!DOCTYPE html><html><body data-drawn=yes><div class=list>{PROSE}</div><span class=agree onclick="ok = true; this.remove()">Fine by me</span>
<i class=fold onclick="fold()">⋯</i><script>let left = 3, ok = false;
function fold() {{ if (!ok) return; document.querySelector('.list').insertAdjacentHTML('beforeend', '<p class=item>Item number ' + left + ' of the folded list of many boats and ropes</p>'); if (!--left) document.querySelector('.fold').remove(); }}</script></body></html>"""


def test_knowledge_says_what_to_press(tmp_path: Path, serve: Callable[..., Server]) -> None:
    server = serve(Site(NO_TRUTH, lambda request: html(FOLDED) if request.path == "/" else html("<p>no</p>", 404)))
    file = tmp_path / "drawn.xml"
    file.write_text(DRAWN)
    crawled(server.url, tmp_path / "c", strategy="aware", knowledge=(str(file),))
    (line,) = (line for line in events(tmp_path / "c") if line["event"] == "rendered")
    assert line["because"].startswith("the knowledge base says how to show it")
    assert line["deeds"] == ["accepted span.agree", "pressed i.fold 3 times"]
    made = words_archived(tmp_path / "c")
    assert all(f"Item number {number} of" in made for number in (1, 2, 3))


ENDLESS = """<!DOCTYPE html><html><body><div id=app></div><script>
const add = () => { for (let n = 0; n < 5; n++) app.insertAdjacentHTML('beforeend', '<p style="height:400px">Endless words ' + Math.random() + '</p>'); };
add(); addEventListener('scroll', add); for (;;) if (location.pathname !== '/stuck') break;
</script></body></html>"""


def test_pages_without_end_and_pages_that_hang(
    tmp_path: Path, serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    from siteseer.fetch.browser import render
    from siteseer.settings import ShowLimits

    monkeypatch.setattr(render, "ShowLimits", lambda: ShowLimits(rounds=4, answer_seconds=8))
    stuck = ENDLESS + '<a href="/stuck">x</a>'
    server = serve(
        Site(NO_TRUTH, lambda request: html(stuck) if request.path in ("/", "/stuck") else html("<p>no</p>", 404))
    )
    summary = crawled(server.url, tmp_path)
    (problem,) = summary["problems"]
    assert (problem["reason"], summary["finished"]) == ("many-not-shown", False)  # one page of two
    found = {line["event"]: line for line in events(tmp_path) if line["event"] in ("rendered", "not_rendered")}
    assert found["rendered"]["unfinished"] == "the page went on after 4 rounds"
    assert found["not_rendered"]["url"].endswith("/stuck")


def chromium_of(crawl_process: int) -> list[int]:
    """Return the processes of the browser that a crawl started."""
    sign = f"siteseer-browser-{crawl_process}-".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if sign in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_a_killed_crawl_leaves_no_browser_and_goes_on(tmp_path: Path, serve: Callable[..., Server]) -> None:
    site = make_site("scripted", seed=2, size=2)
    server = serve(site)
    command = [sys.executable, "-m", "siteseer", "crawl", server.url, "-o", str(tmp_path / "c"), "--strategy", "blind"]
    outside = (*OUTSIDE, "*/board/3")
    command += ["--delay", "0", "--assets", "none", *(part for one in outside for part in ("--exclude", one))]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ})
    while sum(entry.path.startswith("/api/board") for entry in server.log) < 1:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    end = time.monotonic() + 300
    while chromium_of(running.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not chromium_of(running.pid)
    summary = crawled(server.url, tmp_path / "c", exclude=outside)
    assert summary["finished"]
    assert summary["pages"] == 1 + 2 + 2
    assert content_share(tmp_path / "c", site.truth) == 1.0
    checked = subprocess.run(
        [sys.executable, "-m", "siteseer", "verify", str(tmp_path / "c")], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
