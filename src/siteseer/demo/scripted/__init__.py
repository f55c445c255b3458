"""The scripted forum: an empty page at every URL; boards, threads and posts are drawn by a script from an API.

The template `modern` has real addresses (`/thread/5`), `classic` tells views apart by the fragment (`/#/thread/5`). The
lists of threads go on as long as one scrolls; threads begin with a few posts and a button that shows more.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files

from siteseer.demo.forum.write_forum import Forum, Post, Thread, write_forum
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import TrueText, Truth

DEFAULT_SIZE = 40
THREADS_AT_ONCE = 6
POSTS_AT_ONCE = 5
JSON_TYPE = "application/json; charset=utf-8"
_VIEW = re.compile(r"/(board|thread|member)/(\d{1,6})")


def make_scripted(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a scripted forum of `size` threads."""
    forum = write_forum(seed, size)
    routes = "/#" if template == "classic" else ""
    return Site(_truth(forum, seed, template, routes), _Scripted(forum, routes).answer)


class _Scripted:
    def __init__(self, forum: Forum, routes: str) -> None:
        self.forum, self.routes = forum, routes
        self.files = {
            name: files("siteseer.demo.scripted").joinpath(name).read_text(encoding="utf-8")
            for name in ("app.js", "app.css")
        }

    def answer(self, request: SiteRequest) -> SiteResponse:
        path = request.path
        if path == "/robots.txt":
            return document("User-agent: *\nDisallow: /login\n", "text/plain; charset=utf-8")
        if path in ("/app.js", "/app.css"):
            kind = "text/javascript" if path.endswith("js") else "text/css"
            return document(self.files[path[1:]], f"{kind}; charset=utf-8")
        if path.startswith("/api/"):
            found = self._data(path.removeprefix("/api"), request.query)
            return document(json.dumps(found or {"error": "not found"}, ensure_ascii=False), JSON_TYPE)
        is_view = path == "/" or (not self.routes and self._data(path, {}) is not None)
        return html(self._frame(), 200 if is_view else 404)

    def _frame(self) -> str:
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Forum</title><link rel="stylesheet" '
            f'href="/app.css"></head><body data-routes="{self.routes}"><noscript>This forum needs JavaScript.'
            '</noscript><div id="app"></div><script src="/app.js"></script></body></html>\n'
        )

    def _data(self, path: str, query: dict[str, str]) -> dict[str, object] | None:
        """Return what the API says of a view; None where there is no such view."""
        forum, start = self.forum, query.get("from", "0")
        first = int(start[:6]) if start.isdigit() else 0
        if path == "/forum":
            boards = [{"number": at + 1, "name": name} for at, name in enumerate(forum.boards)]
            return {"title": forum.title, "boards": boards}
        view = _VIEW.fullmatch(path)
        number = int(view[2]) if view else 0
        if view is None or number < 1:
            return None
        if view[1] == "board" and number <= len(forum.boards):
            threads = forum.board(number)
            rows = [_row(thread) for thread in threads[first : first + THREADS_AT_ONCE]]
            return {"name": forum.boards[number - 1], "threads": rows, "total": len(threads)}
        if view[1] == "thread" and number <= len(forum.threads):
            thread = forum.threads[number - 1]
            posts = [_message(post) for post in thread.posts[first : first + POSTS_AT_ONCE]]
            return {"title": thread.title, "board": thread.board, "posts": posts, "total": len(thread.posts)}
        if view[1] == "member" and number <= len(forum.members):
            member = forum.members[number - 1]
            return {"name": member.name, "joined": f"{member.joined:%Y-%m-%d}"}
        return None


def _row(thread: Thread) -> dict[str, object]:
    return {"number": thread.number, "title": thread.title, "replies": len(thread.posts) - 1, "views": thread.views}


def _message(post: Post) -> dict[str, object]:
    return {
        "number": post.number,
        "author": {"number": post.author.number, "name": post.author.name},
        "date": f"{post.date:%Y-%m-%dT%H:%M:%SZ}",
        "html": post.passage.html(),
    }


def _truth(forum: Forum, seed: int, template: str, routes: str) -> Truth:
    texts, links = [], set[str]()
    oracle = {"/", "/app.js", "/api/forum"}
    for number in range(1, len(forum.boards) + 1):
        for first in range(0, len(forum.board(number)) or 1, THREADS_AT_ONCE):
            oracle.add(f"/api/board/{number}?from={first}")
        oracle |= set() if routes else {f"/board/{number}"}
    for thread in forum.threads:
        page = f"{routes}/thread/{thread.number}"
        oracle |= set() if routes else {page}
        oracle.update(
            f"/api/thread/{thread.number}?from={first}" for first in range(0, len(thread.posts), POSTS_AT_ONCE)
        )
        for post in thread.posts:
            date = f"{post.date:%Y-%m-%dT%H:%M:%SZ}"
            texts.append(TrueText("post", page, page, thread.title, post.author.name, date, post.passage.text))
            links.update(post.passage.links)
    pages = frozenset(text.page for text in texts)
    return Truth("scripted", seed, template, tuple(texts), pages, frozenset(links), len(oracle), frozenset(oracle))
