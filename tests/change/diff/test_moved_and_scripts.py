"""A moved paragraph and a changed script are told as what they are."""

import pytest

from siteseer.change.diff import compare
from siteseer.model import Page

TYPE = (("Content-Type", "text/html; charset=utf-8"),)
PARTS = [
    "The ferry left the harbour before dawn, and the lamps of the town grew small behind it.",
    "By noon the wind had turned, so the captain ordered the sails to be changed at once.",
    "Nobody on deck spoke of the storm, though every one of them had seen the glass fall.",
    "In the evening they reached the island, where bread and dry blankets were waiting.",
]
CODE = "function open(e){e.classList.toggle('on')}"


def page(parts: list[str], head: str = "", tail: str = "", sep: str = "") -> Page:
    body = f"<div>{sep.join(parts)}</div>" if sep else "".join(f"<p>{one}</p>" for one in parts)
    article = f"<article><h1>The ferry</h1>{body}</article>"
    text = f"<html><head><title>x</title>{head}</head><body>{article}{tail}</body></html>"
    return Page("http://e.org/a", 200, TYPE, text.encode())


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (1, 2, 3, 0), (3, 1, 2, 0), (3, 2, 1, 0), (2, 0, 3, 1)])
@pytest.mark.parametrize("sep", ["", "<br><br>"])
def test_moved_paragraphs(order: tuple[int, ...], sep: str) -> None:
    found = compare(page(PARTS, sep=sep), page([PARTS[n] for n in order], sep=sep))
    assert found.verdict == "moved", found.because
    assert any(change.what == "moved" and change.region == "object" for change in found.changes)
    assert not any(change.kind == "content" for change in found.changes)


def test_a_paragraph_that_moved_and_was_edited_is_edited() -> None:
    changed = [PARTS[1], PARTS[0].replace("dawn", "dusk and in the rain"), *PARTS[2:]]
    assert compare(page(PARTS), page(changed)).verdict == "edited"


def test_a_paragraph_moved_with_another_class_is_moved() -> None:
    old, new = page(PARTS), page([*PARTS[1:], PARTS[0]])
    marked = new.body.replace(f"<p>{PARTS[0]}".encode(), f"<p class=last>{PARTS[0]}".encode())
    assert compare(old, Page(new.url, 200, TYPE, marked)).verdict == "moved"


def test_an_edit_far_down_a_long_paragraph_is_seen() -> None:
    long = [f"Line {n} of the log tells of wind and water." for n in range(120)]
    other = [*long[:100], "Then the mast broke and fell.", *long[100:]]
    assert compare(page([" ".join(long)]), page([" ".join(other)])).verdict == "edited"


def test_an_edit_of_what_another_paragraph_quotes_is_seen() -> None:
    old, new = page([PARTS[0] + " " + PARTS[1], *PARTS[2:], PARTS[0]]), page([PARTS[1], *PARTS[2:], PARTS[0]])
    assert compare(old, new).verdict == "edited"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"<script>{CODE}</script>", f"<script>{CODE.replace('toggle', 'add')}</script>"),
        ("<script>var most = 10;</script>", "<script>var most = 20;</script>"),
        ("<script src=/s/app.3f2a1b.js></script>", "<script src=/s/app.99c01d.js></script>"),
        ("", "<script src=http://count.example.net/c.js></script>"),
        ("<a href=/ onclick='go(1)'>x</a>", "<a href=/ onclick='go(2)'>x</a>"),
    ],
)
def test_changed_scripts(before: str, after: str) -> None:
    found = compare(page(PARTS, tail=before), page(PARTS, tail=after))
    assert found.verdict == "script", found.because
    assert [change.kind for change in found.changes] == ["script"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<script>var key='{}';</script>".format("0a9f" * 8), "<script>var key='{}';</script>".format("7c1e" * 8)),
        ("<script>var now=1718280000;</script>", "<script>var now=1718366400;</script>"),
        ("<script>var at='2024-06-13T12:00:00Z';</script>", "<script>var at='2024-06-14T12:10:00Z';</script>"),
        ("<script src='/c.js?t=1718280000'></script>", "<script src='/c.js?t=1718366400'></script>"),
        ("<script nonce=abc>f()</script>", "<script nonce=def>f()</script>"),
        (f"<script>{CODE}</script><i></i>", f"<i></i><script>{CODE}</script>"),
        (
            '<script type="application/ld+json">{"a": 1}</script>',
            '<script type="application/ld+json">{"a": 2}</script>',
        ),
    ],
)
def test_what_each_request_makes_anew_is_no_changed_script(before: str, after: str) -> None:
    assert compare(page(PARTS, tail=before), page(PARTS, tail=after)).verdict in ("same", "noise")


def test_an_edit_counts_more_than_a_script() -> None:
    old, new = (
        page(PARTS, "<script>f()</script>"),
        page([*PARTS[:3], PARTS[3].replace("bread", "soup")], "<script>g()</script>"),
    )
    found = compare(old, new)
    assert found.verdict == "edited"
    assert found.kinds["script"] == 1
