"""Small sites made by a seed whose pages say author and date in other ways: mail archives, trackers, catalogues, forums.

Each site is a list of pages with the records they show. Texts begin with one of a few stock sentences, names of other
people and other days stand around them.
"""

# ruff: noqa: E501 - templates read best unbroken
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape

from siteseer.model import Page

WORDS = (
    "amber basin copper drift ember fallow gravel harbour inlet juniper kettle lantern meadow north orchard pebble quarry "
    "ridge saddle timber umber valley willow yonder zephyr anchor bridge cellar dune estuary field gate hollow island"
).split()
STOCK = (
    "The committee met on Thursday and agreed to repair the old bridge before the coming winter.",
    "Thanks to everybody who helped us with the translation of the handbook during the last month.",
    "Nobody in the whole village could remember a summer that had been as dry as this one was.",
)
NAMES = ("Ann Lee", "Bob Marsh", "Cyril Dane", "Dora Flint", "Emil Grau", "Frida Holm", "Gil Ives", "Hana Jong")
FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
FETCHED = datetime(2024, 3, 13, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    """What one record says: who, when, what; nobody and never where the page does not tell."""

    text: str
    author: str | None
    moment: datetime | None
    title: str = ""

    @property
    def day(self) -> str | None:
        """The day as records give it."""
        return self.moment.date().isoformat() if self.moment else None


Site = list[tuple[Page, list[Said]]]


def sentence(chance: random.Random, words: int = 14) -> str:
    """Return a sentence of that many words."""
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."


def message(chance: random.Random, number: int) -> Said:
    """Return a message whose text begins with a stock sentence."""
    text = f"{chance.choice(STOCK)} {' '.join(sentence(chance) for _ in range(chance.randint(2, 4)))}"
    moment = datetime(2003, 1, 5, 8, 0, tzinfo=UTC) + timedelta(hours=7 * number, minutes=chance.randint(0, 59))
    return Said(text, chance.choice(NAMES), moment, sentence(chance, 4)[:-1])


def page(url: str, title: str, body: str, head: str = "", language: str = "en") -> Page:
    """Return an HTML page."""
    html = f"<html lang='{language}'><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode(), FETCHED)


def archive(head: Callable[[Said], str], text: Callable[[Said], str], language: str = "en", pages: int = 40) -> Site:
    """Return a mail archive, one message to a page, with other people's names below and links around."""
    chance = random.Random(3)
    mails = [message(chance, number) for number in range(pages)]
    site: Site = []
    for number, mail in enumerate(mails):
        replies = [other for other in (number + 1, number + 3) if other < pages and chance.random() < 0.7]
        listed = "".join(
            f"<li><strong><a href='{n:04}.html'>Re: {mails[n].title}</a></strong><ul><li><em>From:</em> {mails[n].author}</li></ul></li>"
            for n in replies
        )
        near = mails[(number + 1) % pages]
        below = (
            f"<hr><ul><li><strong>Follow-Ups</strong>: <ul>{listed}</ul></li></ul>"
            f"<ul><li><dfn>Next message</dfn>: <a href='{(number + 1) % pages:04}.html'>{near.author}: \"{near.title}\"</a></li>"
            f"<li><dfn>Next by author</dfn>: {near.author}, <a href='{(number + 1) % pages:04}.html'>{near.moment:%d %b %Y}</a></li></ul>"
        )
        top = "<p>[<a href='index.html'>Date Index</a>] [<a href='thread.html'>Thread Index</a>]</p>"
        body = f"{top}<h1>{mail.title}</h1>{head(mail)}<hr>{text(mail)}{below}"
        site.append((page(f"http://lists.example/a/{number:04}.html", mail.title, body, language=language), [mail]))
    return site


def rfc(moment: datetime | None) -> str:
    """Return a moment as mails write it, in another time zone."""
    assert moment is not None
    return f"{moment + timedelta(hours=1):%a, %d %b %Y %H:%M:%S} +0100"


def address(name: str | None) -> str:
    """Return somebody's mail address."""
    return f"{(name or '').lower().replace(' ', '.')}@example.org"


def hypermail() -> Site:
    """Names and dates in spans with `dfn` labels."""
    return archive(
        lambda m: (
            f"<address><span><dfn>From</dfn>: {m.author} &lt;<a href='mailto:{address(m.author)}'>{address(m.author)}</a>&gt;</span><br>"
            f"<span><dfn>Date</dfn>: {rfc(m.moment)}</span><br></address>"
        ),
        lambda m: f"<div class='mail'><p>{m.text}</p></div>",
    )


def bold_lines() -> Site:
    """Labels in bold, lines divided by `br`, German."""
    return archive(
        lambda m: (
            f"<p><b>Von:</b> {m.author} ({address(m.author)})<br><b>An:</b> Alle auf der Liste<br><b>Betreff:</b> {m.title}<br>"
            f"<b>Gesendet:</b> {m.moment:%d.%m.%Y, %H:%M} Uhr</p>"
        ),
        lambda m: f"<blockquote><p>{m.text}</p></blockquote>",
    )


def head_table() -> Site:
    """A table with cells of labels, Spanish."""
    return archive(
        lambda m: (
            f"<table><tr><td>Asunto</td><td>{m.title}</td></tr><tr><td>De</td><td>{m.author}</td></tr><tr><td>Para</td><td>Gil Ives</td></tr>"
            f"<tr><td>Fecha</td><td>{m.moment:%d/%m/%Y %H:%M}</td></tr></table>"
        ),
        lambda m: f"<div>{m.text}</div>",
        "es",
    )


def raw_mail() -> Site:
    """Each mail as it came, its head above the text in one `pre`."""
    return archive(
        lambda m: "",
        lambda m: (
            f"<pre>\nFrom: {escape(f'{m.author} <{address(m.author)}>')}\nTo: list@example.org\nSubject: {m.title}\n"
            f"Date: {rfc(m.moment)}\nMessage-ID: &lt;{abs(hash(m.text))}@x&gt;\n\n{m.text}\n</pre>"
        ),
    )


def definition_list() -> Site:
    """A definition list, Russian."""
    return archive(
        lambda m: (
            f"<dl><dt>Кому</dt><dd>Список</dd><dt>Автор</dt><dd>{m.author}</dd><dt>Дата</dt><dd>{m.moment:%d.%m.%Y %H:%M}</dd></dl>"
        ),
        lambda m: f"<div><p>{m.text}</p></div>",
    )


def tracker(pages: int = 30, seed: int = 5) -> Site:
    """Issues with messages below: ids of messages as links, authors and dates behind labels, an assignee above."""
    chance = random.Random(seed)
    site: Site = []
    count = 100
    for number in range(pages):
        rows, said = [], []
        for _ in range(chance.randint(1, 5)):
            count += 1
            one = message(chance, count)
            login = (one.author or "").lower().replace(" ", ".")
            said.append(Said(one.text, login, one.moment))
            rows.append(
                f"<tr><th><a href='/note{count}'>note{count}</a></th><th>Reporter: {login}</th><th>Created: {one.moment:%Y-%m-%d %H:%M}</th></tr>"
                f"<tr><td colspan=3><pre>{one.text}</pre></td></tr>"
            )
        title = sentence(chance, 5)[:-1]
        body = (
            f"<h1>{title}</h1><table><tr><th>Assigned to</th><td>{chance.choice(NAMES)}</td><th>Status</th><td>open</td></tr></table>"
            f"<table class='notes'>{''.join(rows)}</table><p>Last changed 2024-03-13 10:00 by root</p>"
        )
        site.append((page(f"http://bugs.example/issue{number}", title, body), said))
    return site


def catalogue(pages: int = 40, seed: int = 7) -> Site:
    """A German library catalogue: the author as "Brandt, Ada", a publisher, a year that is no day, an abstract."""
    chance = random.Random(seed)
    site: Site = []
    for number in range(pages):
        one = message(chance, number)
        given, _, family = (one.author or "").partition(" ")
        editor = chance.choice(NAMES)
        title = sentence(chance, 5)[:-1]
        body = (
            f"<div class='kopf'>Stadtbibliothek: Katalog und Ausleihe</div><h2>{title}</h2><table class='voll'><tr><td>Titel</td><td>{title}</td></tr>"
            f"<tr><td>Verfasser</td><td>{family}, {given}</td></tr><tr><td>Herausgeber</td><td>{editor}</td></tr><tr><td>Verlag</td><td>Verlag {editor.split()[1]}</td></tr>"
            f"<tr><td>Jahr</td><td>{1960 + number}</td></tr><tr><td>Signatur</td><td>Xa {number * 7}</td></tr></table><div class='text'>{one.text}</div>"
            f"<ul class='auch'><li>Ähnlich: <a href='/titel/{(number + 5) % pages}'>{sentence(chance, 3)[:-1]}</a> von {chance.choice(NAMES)}</li></ul>"
        )
        site.append(
            (page(f"http://katalog.example/titel/{number}", title, body), [Said(one.text, f"{family}, {given}", None)])
        )
    return site


def french_forum(pages: int = 30, seed: int = 9) -> Site:
    """Threads of a French forum: `Par NAME, le DATE` above each post, a panel with towns."""
    chance = random.Random(seed)
    site: Site = []
    towns = ("Lille", "Nantes", "Brest", "Dijon", "Metz", "Tours", "Nice", "Pau")
    for number in range(pages):
        said = [message(chance, number * 9 + post) for post in range(chance.randint(2, 6))]
        posts = "".join(
            f"<div class='m'><div class='g'><span>Par</span> <b>{one.author}</b></div><div class='p'>De : {towns[NAMES.index(one.author or '')]}<br>Inscrit le : 0{NAMES.index(one.author or '') + 1} mars 2001<br>Messages : {number}</div>"
            f"<div class='d'>Posté le {one.moment.day} {FRENCH[one.moment.month - 1]} {one.moment:%Y à %Hh%M}</div><div class='t'>{one.text}</div></div>"
            for one in said
            if one.moment
        )
        title = sentence(chance, 4)[:-1]
        site.append((page(f"http://forum.example/sujet/{number}", title, f"<h1>{title}</h1>{posts}"), said))
    return site


def meta_authors(pages: int = 40, seed: int = 11) -> Site:
    """Articles whose author and day stand only in the head; the page shows names and days of other articles."""
    chance = random.Random(seed)
    said = [message(chance, 40 * number) for number in range(pages)]
    site: Site = []
    for number, one in enumerate(said):
        others = "".join(
            f"<li><a href='/texts/{other.title.lower().replace(' ', '-')}'>{other.title}</a> by {other.author}, {other.moment:%d %B %Y}</li>"
            for other in (said[(number + 1) % pages], said[(number + 2) % pages])
        )
        head = f"<meta name='author' content='{one.author}'><meta property='article:published_time' content='{one.moment:%Y-%m-%dT%H:%M:00+00:00}'>"
        body = f"<h1>{one.title}</h1><div class='text'><p>{one.text}</p></div><h3>Read also</h3><ul>{others}</ul>"
        site.append(
            (page(f"http://paper.example/texts/{one.title.lower().replace(' ', '-')}", one.title, body, head), [one])
        )
    return site


def handbook(pages: int = 40, seed: int = 13) -> Site:
    """A handbook that names no author and no day of its pages, but a firm, a clock and the newest release."""
    chance = random.Random(seed)
    site: Site = []
    for number in range(pages):
        one = message(chance, number)
        head = "<meta name='author' content='The Example Company'>"
        body = (
            f"<div>Release of <a href='/news'>5 March 2024</a> by <a href='/team/ann'>Ann Lee</a></div><h1>{one.title}</h1><main><p>{one.text}</p></main>"
            f"<footer>Made by Bob Marsh, shown on {FETCHED:%d %B %Y}</footer>"
        )
        site.append((page(f"http://docs.example/guide/{number}", one.title, body, head), [Said(one.text, None, None)]))
    return site


SITES: dict[str, Callable[[], Site]] = {
    "hypermail": hypermail,
    "bold_lines": bold_lines,
    "head_table": head_table,
    "raw_mail": raw_mail,
    "definition_list": definition_list,
    "tracker": tracker,
    "catalogue": catalogue,
    "french_forum": french_forum,
    "meta_authors": meta_authors,
    "handbook": handbook,
}
