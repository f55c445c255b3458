"""Lists inside articles are part of their text, not records of their own."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import random

from siteseer.extract.records import learn_records
from siteseer.model import Page
from tests.extract.records.generated_forum import FETCHED, NAMES, sentence


def article(number: int, chance: random.Random) -> tuple[Page, list[str]]:
    lists = ["".join(f"<li>{sentence(chance)}</li>" for _ in range(3)) for _ in range(chance.randint(0, 3))]
    parts = [sentence(chance, 30), *(f"<ul>{one}</ul>" for one in lists), sentence(chance, 40)]
    comments = [sentence(chance, 16) for _ in range(chance.randint(0, 4))]
    drawn = "".join(
        f"<li class=remark><b class=author>{chance.choice(NAMES)}</b> <i>{n + 2} March 2021 1{n}:20</i><div class=said>{one}</div></li>"
        for n, one in enumerate(comments)
    )
    body = (
        f"<html><head><title>Story {number} | A blog</title></head><body><h1>Story {number}</h1><p class=byline>by "
        f"<a href='/author/{number % 3}'>{NAMES[number % 3]}</a> on {1 + number % 28} March 2021 09:1{number % 10}</p>"
        f"<div class=story>{''.join(p if p[0] == '<' else f'<p>{p}</p>' for p in parts)}</div><ol>{drawn}</ol></body></html>"
    )
    said = "\n".join(
        one for part in parts for one in part.replace("<ul><li>", "").replace("</li></ul>", "").split("</li><li>")
    )
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    return Page(f"http://blog.example/{number}", 200, kind, body.encode(), FETCHED), [said, *comments]


def test_lists_inside_articles_belong_to_their_text() -> None:
    chance = random.Random(7)
    site = [article(number, chance) for number in range(24)]
    model = learn_records([page for page, _ in site[:10]])
    assert model is not None
    for page, texts in site:
        assert [record.text for record in model.apply(page)] == texts
