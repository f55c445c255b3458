"""Small sites in other languages: questions and answers, a tracker, a guest book, a forum, blogs and a wiki with comments.

Names and days of others stand near each text: of who edited it, of the record before, of the first comment.
"""

# ruff: noqa: E501 - templates read best unbroken
from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.extract.records.labelled_sites import Said, Site, page, sentence

PAGES = 30
NAMES = {
    "en": "Ann Lee|Bob Marsh|Cyril Dane|Dora O'Flint|Emil Grau|gil_ives|hjong77",
    "es": "José Núñez|María del Pilar Ruiz|Íñigo Vega|Lola Cano|paco_83|Berta Gil",
    "it": "Luca Conti|Giulia De Santis|nonno45|Sara Villa|Piero Neri|Elena Fabbri",
    "ja": "田中太郎|佐藤花子|すずき|山本|neko|高橋一郎",
    "ru": "Ольга Белова|Иван Щукин|kot_77|Пётр Зуев|Юлия Ким|Артём",
    "zh": "王小明|李雷|张伟|韩梅梅|老猫|赵六",
    "fr": "Éloïse Marchand|Jean-Luc Petit|Amélie de Rochefort|Yves Caron|Zoé Lambert",
    "cs": "Jiří Novák|Šárka Malá|pepa|Zdeněk Říha",
    "de": "Jürgen Vogt|Anke Moll|Sören Abt|Petra von Hagen|Dr. Ulf Kern|Kai Lutz",
}
MONTHS = {
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split(),
}


class Writers:
    """Who writes what, and when: each text is later than the one before."""

    def __init__(self, language: str) -> None:
        self.chance = random.Random(f"writers {language}")
        self.names, self.language = NAMES[language].split("|"), language
        self.moment = datetime(2013, 1, 5, 8, 0, tzinfo=UTC)

    def say(self, *, is_signed: bool = True) -> tuple[Said, Any]:
        """Return what somebody says, and when."""
        self.moment += timedelta(hours=self.chance.randint(1, 60), minutes=self.chance.randint(0, 59))
        text = " ".join(sentence(self.chance, self.chance.randint(8, 16)) for _ in range(self.chance.randint(2, 5)))
        author = self.chance.choice(self.names) if is_signed else None
        return Said(text, author, self.moment, sentence(self.chance, 4)[:-1]), self.moment

    def several(self, most: int, least: int = 0) -> list[tuple[Said, Any]]:
        """Return what several people say."""
        return [self.say() for _ in range(self.chance.randint(least, most))]

    def month(self, moment: Any) -> str:
        """Return the name of a month."""
        return MONTHS[self.language][moment.month - 1]


def questions() -> Site:
    """Questions and answers, each above the box of who wrote it."""
    all_of, site = Writers("es"), []

    def box(one: Said, at: Any, verb: str) -> str:
        day = f"{verb} el {at.day} de {all_of.month(at)} de {at.year}, {at:%H:%M}"
        return f"<div class='info'><p>{day}</p><a href='/users/{one.author}'><img src='g.png'></a><p><a href='/users/{one.author}'>{one.author}</a><br><span>{all_of.chance.randint(1, 900)}</span></p></div>"

    for number in range(PAGES):
        question, answers = all_of.say(), all_of.several(4)
        below = "".join(
            f"<div class='answer' id='a{number}{place}'><div class='body'><p>{one.text}</p></div>{box(one, at, 'respondido')}</div>"
            for place, (one, at) in enumerate(answers)
        )
        body = f"<h1>{question[0].title}</h1><div class='question'><div class='body'><p>{question[0].text}</p></div>{box(*question, 'preguntado')}</div><h2>{len(answers)} Respuestas</h2>{below}"
        said = [question[0], *(one for one, _ in answers)]
        site.append((page(f"http://q.example/q/{number}", question[0].title, body, language="es"), said))
    return site


