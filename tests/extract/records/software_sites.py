"""Small sites in the manner of software that many people run: archives, trackers, repositories, guest books."""

# ruff: noqa: E501 - templates read best unbroken
from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from tests.extract.records.labelled_sites import FETCHED, NAMES, Said, Site, address, message, page, rfc, sentence


def paragraphs(chance: random.Random, number: int) -> tuple[Said, list[str]]:
    """Return a message and the paragraphs of its text."""
    one = message(chance, number)
    parts = [one.text, *(sentence(chance, 20) for _ in range(chance.randint(0, 3)))]
    return Said(" ".join(parts), one.author, one.moment, one.title), parts


def written(parts: list[str]) -> str:
    """Return paragraphs as HTML."""
    return "".join(f"<p>{part}</p>" for part in parts)


def archive_with_head_inside(pages: int = 40) -> Site:
    """A mail archive whose body also holds the mail's head and a line that says when it was received."""
    chance = random.Random(4)
    mails = [paragraphs(chance, number) for number in range(pages)]
    site: Site = []
    for number, (mail, parts) in enumerate(mails):
        near, after = mails[(number + 1) % pages][0], (number + 1) % pages
        links = f"<ul class='links'><li><dfn>Next message</dfn>: <a href='{after:04}.html'>{near.author}: \"{near.title}\"</a></li></ul>"
        assert mail.moment is not None
        received = f"{mail.moment + timedelta(hours=1):%a %b %d %Y - %H:%M:%S} CET"
        body = (
            f"<div class='head'><h1>{mail.title}</h1>{links}</div><div class='mail'><address class='headers'>"
            f"<span id='from'><dfn>From</dfn>: {mail.author} &lt;<a href='mailto:{address(mail.author)}'>{address(mail.author)}</a>&gt;</span><br>"
            f"<span id='date'><dfn>Date</dfn>: {rfc(mail.moment)}</span><br></address>{written(parts)}"
            f"<span id='received'><dfn>Received on</dfn> {received}</span></div><div class='foot'>{links}</div>"
        )
        site.append((page(f"http://lists.example/{number:04}.html", mail.title, body), [mail]))
    return site


def commits(pages: int = 40) -> Site:
    """A repository: author and committer in rows of three cells."""
    chance = random.Random(2)
    site: Site = []
    for number in range(pages):
        one, other = message(chance, number * 5), chance.choice(NAMES)
        assert one.moment is not None
        body = (
            f"<table class='info'><tr><th>author</th><td>{one.author} &lt;{address(one.author)}&gt;</td><td class='r'>{one.moment:%Y-%m-%d %H:%M:%S} +0000</td></tr>"
            f"<tr><th>committer</th><td>{other} &lt;{address(other)}&gt;</td><td class='r'>{one.moment + timedelta(days=2):%Y-%m-%d %H:%M:%S} +0000</td></tr></table>"
            f"<div class='subject'>{one.title}</div><div class='message'>{one.text}</div>"
        )
        site.append((page(f"http://git.example/p/commit/?id={number:08x}", one.title, body), [one]))
    return site


def commits_in_rows(pages: int = 40) -> Site:
    """A repository: the date stands below the name, in a row whose first cell is empty."""
    chance = random.Random(2)
    site: Site = []
    for number in range(pages):
        one, other = message(chance, number * 5), chance.choice(NAMES)
        assert one.moment is not None
        rows = "".join(
            f"<tr><td>{role}</td><td><a href='?s={name}'>{name}</a> <a href='?m={name}'>&lt;{address(name)}&gt;</a></td></tr><tr><td></td><td><span class='datetime'>{rfc(moment)}</span></td></tr>"
            for role, name, moment in (
                ("author", one.author, one.moment),
                ("committer", other, one.moment + timedelta(days=2)),
            )
        )
        body = f"<div class='header'>{one.title}</div><table class='object'>{rows}</table><div class='page_body'>{one.text}</div>"
        site.append((page(f"http://git.example/?p=x;a=commit;h={number:08x}", one.title, body), [one]))
    return site


def guest_book(pages: int = 20) -> Site:
    """A German guest book: name, town and date in rows above each text, all cells without a class."""
    chance = random.Random(5)
    site: Site = []
    for number in range(pages):
        said = [message(chance, number * 10 + entry) for entry in range(8)]
        rows = "".join(
            f"<table border=1><tr><td>Name:</td><td>{one.author}</td></tr><tr><td>Ort:</td><td>{chance.choice(('Bonn', 'Ulm', 'Trier'))}</td></tr>"
            f"<tr><td>Datum:</td><td>{one.moment:%d.%m.%Y %H:%M}</td></tr><tr><td colspan=2>{one.text}</td></tr></table>"
            for one in said
        )
        site.append(
            (page(f"http://buch.example/gb?p={number}", "Gästebuch", f"<h1>Gästebuch</h1>{rows}", language="de"), said)
        )
    return site


def reports(pages: int = 30) -> Site:
    """A tracker whose first comment has another head than the others, and people in a table above."""
    chance = random.Random(6)
    site: Site = []
    for number in range(pages):
        said = [message(chance, number * 20 + place) for place in range(chance.randint(1, 6))]
        comments = "".join(
            f"<div id='c{place}' class='comment'><div class='{'first_head' if place == 0 else 'head'}'><a href='bug?id={number}#c{place}'>Comment {place}</a> "
            f"<span class='vcard'><span class='fn'>{one.author}</span></span> <span class='when'>{one.moment:%Y-%m-%d %H:%M:%S} UTC</span></div><pre class='said'>{one.text}</pre></div>"
            for place, one in enumerate(said)
        )
        head = f"<table><tr><th>Assignee:</th><td><span class='vcard'><span class='fn'>{chance.choice(NAMES)}</span></span></td></tr></table>"
        site.append(
            (
                page(f"http://bz.example/bug?id={number}", said[0].title, f"<h1>{said[0].title}</h1>{head}{comments}"),
                said,
            )
        )
    return site


