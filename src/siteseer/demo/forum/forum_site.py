"""Serves a demo forum in one of its templates: which URL shows what, and the truth."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import md5
from html import escape
from typing import Protocol

from siteseer.demo.forum.write_forum import Forum, Member, Post, Thread
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html, redirect
from siteseer.demo.truth import TrueText, Truth

THREADS_PER_PAGE = 8
POSTS_PER_PAGE = 10
MEMBERS_PER_PAGE = 15
LOCAL_LINK = re.compile(r'href="(/[^"#]*)')


@dataclass(frozen=True, slots=True)
class Address:
    """A place on the site, whatever its URL."""

    view: str
    number: int = 0
    page: int = 1
    extra: str = ""


class Skin(Protocol):
    """The template of a forum: its pages and its URLs."""

    has_session_urls: bool
    redirects_posts: bool
    """Whether a post's own address redirects to the page of the thread, or shows that page itself."""

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        ...

    def read(self, request: SiteRequest) -> Address | None:
        """Return the address of a request; None where it does not exist."""
        ...

    def index(self) -> str:
        """Draw the list of boards."""
        ...

    def board(self, number: int, address: Address, threads: list[Thread], pages: int) -> str:
        """Draw a page of a board."""
        ...

    def thread(self, thread: Thread, page: int, posts: tuple[Post, ...], origin: str) -> str:
        """Draw a page of a thread."""
        ...

    def plain(self, thread: Thread, posts: tuple[Post, ...]) -> str:
        """Draw the print view of a page."""
        ...

    def members(self, members: tuple[Member, ...], page: int, pages: int) -> str:
        """Draw a page of the list of members."""
        ...

    def member(self, member: Member, posts: list[Post]) -> str:
        """Draw a member's profile with the latest posts."""
        ...

    def message(self, title: str, content: str) -> str:
        """Draw a page that only says something."""
        ...


