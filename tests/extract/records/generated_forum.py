"""A small forum and a small blog, made by a seed: pages with known records for the tests of the record learner."""

# ruff: noqa: E501 - templates and word lists read best unbroken
from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from siteseer.model import Page

WORDS = (
    "amber basin copper drift ember fallow gravel harbour inlet juniper kettle lantern meadow north orchard pebble quarry "
    "ridge saddle timber umber valley willow yonder zephyr anchor bridge cellar dune estuary field gate hollow island"
).split()
NAMES = ("ann", "Bob K", "cyril", "Dora", "emil77", "Frida")
FETCHED = datetime(2024, 3, 13, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Truth:
    """What a record says."""

    text: str
    author: str
    published: str
    quoted: str = ""


def sentence(chance: random.Random, words: int = 14) -> str:
    """Return a sentence of that many words."""
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."


def forum(pages: int, seed: int = 1) -> list[tuple[Page, list[Truth]]]:
    """Return pages of threads: an author column with a join date, a date line above, a signature below each post."""
    chance = random.Random(seed)
    return [_thread(number, chance) for number in range(pages)]


def _thread(number: int, chance: random.Random) -> tuple[Page, list[Truth]]:
    title, rows, truth = sentence(chance, 4)[:-1], [], []
    moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=number * 3)
    for post in range(chance.randint(1, 6)):
        moment += timedelta(minutes=chance.randint(5, 900))
        name = chance.choice(NAMES)
        parts = [sentence(chance) for _ in range(chance.randint(1, 3))]
        quote = truth[-1].text.split("\n")[0] if truth and chance.random() < 0.4 else ""
        quoted = f"<blockquote>{truth[-1].author} wrote: {quote}</blockquote>" if quote else ""
        own = number * 10 + post
        rows.append(
            f'<table id="post{own}" class="post {"odd" if post % 2 else "even"}"><tr><td class="date" colspan="2">'
            f'{moment:%a %b %d, %Y %I:%M %p} <a href="thread?p={own}#post{own}">#{post + 1}</a></td></tr><tr>'
            f'<td class="who"><a href="member?u={NAMES.index(name)}">{name}</a><br>Joined: 0{NAMES.index(name) + 1} May 2015'
            f'<br>Posts: {len(name) * 7}</td><td class="what"><div class="msg">{quoted}{"<br>".join(parts)}</div>'
            f'<div class="sig">I like {name} and rain in the evening</div></td></tr></table>'
        )
        truth.append(Truth("\n".join(parts), name, f"{moment:%Y-%m-%dT%H:%M:00Z}", quote))
    body = (
        f"<html><head><title>{title} - The Board</title></head><body><div id='top'>Welcome to the board, all of you</div>"
        f"<h1>{title}</h1>{''.join(rows)}<div id='foot'>Board time is {FETCHED:%d %b %Y, %H:%M}</div></body></html>"
    )
    return _page(f"http://board.example/thread?t={number}", body), truth


def blog(pages: int, seed: int = 2) -> list[tuple[Page, list[Truth]]]:
    """Return pages of articles, most of them with nested comments."""
    chance = random.Random(seed)
    return [_article(number, chance) for number in range(pages)]


def _article(number: int, chance: random.Random) -> tuple[Page, list[Truth]]:
    title = sentence(chance, 5)[:-1]
    moment = datetime(2021, 1, 1, tzinfo=UTC) + timedelta(days=number * 5)
    parts = [sentence(chance, 20) for _ in range(4)]
    author = NAMES[number % 3]
    truth = [Truth("\n".join(parts), author, f"{moment:%Y-%m-%d}")]
    comments = ""
    for comment in range(chance.randint(0, 5)):
        when = moment + timedelta(hours=comment + 1)
        name, said = chance.choice(NAMES), sentence(chance, 16)
        truth.append(Truth(said, name, f"{when:%Y-%m-%dT%H:%M:00Z}"))
        comments += (
            f'<li id="comment-{number * 10 + comment}"><cite class="fn">{name}</cite> says: '
            f'<time datetime="{when:%Y-%m-%dT%H:%M:00Z}">{when:%d.%m.%Y}</time><div class="text"><p>{said}</p></div>'
        )
    comments += "</li>" * (len(truth) - 1)
    body = (
        f"<html><head><title>{title} | A blog</title></head><body><div class='menu'><a href='/'>Home of the blog</a></div>"
        f"<article><h1>{title}</h1><p class='byline'>Written by <a href='/author/{author}'>{author}</a> on "
        f"{moment:%d %B %Y}</p><div class='entry'>{''.join(f'<p>{part}</p>' for part in parts)}</div></article>"
        f"<ol class='comments'>{comments}</ol><p class='foot'>All of this is written by people</p></body></html>"
    )
    return _page(f"http://blog.example/{number}", body), truth


def _page(url: str, body: str) -> Page:
    return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode(), FETCHED)
