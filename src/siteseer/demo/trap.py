"""The trap demo site: a small blog with an endless calendar, growing paths, changing session ids, mirrors, soft 404s.

The content is a few posts, all linked from the first page; everything else that can be reached goes on for ever or
repeats what is known.
"""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import re
from hashlib import md5
from html import escape
from itertools import permutations

from siteseer.demo.blog.blog_site import iso
from siteseer.demo.blog.write_blog import Post, write_blog
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import TrueText, Truth

DEFAULT_SIZE = 12
SORTS = ("date", "title", "author", "length")
POST = re.compile(r"/(print/|m/)?post/(\d+)")
CALENDAR = re.compile(r"/calendar/(\d{1,6})/(\d\d?)")
GROWING = re.compile(r"(/[ab])+/?")
LOCAL_LINK = re.compile(r'href="(/[^"#]*)')
STYLES = {
    "modern": "body{font:17px/1.6 Georgia,serif;max-width:860px;margin:30px auto;background:#fffdf8}nav a{margin-right:14px}article{border-top:3px solid #c98;padding:10px 0}",
    "classic": "body{font:12px Verdana;background:#ddd}table{background:#fff;width:840px;margin:auto}td{padding:10px;border:1px solid #bbb}",
}


def make_trap(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a trap around `size` posts."""
    posts = {post.number: post for post in write_blog(seed + 7_000, size).posts}
    garden = _TrapSite(seed, template, posts)
    texts = tuple(
        TrueText(
            "post",
            f"/post/{post.number}",
            f"/post/{post.number}",
            post.title,
            post.author,
            iso(post.date),
            post.passage.text,
        )
        for post in posts.values()
    )
    content = frozenset(text.page for text in texts)
    links = frozenset(link for post in posts.values() for link in post.passage.links)
    oracle = content | {"/"}
    return Site(Truth("trap", seed, template, texts, content, links, len(oracle), oracle), garden.answer)


class _TrapSite:
    def __init__(self, seed: int, template: str, posts: dict[int, Post]) -> None:
        self.seed, self.template, self.posts = seed, template, posts

    def answer(self, request: SiteRequest) -> SiteResponse:
        """Answer one request: always 200, always with new session ids in the links."""
        if request.path == "/robots.txt":
            return document("User-agent: *\nAllow: /\n", "text/plain; charset=utf-8")
        session = md5(f"{self.seed} {request.target}".encode()).hexdigest()[:16]

        def add(link: re.Match[str]) -> str:
            return f'href="{link[1]}{"&amp;" if "?" in link[1] else "?"}sid={session}'

        return html(LOCAL_LINK.sub(add, self._page(request)))

    def _page(self, request: SiteRequest) -> str:
        path = request.path
        if path in ("/", "/m/", "/print/"):
            return self._list(path, request.query.get("sort", ""))
        found = POST.fullmatch(path)
        if found and (post := self.posts.get(int(found[2]))):
            return self._post(found[1] or "", post)
        if dates := CALENDAR.fullmatch(path):
            return self._calendar(int(dates[1]), int(dates[2]))
        if GROWING.fullmatch(path):
            return self._growing(path)
        return self._frame("Oops", f"<p>Sorry, we could not find {escape(path[:200])}. Perhaps it has moved.</p>")

    def _list(self, path: str, sort: str) -> str:
        mirror = path[1:]
        keys = {
            "title": lambda post: post.title,
            "author": lambda post: post.author,
            "length": lambda post: len(post.passage.text),
        }
        posts = list(self.posts.values())
        for name in reversed([name for name in sort.split(",") if name in keys]):
            posts.sort(key=keys[name])
        rows = "".join(
            f'<li><a href="/{mirror}post/{post.number}">{escape(post.title)}</a> <small>{post.date:%Y-%m-%d}</small></li>'
            for post in posts
        )
        orders = [",".join(order) for length in range(1, len(SORTS) + 1) for order in permutations(SORTS, length)]
        links = " ".join(
            f'<a href="/{mirror}?sort={order}&amp;dir={way}">{order}</a>'
            for order in orders[:16]
            for way in ("up", "down")
        )
        more = " ".join(f'<a href="/{mirror}?sort={order}">·</a>' for order in orders[16:])
        return self._frame("All posts", f"<ul class='posts'>{rows}</ul><p class='sorts'>Sort: {links} {more}</p>")

    def _post(self, mirror: str, post: Post) -> str:
        others = " ".join(
            f'<a href="/{other}post/{post.number}">{text}</a>'
            for other, text in (("print/", "Print"), ("m/", "Mobile"), ("", "Desktop"))
            if other != mirror
        )
        neighbour = f'<a href="/{mirror}post/{post.number % len(self.posts) + 1}">Another post</a>'
        byline = f'<p class="byline">{escape(post.author)}, <time datetime="{iso(post.date)}">{post.date:%-d %B %Y, %H:%M}</time></p>'
        return self._frame(
            post.title,
            f"<article><h1>{escape(post.title)}</h1>{byline}<div class='text'>{post.passage.html()}</div></article><p>{others} {neighbour}</p>",
        )

    def _calendar(self, year: int, month: int) -> str:
        after = (year + month // 12, month % 12 + 1)
        before = (year - (month == 1), (month - 2) % 12 + 1)
        days = " ".join(f'<a href="/calendar/{year}/{month}?day={day}">{day}</a>' for day in range(1, 29))
        steps = f'<a rel="prev" href="/calendar/{before[0]}/{before[1]}">Previous month</a> <a rel="next" href="/calendar/{after[0]}/{after[1]}">Next month</a>'
        return self._frame(
            f"Events in {month}/{year}", f"<h1>{month}/{year}</h1><p>No events.</p><p>{days}</p><p>{steps}</p>"
        )

    def _growing(self, path: str) -> str:
        base = path.rstrip("/")
        links = " ".join(f'<a href="{base}/{step}">{step}</a>' for step in "ab")
        return self._frame("Folder", f"<p>Nothing here yet. {links}</p>")

    def _frame(self, title: str, content: str) -> str:
        nav = '<a href="/">Home</a> <a href="/calendar/2024/5">Calendar</a> <a href="/a">Folders</a> <a href="/m/">Mobile</a> <a href="/print/">Print</a> <a href="/gone">Old page</a>'
        head = f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLES[self.template]}</style></head>'
        if self.template == "classic":
            return f"{head}<body><table><tr><td>{nav}</td></tr><tr><td>{content}</td></tr></table></body></html>"
        return f"<!DOCTYPE html>\n{head}<body><nav>{nav}</nav><main>{content}</main></body></html>"