def edited_questions() -> Site:
    """Questions and answers, each above the boxes of who edited it and of who wrote it."""
    all_of, site = Writers("en"), []

    def box(name: str | None, at: Any, verb: str) -> str:
        return f"<div class='user-info'><div class='action-time'>{verb} <span title='{at:%Y-%m-%d %H:%M:%SZ}'>{at:%b} {at.day} '{at:%y} at {at:%H:%M}</span></div><div class='details'><a href='/users/1/x'>{name}</a><div><span>{all_of.chance.randint(1, 900)}</span></div></div></div>"

    def post(one: Said, at: Any, verb: str) -> str:
        editor = all_of.chance.choice(all_of.names)
        edited = box(editor, at + timedelta(days=9), "edited") if all_of.chance.random() < 0.4 else ""
        return f"<div class='cell'><div class='prose'><p>{one.text}</p></div><div>{edited}{box(one.author, at, verb)}</div></div>"

    for number in range(PAGES):
        question, answers = all_of.say(), all_of.several(4)
        below = "".join(
            f"<div id='answer-{number}{place}'>{post(*one, 'answered')}</div>" for place, one in enumerate(answers)
        )
        body = f"<h1>{question[0].title}</h1><div id='question'>{post(*question, 'asked')}</div><h2>{len(answers)} Answers</h2>{below}"
        said = [question[0], *(one for one, _ in answers)]
        site.append((page(f"http://s.example/questions/{number}", question[0].title, body), said))
    return site


def guest_book() -> Site:
    """A guest book: the town after `Da:` is no author."""
    all_of, site = Writers("it"), []
    for number in range(9):
        entries = all_of.several(10, 10)
        tables = "".join(
            f"<table class='firma'><tr><td>Nome:</td><td>{one.author}</td></tr><tr><td>Da:</td><td>{all_of.chance.choice(['Roma', 'Bari', 'Torino'])}</td></tr><tr><td>Data:</td><td>{at.day} {all_of.month(at)} {at.year} {at:%H:%M}</td></tr><tr><td colspan='2'>{one.text}</td></tr></table>"
            for one, at in entries
        )
        site.append(
            (page(f"http://o.example/?p={number}", "Libro", tables, language="it"), [one for one, _ in entries])
        )
    return site


def forum() -> Site:
    """A forum that writes number and `sent` before the date of each post."""
    all_of, site = Writers("ru"), []
    for number in range(PAGES):
        posts = all_of.several(7, 2)
        body = "".join(
            f"<table class='post' id='p{number}{place}'><tr><td class='who'><b>{one.author}</b><br>Участник<br>Сообщений: {7 * place}<br>Регистрация: 12.05.2009</td><td><div class='d'>#{place + 1} Отправлено {at.day} {all_of.month(at)} {at.year} - {at:%H:%M}</div><div class='txt'>{one.text}</div></td></tr></table>"
            for place, (one, at) in enumerate(posts)
        )
        title = posts[0][0].title
        site.append((page(f"http://f.example/{number}", title, body, language="ru"), [one for one, _ in posts]))
    return site


def diary() -> Site:
    """A blog with several labels in a line, the last one before a link."""
    all_of, site = Writers("ja"), []
    for number in range(PAGES):
        (post, at), comments = all_of.say(), all_of.several(4)
        below = "".join(
            f"<div class='cm' id='c{number}{place}'><b>{one.author}</b> より:<br><span>{when:%Y/%m/%d %H:%M}</span><p>{one.text}</p></div>"
            for place, (one, when) in enumerate(comments)
        )
        day = f"{at.year}年{at.month}月{at.day}日"
        body = f"<div class='entry'><h2>{post.title}</h2><p class='meta'>投稿日: {day} | 投稿者: {post.author} | カテゴリー: <a href='/c/1'>雑記</a></p><div class='honbun'><p>{post.text}</p></div></div><div class='comments'>{below}</div>"
        said = [post, *(one for one, _ in comments)]
        site.append((page(f"http://n.example/{number}", post.title, body, language="ja"), said))
    return site


