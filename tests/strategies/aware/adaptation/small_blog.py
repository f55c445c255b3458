"""A small blog in two templates at the same addresses, and knowledge of the first template only."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from siteseer.knowledge.load import load_trusted
from siteseer.knowledge.types import Application
from siteseer.model import Follow, Keep, Note, Outcome, Page, Remember, Seed
from siteseer.page.urls import identity

ORIGIN = "http://blog.example"
FETCHED = datetime(2024, 6, 1, tzinfo=UTC)
POSTS = 24
PER_PAGE = 6
WORDS = "amber boat candle drift ember field garden harbour island jacket kettle lantern meadow needle orchard".split()
AUTHORS = ("Ann", "Bob", "Cora Lind", "Dev")
KNOWLEDGE = b"""<application id="weblog" category="blog" name="Weblog">
  <detect><pattern kind="generator" decisive="yes">meta[@name='generator'][contains(@content,'Weblog')]</pattern></detect>
  <level id="post" kind="terminal">
    <detect priority="30"><pattern>article.entry-single</pattern></detect>
    <extract type="record" of="post" take="first" scope="article.entry-single">
      <field type="title">h1.entry-title</field>
      <field type="author">span.entry-author</field>
      <field type="published" read="date">time.entry-date/@datetime</field>
      <field type="body">div.entry-text</field>
    </extract>
    <extract type="record" of="comment" scope="li.remark">
      <field type="author">b.remark-author</field>
      <field type="published" read="date">span.remark-date</field>
      <field type="body">div.remark-text</field>
      <field type="permalink" read="url">a.remark-link/@href</field>
    </extract>
  </level>
  <level id="list" kind="intermediate">
    <detect priority="20"><pattern>div.entry-list</pattern></detect>
    <follow role="child" to="post" priority="10">h2.entry-title/a/@href</follow>
    <follow role="next" to="list" priority="15">nav.entry-pages/a/@href</follow>
  </level>
