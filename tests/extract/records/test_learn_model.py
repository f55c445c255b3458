"""Learning records of a small forum and a small blog, and applying what was learned to other pages."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from siteseer.extract.records import RecordModel, learn_records
from siteseer.extract.records.record_model import Record
from siteseer.model import Page
from siteseer.page.tree import tree
from tests.extract.records.generated_forum import Truth, blog, forum

Site = list[tuple[Page, list[Truth]]]


def learned(site: Site, count: int = 20) -> RecordModel:
    model = learn_records([page for page, _ in site[:count]])
    assert model is not None
    return model


def facts(records: Sequence[Record]) -> list[tuple[str, str | None, str | None]]:
    return [(record.text, record.author, record.published) for record in records]


def expected(truth: Sequence[Truth]) -> list[tuple[str, str, str]]:
    return [(one.text, one.author, one.published) for one in truth]


@pytest.fixture(scope="module")
def board() -> Site:
    return forum(40)


@pytest.fixture(scope="module")
def journal() -> Site:
    return blog(40)


def test_posts_of_unseen_threads(board: Site) -> None:
    model = learned(board)
    for page, truth in board[20:]:
        assert facts(model.apply(page)) == expected(truth)


def test_quotes_are_kept_apart(board: Site) -> None:
    model = learned(board)
    quoting = [(r, t) for page, truth in board for r, t in zip(model.apply(page), truth, strict=True) if t.quoted]
    assert quoting and all(true.quoted in " ".join(record.quotes) for record, true in quoting)
    assert all(true.quoted not in record.text for record, true in quoting)


def test_title_permalink_and_profile(board: Site) -> None:
    model = learned(board)
    page = max((page for page, _ in board[20:]), key=lambda page: len(page.body))
    records = model.apply(page)
    assert {record.title for record in records} == {tree(page).find(".//h1").text}
    assert all(record.permalink and record.permalink.endswith(f"#{record.native_id}") for record in records)
    assert all(record.author_url and "/member?u=" in record.author_url for record in records)
    assert len({record.permalink for record in records}) == len(records)


def test_path_leads_to_the_body(board: Site) -> None:
    page, truth = board[25]
    for record, true in zip(learned(board).apply(page), truth, strict=True):
        element = tree(page).getroottree().xpath(record.path)[0]
        assert true.text.split("\n")[0] in element.text_content()


def test_article_and_nested_comments(journal: Site) -> None:
    model = learned(journal)
    for page, truth in journal[20:]:
        records = model.apply(page)
        assert facts(records) == expected(truth)
        assert [record.kind for record in records] == ["single"] + ["list"] * (len(truth) - 1)


def test_ten_pages_are_enough(board: Site, journal: Site) -> None:
    for site in (board, journal):
        model = learned(site, 10)
        found = sum(facts(model.apply(page)) == expected(truth) for page, truth in site[10:])
        assert found >= 0.97 * len(site[10:])


def test_mixed_templates(board: Site, journal: Site) -> None:
    model = learn_records([page for pair in zip(board[:15], journal[:15], strict=True) for page, _ in pair])
    assert model and len([wrapper for wrapper in model.wrappers if wrapper.bodies]) == 2
    for page, truth in (*board[20:], *journal[20:]):
        assert facts(model.apply(page)) == expected(truth)


def test_short_posts_are_found(board: Site) -> None:
    site = [(page, truth) for page, truth in board]
    shortened = []
    for number, (page, truth) in enumerate(site):
        body, texts = page.body, []
        for place, true in enumerate(truth):
            text = "+1" if (number + place) % 2 else true.text
            body = body.replace(
                "<br>".join(true.text.split("\n")).encode() + b'</div><div class="sig"',
                text.replace("\n", "<br>").encode() + b'</div><div class="sig"',
            )
            texts.append(text)
        shortened.append((Page(page.url, 200, page.headers, body, page.fetched_at), texts))
    model = learn_records([page for page, _ in shortened[:20]])
    assert model is not None
    for page, texts in shortened[20:]:
        assert [record.text for record in model.apply(page)] == texts


def test_a_model_survives_json(journal: Site) -> None:
    model = learned(journal)
    again = RecordModel.from_json(json.loads(json.dumps(model.to_json())))
    assert again.quality == model.quality > 0.8
    for page, _ in journal[20:]:
        assert again.apply(page) == model.apply(page)


def test_the_shared_tree_is_not_changed(board: Site) -> None:
    from lxml import etree

    page = board[0][0]
    before = etree.tostring(tree(page))
    learned(board).apply(page)
    assert etree.tostring(tree(page)) == before


def test_nothing_to_learn() -> None:
    html = (("Content-Type", "text/html"),)
    same = [Page(f"http://e.example/{n}", 200, html, b"<p>always the same text here</p>") for n in range(12)]
    assert learn_records(same) is None
    assert learn_records([]) is None
    assert learn_records([Page("http://e.example/x", 200, (("Content-Type", "image/png"),), b"\x89PNG")] * 8) is None


HOSTILE = {
    "deep": b"<div>" * 30_000 + b"x",
    "wide": b"<p>1 May 2020 by a</p>" * 30_000,
    "attributes": b"<div class='" + b"a1 " * 50_000 + b"' id='" + b"9" * 50_000 + b"'>text here now</div>",
    "control": b"<p>\x00\x01\x02\xff\xfe</p><a href='http://[bad/#x'>\x0b</a>",
    "empty": b"",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages(board: Site, kind: str) -> None:
    hostile = Page(f"http://board.example/{kind}", 200, board[0][0].headers, HOSTILE[kind])
    model = learn_records([*(page for page, _ in board[:12]), hostile])
    assert model is not None
    assert isinstance(model.apply(hostile), tuple)
    assert facts(model.apply(board[30][0])) == expected(board[30][1])
