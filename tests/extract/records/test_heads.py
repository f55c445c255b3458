"""Boxes inside a text that only tell of its author, day and tags are no text; sites of short texts are learned from."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from siteseer.extract.records import RecordModel, learn_records
from siteseer.model import WebObject
from siteseer.strategies.learned.record_extraction import harvest_records
from tests.extract.records.labelled_sites import Said, Site, message, page, sentence

TAGS = ("amber", "chalk", "moss", "rope", "salt", "tin", "wool")
PER_LIST = 8


def head(chance: random.Random, one: Said) -> str:
    """Return the box that tells when and by whom a post was written."""
    assert one.moment is not None
    tags = " ".join(f"<a href='/tag/{tag}.html'>{tag}</a>" for tag in chance.sample(TAGS, 2))
    return (
        f"<footer class='post-info'><abbr class='published' title='{one.moment.isoformat()}'>Published: "
        f"{one.moment:%d %B %Y}</abbr><address class='vcard'>By <a class='url' href='/author/{(one.author or '')[:4]}'>"
        f"{one.author}</a></address><p>In <a href='/category/all.html'>All</a>.</p><p>tags: {tags}</p></footer>"
    )


def blog_with_heads_inside(posts: int = 48) -> Site:
    """A blog whose entries begin with a box of author, day and tags; its lists show titles and the first words."""
    chance = random.Random(8)
    written = []
    for number in range(posts):
        one = message(chance, number)
        parts = [one.text, *(sentence(chance, 24) for _ in range(chance.randint(0, 3)))]
        written.append((Said(" ".join(parts), one.author, one.moment, one.title), parts, head(chance, one)))
    site: Site = []
    for number, (one, parts, box) in enumerate(written):
        text = "".join(f"<p>{part}</p>" for part in parts)
        body = f"<section id='content'><article><header><h1 class='entry-title'>{one.title}</h1></header>"
        body += f"<div class='entry-content'>{box}{text}</div></article></section>"
        site.append((page(f"http://b.example/post-{number}.html", one.title, body), [one]))
    for first in range(0, posts, PER_LIST):
        rows = "".join(
            f"<li><article class='hentry'><h1><a href='/post-{first + place}.html'>{one.title}</a></h1>"
            f"<div class='entry-content'>{box}<p>{' '.join(one.text.split()[:18])} …</p>"
            f"<a class='readmore' href='/post-{first + place}.html'>read more</a></div></article></li>"
            for place, (one, _, box) in enumerate(written[first : first + PER_LIST])
        )
        body = f"<section id='content'><ol id='posts-list'>{rows}</ol></section>"
        site.append((page(f"http://b.example/index{first}.html", "Notes", body), []))
    return site


def catalogue(records: int = 60) -> Site:
    """A catalogue: title, author, publisher, day, and for most books one sentence; a few guides have long texts."""
    chance = random.Random(9)
    site: Site = []
    said = []
    for number in range(records):
        one = message(chance, number)
        text = sentence(chance, chance.randint(8, 14)) if chance.random() < 0.7 else ""
        said.append(Said(text, one.author, one.moment, sentence(chance, 7)[:-1]))
    for number, one in enumerate(said):
        assert one.moment is not None
        note = f"<div class='comments'><h3>Description:</h3><p>{one.text}</p></div>" if one.text else ""
        body = (
            f"<div class='col'><h2 id='title'>{one.title}</h2>"
            f"<p class='author'><a href='/author/{number % 7}'>{one.author}</a></p>"
            f"<div class='publishers'><p><span>Publisher: <a href='/p/{number % 3}'>Northgate</a></span></p></div>"
            f"<div class='publishing-date'><p>Published: {one.moment:%b %d, %Y}</p></div>{note}</div>"
        )
        site.append((page(f"http://c.example/book/{number}", one.title, body), [one] if one.text else []))
    for number in range(7):
        text = " ".join("".join(chance.choices("abdegilmnorstu", k=6)) for _ in range(60))
        site.append((page(f"http://c.example/guide/{number}", f"Guide {number}", f"<p class='guide'>{text}</p>"), []))
    for first in range(0, records, PER_LIST):
        rows = "".join(
            f"<div class='book'><a href='/book/{number}'>{said[number].title}</a></div>"
            for number in range(first, min(records, first + PER_LIST))
        )
        site.append((page(f"http://c.example/page/{first}", "Books", f"<h2>Books</h2>{rows}"), []))
    return site


def blog_of_whole_posts(posts: int = 60) -> Site:
    """A blog whose lists show its short posts whole, with linked headings and with links to share them and to tags."""
    chance = random.Random(12)
    said = [message(chance, number) for number in range(posts)]
    said = [Said(sentence(chance, 14), None, one.moment, sentence(chance, 7)[:-1]) for one in said]

    def shown(number: int, *, is_own_page: bool) -> str:
        one = said[number]
        assert one.moment is not None
        address = f"http://h.example/post/{one.title.replace(' ', '-')}/"
        tags = "".join(f"<li><a href='/tags/{tag}/' rel='tag'>{tag}</a></li>" for tag in chance.sample(TAGS, 2))
        name = f"<h1 class='article-title'>{one.title}</h1>" if is_own_page else ""
        name = name or f"<h1><a class='p-name' href='{address}'>{one.title}</a></h1>"
        return (
            f"<article class='h-entry'><div class='meta'><a href='{address}'><time datetime='{one.moment.isoformat()}'>"
            f"{one.moment:%Y-%m-%d}</time></a></div><div class='inner'><header>{name}</header><div class='entry'>"
            f"<p>{one.text}</p></div><footer><a class='share'><span>Share</span></a><ul>{tags}</ul></footer></div>"
            "</article>"
        )

    site: Site = []
    for first in range(0, posts, PER_LIST):
        some = range(first, min(posts, first + PER_LIST))
        body = "".join(shown(number, is_own_page=False) for number in some)
        site.append((page(f"http://h.example/page/{first}/", "Notes", body), [said[number] for number in some]))
    for number in range(0, posts, 9):
        address = f"http://h.example/post/{said[number].title.replace(' ', '-')}/"
        site.append((page(address, f"{said[number].title} | Notes", shown(number, is_own_page=True)), []))
    return site


def blog_shown_twice(posts: int = 40) -> Site:
    """A blog whose lists show whole posts as the pages of the posts do; the first list has two addresses."""
    chance = random.Random(14)
    said = [message(chance, number) for number in range(posts)]
    said = [Said(one.text, None, one.moment, one.title) for one in said]

    def box(one: Said) -> str:
        assert one.moment is not None
        return (
            f"<fieldset><legend>{one.title}</legend><div class='body'><p>{one.text}</p></div>"
            f"<table><tr><td>Tags: <a href='/tags/wood'>wood</a>.</td>"
            f"<td>{one.moment:%d %B %Y}</td></tr></table></fieldset>"
        )

    lists = (("", said[-8:]), ("index.html", said[-8:]), ("tags/wood/", said[-5:]), ("tags/tin/", said[:6]))
    site: Site = [(page(f"http://h.example/{path}", "Notes", "".join(map(box, some))), []) for path, some in lists]
    for one in said:
        site.append((page(f"http://h.example/{one.title.replace(' ', '_')}.html", one.title, box(one)), [one]))
    return site


def objects_of(site: Site) -> list[WebObject]:
    pages = [shown for shown, _ in site]
    return [one for _, one in harvest_records(lambda: pages)]


@pytest.mark.parametrize("make", [blog_with_heads_inside, blog_of_whole_posts, blog_shown_twice, catalogue])
def test_every_text_is_one_object_and_nothing_else_is(make: object) -> None:
    site: Site = make()  # type: ignore[operator]
    found = Counter(
        (" ".join((one.text or "").split()), one.author, (one.published or "")[:10]) for one in objects_of(site)
    )
    assert found == Counter((one.text, one.author, one.day) for _, said in site for one in said)


def test_a_post_that_a_list_shows_whole_has_its_own_title_and_address() -> None:
    site = blog_of_whole_posts()
    found = {one.text: (one.title, one.permalink) for one in objects_of(site)}
    assert found == {
        one.text: (one.title, f"http://h.example/post/{one.title.replace(' ', '-')}/")
        for _, said in site
        for one in said
    }


def test_what_is_left_out_of_a_text_is_told_and_remembered() -> None:
    pages = [shown for shown, _ in blog_with_heads_inside() if "post" in shown.url]
    model = learn_records(pages)
    assert model is not None
    again = RecordModel.from_json(model.to_json())
    (record,) = again.apply(pages[0])
    assert [path.rpartition("/")[2] for path in record.heads] == ["footer"]
    assert record.author is not None and record.author not in record.text


def test_what_a_box_says_besides_stays() -> None:
    chance = random.Random(8)
    pages, asides = [], []
    for number in range(30):
        one, aside = message(chance, number), sentence(chance, 12)
        box = head(chance, one).replace("</footer>", f"<p>{aside}</p></footer>")
        body = f"<div class='entry'>{box}<p>{one.text}</p></div>"
        pages.append(page(f"http://b.example/{number}", one.title, body))
        asides.append(aside)
    model = learn_records(pages)
    assert model is not None
    assert all(aside in model.apply(shown)[0].text for aside, shown in zip(asides, pages, strict=True))


def test_headings_that_number_and_date_the_posts_of_a_thread_are_no_titles() -> None:
    chance = random.Random(7)
    pages, titles = [], []
    for thread in range(30):
        said = [message(chance, thread * 5 + place) for place in range(chance.randint(2, 5))]
        posts = "".join(
            f"<div class='post'><h2>#{place + 1} <a href='/topic?pid={thread}0{place}'>"
            f"{one.moment:%Y-%m-%d %H:%M:%S}</a></h2>"
            f"<dl><dt>{one.author}</dt></dl><div class='text'><p>{one.text}</p></div></div>"
            for place, one in enumerate(said)
        )
        titles.append(said[0].title)
        pages.append(page(f"http://f.example/topic?id={thread}", said[0].title, f"<h1>{said[0].title}</h1>{posts}"))
    model = learn_records(pages)
    assert model is not None
    assert all(
        {record.title for record in model.apply(shown)} == {title} for title, shown in zip(titles, pages, strict=True)
    )
