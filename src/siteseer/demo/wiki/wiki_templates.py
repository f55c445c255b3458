"""The two templates of the wiki: `modern` with readable paths, `classic` with a script, actions in the query and tables."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from html import escape
from urllib.parse import quote

from siteseer.demo.site import SiteRequest
from siteseer.demo.wiki.wiki_site import Address
from siteseer.demo.wiki.write_wiki import Revision, Wiki, WikiPage

MODERN_STYLE = """body{margin:0;font:16px/1.65 "Helvetica Neue",Arial,sans-serif;color:#202122;background:#f8f9fa;display:flex}.rail{width:210px;padding:24px;
background:#eaecf0;min-height:100vh}.rail a{display:block;margin:6px 0}article{background:#fff;padding:24px 40px;flex:1;max-width:900px}a{color:#3366cc}
h1{border-bottom:1px solid #a2a9b1;font:28px Georgia,serif}.tabs a{margin-right:16px;font-size:14px}.old{background:#fee7e6;padding:8px}.stamp{color:#777;font-size:13px}"""
CLASSIC_STYLE = """body{font:13px Arial;background:#dfe6dc;margin:14px}table.seite{background:#fff;border:1px solid #8a9a83;width:980px;margin:auto}td{padding:10px;vertical-align:top;font-size:13px;line-height:1.5}
td.oben{background:#51694a;color:#fff}td.oben a{color:#ffd}td.unten{background:#eef3ec;font-size:11px}h1{font-size:20px;color:#51694a}h2{font-size:16px}.button{border:1px solid #8a9a83;padding:2px 6px}"""
PAGE_TOOLS = ("edit", "revisions", "backlinks", "print")
GERMAN = {"edit": "Bearbeiten", "revisions": "Ältere Versionen", "backlinks": "Links hierher", "print": "Druckansicht"}


def _number(text: str, default: int = 0) -> int:
    return int(text) if text.isdigit() and len(text) < 12 else default


class Modern:
    """The template `modern` of the wiki."""

    def __init__(self, wiki: Wiki) -> None:
        self.wiki = wiki

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, key = address.view, address.key.replace(":", "/")
        if view == "page":
            return f"/wiki/{key}"
        if view in ("revision", "diff"):
            return f"/wiki/{key}/{view}/{address.number}"
        if view in PAGE_TOOLS:
            return f"/wiki/{key}/{view}"
        if view == "recent":
            return "/special/recent" + (f"?page={address.number}" if address.number > 1 else "")
        if view == "login":
            return f"/login?returnto={quote(address.key, safe='')}"
        return {"index": f"/special/index/{key}", "media": f"/media/{key}", "medium": f"/special/file/{key}"}[view]

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        parts = request.path.strip("/").split("/")
        if parts[:2] == ["special", "recent"]:
            return Address("recent", "", _number(request.query.get("page", "1")))
        if parts == ["login"]:
            return Address("login")
        if parts[0] == "media" or parts[:2] == ["special", "file"]:
            return Address("media" if parts[0] == "media" else "medium", parts[-1])
        if parts[:2] == ["special", "index"]:
            return Address("index", "/".join(parts[2:]))
        if parts[0] != "wiki":
            return None
        rest = parts[1:]
        if len(rest) > 2 and rest[-2] in ("revision", "diff") and rest[-1].isdigit():
            return Address(rest[-2], ":".join(rest[:-2]), _number(rest[-1]))
        if len(rest) > 1 and rest[-1] in PAGE_TOOLS:
            return Address(rest[-1], ":".join(rest[:-1]))
        return Address("page", ":".join(rest))

    def changed(self, revision: Revision) -> str:
        """Say when a page was last changed, and by whom."""
        date = revision.date
        return f'<time datetime="{date:%Y-%m-%dT%H:%M:%SZ}">{date:%-d %B %Y, %H:%M}</time> by <span class="editor">{escape(revision.author)}</span>'

    def frame(self, title: str, content: str, page: WikiPage | None, note: str) -> str:
        """Draw a page of the wiki around its content."""
        tabs = ""
        if page:
            tabs = f'<a href="{self.href(Address("page", page.key))}">Read</a>'
            tabs += "".join(
                f'<a rel="nofollow" href="{self.href(Address(tool, page.key))}">{tool.title()}</a>'
                for tool in PAGE_TOOLS
            )
        login = self.href(Address("login", page.key if page else "start"))
        stamp = f'<footer class="stamp">Last edited on {note}</footer>' if note else ""
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} - {escape(self.wiki.title)}</title><meta name="generator" content="Siteseer demo">'
            f'<style>{MODERN_STYLE}</style></head><body><nav class="rail"><b>{escape(self.wiki.title)}</b><a href="/wiki/start">Main page</a><a href="/special/recent">Recent changes</a>'
            f'<a href="/special/index/">All pages</a><a href="{login}">Log in</a></nav><article><div class="tabs">{tabs}</div><h1>{escape(title)}</h1><div class="content">{content}</div>{stamp}</article></body></html>'
        )