def one_family(pages: int = 30) -> Site:
    """Threads of people who are all called Smith."""
    chance = random.Random(3)
    site: Site = []
    for number in range(pages):
        found = [paragraphs(chance, number * 10 + post) for post in range(chance.randint(1, 5))]
        said = [Said(one.text, f"{(one.author or '').split()[0]} Smith", one.moment) for one, _ in found]
        posts = "".join(
            f"<div class='c'><p class='h'><b>{one.author}</b> said on {one.moment:%d %b %Y, %H:%M}</p><div class='x'>{written(parts)}</div></div>"
            for one, (_, parts) in zip(said, found, strict=True)
        )
        title = found[0][0].title
        site.append((page(f"http://f.example/t/{number}", title, f"<h1>{title}</h1>{posts}"), said))
    return site


def recipes(pages: int = 40) -> Site:
    """Recipes with comments whose first paragraph says who wrote when."""
    chance = random.Random(11)
    site: Site = []
    for number in range(pages):
        (one, parts), *rest = (paragraphs(chance, number * 30 + place) for place in range(chance.randint(1, 5)))
        comments = "".join(
            f"<li><p><i>{c.author}</i> wrote on {c.moment:%d/%m/%Y}:</p>{written(p)}</li>" for c, p in rest
        )
        body = (
            f"<h1>{one.title}</h1><dl><dt>Recipe by</dt><dd>{one.author}</dd><dt>Added</dt><dd>{one.moment:%d/%m/%Y}</dd><dt>Serves</dt><dd>{number % 6}</dd></dl>"
            f"<div class='b'>{written(parts)}</div><ol>{comments}</ol>"
        )
        site.append(
            (page(f"http://r.example/recipe/{number}", one.title, body), [one, *(comment for comment, _ in rest)])
        )
    return site


def one_author(pages: int = 40) -> Site:
    """A diary: the same name on every page, behind a label in one line with the date."""
    chance = random.Random(8)
    site: Site = []
    for number in range(pages):
        one = message(chance, number * 30)
        body = f"<h1>{one.title}</h1><p class='meta'>Author: Ann Lee | Date: {one.moment:%B %d, %Y}</p><div class='b'><p>{one.text}</p></div>"
        site.append(
            (page(f"http://diary.example/p/{number}", one.title, body), [Said(one.text, "Ann Lee", one.moment)])
        )
    return site


def press_releases(pages: int = 40) -> Site:
    """Releases with a day, and people who did not write them."""
    chance = random.Random(10)
    site: Site = []
    for number in range(pages):
        one = message(chance, number * 30)
        body = (
            f"<div>Today is {FETCHED:%d %B %Y}</div><h1>{one.title}</h1><p>Issued: {one.moment:%d %B %Y}</p><div class='b'><p>{one.text}</p></div>"
            f"<p>Contact: {chance.choice(NAMES)}, telephone 5551{number}</p><p>Photo: {chance.choice(NAMES)}</p>"
        )
        site.append((page(f"http://press.example/r/{number}", one.title, body), [Said(one.text, None, one.moment)]))
    return site


def filed_posts(pages: int = 40, linked: bool = True) -> Site:
    """A blog without authors: above each post a line with its day and the category under which it is filed."""
    chance = random.Random(12)
    site: Site = []
    begun: list[str] = []
    for number in range(pages):
        one, parts = paragraphs(chance, number)
        assert one.moment is not None
        day, category = f"{one.moment:%Y-%m-%d}", chance.choice(("Travel", "Workshop", "Kitchen", "Garden notes"))
        name, path = category.lower().replace(" ", "-"), f"/{day.replace('-', '/')}/{number}/"
        filed = (
            f"<a class='in' href='/categories/{name}/'>{category}</a>"
            if linked
            else f"<i class='category'>{category}</i>"
        )

        def article(said: list[str], path: str = path, day: str = day, one: Said = one, filed: str = filed) -> str:
            when = f"<a class='when' href='{path}'><time datetime='{one.moment:%Y-%m-%dT%H:%M:00Z}'>{day}</time></a>"
            title, line = (
                f"<h1><a href='{path}'>{one.title}</a></h1>",
                f"<div class='meta'>{when}<div class='filed'>{filed}</div></div>",
            )
            return f"<article>{title}{line}<div class='entry'>{written(said)}</div></article>"

        begun.append(article(parts[:1]))
        said = Said(one.text, None, one.moment, one.title)
        site.append((page(f"http://blog.example{path}", one.title, article(parts)), [said]))
    lists = [("".join(begun[first : first + 4]), f"http://blog.example/page/{first}/") for first in range(0, pages, 4)]
    return [*((page(address, "Blog", body), []) for body, address in lists), *site]


SOFTWARE: dict[str, Callable[[], Site]] = {
    "archive_with_head_inside": archive_with_head_inside,
    "commits": commits,
    "commits_in_rows": commits_in_rows,
    "guest_book": guest_book,
    "reports": reports,
    "one_family": one_family,
    "recipes": recipes,
    "one_author": one_author,
    "press_releases": press_releases,
    "filed_posts": filed_posts,
    "filed_posts_without_links": partial(filed_posts, linked=False),
}