def pages_of(items: int, per_page: int) -> int:
    """Return how many pages so many items fill; at least one."""
    return max(1, -(-items // per_page))


def cut(items: tuple[Post, ...], page: int) -> tuple[Post, ...]:
    """Return the posts of one page of a thread."""
    return items[(page - 1) * POSTS_PER_PAGE : page * POSTS_PER_PAGE]


def forum_site(forum: Forum, skin: Skin, seed: int, template: str) -> Site:
    """Return the site of a forum in a template."""
    where = {
        post.number: (thread, 1 + at // POSTS_PER_PAGE)
        for thread in forum.threads
        for at, post in enumerate(thread.posts)
    }

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/robots.txt":
            return document("User-agent: *\nDisallow: /login\nDisallow: /search\n", "text/plain; charset=utf-8")
        address = skin.read(request)
        found = None if address is None else _show(forum, skin, where, address, request.origin)
        response = found or html(skin.message("Not found", "The requested page does not exist."), 404)
        return _with_session(response, request, seed) if skin.has_session_urls else response

    return Site(_truth(forum, skin, seed, template), answer)


def _show(
    forum: Forum, skin: Skin, where: dict[int, tuple[Thread, int]], address: Address, origin: str
) -> SiteResponse | None:
    view, number, page = address.view, address.number, address.page
    if view == "index":
        return html(skin.index())
    if view == "feed":
        return document(_feed(forum, skin, address.extra, origin), f"application/{address.extra}+xml; charset=utf-8")
    if view == "login":
        form = '<form method="post" action="/login"><input name="user"><input name="password" type="password"></form>'
        return html(skin.message("Log in", form))
    if view == "members":
        pages = pages_of(len(forum.members), MEMBERS_PER_PAGE)
        part = forum.members[(page - 1) * MEMBERS_PER_PAGE : page * MEMBERS_PER_PAGE]
        return html(skin.members(part, page, pages)) if part else None
    if view == "member" and 1 <= number <= len(forum.members):
        return html(skin.member(forum.members[number - 1], forum.by_member(number)[:10]))
    if view == "board" and 1 <= number <= len(forum.boards):
        threads = forum.board(number, address.extra)
        shown = threads[(page - 1) * THREADS_PER_PAGE : page * THREADS_PER_PAGE]
        pages = pages_of(len(threads), THREADS_PER_PAGE)
        return html(skin.board(number, address, shown, pages)) if shown or page == 1 else None
    if view in ("post", "quote"):
        return _show_post(skin, where, address, origin)
    if view in ("thread", "print") and 1 <= number <= len(forum.threads):
        thread = forum.threads[number - 1]
        posts = cut(thread.posts, page)[:: -1 if address.extra == "desc" else 1]
        if posts:
            return html(skin.plain(thread, posts) if view == "print" else skin.thread(thread, page, posts, origin))
    return None


def _show_post(skin: Skin, where: dict[int, tuple[Thread, int]], address: Address, origin: str) -> SiteResponse | None:
    if address.number not in where:
        return None
    if address.view == "quote":
        return html(skin.message("Members only", "Only members may answer. Please log in."), 403)
    thread, page = where[address.number]
    if skin.redirects_posts:
        return redirect(f"{skin.href(Address('thread', thread.number, page))}#post-{address.number}", 301)
    return html(skin.thread(thread, page, cut(thread.posts, page), origin))


def _with_session(response: SiteResponse, request: SiteRequest, seed: int) -> SiteResponse:
    """Add the session id to every link, as old software does for clients that have not shown a cookie."""
    if "sid=" in request.headers.get("cookie", "") or b"<a " not in response.body:
        return response
    session = request.query.get("sid", "")
    if not re.fullmatch("[0-9a-f]{32}", session):
        session = md5(f"{seed} {request.target}".encode()).hexdigest()

    def add(link: re.Match[str]) -> str:
        return f'href="{link[1]}{"&amp;" if "?" in link[1] else "?"}sid={session}'

    body = LOCAL_LINK.sub(add, response.body.decode()).encode()
    return replace(response, body=body, headers=(*response.headers, ("Set-Cookie", f"sid={session}; path=/")))


def _feed(forum: Forum, skin: Skin, form: str, origin: str) -> str:
    latest = sorted(forum.threads, key=lambda thread: thread.posts[-1].date, reverse=True)[:10]
    rows = [
        (escape(thread.title), escape(origin + skin.href(Address("thread", thread.number))), thread.posts[-1])
        for thread in latest
    ]
    if form == "atom":
        entries = "".join(
            f"<entry><title>{title}</title><id>{url}</id><link href='{url}'/><updated>{post.date:%Y-%m-%dT%H:%M:%SZ}</updated></entry>"
            for title, url, post in rows
        )
        head = f"<title>{escape(forum.title)}</title><id>{origin}/</id><updated>{rows[0][2].date:%Y-%m-%dT%H:%M:%SZ}</updated>"
        return f"<feed xmlns='http://www.w3.org/2005/Atom'>{head}{entries}</feed>"
    items = "".join(
        f"<item><title>{title}</title><link>{url}</link><pubDate>{post.date:%a, %d %b %Y %H:%M:%S} +0000</pubDate></item>"
        for title, url, post in rows
    )
    head = f"<title>{escape(forum.title)}</title><link>{origin}/</link><description>Latest threads</description>"
    return f"<rss version='2.0'><channel>{head}{items}</channel></rss>"


def _truth(forum: Forum, skin: Skin, seed: int, template: str) -> Truth:
    texts: list[TrueText] = []
    links: set[str] = set()
    oracle = {"/"}
    for number in range(1, len(forum.boards) + 1):
        if threads := forum.board(number):
            pages = pages_of(len(threads), THREADS_PER_PAGE)
            oracle.update(skin.href(Address("board", number, page)) for page in range(1, pages + 1))
    for thread in forum.threads:
        first = skin.href(Address("thread", thread.number))
        for at, post in enumerate(thread.posts):
            page = skin.href(Address("thread", thread.number, 1 + at // POSTS_PER_PAGE))
            date = f"{post.date:%Y-%m-%dT%H:%M:%SZ}"
            texts.append(TrueText("post", page, first, thread.title, post.author.name, date, post.passage.text))
            links.update(post.passage.links)
    content = frozenset(text.page for text in texts)
    oracle |= content
    return Truth("forum", seed, template, tuple(texts), content, frozenset(links), len(oracle), frozenset(oracle))
