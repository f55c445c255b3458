"""Saved pages of real boards and of newspapers: the boards are recognised, also bare, and no newspaper is a board."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise, recognise_in_full
from siteseer.model import Page

LABELLED = Path(__file__).parents[2] / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the saved pages of real sites at {LABELLED}")

FORUMS = {"phpbb2", "vbulletin", "mybb", "xenforo", "invision", "discourse", "flarum", "vanilla", "nodebb"}
BOARDS = {
    "ragezone/html/": "xenforo",
    "pkodev/html/": "xenforo",
    "gopiratia/html/": "invision",
    "testdata/phpbb/": "phpbb2",
}
NEWS = ("l3s_gn1/raw/", "newspaper424/raw/")
HTML = (("Content-Type", "text/html"),)
GENERATOR = re.compile(rb"<meta[^>]{0,200}generator[^>]{0,200}>", re.IGNORECASE)
POWERED_BY = re.compile(rb"powered by|community platform by|Invision Community|XenForo Ltd", re.IGNORECASE)
OWN_URL = re.compile(rb'(?:canonical"|og:url")[^>]{0,99}?(?:href|content)="(http[^"]{1,999})')
SMALLEST = 1_000
"""Bytes; what is shorter is no page but the note of a redirect."""


@cache
def saved() -> dict[str, bytes]:
    wanted = (*BOARDS, *NEWS)
    with tarfile.open(LABELLED) as tar:
        files = [(member.name, tar.extractfile(member)) for member in _members(tar, wanted)]
        return {name: file.read() for name, file in files if file}


def _members(tar: tarfile.TarFile, wanted: tuple[str, ...]) -> Iterator[tarfile.TarInfo]:
    for member in tar:
        if member.isfile() and member.size > SMALLEST and any(part in member.name for part in wanted):
            yield member


def boards() -> list[tuple[str, str, bytes]]:
    return [(kind, name, body) for name, body in saved().items() for part, kind in BOARDS.items() if part in name]


def as_page(body: bytes) -> Page:
    own = OWN_URL.search(body)
    return Page(own[1].decode("utf-8", "replace") if own else "file:///page.html", 200, HTML, body)


@pytest.mark.parametrize("is_bare", [False, True])
def test_pages_of_boards_are_recognised(is_bare: bool) -> None:
    pages = boards()
    assert len(pages) > 300
    wrong = []
    for kind, name, body in pages:
        shown = POWERED_BY.sub(b"", GENERATOR.sub(b"", body)) if is_bare else body
        found = recognise(as_page(shown), KnowledgeBase.shipped())
        level = "list" if "_index" in name or "viewforum" in name else "thread"
        if (found.application, found.level) != (kind, level):
            wrong.append((name, found.application, found.level))
    assert len(wrong) <= 0.02 * len(pages), wrong[:20]


def test_every_post_has_author_date_and_permalink() -> None:
    posts = lacking = 0
    for _, name, body in boards()[::4]:
        page = as_page(body)
        seen = recognise_in_full(page, KnowledgeBase.shipped())
        if seen.level is None or seen.level.id != "thread":
            continue
        found = [one for one in extract(page, seen.level, seen.application) if one.kind == "post"]
        assert found, name
        posts += len(found)
        lacking += sum(not (one.author and one.published and one.permalink and one.title) for one in found)
    assert posts > 200
    assert lacking <= 0.01 * posts


def test_newspapers_are_no_boards() -> None:
    pages = {name: body for name, body in saved().items() if any(part in name for part in NEWS)}
    assert len(pages) > 300
    claimed = [
        name for name, body in pages.items() if recognise(as_page(body), KnowledgeBase.shipped()).application in FORUMS
    ]
    assert len(claimed) <= 0.005 * len(pages), claimed
