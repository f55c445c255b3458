"""The `modern` template of the demo forum: cards and flex boxes, readable URLs, permalinks that redirect."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import re
from datetime import datetime
from html import escape
from urllib.parse import quote

from siteseer.demo.forum.forum_site import POSTS_PER_PAGE, Address, pages_of
from siteseer.demo.forum.write_forum import Forum, Member, Post, Thread
from siteseer.demo.prose import slug
from siteseer.demo.site import SiteRequest

STYLE = """body{margin:0;background:#eef1f5;font:15px/1.5 system-ui,sans-serif;color:#1d2733}a{color:#1c5fb8;text-decoration:none}
.topbar{background:#16324f;color:#fff;padding:14px 6%;display:flex;justify-content:space-between}.topbar a{color:#fff;margin-left:18px}
.container{max-width:1050px;margin:22px auto}.crumbs{margin-bottom:12px}.node,.topic{background:#fff;border:1px solid #d5dce5;padding:12px 16px;
margin-bottom:6px;display:flex;justify-content:space-between}.message{display:flex;background:#fff;border:1px solid #d5dce5;margin-bottom:12px}
.message-user{width:150px;background:#f5f8fb;padding:14px;text-align:center}.message-main{padding:14px 20px;flex:1}.when{color:#77818d;font-size:13px}
.quoted{border-left:4px solid #b9c9da;background:#f5f8fb;margin:8px 0;padding:6px 12px}.sig{border-top:1px dashed #ccc;color:#888;font-size:13px}
.actions{font-size:13px;color:#888}.pages a,.pages b{padding:3px 9px;background:#fff;border:1px solid #d5dce5;margin-right:3px}"""
PATHS = (
    (re.compile(r"/()()"), "index"),
    (re.compile(r"/(board|thread)/(\d+)-[\w-]+/(?:page-(\d+)/)?"), ""),
    (re.compile(r"/(post|quote)/(\d+)/"), ""),
    (re.compile(r"/thread/()(\d+)-[\w-]+/print/(?:page-(\d+)/)?"), "print"),
    (re.compile(r"/members/()()(?:page-(\d+)/)?"), "members"),
    (re.compile(r"/members/()(\d+)-[\w-]+/"), "member"),
    (re.compile(r"/login/()()"), "login"),
    (re.compile(r"/feed/()()(?:rss|atom)/"), "feed"),
)


def when(moment: datetime) -> str:
    """Write a moment as the template shows it."""
    return f'<time class="when" datetime="{moment:%Y-%m-%dT%H:%M:%S+00:00}">{moment:%b %-d, %Y at %-I:%M %p}</time>'


class Modern:
    """The template `modern` of the forum."""

    has_session_urls = False
    redirects_posts = True

    def __init__(self, forum: Forum) -> None:
        self.forum = forum

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, number = address.view, address.number
        tail = f"page-{address.page}/" if address.page > 1 else ""
        if view in ("thread", "print"):
            title = slug(self.forum.threads[number - 1].title)
            return f"/thread/{number}-{title}/{'print/' if view == 'print' else ''}{tail}"
        if view == "board":
            order = f"?order={address.extra}" if address.extra else ""
            return f"/board/{number}-{slug(self.forum.boards[number - 1])}/{tail}{order}"
        if view == "member":
            return f"/members/{number}-{slug(self.forum.members[number - 1].name)}/"
        if view == "login":
            return f"/login/?redirect={quote(address.extra, safe='')}"
        return {"index": "/", "members": f"/members/{tail}"}.get(view, f"/{view}/{number}/")

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        for pattern, view in PATHS:
            if found := pattern.fullmatch(request.path):
                kind, number, page = (*found.groups(), None)[:3]
                extra = request.path.split("/")[2] if view == "feed" else request.query.get("order", "")
                return Address(view or kind or "", int(number or 0), int(page or 1), extra)
        return None

    def index(self) -> str:
        """Draw the list of boards."""
        nodes = []
        for number, name in enumerate(self.forum.boards, 1):
            threads = self.forum.board(number)
            last = max((thread.posts[-1] for thread in threads), key=lambda post: post.date, default=None)
            latest = (
                f'Latest: <a href="/post/{last.number}/">by {escape(last.author.name)}</a> {when(last.date)}'
                if last
                else ""
            )
            nodes.append(
                f'<div class="node"><h3 class="node-title"><a href="{self.href(Address("board", number))}">{name}</a></h3>'
                f'<div class="node-stats">{len(threads)} threads</div><div class="node-last">{latest}</div></div>'
            )
        return self._frame(self.forum.title, f'<div class="nodes">{"".join(nodes)}</div>', "/")

    def board(self, number: int, address: Address, threads: list[Thread], pages: int) -> str:
        """Draw a page of a board."""
        rows = "".join(
            f'<div class="topic"><div class="topic-title"><a href="{self.href(Address("thread", thread.number))}">{escape(thread.title)}</a>'
            f'<div class="topic-starter">{self._member(thread.posts[0].author)} {self._jumps(thread)}</div></div><div>{len(thread.posts) - 1}'
            f' replies · {thread.views} views</div><div><a href="/post/{thread.posts[-1].number}/">{when(thread.posts[-1].date)}</a></div></div>'
            for thread in threads
        )
        orders = " ".join(
            f'<a rel="nofollow" href="{self.href(Address("board", number, 1, sort))}">{sort}</a>'
            for sort in ("title", "replies", "views")
        )
        here = self.href(Address("board", number, address.page))
        content = f'<h1>{self.forum.boards[number - 1]}</h1><p class="orders">Sort by: {orders}</p>{rows}{self._pages(Address("board", number, address.page, address.extra), pages)}'
        return self._frame(self.forum.boards[number - 1], content, here)

    def _jumps(self, thread: Thread) -> str:
        pages = pages_of(len(thread.posts), POSTS_PER_PAGE)
        return " ".join(
            f'<a href="{self.href(Address("thread", thread.number, page))}">{page}</a>' for page in range(2, pages + 1)
        )

    def thread(self, thread: Thread, page: int, posts: tuple[Post, ...], origin: str) -> str:
        """Draw a page of a thread."""
        board = self.forum.boards[thread.board - 1]
        messages = "".join(self._message(post) for post in posts)
        pager = self._pages(Address("thread", thread.number, page), pages_of(len(thread.posts), POSTS_PER_PAGE))
        content = (
            f'<div class="crumbs"><a href="/">Forums</a> › <a href="{self.href(Address("board", thread.board))}">{board}</a></div>'
            f'<h1 class="topic-heading">{escape(thread.title)}</h1>{messages}{pager}<p class="actions">'
            f'<a href="{self.href(Address("print", thread.number, page))}">Printable version</a></p>'
        )
        here = self.href(Address("thread", thread.number, page))
        return self._frame(thread.title, content, here, f'<link rel="canonical" href="{origin}{here}">')

    def _member(self, member: Member) -> str:
        return f'<a class="username" href="{self.href(Address("member", member.number))}">{escape(member.name)}</a>'

    def _message(self, post: Post) -> str:
        quoted, signature = "", ""
        if post.quoted:
            quoted = f'<blockquote class="quoted"><cite>{escape(post.quoted.author.name)} said:</cite>{post.quoted.passage.html()}</blockquote>'
        if post.author.signature:
            signature = f'<div class="sig">{escape(post.author.signature)}</div>'
        return (
            f'<article class="message" id="post-{post.number}"><aside class="message-user">{self._member(post.author)}<div class="when">Joined '
            f'{post.author.joined:%b %Y}</div></aside><div class="message-main"><header><a class="permalink" href="/post/{post.number}/">'
            f'{when(post.date)}</a> #{post.number}</header>{quoted}<div class="message-body">{post.passage.html()}</div>{signature}'
            f'<footer class="actions"><a rel="nofollow" href="/quote/{post.number}/">Quote</a></footer></div></article>'
        )

    def _pages(self, address: Address, pages: int) -> str:
        if pages < 2:
            return ""
        links = []
        for page in range(1, pages + 1):
            target = escape(self.href(Address(address.view, address.number, page, address.extra)))
            links.append(f"<b>{page}</b>" if page == address.page else f'<a href="{target}">{page}</a>')
        for rel, page in (("prev", address.page - 1), ("next", address.page + 1)):
            if 1 <= page <= pages:
                links.append(
                    f'<a rel="{rel}" href="{escape(self.href(Address(address.view, address.number, page, address.extra)))}">{rel}</a>'
                )
        return f'<nav class="pages">{"".join(links)}</nav>'

    def plain(self, thread: Thread, posts: tuple[Post, ...]) -> str:
        """Draw the print view of a page."""
        rows = "".join(
            f"<h4>{escape(post.author.name)}, {post.date:%b %-d, %Y}</h4>{post.passage.html()}<hr>" for post in posts
        )
        return f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{escape(thread.title)}</title></head><body><h1>{escape(thread.title)}</h1>{rows}</body></html>"

    def members(self, members: tuple[Member, ...], page: int, pages: int) -> str:
        """Draw a page of the list of members."""
        rows = "".join(
            f'<div class="node">{self._member(member)}<span>Joined {member.joined:%b %-d, %Y}</span></div>'
            for member in members
        )
        return self._frame(
            "Members", f"<h1>Members</h1>{rows}{self._pages(Address('members', 0, page), pages)}", "/members/"
        )

    def member(self, member: Member, posts: list[Post]) -> str:
        """Draw a member's profile with the latest posts."""
        rows = "".join(
            f'<div class="topic"><a href="/post/{post.number}/">{escape(self.forum.threads[post.thread - 1].title)}</a>{when(post.date)}</div>'
            for post in posts
        )
        return self._frame(
            member.name,
            f"<h1>{escape(member.name)}</h1><h2>Latest posts</h2>{rows}",
            self.href(Address("member", member.number)),
        )

    def message(self, title: str, content: str) -> str:
        """Draw a page that only says something."""
        return self._frame(title, f'<h1>{title}</h1><div class="node">{content}</div>', "/")

    def _frame(self, title: str, content: str, here: str, head: str = "") -> str:
        login = escape(self.href(Address("login", extra=here)))
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Siteseer demo"><title>{escape(title)}</title>'
            f'<style>{STYLE}</style>{head}<link rel="alternate" type="application/rss+xml" href="/feed/rss/"><link rel="alternate" '
            f'type="application/atom+xml" href="/feed/atom/"></head><body><header class="topbar"><b>{escape(self.forum.title)}</b><nav>'
            f'<a href="/">Forums</a><a href="/members/">Members</a><a rel="nofollow" href="{login}">Log in</a></nav></header>'
            f'<main class="container">{content}</main></body></html>'
        )
