"""The `classic` template of the demo blog: tables, German labels, query URLs, whole posts on listings, a calendar."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import calendar
from html import escape
from urllib.parse import quote

from siteseer.demo.blog.blog_site import PER_PAGE, Address, comment_pages
from siteseer.demo.blog.write_blog import CATEGORIES, Blog, Comment, Post
from siteseer.demo.prose import slug
from siteseer.demo.site import SiteRequest

STYLE = """body{background:#e8e4d8;font:13px Verdana,sans-serif;color:#333}table.main{background:#fff;border:1px solid #999;margin:10px auto}
td.kopf{background:#7a2e1d;color:#fff;padding:18px}td.kopf a{color:#ffe}td.seite{background:#f4f0e4;padding:10px;width:210px;vertical-align:top}
td.inhalt{padding:16px;vertical-align:top;width:680px}.eintrag{margin-bottom:26px}.titel{font-size:17px;font-weight:bold}
.fuss{color:#777;font-size:11px;border-top:1px dotted #999;margin-top:8px}table.kommentar{width:100%;background:#f8f8f0;margin-bottom:8px}
table.kalender td{padding:2px 4px;text-align:right}.seitentitel{font-weight:bold;color:#7a2e1d;margin-top:14px}"""
MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
QUERY_NAMES = {"category": "cat", "tag": "tag", "author": "autor", "month": "monat", "day": "tag_datum"}


def spoken(post: Post | Comment) -> str:
    """Write a date as a German reader would."""
    date = post.date
    return f"{date.day}. {MONTHS[date.month - 1]} {date.year}, {date:%H:%M} Uhr"


class Classic:
    """The template `classic` of the blog."""

    full_listings = True

    def __init__(self, blog: Blog) -> None:
        self.posts = {str(post.number): post for post in blog.posts}
        self.months = sorted(blog.months())
        self.columns = self._column(blog)
        self.days = {f"{post.date:%Y-%m-%d}" for post in blog.posts}

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, key, page = address.view, address.key, address.page
        if view == "home":
            return f"/index.php?seite={page}" if page > 1 else "/"
        if view in QUERY_NAMES:
            return f"/index.php?{QUERY_NAMES[view]}={key}" + (f"&seite={page}" if page > 1 else "")
        if view == "static":
            return f"/seite.php?name={key}"
        if view == "login":
            return f"/login.php?zurueck={quote(address.extra, safe='')}"
        if view == "feed":
            return f"/{address.extra or 'rss'}.php" + (f"?eintrag={key}" if key else "")
        if view == "print":
            return f"/drucken.php?eintrag={key}"
        if view == "short":
            return f"/e.php?{key}"
        tail = f"&antwort={address.extra}" if view == "reply" else f"&kseite={page}" if page > 1 else ""
        return f"/index.php?eintrag={key}{tail}"

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        query = request.query
        key = query.get("eintrag", "")
        if request.path in ("/", "/index.php"):
            page = int(query["seite"]) if query.get("seite", "").isdigit() else 1
            for view, name in QUERY_NAMES.items():
                if name in query:
                    return Address(view, query[name], page)
            if "antwort" in query:
                return Address("reply", key, 1, query["antwort"])
            comments = int(query["kseite"]) if query.get("kseite", "").isdigit() else 1
            return Address("post", key, comments) if key else Address("home", "", page)
        scripts = {
            "/seite.php": Address("static", query.get("name", "")),
            "/login.php": Address("login"),
            "/rss.php": Address("feed", key, 1, "rss"),
            "/atom.php": Address("feed", key, 1, "atom"),
            "/drucken.php": Address("print", key),
            "/e.php": Address("short", request.target.partition("?")[2]),
        }
        return scripts.get(request.path)

    def listing(self, blog: Blog, address: Address, posts: tuple[Post, ...], pages: int) -> str:
        """Draw a listing with whole posts."""
        entries = "".join(self._entry(post) for post in posts)
        steps = []
        for page, text in (
            (address.page - 1, "&laquo; neuere Einträge"),
            (address.page + 1, "ältere Einträge &raquo;"),
        ):
            if 1 <= page <= pages:
                steps.append(f'<a href="{escape(self.href(Address(address.view, address.key, page)))}">{text}</a>')
        month = f"{posts[0].date:%Y-%m}"
        return self._frame(blog, address.key, f'{entries}<div class="blaettern">{" | ".join(steps)}</div>', month)

    def _of(self, post: Post, view: str = "post", page: int = 1, extra: str = "") -> str:
        return escape(self.href(Address(view, str(post.number), page, extra)))

    def _entry(self, post: Post) -> str:
        tags = ", ".join(f'<a href="{self.href(Address("tag", tag))}">{tag}</a>' for tag in post.tags)
        category = self.href(Address("category", slug(post.category)))
        return (
            f'<div class="eintrag"><a name="e{post.number}"></a><div class="titel"><a href="{self._of(post)}">{escape(post.title)}</a></div>'
            f'<div class="text">{post.passage.html("div")}</div><div class="fuss">Geschrieben von '
            f'<a class="autor" href="{self.href(Address("author", slug(post.author)))}">{escape(post.author)}</a> am '
            f'<span class="datum">{spoken(post)}</span> in <a href="{category}">{post.category}</a> | Schlagworte: {tags} | '
            f'<a href="{self._of(post)}#kommentare">Kommentare ({len(post.comments)})</a> | <a href="{self._of(post, "print")}">Drucken</a> | '
            f'<a href="{self._of(post, "short")}">Kurzlink</a></div></div>'
        )

    def article(self, blog: Blog, address: Address, post: Post, origin: str) -> str:
        """Draw a post with one page of its comments."""
        start = (address.page - 1) * PER_PAGE
        rows = "".join(self._remark(post, comment) for comment in post.comments[start : start + PER_PAGE])
        pager = " ".join(
            f'<a href="{self._of(post, page=page)}">[{page}]</a>' for page in range(1, comment_pages(post) + 1)
        )
        reply = "".join(
            f"<p><b>Antwort auf {escape(comment.author)}</b></p>"
            for comment in post.comments
            if str(comment.number) == address.extra
        )
        login = escape(self.href(Address("login", extra=self.href(Address("post", str(post.number))))))
        content = (
            f'{self._entry(post)}<a name="kommentare"></a><div class="seitentitel">Kommentare</div>{rows}'
            f'<div class="blaettern">{pager if comment_pages(post) > 1 else ""}</div><div>{reply}<a href="{login}">Anmelden</a>, um zu '
            f'kommentieren, oder <a href="{self._of(post, "feed", extra="rss")}">Kommentare als RSS</a></div>'
            f'<form method="post" action="/kommentar.php"><textarea name="text" cols="50" rows="4"></textarea><br />'
            f'<input type="submit" value="Absenden" /></form>'
        )
        return self._frame(blog, post.title, content, f"{post.date:%Y-%m}")

    def _remark(self, post: Post, comment: Comment) -> str:
        return (
            f'<table class="kommentar" cellpadding="4"><tr><td class="von"><a name="k{comment.number}"></a><b>{escape(comment.author)}</b>'
            f" schrieb am {spoken(comment)}:</td></tr><tr><td class='wort'>{comment.passage.html('br')}</td></tr><tr><td align='right'>"
            f'<a href="{self._of(post, "reply", extra=str(comment.number))}">Antwort</a></td></tr></table>'
        )

    def plain(self, post: Post) -> str:
        """Draw the print view."""
        return (
            f"<html><head><meta charset='utf-8'><title>{escape(post.title)}</title></head><body><b>{escape(post.title)}</b><br>"
            f"{escape(post.author)}, {spoken(post)}{post.passage.html()}<a href='{self._of(post)}'>Zurück</a></body></html>"
        )

    def page(self, blog: Blog, title: str, content: str) -> str:
        """Draw a page that stands outside the stream."""
        return self._frame(
            blog, title, f'<div class="titel">{escape(title)}</div><div class="text">{content}</div>', ""
        )

    def _frame(self, blog: Blog, title: str, content: str, month: str) -> str:
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
            f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>{escape(blog.title)} :: {escape(title)}'
            f'</title><style type="text/css">{STYLE}</style><link rel="alternate" type="application/rss+xml" href="/rss.php" />'
            f'<link rel="alternate" type="application/atom+xml" href="/atom.php" /></head><body><table class="main" cellspacing="0">'
            f'<tr><td class="kopf" colspan="2"><font size="5"><a href="/">{escape(blog.title)}</a></font><br />{escape(blog.motto)}</td></tr>'
            f'<tr><td class="inhalt">{content}</td><td class="seite">{self._calendar(month or self.months[-1])}{self.columns}</td></tr></table>'
            f'<center><small>Betrieben mit <a href="http://software.example.org/">Siteseer demo</a></small></center></body></html>'
        )

    def _calendar(self, month: str) -> str:
        year, number = int(month[:4]), int(month[5:])
        rows = "".join(
            "<tr>" + "".join(f"<td>{self._day(month, day)}</td>" for day in week) + "</tr>"
            for week in calendar.Calendar().monthdayscalendar(year, number)
        )
        at = self.months.index(month)
        before = f'<a href="/index.php?monat={self.months[at - 1]}">&lt;</a>' if at else ""
        after = f'<a href="/index.php?monat={self.months[at + 1]}">&gt;</a>' if at + 1 < len(self.months) else ""
        title = f'{before} <a href="/index.php?monat={month}">{MONTHS[number - 1]} {year}</a> {after}'
        return f'<div class="seitentitel">{title}</div><table class="kalender">{rows}</table>'

    def _day(self, month: str, day: int) -> str:
        key = f"{month}-{day:02}"
        if key in self.days:
            return f'<a href="/index.php?tag_datum={key}">{day}</a>'
        return str(day) if day else "&nbsp;"

    def _column(self, blog: Blog) -> str:
        def block(title: str, links: list[tuple[Address, str]]) -> str:
            rows = "<br />".join(f'<a href="{escape(self.href(to))}">{escape(text)}</a>' for to, text in links)
            return f'<div class="seitentitel">{title}</div>{rows}'

        return (
            block("Seiten", [(Address("static", page.key), page.title) for page in blog.pages])
            + block("Rubriken", [
                (Address("category", slug(name)), name) for name in CATEGORIES if blog.chosen("category", slug(name))
            ])
            + block("Letzte Kommentare", [
                (Address("post", str(post.number)), f"{comment.author}: {post.title}")
                for post, comment in blog.latest_comments()
            ])
            + block("Archiv", [(Address("month", key), key) for key in blog.months()])
            + block("Schlagworte", [(Address("tag", tag), tag) for tag in blog.tags()])
            + block("Abonnieren", [(Address("feed", extra="rss"), "RSS"), (Address("feed", extra="atom"), "Atom")])
        )  # fmt: skip
