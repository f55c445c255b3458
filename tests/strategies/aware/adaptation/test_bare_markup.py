"""Forums whose new template hardly names anything: rows told by their cells, what belongs to a post beside its element."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_trusted
from siteseer.model import Page
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.scope import SeedScope
from tests.strategies.aware.adaptation.small_blog import AUTHORS, FETCHED, ORIGIN, WORDS, Run

KNOWLEDGE = b"""<application id="board" category="forum" name="Board">
  <detect><pattern kind="generator" decisive="yes">meta[@name='generator'][contains(@content,'Board')]</pattern></detect>
  <level id="thread" kind="terminal">
    <detect priority="30"><pattern>div.post</pattern></detect>
    <extract type="record" of="post" scope="div.post">
      <field type="author">b.poster</field>
      <field type="published" read="date">span.when</field>
      <field type="body">div.message</field>
    </extract>
  </level>
  <level id="list" kind="intermediate">
    <detect priority="20"><pattern>div.topic</pattern></detect>
    <follow role="child" to="thread" priority="10">div.topic/a/@href</follow>
  </level>
</application>"""
Post = tuple[str, datetime, str]


def threads() -> list[list[Post]]:
    chance = random.Random(3)

    def post(thread: int, place: int) -> Post:
        when = datetime(2020, 1, 5, 9, tzinfo=UTC) + timedelta(days=11 * thread, minutes=400 * place)
        text = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(14, 40))).capitalize() + "."
        return chance.choice((*AUTHORS, "Emil", "Fay")), when, text

    return [[post(thread, place) for place in range(chance.randrange(2, 7))] for thread in range(20)]


def named(posts: Sequence[Post]) -> str:
    return "".join(
        f"<div class=post><b class=poster>{author}</b> <span class=when>{when:%Y-%m-%d %H:%M}</span><div class=message>{text}</div></div>"
        for author, when, text in posts
    )


def rows(posts: Sequence[Post]) -> str:
    """Draw the date in a row of its own above, the author in the cell beside; the whole page is a table."""
    return "".join(
        f"<tr><td colspan=2 class=cat>Posted: {when:%A, %B %d, %Y %I:%M %p}</td></tr><tr><td class=row{1 + place % 2}><b>{author}</b><br>"
        f"<font>Joined: 03 Mar 2017</font></td><td class=row{1 + place % 2}>{text}</td></tr>"
        for place, (author, when, text) in enumerate(posts)
    )


def terms(posts: Sequence[Post]) -> str:
    """Draw the moment as the title of a relative date in the term before, the author below the text."""
    return "<dl>" + "".join(
        f"<dt><abbr title='{when:%Y-%m-%d %H:%M}'>{2024 - when.year} years ago</abbr></dt><dd><p>{text}</p><p class=sign>- <cite>{author}</cite></p></dd>"
        for author, when, text in posts
    )


def site(draw: Callable[[Sequence[Post]], str]) -> dict[str, Page]:
    found = {f"/topic/{number}": draw(posts) for number, posts in enumerate(threads())}
    links = [f"<a href='{path}'>Topic {path[7:]}</a>" for path in found]
    if draw is named:
        found["/"] = "".join(f"<div class=topic>{link}</div>" for link in links)
    else:
        found["/"] = "<table>" + "".join(f"<tr><td>{link}</td><td>3</td></tr>" for link in links) + "</table>"
    if draw is rows:
        found = {
            path: f"<table><tr><td><form action=/x><table>{body}</table></form></td></tr></table>"
            for path, body in found.items()
        }
    head = (
        "<html><head><meta name=generator content='Board 2'><title>The board</title></head><body><a href='/'>Start</a>"
    )
    made = {}
    for path, body in found.items():
        page = Page(ORIGIN + path, 200, (("Content-Type", "text/html"),), (head + body).encode(), FETCHED)
        made[identity(page.url)] = page
    return made


@pytest.mark.parametrize("draw", [named, rows, terms])
def test_posts_of_a_template_without_names_are_learned(draw: Callable[[Sequence[Post]], str]) -> None:
    run = Run(
        AdaptiveStrategy(KnowledgeBase([load_trusted(KNOWLEDGE, "board.xml")]), SeedScope([ORIGIN + "/"])), site(draw)
    )
    found = {
        (one.author, (one.published or "")[:16], (one.text or "").split("\n")[0])
        for one in run.objects.values()
        if one.kind == "post"
    }
    assert found == {(author, f"{when:%Y-%m-%dT%H:%M}", text) for posts in threads() for author, when, text in posts}
    assert bool(run.events("adapted_action")) == (draw is not named)
    assert len(run.asked) <= 1.1 * 21 + 1