</application>"""


def application() -> Application:
    return load_trusted(KNOWLEDGE, "weblog.xml")


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + f" {chance.randrange(10**6)}."


def _old_post(title: str, author: str, when: datetime, text: str, comments: str) -> str:
    return (
        f"<article class=entry-single><h1 class=entry-title>{title}</h1><span class=entry-author>{author}</span> "
        f"<time class=entry-date datetime='{when:%Y-%m-%dT%H:%M:00Z}'>{when:%d %B %Y}</time>"
        f"<div class=entry-text><p>{text}</p></div></article><ul class=remarks>{comments}</ul>"
    )


def _new_post(title: str, author: str, when: datetime, text: str, comments: str) -> str:
    return (
        f"<section class=story><h2 class=storytitle>{title}</h2><p class=byline>written by <em class=who>{author}</em> on "
        f"<time class=day datetime='{when:%Y-%m-%dT%H:%M:00Z}'>{when:%d %B %Y}</time></p>"
        f"<div class=prose><p>{text}</p></div></section><ol class=replies>{comments}</ol>"
    )


def _old_comment(number: int, author: str, when: datetime, text: str) -> str:
    return (
        f"<li class=remark id=c{number}><b class=remark-author>{author}</b> <span class=remark-date>{when:%Y-%m-%d %H:%M}"
        f"</span> <a class=remark-link href='#c{number}'>#</a><div class=remark-text>{text}</div></li>"
    )


def _new_comment(number: int, author: str, when: datetime, text: str) -> str:
    return (
        f"<li class=reply id=c{number}><p class=replyhead><i class=who>{author}</i> said at <span class=stamp>"
        f"{when:%Y-%m-%d %H:%M}</span> <a class=anchor href='#c{number}'>link</a></p><div class=says>{text}</div></li>"
    )


def pages(template: str, seed: int = 1, without: Iterable[int] = ()) -> dict[str, Page]:
    """Draw all pages of the blog: `old` is the known template, `new` another; posts `without` lost their text."""
    chance = random.Random(seed)
    old = template == "old"
    found: dict[str, str] = {}
    titles: dict[int, str] = {}
    number = 0
    for post in range(1, POSTS + 1):
        when = datetime(2021, 1, 1, 8, tzinfo=UTC) + timedelta(days=9 * post, minutes=chance.randrange(600))
        titles[post] = f"{_prose(chance, 3)[:-1]}"
        text, author = _prose(chance, 60), chance.choice(AUTHORS)
        comments = ""
        for place in range(chance.randrange(1, 4)):
            number += 1
            draw = _old_comment if old else _new_comment
            comments += draw(
                number, chance.choice(AUTHORS), when + timedelta(hours=5 * (place + 1)), _prose(chance, 18)
            )
        body = (_old_post if old else _new_post)(titles[post], author, when, text, comments)
        if post in set(without):
            body = "<p class=notice>This article is no longer available.</p>"
        found[f"/entry/{post}-story.html"] = body
    lists = -(-POSTS // PER_PAGE)
    for place in range(lists):
        some = range(1 + place * PER_PAGE, min(POSTS, (place + 1) * PER_PAGE) + 1)
        links = "".join(
            f"<h2 class={'entry-title' if old else 'storytitle'}><a href='/entry/{post}-story.html'>{titles[post]}</a></h2>"
            for post in some
        )
        further = "".join(f"<a href='/page/{n}'>{n}</a> " for n in range(2, lists + 1))
        holder = "div class=entry-list" if old else "div class=river"
        pager = f"<nav class={'entry-pages' if old else 'pager'}>{further}</nav>"
        found["/" if place == 0 else f"/page/{place + 1}"] = f"<{holder}>{links}</div>{pager}"
    for topic in ("boats", "gardens", "kettles"):
        found[f"/topic/{topic}"] = "<div class=topic>" + "".join(
            f"<a href='/entry/{post}-story.html'>{titles[post]}</a> " for post in range(1, 4)
        )
    menu = "<ul class=menu>" + "".join(
        f"<li><a href='/topic/{t}'>{t}</a></li>" for t in ("boats", "gardens", "kettles")
    )
    head = "<html><head><meta name=generator content='Weblog 1'><title>{}</title></head><body>"
    made = {}
    for path, body in found.items():
        post = int(path.split("/")[2].split("-")[0]) if path.startswith("/entry/") else 0
        text = head.format(f"{titles.get(post, 'Home')} | My weblog") + body + menu + "</ul></body></html>"
        url = ORIGIN + path
        made[identity(url)] = Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), text.encode(), FETCHED)
    return made


class Remembered:
    """What an earlier crawl knows."""

    def __init__(self, crawl: Run | None = None, rows: Iterable[Remember] = ()) -> None:
        self.rows = list(rows)
        self.objects: dict[str, list[Any]] = {}
        self.levels: list[tuple[str, str]] = []
        for one in crawl.objects.values() if crawl else ():
            self.objects.setdefault(one.url, []).append(one)
        if crawl:
            self.levels = [(url, crawl.levels.get(url) or "") for url in crawl.asked]

    def recall(self, kind: str) -> list[tuple[str, Any]]:
        return list({row.key: row.value for row in self.rows if row.kind == kind}.items())

    def earlier_objects(self, url: str) -> list[Any]:
        return self.objects.get(url, [])

    def earlier_pages(self) -> list[tuple[str, str]]:
        return self.levels


class Run:
    """A strategy driven over pages in memory."""

    def __init__(self, strategy: Any, site: dict[str, Page], memory: Any = None) -> None:
        self.asked: list[str] = []
        self.objects: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.levels: dict[str, str | None] = {}
        self.remembered: list[Remember] = []
        self._waiting: list[Follow] = []
        self._apply(strategy.start([Seed(ORIGIN + "/")], memory or Remembered()), "")
        while True:
            if not self._waiting:
                self._apply(strategy.refill(2), "")
                if not self._waiting:
                    break
            why = max(self._waiting, key=lambda follow: follow.priority)
            self._waiting.remove(why)
            self.asked.append(why.url)
            page = site.get(identity(why.url)) or Page(why.url, 404)
            page = Page(why.url, page.status, page.headers, page.body, page.fetched_at)
            self._apply(strategy.decide(Outcome(why.url, "page", page=page), why), why.url)
        if hasattr(strategy, "harvest"):
            kept = [site[identity(url)] for url in self.asked if identity(url) in site]
            for page, action in strategy.harvest(
                lambda: [Page(p.url, 200, p.headers, p.body, p.fetched_at) for p in kept]
            ):
                self._apply([action], page.url)

    def _apply(self, actions: Iterable[Any], url: str) -> None:
        for action in actions:
            if isinstance(action, Follow):
                if identity(action.url) not in {
                    identity(known) for known in (*self.asked, *(w.url for w in self._waiting))
                }:
                    self._waiting.append(action)
            elif isinstance(action, Keep):
                self.objects.setdefault(action.object.id, action.object)
            elif isinstance(action, Note):
                self.notes.append(action)
                if action.recognition:
                    self.levels[url] = action.recognition.level
            elif isinstance(action, Remember):
                self.remembered.append(action)

    def events(self, name: str) -> list[Note]:
        return [note for note in self.notes if note.event == name]
