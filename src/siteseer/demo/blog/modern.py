"""The `modern` template of the demo blog: HTML5, readable URLs, excerpts on listings, paged comments, rel=prev."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from siteseer.demo.blog.blog_site import PER_PAGE, Address, comment_pages, iso
from siteseer.demo.blog.write_blog import CATEGORIES, Blog, Comment, Post
from siteseer.demo.prose import slug
from siteseer.demo.site import SiteRequest

STYLE = """body{margin:0;background:#faf8f4;color:#222;font:18px/1.6 Georgia,serif}a{color:#0a5c5c}
.masthead{background:#0a5c5c;color:#fff;padding:2.2rem 8%}.masthead a{color:#fff;text-decoration:none}
.menu a{margin-right:1.4rem;font:15px sans-serif}.wrap{display:grid;grid-template-columns:1fr 270px;gap:3rem;padding:2rem 8%}
.entry{border-bottom:1px solid #ddd;padding-bottom:1.2rem;margin-bottom:1.6rem}.byline{font:14px sans-serif;color:#666}
.sidebar{font:15px/1.5 sans-serif}.sidebar ul{padding-left:1.1rem}.remarks{list-style:none;padding:0}.remark{background:#fff;
border:1px solid #e4e0d8;padding:.8rem 1.2rem;margin-bottom:1rem}.tagcloud a{margin-right:.5rem}footer{padding:2rem 8%;color:#777}"""
PATHS = (
    (re.compile(r"/(?:page/(?P<page>\d+)/)?"), "home"),
    (re.compile(r"/(?P<view>category|tag|author)/(?P<key>[\w-]+)/(?:page/(?P<page>\d+)/)?"), ""),
    (re.compile(r"/feed/(?P<extra>atom/)?"), "feed"),
    (re.compile(r"/login"), "login"),
    (re.compile(r"/\d{4}/\d\d/(?P<key>[\w-]+)/feed/"), "feed"),
    (re.compile(r"/(?P<key>\d{4}/\d\d/\d\d)/"), "day"),
    (re.compile(r"/(?P<key>\d{4}/\d\d)/(?:page/(?P<page>\d+)/)?"), "month"),
    (re.compile(r"/\d{4}/\d\d/(?P<key>[\w-]+)/(?:comment-page-(?P<page>\d+)/)?"), "post"),
    (re.compile(r"/(?P<key>[\w-]+)/"), "static"),
)


class Modern:
    """The template `modern` of the blog."""

    full_listings = False

    def __init__(self, blog: Blog) -> None:
        self.posts = {str(post.number): post for post in blog.posts}
        self.order = blog.posts
        self.place = {post.slug: at for at, post in enumerate(blog.posts)}
        self.sidebar = self._sidebar(blog)

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, key, page = address.view, address.key, address.page
        tail = f"page/{page}/" if page > 1 else ""
        if view == "home":
            return "/" + tail
        if view in ("category", "tag", "author"):
            return f"/{view}/{key}/{tail}"
        if view in ("month", "day"):
            return f"/{key.replace('-', '/')}/{tail}"
        if view == "static":
            return f"/{key}/"
        if view == "login":
            return f"/login?redirect_to={quote(address.extra, safe='')}"
        if view == "feed" and not key:
            return "/feed/atom/" if address.extra == "atom" else "/feed/"
        if view == "short":
            return f"/?p={key}"
        post = self.posts[key]
        base = f"/{post.date:%Y/%m}/{post.slug}/"
        tails = {"feed": "feed/", "print": "?print=1", "reply": f"?replytocom={address.extra}"}
        return base + tails.get(view, f"comment-page-{page}/" if page > 1 else "")

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        if request.path == "/" and request.query.get("p", "") in self.posts:
            return Address("short", request.query["p"])
        for pattern, view in PATHS:
            if found := pattern.fullmatch(request.path):
                parts = {name: value or "" for name, value in found.groupdict().items()}
                name = parts.get("view") or view
                key = parts.get("key", "").replace("/", "-")
                extra = parts.get("extra", "").strip("/")
                if name == "post":
                    name, extra = _variant(request, name)
                address = Address(name, key, int(parts.get("page") or 1), extra)
                return address if self._is_right(address, request) else None
        return None

    def _is_right(self, address: Address, request: SiteRequest) -> bool:
        if address.view not in ("post", "reply", "print"):
            return True
        at = self.place.get(address.key)
        return at is not None and request.path.startswith(f"/{self.order[at].date:%Y/%m}/")

    def listing(self, blog: Blog, address: Address, posts: tuple[Post, ...], pages: int) -> str:
        """Draw a listing with excerpts."""
        title = "" if address.view == "home" else f"<h1>{address.view.title()}: {escape(address.key)}</h1>"
        entries = "".join(self._teaser(post) for post in posts)
        older = self._step(address, address.page + 1, "next", "Older posts") if address.page < pages else ""
        newer = self._step(address, address.page - 1, "prev", "Newer posts") if address.page > 1 else ""
        return self._frame(blog, address.key or blog.title, f'{title}{entries}<nav class="pager">{newer} {older}</nav>')

    def _step(self, address: Address, page: int, rel: str, text: str) -> str:
        return f'<a rel="{rel}" href="{self.href(Address(address.view, address.key, page))}">{text}</a>'

    def _byline(self, post: Post) -> str:
        author = self.href(Address("author", slug(post.author)))
        day = self.href(Address("day", f"{post.date:%Y-%m-%d}"))
        category = self.href(Address("category", slug(post.category)))
        tags = ", ".join(f'<a rel="tag" href="{self.href(Address("tag", tag))}">{tag}</a>' for tag in post.tags)
        return (
            f'<p class="byline">By <a rel="author" class="byline-name" href="{author}">{escape(post.author)}</a> on '
            f'<a href="{day}"><time datetime="{iso(post.date)}">{post.date:%B %-d, %Y} at {post.date:%H:%M}</time></a> in '
            f'<a href="{category}">{post.category}</a> · {tags} · <a href="{self._of(post)}#comments">'
            f"{len(post.comments)} comments</a></p>"
        )

    def _of(self, post: Post, view: str = "post", page: int = 1, extra: str = "") -> str:
        return self.href(Address(view, str(post.number), page, extra))

    def _teaser(self, post: Post) -> str:
        return (
            f'<article class="entry" id="post-{post.number}"><header><h2 class="entry-heading"><a href="{self._of(post)}">'
            f"{escape(post.title)}</a></h2>{self._byline(post)}</header><div class='teaser'><p>{escape(post.excerpt)} "
            f'<a class="more" href="{self._of(post)}">Continue reading</a></p></div></article>'
        )

    def article(self, blog: Blog, address: Address, post: Post, origin: str) -> str:
        """Draw a post with one page of its comments."""
        start = (address.page - 1) * PER_PAGE
        remarks = "".join(self._remark(post, comment) for comment in post.comments[start : start + PER_PAGE])
        pager = "".join(
            f'<a class="page-number" href="{self._of(post, page=page)}#comments">{page}</a> '
            for page in range(1, comment_pages(post) + 1)
        )
        index = self.place[post.slug]
        neighbours = [
            f'<a rel="{rel}" href="{self._of(self.order[at])}">{escape(self.order[at].title)}</a>'
            for rel, at in (("prev", index + 1), ("next", index - 1))
            if 0 <= at < len(self.order)
        ]
        login = self.href(Address("login", extra=self._of(post)))
        content = (
            f'<article class="entry single" id="post-{post.number}"><header><h1 class="entry-heading">{escape(post.title)}</h1>'
            f'{self._byline(post)}</header><div class="entry-body">{post.passage.html()}</div><footer class="tools">'
            f'<a href="{self._of(post, "print")}">Print</a> · <a href="{self._of(post, "short")}">Short link</a> · '
            f'<a href="{self._of(post, "feed")}">Comments feed</a></footer></article>'
            f'<nav class="neighbours">{" | ".join(neighbours)}</nav><section id="comments"><h2>{len(post.comments)} comments</h2>'
            f'<ol class="remarks">{remarks}</ol><p class="comment-pager">{pager if comment_pages(post) > 1 else ""}</p>'
            f'<h3 id="respond">Leave a reply</h3><p>You must <a rel="nofollow" href="{escape(login)}">log in</a> to comment.</p>'
            f'<form method="post" action="/comment"><textarea name="comment"></textarea><button>Post comment</button></form></section>'
        )
        canonical = f'<link rel="canonical" href="{origin}{self._of(post, page=address.page)}">'
        return self._frame(blog, post.title, content, canonical)

    def _remark(self, post: Post, comment: Comment) -> str:
        here = self._of(post, page=1 + (comment.number % 1000 - 1) // PER_PAGE)
        reply = self._of(post, "reply", extra=str(comment.number))
        return (
            f'<li class="remark" id="comment-{comment.number}"><div class="remark-head"><b class="remark-by">{escape(comment.author)}</b> '
            f'<a href="{here}#comment-{comment.number}"><time datetime="{iso(comment.date)}">{comment.date:%B %-d, %Y} at '
            f'{comment.date:%H:%M}</time></a></div><div class="remark-body">{comment.passage.html()}</div>'
            f'<a rel="nofollow" class="reply" href="{reply}#respond">Reply</a></li>'
        )

    def plain(self, post: Post) -> str:
        """Draw the print view."""
        return (
            f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>{escape(post.title)}'
            f"</title></head><body><h1>{escape(post.title)}</h1><p>{escape(post.author)}, {post.date:%B %-d, %Y}</p>{post.passage.html()}"
            f'<p><a href="{self._of(post)}">Back</a></p></body></html>'
        )

    def page(self, blog: Blog, title: str, content: str) -> str:
        """Draw a page that stands outside the stream."""
        body = f'<article class="static"><h1>{escape(title)}</h1><div class="entry-body">{content}</div></article>'
        return self._frame(blog, title, body)

    def _frame(self, blog: Blog, title: str, content: str, head: str = "") -> str:
        menu = "".join(f'<a href="{self.href(Address("static", page.key))}">{page.title}</a>' for page in blog.pages)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} – {escape(blog.title)}</title>'
            f'<meta name="generator" content="Siteseer demo"><style>{STYLE}</style>{head}<link rel="alternate" type="application/rss+xml" '
            f'href="/feed/"><link rel="alternate" type="application/atom+xml" href="/feed/atom/"></head><body>'
            f'<header class="masthead"><h1><a href="/">{escape(blog.title)}</a></h1><p>{escape(blog.motto)}</p>'
            f'<nav class="menu">{menu}</nav></header><div class="wrap"><main>{content}</main>{self.sidebar}</div>'
            f'<footer>Proudly served by <a href="http://software.example.org/">Siteseer demo</a></footer></body></html>'
        )

    def _sidebar(self, blog: Blog) -> str:
        recent = "".join(f'<li><a href="{self._of(post)}">{escape(post.title)}</a></li>' for post in blog.posts[:5])
        said = "".join(
            f"<li>{escape(comment.author)} on <a href='{self._of(post)}#comment-{comment.number}'>{escape(post.title)}</a></li>"
            for post, comment in blog.latest_comments()
        )
        months = "".join(f'<li><a href="{self.href(Address("month", key))}">{key}</a></li>' for key in blog.months())
        topics = "".join(
            f'<li><a href="{self.href(Address("category", slug(name)))}">{name}</a></li>'
            for name in CATEGORIES
            if blog.chosen("category", slug(name))
        )
        cloud = " ".join(f'<a href="{self.href(Address("tag", tag))}">{tag}</a>' for tag in blog.tags())
        return (
            f'<aside class="sidebar"><h3>Recent posts</h3><ul>{recent}</ul><h3>Recent comments</h3><ul>{said}</ul><h3>Categories</h3>'
            f'<ul>{topics}</ul><h3>Tags</h3><p class="tagcloud">{cloud}</p><h3>Archives</h3><ul>{months}</ul></aside>'
        )


def _variant(request: SiteRequest, view: str) -> tuple[str, str]:
    if "replytocom" in request.query:
        return "reply", request.query["replytocom"]
    return ("print", "") if "print" in request.query else (view, "")
