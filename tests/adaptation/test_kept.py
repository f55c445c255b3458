"""Adaptation leaves alone what works: fields that still read something keep their actions and their values."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from small_blog import FETCHED, WORDS

from siteseer.adaptation.site import SiteAdaptation
from siteseer.extract.fields import extract
from siteseer.knowledge.load import load_trusted
from siteseer.knowledge.merge import merge
from siteseer.knowledge.types import Application
from siteseer.model import Page, WebObject

SMITHS = ("Ann Smith", "Bob Smith", "Dan Smith")
DOCTORS = ("Dr Ann Lee", "Dr Bob Stone", "Dr Cora Lind")


@dataclass(frozen=True)
class Post:
    number: int
    title: str
    author: str
    when: datetime
    text: str


def posts(authors: Sequence[str], number: int = 24) -> list[Post]:
    chance = random.Random(5)

    def words(count: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(count)).capitalize()

    start = datetime(2021, 1, 3, 8, tzinfo=UTC)
    return [
        Post(n, f"{words(4)} {n}", authors[n % len(authors)], start + timedelta(days=7 * n, minutes=37 * n), f"{words(70)}.")
        for n in range(number)
    ]


def entry(post: Post) -> str:
    return (
        f"<div class=entry><h2 class=heading>{post.title}</h2><p class=meta><span class=author>{post.author}</span> "
        f"<span class=date>{post.when:%d %B %Y %H:%M}</span> <a class=link href='/entry/{post.number}#e'>#</a></p>"
        f"<div class=prose><p>{post.text}</p></div></div>"
    )


def drawn(found: Sequence[Post], draw: Callable[[Post], str] = entry) -> list[Page]:
    head = "<html><head><meta name=generator content='Weblog 1'><title>{}</title></head><body>{}<p class=foot>A weblog</p></body></html>"
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    return [
        Page(f"http://blog.example/entry/{one.number}", 200, kind, head.format(f"{one.title} | A weblog", draw(one)).encode(), FETCHED)
        for one in found
    ]


def knowledge(**selectors: str) -> Application:
    known = {
        "title": "h2.heading",
        "author": "span.author",
        "published": "span.date",
        "body": "div.prose",
        "permalink": "a.link/@href",
        "scope": "div.entry",
    }
    known |= selectors
    reads = {"published": " read='date'", "permalink": " read='url'"}
    fields = "".join(
        f"<field type='{type}'{reads.get(type, '')}>{known[type]}</field>"
        for type in ("title", "author", "published", "body", "permalink")
        if known[type]
    )
    text = (
        "<application id='weblog' category='blog' name='Weblog'><detect><pattern kind='generator' decisive='yes'>meta[@name='generator']</pattern></detect>"
        "<level id='post' kind='terminal'><detect><pattern>body</pattern></detect>"
        f"<extract type='record' of='post' scope='{known['scope']}'>{fields}</extract></level></application>"
    )
    return load_trusted(text.encode(), "weblog.xml")


def adapted(application: Application, pages: Sequence[Page]) -> tuple[list[WebObject], dict[str, str]]:
    """Return the objects that are read after adaptation, and the new actions by field."""
    level = application.level("post")
    assert level is not None
    site = SiteAdaptation(application, "blog.example", lambda url: ())
    for page in pages:
        site.watch(page, level, extract(page, level, application))
    changes = site.repair(level, site.failing(level))
    known = merge(application, replace(application, levels=(site.repaired[level.id],), detections=()))
    level = known.level("post")
    assert level is not None
    return [one for page in pages for one in extract(page, level, known)], {one.field: one.new for one in changes}


@pytest.mark.parametrize("authors", [SMITHS, DOCTORS, ("Ann Smith", "Bob Smith", "Dan Smith", "Eve Jones")])
@pytest.mark.parametrize(
    "broken",
    [("title", "body"), ("title",), ("body",), ("published", "body"), ("title", "published", "body"), ("body", "permalink")],
)
def test_a_working_author_is_left_alone(authors: Sequence[str], broken: Sequence[str]) -> None:
    wanted = posts(authors)
    selectors = {type: f"em.no-such-{type}{'/@href' if type == 'permalink' else ''}" for type in broken}
    objects, changes = adapted(knowledge(**selectors), drawn(wanted))
    assert [one.author for one in objects] == [one.author for one in wanted]
    assert [one.title for one in objects] == [one.title for one in wanted]
    assert [(one.published or "")[:16] for one in objects] == [f"{one.when:%Y-%m-%dT%H:%M}" for one in wanted]
    assert {f"post/{type}" for type in broken if type != "permalink"} == set(changes)
