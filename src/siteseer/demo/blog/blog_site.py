"""Serves a demo blog in one of its templates: which URL shows what, feeds, sitemap, and the truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Protocol

from siteseer.demo.blog.write_blog import Blog, Post
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html, redirect
from siteseer.demo.truth import TrueText, Truth

PER_PAGE = 10
LISTINGS = ("home", "category", "tag", "author", "month", "day")


@dataclass(frozen=True, slots=True)
class Address:
    """A place on the site, whatever its URL."""

    view: str
    key: str = ""
    page: int = 1
    extra: str = ""


class Skin(Protocol):
    """The template of a blog: its pages and its URLs."""

    full_listings: bool
    """Whether listings show whole posts, so that a post without comments need not be opened."""

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        ...

    def read(self, request: SiteRequest) -> Address | None:
        """Return the address of a request; None where it does not exist."""
        ...

    def listing(self, blog: Blog, address: Address, posts: tuple[Post, ...], pages: int) -> str:
        """Draw a listing."""
        ...

    def article(self, blog: Blog, address: Address, post: Post, origin: str) -> str:
        """Draw a post with one page of its comments, or the form for a reply (`address.view` is `reply`)."""
        ...

    def plain(self, post: Post) -> str:
        """Draw the print view."""
        ...

    def page(self, blog: Blog, title: str, content: str) -> str:
        """Draw a page that stands outside the stream."""
        ...


def comment_pages(post: Post) -> int:
    """Return over how many pages the comments of a post are spread; at least one."""
    return max(1, -(-len(post.comments) // PER_PAGE))


def iso(moment: datetime) -> str:
    """Write a moment as the truth does."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def blog_site(blog: Blog, skin: Skin, seed: int, template: str) -> Site:
    """Return the site of a blog in a template."""
    by_key = {str(post.number): post for post in blog.posts}
    by_key |= {post.slug: post for post in blog.posts}

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/robots.txt":
            rules = f"User-agent: *\nDisallow: /login\n\nSitemap: {request.origin}/sitemap.xml\n"
            return document(rules, "text/plain; charset=utf-8")
        if request.path == "/sitemap.xml":
            return document(_sitemap(blog, skin, request.origin), "application/xml")
        address = skin.read(request)
        found = None if address is None else _show(blog, skin, by_key, address, request)
        return found or html(skin.page(blog, "404", "<p>Nothing was found at this address.</p>"), 404)

    return Site(_truth(blog, skin, seed, template), answer, has_validators=True)


def _show(
    blog: Blog, skin: Skin, by_key: dict[str, Post], address: Address, request: SiteRequest
) -> SiteResponse | None:
    view, post = address.view, by_key.get(address.key)
    if view in LISTINGS:
        chosen = blog.chosen(view, address.key)
        pages = max(1, -(-len(chosen) // PER_PAGE))
        if not chosen or not 1 <= address.page <= pages:
            return None
        part = chosen[(address.page - 1) * PER_PAGE : address.page * PER_PAGE]
        return html(skin.listing(blog, address, part, pages))
    if view == "feed":
        return _feed(blog, skin, address, post, request.origin)
    if view == "static":
        page = next((page for page in blog.pages if page.key == address.key), None)
        return html(skin.page(blog, page.title, page.passage.html())) if page else None
    if view == "login":
        form = '<form method="post" action="/login"><input name="name"><input name="password" type="password">'
        return html(skin.page(blog, "Log in", form + '<input type="submit"></form>'))
    if post is None or not 1 <= address.page <= comment_pages(post):
        return None
    if view == "short":
        return redirect(skin.href(Address("post", address.key)), 301)
    return html(skin.plain(post) if view == "print" else skin.article(blog, address, post, request.origin))


def _feed(blog: Blog, skin: Skin, address: Address, post: Post | None, origin: str) -> SiteResponse | None:
    if address.key and post is None:
        return None
    texts = (
        [(f"{comment.author}", comment.passage.html(), comment.date, comment.author, post) for comment in post.comments]
        if post
        else [
            (item.title, item.passage.html() if skin.full_listings else f"<p>{escape(item.excerpt)}</p>",
             item.date, item.author, item)
            for item in blog.posts[:PER_PAGE]
        ]
    )  # fmt: skip
    items = []
    for title, content, date, author, of in texts:
        url = escape(origin + skin.href(Address("post", str(of.number))))
        items.append(
            f"<entry><title>{escape(title)}</title><link href='{url}'/><id>{url}#{date.timestamp():.0f}</id>"
            f"<updated>{iso(date)}</updated><author><name>{escape(author)}</name></author>"
            f"<content type='html'>{escape(content)}</content></entry>"
            if address.extra == "atom"
            else f"<item><title>{escape(title)}</title><link>{url}</link><pubDate>{date:%a, %d %b %Y %H:%M:%S} +0000"
            f"</pubDate><author>{escape(author)}</author><description>{escape(content)}</description></item>"
        )
    if address.extra == "atom":
        head = f"<title>{escape(blog.title)}</title><id>{origin}/</id><updated>{iso(_changed(blog))}</updated>"
        return document(
            f"<?xml version='1.0' encoding='utf-8'?><feed xmlns='http://www.w3.org/2005/Atom'>{head}{''.join(items)}</feed>",
            "application/atom+xml; charset=utf-8",
        )
    head = f"<title>{escape(blog.title)}</title><link>{origin}/</link><description>{escape(blog.motto)}</description>"
    return document(
        f"<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel>{head}{''.join(items)}</channel></rss>",
        "application/rss+xml; charset=utf-8",
    )


def _changed(blog: Blog) -> datetime:
    return max(post.changed for post in blog.posts)


def _sitemap(blog: Blog, skin: Skin, origin: str) -> str:
    rows = [("/", iso(_changed(blog)))]
    rows += [(skin.href(Address("post", str(post.number))), iso(post.changed)) for post in blog.posts]
    rows += [(skin.href(Address("static", page.key)), "") for page in blog.pages]
    entries = "".join(
        f"<url><loc>{escape(origin + path)}</loc>{f'<lastmod>{when}</lastmod>' if when else ''}</url>"
        for path, when in rows
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def _truth(blog: Blog, skin: Skin, seed: int, template: str) -> Truth:
    texts: list[TrueText] = []
    oracle = {"/"}
    links: set[str] = set()
    for post in blog.posts:
        key = str(post.number)
        thread = skin.href(Address("post", key))
        texts.append(
            TrueText("post", thread, thread, post.title, post.author, iso(post.date), post.passage.text,
                     (*post.tags, post.category))
        )  # fmt: skip
        links.update(post.passage.links)
        for index, comment in enumerate(post.comments):
            page = skin.href(Address("post", key, 1 + index // PER_PAGE))
            texts.append(
                TrueText("comment", page, thread, post.title, comment.author, iso(comment.date), comment.passage.text)
            )
            links.update(comment.passage.links)
        if post.comments or not skin.full_listings:
            oracle.update(skin.href(Address("post", key, page + 1)) for page in range(comment_pages(post)))
    for static in blog.pages:
        path = skin.href(Address("static", static.key))
        texts.append(TrueText("page", path, path, static.title, "", "", static.passage.text))
        links.update(static.passage.links)
        oracle.add(path)
    if skin.full_listings:
        oracle.update(skin.href(Address("home", "", page)) for page in range(1, -(-len(blog.posts) // PER_PAGE) + 1))
    content = frozenset(text.page for text in texts)
    return Truth("blog", seed, template, tuple(texts), content, frozenset(links), len(oracle), frozenset(oracle))
