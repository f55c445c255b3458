"""What Python calls an encoding and the Web does not: the page is kept, indexed, listed, and read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.model import Page
from siteseer.page.encoding import decode_name
from siteseer.page.text import text
from siteseer.page.tree import title
from tests.crawler.small_site import Answer, SmallSite

NO_ENCODINGS = (
    "rot13", "rot_13", "zlib", "zip", "hex", "base64", "base_64", "bz2", "quopri", "quoted-printable", "uu", "punycode",
    "idna", "unicode_escape", "unicode-escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "utf-7", "utf_8_sig",
    "string-escape", "cp037", "palmos", "ptcp154", "charmap", "tactis", "klingon", "x" * 4_000, "utf-8\x00", "-", "%s",
)  # fmt: skip
WORDS = "Grüße von Übersee, Käpt'n Blaubär"


def page_of(label: str, is_in_header: bool, encoding: str = "utf-8") -> tuple[str, bytes]:
    """Return content type and body of a page that names an encoding in its header or in a meta element."""
    meta = "" if is_in_header else f'<meta charset="{label}">'
    body = f"<html><head>{meta}<title>Seite {WORDS}</title></head><body><p>{WORDS}</p></body></html>".encode(encoding)
    return f"text/html; charset={label}" if is_in_header else "text/html", body


@pytest.mark.parametrize("is_in_header", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("label", NO_ENCODINGS)
def test_what_is_no_encoding_is_passed_over(label: str, encoding: str, is_in_header: bool) -> None:
    kind, body = page_of(label, is_in_header, encoding)
    page = Page("http://e.org/", headers=(("Content-Type", kind),), body=body)
    assert WORDS in text(page) and WORDS in title(page)


def test_a_header_that_names_no_encoding_leaves_the_word_to_the_page() -> None:
    _, body = page_of("koi8-r", False, "ascii" if WORDS.isascii() else "utf-8")
    headers = (("Content-Type", "text/html; charset=rot13"),)
    page = Page("http://e.org/", headers=headers, body=body.replace(WORDS.encode(), "Привет".encode("koi8-r")))
    assert decode_name(page) == "koi8-r" and "Привет" in text(page)


@pytest.mark.parametrize("label", ["utf8", "latin1", "Shift_JIS", "gb2312", "EUC-KR", "windows-1251", "koi8-u", "big5"])
def test_encodings_of_the_web_are_believed(label: str) -> None:
    words = {"Shift_JIS": "日本語", "gb2312": "中文", "EUC-KR": "한국어", "windows-1251": "Привет", "big5": "中文"}
    body = f"<p>{words.get(label, 'plain')}</p>".encode(label)
    page = Page("http://e.org/", headers=(("Content-Type", f"text/html; charset={label}"),), body=body)
    assert words.get(label, "plain") in text(page)


def test_captures_with_such_a_name_are_in_index_and_page_list_with_their_text(
    run_crawl: Callable, tmp_path: Path
) -> None:
    paths = {f"/{place}/{number}": (label, place == "header") for place in ("header", "meta")
             for number, label in enumerate(NO_ENCODINGS) if "\x00" not in label}  # fmt: skip

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if path == "/":
            return 200, {}, "".join(f'<a href="{one}">{one}</a> ' for one in paths).encode()
        if path not in paths:
            return 404, {}, b""
        kind, body = page_of(*paths[path])
        return 200, {"Content-Type": kind}, body.replace(WORDS.encode(), f"{WORDS} at {path}".encode())

    with SmallSite(answer) as site:
        summary = run_crawl(site.url)
    assert summary["problems"] == [] and summary["pages"] == len(paths) + 1
    folder = tmp_path / "collection"
    lines = map(json.loads, (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:])
    titles = {line["url"].removeprefix(site.url): line["title"] for line in lines}
    index = (folder / "indexes" / "index.cdxj").read_text()
    for path in paths:
        assert titles[path] == f"Seite {WORDS} at {path}" and f'"url": "{site.url}{path}"' in index, path


def test_an_error_of_ours_in_reading_a_page_does_not_cost_its_place_in_the_index(
    run_crawl: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from siteseer.crawler import capture_writer

    def broken(page: Page) -> capture_writer.Grams:
        if page.url.endswith("/bad"):
            raise LookupError("a defect")
        return grams(page)

    grams = capture_writer.grams
    monkeypatch.setattr(capture_writer, "grams", broken)
    with SmallSite(lambda path, headers: (200, {}, b'<a href="/bad">b</a> <a href="/good">g</a>')) as site:
        summary = run_crawl(site.url)
    index = (tmp_path / "collection" / "indexes" / "index.cdxj").read_text()
    assert f"{site.url}/bad" in index and f"{site.url}/good" in index
    assert [problem["reason"] for problem in summary["problems"]] == ["own-error"]
