from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from siteseer.batch.article_batches import BATCH, _batches
from siteseer.batch.article_sources import NamedPage
from siteseer.cli.main import run
from siteseer.model import JSON

KEYS = ["file", "url", "title", "text", "xpath", "author", "published", "method", "confidence"]
PARAGRAPH = "People have looked at {0} for as long as there have been people, and they still do in every season."


def save(folder: Path, topic: str) -> Path:
    body = f"""<!doctype html><title>On {topic} - Paper</title><link rel=canonical href=http://e.org/{topic}.html>
    <ul class=menu><li><a href=/>Home</a><li><a href=/a>About</a></ul><h1>On {topic}</h1>
    <div class=story><p>{PARAGRAPH.format(topic)}</p><p>{PARAGRAPH.format("more " + topic)} The town agrees, mostly.</p>
    <p>It has been said, and it will be said again, that the {topic} of this town are not like others.</p></div>"""
    file = folder / f"{topic}.html"
    file.write_text(body)
    return file


def rows(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> list[JSON]:
    assert run(["article", *map(str, arguments)]) == code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_files_and_folders_give_a_line_for_each_page_in_order(tmp_path: Path, capsys: Any) -> None:
    files = [save(tmp_path, topic) for topic in ("owls", "kites")]
    found = rows(capsys, *files)
    assert [list(row) for row in found] == [KEYS, KEYS]
    assert [row["title"] for row in found] == ["On owls", "On kites"]
    assert found[0]["url"] == "http://e.org/owls.html" and found[0]["method"] == "siblings"
    assert found[0]["text"].startswith("People have looked at owls") and "Home" not in found[0]["text"]
    assert [row["file"] for row in rows(capsys, tmp_path)] == sorted(map(str, files))


def test_every_method_can_be_asked_for_by_name(tmp_path: Path, capsys: Any) -> None:
    files = [save(tmp_path, topic) for topic in ("owls", "kites", "rivers")]
    feed = tmp_path / "feed.xml"
    items = "".join(
        f"<item><title>On {f.stem}</title><link>http://e.org/{f.name}</link>"
        f"<pubDate>Fri, 01 May 2020 10:00:00 GMT</pubDate>"
        f"<description>{PARAGRAPH.format(f.stem)}</description></item>"
        for f in files
    )
    feed.write_text(f"<rss version='2.0'><channel><title>Paper</title>{items}</channel></rss>")
    for method in ("auto", "forest", "sigfeed", "coverage", "description"):
        found = rows(capsys, *files, "--feed", feed, "--method", method)
        assert [PARAGRAPH.format(file.stem) in row["text"] for file, row in zip(files, found, strict=True)] == [
            True
        ] * 3
        assert {row["published"][:10] for row in found} == {"2020-05-01"}


def test_a_crawled_collection_gives_its_articles(serve: Any, run_crawl: Any, tmp_path: Path, capsys: Any) -> None:
    server = serve("blog")
    run_crawl(server.url, limit=12)
    capsys.readouterr()
    found = rows(capsys, tmp_path / "collection")
    assert len(found) >= 8 and all(row["url"].startswith("http") for row in found)
    assert sum(len(row["text"]) > 200 for row in found) >= 3


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["nothing-here.html"], 2, "nothing-here.html"),
        (["{page}", "--method", "magic"], 2, "no extractor 'magic'"),
        (["{page}", "--method", "sigfeed"], 2, "needs the feed"),
        (["{page}", "--feed", "{page}"], 2, "is no feed"),
        (["{empty}"], 2, "holds neither pages nor archives"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str], code: int, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    names = {"page": str(save(tmp_path, "owls")), "empty": str(tmp_path / "empty")}
    assert run(["article", *(one.format(**names) for one in arguments)]) == code
    said = capsys.readouterr()
    assert sentence in said.err and "Traceback" not in said.err


def test_a_file_that_is_no_archive_is_complained_of_and_the_rest_is_read(tmp_path: Path, capsys: Any) -> None:
    junk = tmp_path / "junk.warc.gz"
    junk.write_bytes(b"\xba\xeb no gzip, no WARC")
    page = save(tmp_path, "owls")
    assert run(["article", str(junk), str(page)]) == 1
    said = capsys.readouterr()
    assert f"{junk} holds no WARC record" in said.err
    assert [json.loads(line)["title"] for line in said.out.splitlines()] == ["On owls"]


def test_sites_are_judged_in_batches_that_never_grow_without_bound() -> None:
    from siteseer.model import Page

    pages = [NamedPage("x", Page(f"http://h{n % 3}.org/{n}")) for n in range(10 * BATCH)]
    sizes = [len(batch) for batch in _batches(iter(pages))]
    assert max(sizes) == BATCH and sum(sizes) == len(pages)
