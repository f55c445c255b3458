"""Makes pages of many languages with comments and without telling names, and pairs of them with one known change.

Class names are absent or hashed; comments stand in many kinds of markup, among lists of teasers and of newest pages that
look like them. `OPEN_STYLES` may be looked at while developing; `HELD_OUT_STYLES` are only measured.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from html import escape

from change_languages import LANGUAGES, Language

from siteseer.model import Page

TYPE = (("Content-Type", "text/html; charset=utf-8"),)
NOW = datetime(2024, 6, 20, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Remark:
    """One comment, with its answers."""

    name: str
    when: str
    text: str
    answers: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Draft:
    """What a made page consists of; its look is `layout` and `style`, its class names come from `salt`."""

    language: Language
    layout: str
    style: str
    salt: str
    title: str
    byline: str
    paragraphs: tuple[str, ...]
    remarks: tuple[Remark, ...]
    teasers: tuple[tuple[str, str, str], ...]
    """Title, day and opening of other pages."""
    latest: tuple[str, ...]
    script: str
    file: str
    handler: str
    token: str
    readers: int
    advert: int
    by_breaks: bool = False
    """Whether paragraphs are divided by line breaks instead of being elements."""
    has_form: bool = True


def draft(code: str, layout: str, style: str, chance: random.Random) -> Draft:
    """Return a page with everything on it."""
    own = LANGUAGES[code]
    day = date(2024, 1, 1) + timedelta(days=chance.randrange(150))
    return Draft(
        own, layout, style, str(chance.random()) if chance.random() < 0.6 else "", own.title(chance),
        f"{own.name(chance)} · {own.date(day)}",
        tuple(own.paragraph(chance, chance.randint(2, 5)) for _ in range(chance.randint(4, 8))),
        tuple(remark(own, chance, style) for _ in range(chance.randint(2, 6))),
        tuple(teaser(own, chance) for _ in range(4)), tuple(own.title(chance) for _ in range(6)),
        "function menu(e){e.classList.toggle('open');return e.dataset.kind==='large'}\ndocument.addEventListener('click',menu);",
        f"/static/site.{chance.randrange(16**6):06x}.js", "return track(this)", f"{chance.randrange(16**32):032x}",
        chance.randrange(100, 9000), chance.randrange(1000), chance.random() < 0.15, chance.random() < 0.85,
    )  # fmt: skip


def remark(own: Language, chance: random.Random, style: str, depth: int = 0) -> Remark:
    """Return a comment, in styles with answers sometimes with some."""
    if style in RELATIVE:
        when = own.ago[chance.randrange(2)].format(chance.randint(2, 9))
    else:
        when = own.date(date(2024, 5, 1) + timedelta(days=chance.randrange(40)))
        when += f", {chance.randrange(24):02}:{chance.randrange(60):02}" if chance.random() < 0.5 else ""
    answers = tuple(remark(own, chance, style, 1) for _ in range(chance.choice((0, 0, 1, 2)))) if depth == 0 else ()
    return Remark(own.name(chance), when, own.paragraph(chance, chance.randint(1, 3)), answers)


def teaser(own: Language, chance: random.Random) -> tuple[str, str, str]:
    """Return title, day and opening of another page."""
    day = own.date(date(2023, 1, 1) + timedelta(days=chance.randrange(300)))
    return own.title(chance), day, own.sentence(chance)


# ── how comments look ──────────────────────────────────────────────────────────────────────────────────────────────

Style = Callable[[Draft, Remark, str], str]
"""Takes the page, a comment and its answers as drawn."""


def named(page: Draft, what: str) -> str:
    """Return a class attribute that says nothing, or none."""
    if not page.salt:
        return ""
    return f' class="{chr(97 + len(what) % 26)}{blake2b((page.salt + what).encode(), digest_size=4).hexdigest()}"'


def blocks(page: Draft, one: Remark, answers: str) -> str:
    return (
        f"<div{named(page, 'c')}><div{named(page, 'head')}><span>{one.name}</span> <time>{one.when}</time></div>"
        f"<p>{one.text}</p><a href='#r'>{page.language.reply}</a>{answers}</div>"
    )


def items(page: Draft, one: Remark, answers: str) -> str:
    return f"<li{named(page, 'i')}><b>{one.name}</b> {one.when}<p>{one.text}</p>{f'<ul>{answers}</ul>' if answers else ''}</li>"


def rows(page: Draft, one: Remark, answers: str) -> str:
    return f"<tr{named(page, 'r')}><td>{one.name}<br>{one.when}</td><td>{one.text}</td></tr>{answers}"


def definitions(page: Draft, one: Remark, answers: str) -> str:
    return f"<dt>{one.name}, {one.when}</dt><dd>{one.text}</dd>{answers}"


def profiles(page: Draft, one: Remark, answers: str) -> str:
    who = sum(map(ord, one.name))
    return (
        f"<div{named(page, 'o')}><a href='/u/{who}'><img src='/a/{who}.png' alt=''></a><div><a href='/u/{who}'>{one.name}</a>"
        f"<a href='#c{len(one.text)}'>{one.when}</a></div><div><p>{one.text}</p></div><button>{page.language.reply}</button></div>{answers}"
    )


def text_first(page: Draft, one: Remark, answers: str) -> str:
    return f"<div{named(page, 'q')}><p>{one.text}</p><small>— {one.name}, {one.when}</small></div>{answers}"


def flat(page: Draft, one: Remark, answers: str) -> str:
    return f"<h5>{one.name}</h5><small>{one.when}</small><p>{one.text}</p><hr>{answers}"


def articles(page: Draft, one: Remark, answers: str) -> str:
    return (
        f"<article{named(page, 'e')}><header><h4>{one.name}</h4><p>{one.when}</p></header><div>{one.text}</div>"
        f"<footer><a href='?reply={len(one.text)}'>{page.language.reply}</a></footer>{answers}</article>"
    )


def quoted(page: Draft, one: Remark, answers: str) -> str:
    return f"<section{named(page, one.name)}><cite>{one.name}</cite><blockquote>{one.text}</blockquote><span>{one.when}</span></section>{answers}"


def undated(page: Draft, one: Remark, answers: str) -> str:
    return f"<div{named(page, 'u')}><strong>{one.name}</strong><p>{one.text}</p></div>{answers}"


def linked_titles(page: Draft, one: Remark, answers: str) -> str:
    title = page.language.space.join(one.text.split()[:3]) if page.language.space else one.text[:6]
    return (
        f"<div{named(page, 't')}><h3><a href='#c{len(one.text)}'>{title}</a></h3><p>{one.text}</p>"
        f"<p>{one.name} ({one.when})</p></div>{answers}"
    )


def foldable(page: Draft, one: Remark, answers: str) -> str:
    return f"<details open><summary>{one.name} — {one.when}</summary><div>{one.text}</div></details>{answers}"


def in_one_line(page: Draft, one: Remark, answers: str) -> str:
    return (
        f"<p{named(page, 'l')}><span>{one.name}</span> <span>({one.when}):</span> <span>{one.text}</span></p>{answers}"
    )


def wrapped(page: Draft, one: Remark, answers: str) -> str:
    likes = len(one.text) % 17
    return (
        f"<div{named(page, 'w1')}><div><div><img src='/a.png' alt=''></div><div><p>{one.text}</p><div><span>{likes}</span> "
        f"<span>{page.language.reply}</span></div></div></div><footer><a href='/who/{likes}'>{one.name}</a> <span>{one.when}</span>"
        f"</footer></div>{answers}"
    )


def own_elements(page: Draft, one: Remark, answers: str) -> str:
    return f"<x-item><x-who>{one.name}</x-who><x-when>{one.when}</x-when><x-text>{one.text}</x-text>{answers}</x-item>"


def by_breaks(page: Draft, one: Remark, answers: str) -> str:
    return f"<div{named(page, 'z')}>{one.name}<br>{one.when}<br>{one.text}</div>{answers}"


OPEN_STYLES: dict[str, tuple[Style, str, str]] = {
    "blocks": (blocks, "<div>", "</div>"),
    "items": (items, "<ol>", "</ol>"),
    "rows": (rows, "<table>", "</table>"),
    "definitions": (definitions, "<dl>", "</dl>"),
    "profiles": (profiles, "<section>", "</section>"),
    "undated": (undated, "<div>", "</div>"),
}
HELD_OUT_STYLES: dict[str, tuple[Style, str, str]] = {
    "text first": (text_first, "<div>", "</div>"),
    "flat": (flat, "<div>", "</div>"),
    "articles": (articles, "<div>", "</div>"),
    "quoted": (quoted, "<div>", "</div>"),
    "linked titles": (linked_titles, "<aside>", "</aside>"),
    "foldable": (foldable, "<div>", "</div>"),
    "in one line": (in_one_line, "<div>", "</div>"),
    "wrapped": (wrapped, "<div>", "</div>"),
    "own elements": (own_elements, "<x-list>", "</x-list>"),
    "by breaks": (by_breaks, "<section>", "</section>"),
}
STYLES = OPEN_STYLES | HELD_OUT_STYLES
RELATIVE = ("profiles", "articles")
LAYOUTS = ("after", "inside", "beside")
"""Whether comments stand after the element of the article, inside it, or as brothers of its paragraphs."""


def comments(page: Draft) -> str:
    """Draw the comments with their heading, and the form to write one."""
    draw, start, end = STYLES[page.style]

    def drawn(one: Remark) -> str:
        return draw(page, one, "".join(map(drawn, one.answers)))

    count = sum(1 + len(one.answers) for one in page.remarks)
    own = page.language
    form = (
        f"<form action='/say' method=post><input name=q1><textarea name=q2></textarea><button>{own.send}</button></form>"
        if page.has_form or page.style == "undated"
        else ""
    )
    if not page.remarks:
        return f"<h3>{own.none_yet}</h3>{form}"
    return f"<h3>{own.comments.format(count)}</h3>{start}{''.join(map(drawn, page.remarks))}{end}{form}"


def draw(page: Draft) -> Page:
    """Return the page as a server sends it."""
    own = page.language
    body = (
        f"<div{named(page, 'body')}>{'<br><br>'.join(page.paragraphs)}</div>"
        if page.by_breaks
        else "".join(f"<p>{one}</p>" for one in page.paragraphs)
    )
    article = f"<h1>{page.title}</h1><div{named(page, 'by')}>{page.byline}</div>{body}"
    said = comments(page)
    readers = f"<div{named(page, 'n')}>{own.read.format(page.readers)}</div>"
    advert = f"<div{named(page, 'x')}><a href='http://shop{page.advert}.example.net/'><img src='http://pics.example.net/{page.advert}.png' alt=''></a></div>"
    related = f"<div{named(page, 'rel')}><h3>{own.related}</h3>" + "".join(
        f"<div><a href='/p/{sum(map(ord, title))}'>{title}</a><span>{day}</span><p>{opening}</p></div>"
        for title, day, opening in page.teasers
    ) + "</div>"  # fmt: skip
    middle = {
        "after": f"<div{named(page, 'art')}>{article}</div>{readers}{advert}{related}<div{named(page, 'zone')}>{said}</div>",
        "inside": f"<div{named(page, 'art')}>{article}{readers}<div>{said}</div></div>{advert}{related}",
        "beside": f"{article}{readers}{said}{advert}{related}",
    }[page.layout]
    latest = "".join(f"<li><a href='/p/{sum(map(ord, title))}'>{title}</a></li>" for title in page.latest)
    menu = "".join(f"<a href='/{n}'>{own.words[n]}</a> " for n in range(6))
    text = (
        f"<!DOCTYPE html><html lang={own.code} dir={own.direction}><head><meta charset=utf-8><title>{escape(page.title)}</title>"
        f"<meta name=csrf content={page.token}><script nonce={page.token[:12]} src='{page.file}'></script></head><body>"
        f"<div{named(page, 'top')}>{menu}</div><div{named(page, 'main')}>{middle}</div><div{named(page, 'side')}><ul>{latest}</ul></div>"
        f'<div{named(page, "end")}><a href="/imprint" onclick="{page.handler}">{own.words[3]}</a> 2010-2024</div>'
        f"<script nonce={page.token[:12]}>{page.script}\nvar session='{page.token}';</script></body></html>"
    )
    return Page("http://e.org/p/1", 200, TYPE, text.encode(), NOW)


# ── what changes ───────────────────────────────────────────────────────────────────────────────────────────────────

Change = Callable[[Draft, random.Random], tuple[Draft, Draft]]


def comment_added(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    more = remark(page.language, chance, page.style)
    return page, replace(page, remarks=(*page.remarks, replace(more, answers=())))


def comment_first(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    one = replace(page.remarks[0], answers=())
    return replace(page, remarks=()), replace(page, remarks=(one,))


def comment_answered(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    first, *rest = page.remarks
    more = remark(page.language, chance, page.style, 1)
    return page, replace(page, remarks=(replace(first, answers=(*first.answers, more)), *rest))


def comment_removed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    gone = chance.randrange(len(page.remarks))
    return page, replace(page, remarks=tuple(one for n, one in enumerate(page.remarks) if n != gone))


def comment_edited(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    *rest, last = page.remarks
    return page, replace(page, remarks=(*rest, replace(last, text=last.text + " " + page.language.sentence(chance))))


def several_noises(page: Draft, chance: random.Random) -> Draft:
    """What changes between any two visits."""
    return replace(page, readers=page.readers + chance.randint(1, 40), token=f"{chance.randrange(16**32):032x}",
                   advert=chance.randrange(1000))  # fmt: skip


def noisy(change: Change) -> Change:
    """Return a change together with what changes between any two visits."""

    def both(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
        before, after = change(page, chance)
        return before, several_noises(after, chance)

    return both


def word_edited(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    number, own = chance.randrange(len(page.paragraphs)), page.language
    sentences = [one for one in page.paragraphs[number].split(own.stop) if one.strip()]
    place = chance.randrange(len(sentences))
    other = own.sentence(chance).rstrip(own.stop)
    half = len(sentences[place]) // 2
    cut = sentences[place].rfind(" ", 0, half) if own.space else half
    sentences[place] = sentences[place][: max(cut, 1)] + own.space + other[: max(6, len(other) // 2)]
    return page, _with(page, number, own.stop.join(sentences) + own.stop)


def sentence_removed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    number, own = chance.randrange(len(page.paragraphs)), page.language
    sentences = [one for one in page.paragraphs[number].split(own.stop) if one.strip()]
    del sentences[chance.randrange(len(sentences))]
    return page, _with(page, number, own.stop.join(sentences) + own.stop)


def paragraph_added(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    place = chance.randint(1, len(page.paragraphs))
    more = page.language.paragraph(chance, 2)
    return page, replace(page, paragraphs=(*page.paragraphs[:place], more, *page.paragraphs[place:]))


def paragraph_removed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    before, after = paragraph_added(page, chance)
    return after, before


def paragraph_moved(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    order = list(page.paragraphs)
    taken = order.pop(chance.randrange(len(order)))
    places = [n for n in range(len(order) + 1) if [*order[:n], taken, *order[n:]] != list(page.paragraphs)]
    order.insert(chance.choice(places), taken)
    return page, replace(page, paragraphs=tuple(order))


def paragraphs_mixed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    order = list(page.paragraphs)
    while tuple(order) == page.paragraphs:
        chance.shuffle(order)
    return page, replace(page, paragraphs=tuple(order))


def moved_and_edited(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, word_edited(paragraph_moved(page, chance)[1], chance)[1]


def script_code(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, replace(page, script=page.script.replace("toggle('open')", "add('open');report(e.id)"))


def script_file(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, replace(page, file=f"/static/site.{chance.randrange(16**6):06x}.js")


def script_handler(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, replace(page, handler="return track(this, 2)")


def script_added(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    more = "</script><script src='http://count.example.net/c.js'></script><script>"
    return page, replace(page, script=page.script + more)


def only_noise(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, several_noises(page, chance)


def teasers_changed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, replace(page, teasers=(teaser(page.language, chance), *page.teasers[:-1]))


def latest_changed(page: Draft, chance: random.Random) -> tuple[Draft, Draft]:
    return page, replace(page, latest=(page.language.title(chance), *page.latest[:-1]))


def _with(page: Draft, number: int, paragraph: str) -> Draft:
    return replace(page, paragraphs=tuple(paragraph if n == number else p for n, p in enumerate(page.paragraphs)))


CHANGES: dict[str, tuple[Change, frozenset[str]]] = {
    name.replace("_", " "): (change, frozenset(expected.split()))
    for expected, found in (
        ("comments", (comment_added, comment_first, comment_answered, comment_removed, comment_edited)),
        ("edited", (word_edited, sentence_removed, paragraph_added, paragraph_removed, moved_and_edited)),
        ("moved", (paragraph_moved, paragraphs_mixed)),
        ("script", (script_code, script_file, script_handler, script_added)),
        ("noise same", (only_noise, teasers_changed, latest_changed)),
    )
    for change in found
    for name in (change.__name__,)
}
CHANGES["comment added with noise"] = (noisy(comment_added), frozenset(("comments",)))
CHANGES["paragraph moved with noise"] = (noisy(paragraph_moved), frozenset(("moved",)))
CHANGES["word edited with noise"] = (noisy(word_edited), frozenset(("edited",)))
CHANGES["script code with noise"] = (noisy(script_code), frozenset(("script",)))


def made_pairs(
    languages: Sequence[str], styles: Sequence[str], seed: int, rounds: int = 1
) -> Iterator[tuple[str, str, str, str, Page, Page]]:
    """Yield language, style, layout, change, and the page before and after, for every language and style."""
    for code in languages:
        for style in styles:
            for turn in range(rounds):
                for name, (change, _) in CHANGES.items():
                    chance = random.Random(f"{seed} {code} {style} {turn} {name}")
                    layout = chance.choice(LAYOUTS)
                    before, after = change(draft(code, layout, style, chance), chance)
                    yield code, style, layout, name, draw(before), draw(after)