class Classic:
    """The template `classic` of the wiki."""

    def __init__(self, wiki: Wiki) -> None:
        self.wiki = wiki

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, key = address.view, address.key
        if view == "media":
            return f"/fetch.php?media={key}"
        if view == "page":
            return f"/wiki.php?id={key}"
        if view == "index":
            return f"/wiki.php?id=start&do=index&idx={key}"
        if view == "recent":
            return f"/wiki.php?id=start&do=recent&first={(address.number - 1) * 20}"
        tail = f"&rev={address.number}" if address.number else ""
        return f"/wiki.php?id={key}&do={view}{tail}"

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        query = request.query
        if request.path == "/fetch.php":
            return Address("media", query.get("media", ""))
        if request.path != "/wiki.php":
            return None
        view = query.get("do", "page")
        if view == "index":
            return Address("index", query.get("idx", ""))
        if view == "recent":
            return Address("recent", "", 1 + _number(query.get("first", "0")) // 20)
        known = ("page", "medium", "login", "revision", "diff", *PAGE_TOOLS)
        return Address(view, query.get("id", "start"), _number(query.get("rev", ""))) if view in known else None

    def changed(self, revision: Revision) -> str:
        """Say when a page was last changed, and by whom."""
        return f"{revision.date:%d.%m.%Y %H:%M} von {escape(revision.author)}"

    def frame(self, title: str, content: str, page: WikiPage | None, note: str) -> str:
        """Draw a page of the wiki around its content."""
        key = page.key if page else "start"
        tools = ""
        if page:
            tools = " ".join(
                f'<a class="button" href="{escape(self.href(Address(tool, key)))}">{GERMAN[tool]}</a>'
                for tool in PAGE_TOOLS
            )
        menu = " | ".join(
            f'<a href="{escape(self.href(address))}">{text}</a>'
            for address, text in (
                (Address("page", "start"), "Startseite"), (Address("recent", "", 1), "Letzte Änderungen"),
                (Address("index"), "Übersicht"), (Address("login", key), "Anmelden"),
            )
        )  # fmt: skip
        stamp = f"Zuletzt geändert: {note}" if note else ""
        return (
            f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html lang="de"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>{escape(title)} [{escape(self.wiki.title)}]</title>'
            f'<style type="text/css">{CLASSIC_STYLE}</style></head><body><table class="seite" cellspacing="0"><tr><td class="oben"><font size="4">{escape(self.wiki.title)}</font></td><td class="oben" align="right">{menu}</td></tr>'
            f'<tr><td colspan="2" class="text"><h1>{escape(title)}</h1>{content}</td></tr><tr><td class="unten">{tools}</td><td class="unten" align="right">{stamp}</td></tr></table></body></html>'
        )