def tracker() -> Site:
    """A tracker whose list of properties begins with a label that nobody knows."""
    all_of, site = Writers("zh"), []
    for number in range(PAGES):
        (report, at), notes = all_of.say(is_signed=False), all_of.several(4)
        below = "".join(
            f"<div class='comment' id='n{number}{place}'><h4><a href='/u/{place}'>{one.author}</a> 发表于 {when:%Y-%m-%d %H:%M}</h4><p>{one.text}</p></div>"
            for place, (one, when) in enumerate(notes)
        )
        body = f"<h1>{report.title}</h1><dl class='props'><dt>壬癸</dt><dd>{all_of.chance.choice(all_of.names)}</dd><dt>创建时间</dt><dd>{at:%Y-%m-%d %H:%M}</dd></dl><div class='desc'><p>{report.text}</p></div>{below}"
        said = [report, *(one for one, _ in notes)]
        site.append((page(f"http://z.example/bug-{number}.html", report.title, body, language="zh"), said))
    return site


def bugs() -> Site:
    """A tracker with two labels in each row, written without colons; another person is responsible."""
    all_of, site = Writers("de"), []
    for number in range(PAGES):
        (report, at), notes = all_of.say(), all_of.several(5)
        rows = f"<tr><td class='category'>Gemeldet am</td><td>{at:%d.%m.%Y %H:%M}</td><td class='category'>Letzte Änderung</td><td>{at + timedelta(days=40):%d.%m.%Y %H:%M}</td></tr><tr><td class='category'>Bearbeiter</td><td><a href='user?id=3'>{all_of.chance.choice(all_of.names)}</a></td><td class='category'>Berichterstatter</td><td>{report.author}</td></tr>"
        below = "".join(
            f"<tr class='note' id='c{number}{place}'><td>(000{number}{place})<br><a href='user?id={place}'>{one.author}</a> (Entwickler)<br>{when:%d.%m.%Y %H:%M}</td><td class='text'>{one.text}</td></tr>"
            for place, (one, when) in enumerate(notes)
        )
        body = f"<h1>{report.title}</h1><table class='props'>{rows}</table><div class='desc'><p>{report.text}</p></div><table>{below}</table>"
        said = [report, *(one for one, _ in notes)]
        site.append((page(f"http://b.example/view.php?id={number}", report.title, body, language="de"), said))
    return site


def wiki() -> Site:
    """A wiki that says who changed a page, which is not who wrote it, above comments."""
    all_of, site = Writers("fr"), []
    for number in range(PAGES):
        (text, _), comments = all_of.say(is_signed=False), all_of.several(4)
        below = "".join(
            f"<div id='comment_{place}' class='comment'><div class='head'><span class='commentauthor'><a href='/view/u{place}'>{one.author}</a></span> dit :<br><span class='day'>{at:%Y/%m/%d %H:%M}</span></div><div class='commentcontent'><p>{one.text}</p></div></div>"
            for place, (one, at) in enumerate(comments)
        )
        changed = f"Modifié par {all_of.chance.choice(all_of.names)} le {all_of.moment:%Y/%m/%d %H:%M}"
        body = f"<h1>{text.title}</h1><div class='last'>{changed}</div><div id='content'><p>{text.text}</p></div><h2>Commentaires ({len(comments)})</h2>{below}"
        said = [Said(text.text, None, all_of.moment, text.title), *(one for one, _ in comments)]
        site.append((page(f"http://x.example/view/P{number}", text.title, body, language="fr"), said))
    return site


