"""Adaptation leaves alone what works: fields that still read something keep their actions and their values."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.load import load_trusted
from siteseer.knowledge.merge import merge
from siteseer.knowledge.types import Application
from siteseer.model import Page, WebObject
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from tests.strategies.aware.adaptation.small_blog import FETCHED, WORDS

SMITHS = ("Ann Smith", "Bob Smith", "Dan Smith")
DOCTORS = ("Dr Ann Lee", "Dr Bob Stone", "Dr Cora Lind")
NOBLES = ("von Berg", "von Stein", "von Thun")
WRITERS = ("Ann Lee (Ulm)", "Bob Stone (Ulm)", "Cora Lind (Ulm)")


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
        Post(
            n,
            f"{words(4)} {n}",
            authors[n % len(authors)],
            start + timedelta(days=7 * n, minutes=37 * n),
            f"{words(70)}.",
        )
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
        Page(
            f"http://blog.example/entry/{one.number}",
            200,
            kind,
            head.format(f"{one.title} | A weblog", draw(one)).encode(),
            FETCHED,
        )
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
    [
        ("title", "body"),
        ("title",),
        ("body",),
        ("published", "body"),
        ("title", "published", "body"),
        ("body", "permalink"),
    ],
)
def test_a_working_author_is_left_alone(authors: Sequence[str], broken: Sequence[str]) -> None:
    wanted = posts(authors)
    selectors = {type: f"em.no-such-{type}{'/@href' if type == 'permalink' else ''}" for type in broken}
    objects, changes = adapted(knowledge(**selectors), drawn(wanted))
    assert [one.author for one in objects] == [one.author for one in wanted]
    assert [one.title for one in objects] == [one.title for one in wanted]
    assert [(one.published or "")[:16] for one in objects] == [f"{one.when:%Y-%m-%dT%H:%M}" for one in wanted]
    assert {f"post/{type}" for type in broken if type != "permalink"} == set(changes)


def misleading(post: Post) -> str:
    """Draw more than one author, date and heading: the learner may prefer those that the knowledge does not mean."""
    nick = ("ann77", "bobcat", "cora_l", "dev0")[post.number % 4]
    edited = post.when + timedelta(days=3, hours=2)
    return (
        f"<div class=entry><h1>Chapter {post.number}: {WORDS[post.number % 15]} and {WORDS[post.number * 7 % 15]}</h1><h2 class=heading>{post.title}</h2>"
        f"<p class=meta><span class=author>{post.author}</span> <span class=date>{post.when:%d %B %Y}</span></p>"
        f"<p class=byline>posted by <a class=username rel=author href='/user/{nick}'>{nick}</a> <time datetime='{edited:%Y-%m-%dT%H:%M:00Z}'>{edited:%H:%M}</time></p>"
        f"<div class=prose><p>{post.text}</p></div></div>"
    )


@pytest.mark.parametrize("authors", [("The editors",), ("Ann Lee", "Bob Stone", "Cora Lind", "Dev Roy", "Eve Fox")])
@pytest.mark.parametrize("broken", [("body",), ("title",), ("title", "body"), ("body", "permalink")])
def test_what_works_is_left_alone_though_something_else_looks_better(
    authors: Sequence[str], broken: Sequence[str]
) -> None:
    wanted = posts(authors)
    selectors = {type: f"em.no-such-{type}{'/@href' if type == 'permalink' else ''}" for type in broken}
    objects, _ = adapted(knowledge(**selectors), drawn(wanted, misleading))
    assert [one.author for one in objects] == [one.author for one in wanted]
    assert [one.published for one in objects] == [f"{one.when:%Y-%m-%d}" for one in wanted]
    assert [one.text for one in objects] == [one.text for one in wanted]
    if "title" not in broken:
        assert [one.title for one in objects] == [one.title for one in wanted]


def labelled(label: str) -> Callable[[Post], str]:
    def draw(post: Post) -> str:
        return (
            f"<div class=entry><h2 class=heading>{post.title}</h2><p class=byline>{label.format(post.author)}</p>"
            f"<p class=day>{post.when:%d %B %Y %H:%M}</p><div class=prose><p>{post.text}</p></div></div>"
        )

    return draw


@pytest.mark.parametrize("label", ["{}", "Posted by {}", "Von {}", "{} says", "{} a écrit :", "Author: {}"])
@pytest.mark.parametrize("authors", [SMITHS, DOCTORS, NOBLES, WRITERS, tuple(map(str.lower, SMITHS))])
def test_a_label_in_the_text_of_a_broken_author_is_left_out_and_no_more(label: str, authors: Sequence[str]) -> None:
    wanted = posts(authors)
    objects, changes = adapted(knowledge(author="span.no-such", published="p.day"), drawn(wanted, labelled(label)))
    assert [one.author for one in objects] == [one.author for one in wanted]
    assert set(changes) == {"post/author"}


def test_a_shared_year_and_a_shared_address_belong_to_the_values() -> None:
    wanted = [replace(one, when=one.when.replace(year=2021)) for one in posts(SMITHS)]
    objects, _ = adapted(knowledge(published="em.no-such", body="em.no-such"), drawn(wanted))
    assert [(one.published or "")[:10] for one in objects] == [f"{one.when:%Y-%m-%d}" for one in wanted]
    assert [one.permalink for one in objects] == [f"http://blog.example/entry/{one.number}#e" for one in wanted]


def thread(found: Sequence[Post]) -> str:
    return "".join(entry(one) for one in found)


def test_a_scope_for_all_posts_stays_one_for_all_posts() -> None:
    """Every thread that was seen has one post: others have more."""
    wanted = posts(SMITHS, 30)
    application = knowledge(body="em.no-such")
    level = application.level("post")
    assert level is not None
    site = SiteAdaptation(application, "blog.example", lambda url: ())
    for page in drawn(wanted[:20]):
        site.watch(page, level, extract(page, level, application))
    site.repair(level, site.failing(level))
    known = merge(application, replace(application, levels=(site.repaired[level.id],), detections=()))
    level = known.level("post")
    assert level is not None
    page = drawn(wanted[20:21], lambda _: thread(wanted[20:]))[0]
    assert [one.author for one in extract(page, level, known)] == [one.author for one in wanted[20:]]


def test_nonsense_is_left_out() -> None:
    """The date line is a heading now, where the known action looks for the title of a list of posts."""
    wanted = [posts(("Ann", "Bob", "Cora", "Dev"), 4 * 12)[n : n + 4] for n in range(0, 48, 4)]

    def draw(found: Sequence[Post]) -> str:
        return "".join(
            f"<section class=box><h2>#{n} {one.when:%Y-%m-%d %H:%M:%S}</h2><i class=who>{one.author}</i><div class=text>{one.text}</div></section>"
            for n, one in enumerate(found, 1)
        )

    pages = [drawn(found[:1], lambda _, found=found: draw(found))[0] for found in wanted]  # type: ignore[misc]
    objects, _ = adapted(knowledge(title="h2.heading | h2"), pages)
    assert [one.author for one in objects] == [one.author for found in wanted for one in found]
    assert {one.title for one in objects} == {None}
