"""Serves a demo wiki in one of its templates: which URL shows what, and the truth."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Protocol

from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import TrueText, Truth
from siteseer.demo.wiki.write_wiki import NAMESPACES, Revision, Wiki, WikiPage

CHANGES_PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class Address:
    """A place on the site, whatever its URL."""

    view: str
    key: str = ""
    number: int = 0
    """Of the revision, or of the page of a list."""


class Skin(Protocol):
    """The template of a wiki: its pages and its URLs."""

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        ...

    def read(self, request: SiteRequest) -> Address | None:
        """Return the address of a request; None where it does not exist."""
        ...

    def frame(self, title: str, content: str, page: WikiPage | None, note: str) -> str:
        """Draw a page of the wiki around its content; tools belong to `page`, `note` says when it was changed."""
        ...

    def changed(self, revision: Revision) -> str:
        """Say when a page was last changed, and by whom."""
        ...


def see_also(wiki: Wiki, page: WikiPage) -> str:
    """Return the closing line that names the pages referred to."""
    return "See also " + ", ".join(wiki.pages[key].title for key in page.links) if page.links else ""


def wiki_site(wiki: Wiki, skin: Skin, seed: int, template: str) -> Site:
    """Return the site of a wiki in a template."""

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == "/robots.txt":
            return document("User-agent: *\nDisallow: /login\n", "text/plain; charset=utf-8")
        address = Address("page", "start") if request.target == "/" else skin.read(request)
        found = None if address is None else _show(wiki, skin, address)
        return found or html(skin.frame("No such page", "<p>This topic does not exist yet.</p>", None, ""), 404)

    return Site(_truth(wiki, skin, seed, template), answer, has_validators=True)


def _show(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse | None:
    special = {"index": _index, "recent": _recent, "login": _login, "media": _media, "medium": _medium}
    if address.view in special:
        return special[address.view](wiki, skin, address)
    page = wiki.pages.get(address.key)
    if page is None:
        return None
    note = skin.changed(page.revisions[-1])
    if address.view == "page":
        return html(skin.frame(page.title, _body(wiki, skin, page), page, note))
    if address.view == "print":
        return html(
            f"<!DOCTYPE html><meta charset=utf-8><title>{escape(page.title)}</title><h1>{escape(page.title)}</h1>{_body(wiki, skin, page)}"
        )
    if address.view == "edit":
        message = "<p>This page is read only. You can view its source after logging in.</p>"
        return html(skin.frame(f"Edit {page.title}", message, page, ""), 403)
    if address.view == "backlinks":
        return html(skin.frame(f"Backlinks: {page.title}", _list(skin, wiki.backlinks(page.key)), page, ""))
    if address.view == "revisions":
        return html(skin.frame(f"Old revisions: {page.title}", _revisions(skin, page), page, ""))
    return _show_revision(skin, page, address)


def _show_revision(skin: Skin, page: WikiPage, address: Address) -> SiteResponse | None:
    index = next((at for at, revision in enumerate(page.revisions) if revision.number == address.number), None)
    if index is None:
        return None
    old = page.revisions[index]
    if address.view == "revision":
        warning = f"<p class='old'>This is an old revision of {escape(page.title)}.</p>{old.passage.html()}"
        return html(skin.frame(page.title, warning, page, skin.changed(old)))
    new = page.revisions[min(index + 1, len(page.revisions) - 1)]
    rows = f"<tr><td>- {escape(old.passage.text)}</td><td>+ {escape(new.passage.text)}</td></tr>"
    return html(skin.frame(f"Differences: {page.title}", f"<table class='diff'>{rows}</table>", page, ""))


def _body(wiki: Wiki, skin: Skin, page: WikiPage) -> str:
    parts = []
    for section in page.sections:
        heading = f"<h2>{escape(section.heading)}</h2>" if section.heading else ""
        parts.append(f'{heading}<div class="section">{section.passage.html()}</div>')
    if page.media:
        source, detail = skin.href(Address("media", page.media)), skin.href(Address("medium", page.media))
        parts.append(
            f'<a class="media" href="{escape(detail)}"><img src="{escape(source)}" alt="" width="180" height="90"></a>'
        )
    if page.links:
        links = (
            f'<a href="{escape(skin.href(Address("page", key)))}">{escape(wiki.pages[key].title)}</a>'
            for key in page.links
        )
        parts.append(f'<p class="seealso">See also {", ".join(links)}</p>')
    return "".join(parts)


def _list(skin: Skin, pages: list[WikiPage]) -> str:
    rows = (
        f'<li><a href="{escape(skin.href(Address("page", page.key)))}">{escape(page.key)}</a></li>' for page in pages
    )
    return f"<ul>{''.join(rows)}</ul>"


def _revisions(skin: Skin, page: WikiPage) -> str:
    rows = []
    for revision in reversed(page.revisions):
        old = escape(skin.href(Address("revision", page.key, revision.number)))
        diff = escape(skin.href(Address("diff", page.key, revision.number)))
        rows.append(
            f'<li>{skin.changed(revision)} <a rel="nofollow" href="{old}">view</a> <a rel="nofollow" href="{diff}">diff</a> – '
            f"{escape(revision.summary)}</li>"
        )
    return f"<ul class='revisions'>{''.join(rows)}</ul>"


def _index(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse | None:
    if address.key not in ("", *NAMESPACES):
        return None
    spaces = "".join(
        f'<li><b><a href="{escape(skin.href(Address("index", space)))}">{space}</a></b></li>' for space in NAMESPACES
    )
    inside = [page for page in wiki.pages.values() if page.key.rpartition(":")[0] == address.key]
    return html(skin.frame("Sitemap", f"<ul>{spaces}</ul>{_list(skin, inside)}", None, ""))


def _recent(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse | None:
    changes = wiki.changes()
    part = changes[(address.number - 1) * CHANGES_PER_PAGE : address.number * CHANGES_PER_PAGE]
    rows = "".join(
        f'<li>{skin.changed(revision)} <a href="{escape(skin.href(Address("page", page.key)))}">{escape(page.key)}</a> – {escape(revision.summary)}'
        f' <a rel="nofollow" href="{escape(skin.href(Address("diff", page.key, revision.number)))}">diff</a></li>'
        for page, revision in part
    )
    has_more = address.number * CHANGES_PER_PAGE < len(changes)
    more = (
        f'<a rel="next" href="{escape(skin.href(Address("recent", "", address.number + 1)))}">less recent</a>'
        if has_more
        else ""
    )
    return html(skin.frame("Recent changes", f"<ul>{rows}</ul>{more}", None, "")) if part else None


def _login(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse:
    form = '<form method="post" action="/login"><input name="u"><input name="p" type="password"><button>Log in</button></form>'
    return html(skin.frame("Log in", form, None, ""))


def _media(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse | None:
    if not any(page.media == address.key for page in wiki.pages.values()):
        return None
    colour = f"#{sum(map(ord, address.key)) * 7919 % 0xFFFFFF:06x}"
    picture = (
        f'<rect width="180" height="90" fill="{colour}"/><circle cx="90" cy="45" r="30" fill="#fff" opacity=".5"/>'
    )
    return document(f'<svg xmlns="http://www.w3.org/2000/svg" width="180" height="90">{picture}</svg>', "image/svg+xml")


def _medium(wiki: Wiki, skin: Skin, address: Address) -> SiteResponse | None:
    users = [page for page in wiki.pages.values() if page.media == address.key]
    picture = f'<img src="{escape(skin.href(Address("media", address.key)))}" alt="">'
    return html(skin.frame(address.key, f"{picture}<p>Used on:</p>{_list(skin, users)}", None, "")) if users else None


def _truth(wiki: Wiki, skin: Skin, seed: int, template: str) -> Truth:
    texts: list[TrueText] = []
    links: set[str] = set()
    for page in wiki.pages.values():
        path = "/" if page.key == "start" else skin.href(Address("page", page.key))
        last = page.revisions[-1]
        text = "\n".join(filter(None, (page.title, page.text, see_also(wiki, page))))
        texts.append(TrueText("page", path, path, page.title, last.author, f"{last.date:%Y-%m-%dT%H:%M:%SZ}", text))
        links.update(link for section in page.sections for link in section.passage.links)
    content = frozenset(text.page for text in texts)
    return Truth("wiki", seed, template, tuple(texts), content, frozenset(links), len(content), content)