def news() -> Site:
    """News that name no author above numbered comments, whose first one is nearest to the text."""
    all_of, site = Writers("cs"), []
    for number in range(PAGES):
        (post, at), comments = all_of.say(is_signed=False), all_of.several(5)
        below = "".join(
            f"<div class='prispevek'><div class='hlava'><span class='poradi'>{place}.</span> <span class='jmeno'>{one.author}</span>, {when.day}. {when.month}. {when.year} {when:%H:%M} <a href='#o'>Odpovědět</a></div><div class='telo'>{one.text}</div></div>"
            for place, (one, when) in enumerate(comments, 1)
        )
        body = f"<h1>{post.title}</h1><div class='den'>{at.day}. {at.month}. {at.year}</div><div class='clanek'><p>{post.text}</p></div><div class='diskuse'>{below}</div><p class='pata'>Created by <a href='http://software.example/'>Redakce 4.6</a></p>"
        said = [post, *(one for one, _ in comments)]
        site.append((page(f"http://r.example/{number}", post.title, body, language="cs"), said))
    return site


def signed_in_heads() -> Site:
    """A blog that names its authors in the heads of most pages and shows no day, above comments that say all."""
    all_of, site = Writers("de"), []
    for number in range(PAGES):
        (post, _), comments = all_of.say(is_signed=number % 4 > 0), all_of.several(4)
        below = "".join(
            f"<div class='comment' id='c{number}{place}'><div class='said'>{one.text}</div><div class='by'>Kommentar von <span class='author'>{one.author}</span> — <span class='date'>{at:%a %b %d %H:%M:%S %Y}</span></div></div>"
            for place, (one, at) in enumerate(comments)
        )
        body = f"<div id='content'><p>{post.text}</p></div><div id='comments'>{below}</div><div class='tags'>Stichwort: <a href='/tags/a' rel='tag'>Holz</a></div>"
        head = f"<meta name='author' content='{post.author}'>" if post.author else ""
        said = [Said(post.text, post.author, None, post.title), *(one for one, _ in comments)]
        site.append((page(f"http://w.example/p/{number}/", post.title, body, head, language="de"), said))
    posts = [said[0] for _, said in site]
    for first in range(0, PAGES, 10):
        listed = "".join(
            f"<div class='entry'><p>{one.text}</p><p>{one.title}</p></div>" for one in posts[first : first + 10]
        )
        site.append(
            (page(f"http://w.example/all/{first}/", "Alles", f"<div id='content'>{listed}</div>", language="de"), [])
        )
    return site


def told_in_sidebars() -> Site:
    """A blog that says author and day in a sidebar, above its newest posts with their days."""
    all_of, site = Writers("es"), []
    posts = [all_of.say() for _ in range(PAGES)]
    newest = "".join(
        f"<li><a href='/posts/{one.title.replace(' ', '-')}-{number}/'>{at.day} {all_of.month(at)} - {one.title}</a></li>"
        for number, (one, at) in list(enumerate(posts))[-4:]
    )
    for number, (one, at) in enumerate(posts):
        card = f"<div class='card'><h2><span>{at.day} {all_of.month(at)} {at.year}</span></h2><ul><li id='author'><a href='/author/{number % 6}/'>{one.author}</a></li><li id='tags'><a href='/tag/agua/'>agua</a></li></ul></div>"
        body = f"<div class='main'><h1>{one.title}</h1><div class='text'><p>{one.text}</p></div></div><div class='sidebar'><div class='wrapper'>{card}<div class='newest'><h3>Entradas</h3><ul>{newest}</ul></div></div></div>"
        address = f"http://c.example/posts/{one.title.replace(' ', '-')}-{number}/"
        site.append((page(address, one.title, body, language="es"), [one]))
    return site


LANGUAGES: dict[str, Callable[[], Site]] = {
    "questions": questions,
    "edited_questions": edited_questions,
    "guest_book": guest_book,
    "forum_in_russian": forum,
    "diary": diary,
    "tracker_in_chinese": tracker,
    "bugs": bugs,
    "wiki_with_comments": wiki,
    "news": news,
    "signed_in_heads": signed_in_heads,
    "told_in_sidebars": told_in_sidebars,
}
