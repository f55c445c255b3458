"""The commands that tell time, on files and on a demo blog over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siteseer.cli.main import run
from siteseer.demo import Server, make_site

PAGE = (
    "<html><head><title>Kites</title></head><body><h1>Kites</h1><p>Posted on 5 May 2015</p>"
    "<p>They fly high over the green hill, and people look up at them.</p></body></html>"
)
FEED = (
    "<rss version='2.0'><channel><title>N</title><item><title>A</title><link>http://e.org/a</link>"
    "<pubDate>Mon, 04 May 2015 10:00:00 GMT</pubDate></item><item><title>B</title><link>http://e.org/b</link></item>"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "old.html").write_text(PAGE)
    (tmp_path / "new.html").write_text(PAGE.replace("green", "brown"))
    (tmp_path / "feed.xml").write_text(FEED)
    return tmp_path


def test_timestamp(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["timestamp", str(files / "old.html")]) == 0
    assert json.loads(capsys.readouterr().out)["published"] == "2015-05-05"
    assert (
        run(["timestamp", str(files / "old.html"), "--url", "http://e.org/a", "--feed", str(files / "feed.xml")]) == 0
    )
    row = json.loads(capsys.readouterr().out)
    assert (row["published"], row["source"], row["runner_up"]) == ("2015-05-04T10:00:00Z", "feed", "2015-05-05")
    assert run(["timestamp", str(files / "none.html")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_changes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(files / "old.html"), str(files / "new.html")
    assert run(["changes", old, new, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "edited"
    assert found["changes"][0]["xpath"] == "/html/body/p[2]"
    assert run(["changes", old, new, "--view", "merged", "-o", str(files / "view.html")]) == 0
    assert "<del>green</del> <ins>brown</ins>" in (files / "view.html").read_text()
    assert run(["changes", old, new, "--view", "upside-down"]) == 2
    assert run(["changes", old, str(files / "none.html")]) == 2


def test_feed(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["feed", str(files / "feed.xml"), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["type"], row["items"], row["entries"][0]["link"]) == ("RSS 2.0", 2, "http://e.org/a")
    assert run(["feed", str(files / "feed.xml"), str(files / "feed.xml")]) == 0
    assert "RSS 2.0  2  100.0%" in capsys.readouterr().out
    assert run(["feed", str(files / "old.html")]) == 2


def test_feed_watch_archives_new_items_and_extracts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = make_site("blog", seed=6, template="modern", size=12)
    after = make_site("blog", seed=6, template="modern", size=12, grown=2)
    with Server(before) as server:
        assert run(["feed", server.url + "/"]) == 0
        capsys.readouterr()
        command = ["feed", "watch", server.url + "/feed/", "-o", str(tmp_path / "c"), "--rounds", "1", "--delay", "0"]
        assert run(command) == 0
        posts = [entry.path for entry in server.log if entry.status == 200 and entry.path.startswith("/20")]
        assert len(posts) >= 10
        server.site = after
        server.log.clear()
        assert run(command) == 0
        asked = [entry.path for entry in server.log if entry.status == 200 and entry.path.startswith("/20")]
        new = {text.page for text in after.truth.texts} - {text.page for text in before.truth.texts}
        assert new & set(asked) == {path for path in new if "comment-page" not in path}
    capsys.readouterr()
    assert run(["objects", str(tmp_path / "c"), "--kind", "article", "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    truth = {text.title: text.text for text in after.truth.texts if text.kind == "post"}
    right = [row for row in rows if truth.get(row["title"], "?").split("\n")[0][:40] in " ".join(row["text"].split())]
    assert len(right) >= 0.9 * len(rows) >= 9


def test_feed_watch_of_a_page_that_names_a_feed_asks_for_its_items_alone(tmp_path: Path) -> None:
    site = make_site("blog", seed=6, template="classic", size=12)
    with Server(site) as server:
        assert run(["feed", "watch", server.url, "-o", str(tmp_path / "c"), "--rounds", "1", "--delay", "0"]) == 0
        asked = {entry.path for entry in server.log}
        assert run(["feed", "watch", str(tmp_path / "c"), "-o", str(tmp_path / "d"), "--rounds", "1"]) == 2
    first_pages = {path for path in asked if "eintrag=" in path and "seite=" not in path}
    assert len(first_pages) == 10
    assert {path for path in asked - first_pages if "seite=" not in path} == {"/", "/robots.txt", "/rss.php"}


def test_feed_watch_sleeps_until_the_feed_is_half_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_site("blog", seed=6, template="modern", size=6)
    after = make_site("blog", seed=6, template="modern", size=6, grown=1)
    slept: list[float] = []
    with Server(before) as server:

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            server.site = after
            server.log.clear()

        monkeypatch.setattr("siteseer.cli.time.feed.time.sleep", sleep)
        feed = server.url + "/feed/"
        assert run(["feed", "watch", feed, "-o", str(tmp_path / "c"), "--rounds", "2", "--delay", "0"]) == 0
        asked = {entry.path for entry in server.log if entry.status == 200}
    (seconds,) = slept
    assert 0 < seconds <= 86_400
    new = {text.page for text in after.truth.texts if text.kind == "post"} - {text.page for text in before.truth.texts}
    assert len(new) == 1 and new <= asked


def test_revisit_needs_a_collection(tmp_path: Path) -> None:
    assert run(["revisit", str(tmp_path / "nothing")]) == 2
