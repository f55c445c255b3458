"""A small demo Web on one port: `siteN.localhost` are its sites, told apart by the Host header.

The server's own address shows the list of sites, `/campaign.toml` (a definition for its topic) and `/truth.json`.
"""

from __future__ import annotations

import json
from html import escape

from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import Truth
from siteseer.demo.web.write_web import SmallWeb, WebPage, WebSite, write_web

__all__ = ["SmallWeb", "definition_text", "make_web", "write_web"]


def make_web(seed: int = 0, web: SmallWeb | None = None) -> Site:
    """Make the Web of a seed."""
    made = web or write_web(seed)
    truth = Truth("web", seed, "modern", (), made.on_topic, frozenset(), made.size)
    return Site(truth, lambda request: _answer(made, request))


def definition_text(web: SmallWeb, port: int, requests: int | None = None) -> str:
    """Return a campaign's definition for the topic of a Web that is served on a port."""
    topic = web.topic
    seeds = json.dumps([f"http://{seed.replace('/', f':{port}/', 1)}" for seed in web.seeds])
    lines = [
        f"name = {json.dumps(topic.name)}", f"seeds = {seeds}", f"keywords = {json.dumps(list(topic.keywords))}", "",
        "[[entities]]", f"name = {json.dumps(topic.person)}", "",
        "[[entities]]", f"name = {json.dumps(topic.body)}", f"aliases = {json.dumps([topic.alias])}", "",
        "[budget]", f"requests = {requests or web.size // 5}", "", "[politeness]", "delay = 0.0", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _answer(web: SmallWeb, request: SiteRequest) -> SiteResponse:
    host, _, port = request.headers.get("host", "").partition(":")
    site, path = web.sites.get(host.lower()), request.path
    end = f":{port}" if port else ""
    if site is None:
        return _about(web, path, int(port or 80))
    if path == "/":
        return html(_page(site, site.name, _home(site), end))
    if path == "/links.html" and site.hub:
        return html(_page(site, "Addresses", _hub(site, end), end))
    for number, name in enumerate(site.sections):
        if path == f"/section{number}.html":
            return html(_page(site, name, _list(site.section(number), f"<h1>{escape(name)}</h1>"), end))
    page = next((one for one in site.pages if one.path == path), None)
    return html(_page(site, page.title, _article(page, end), end)) if page else html("<h1>Not found</h1>", 404)


def _about(web: SmallWeb, path: str, port: int) -> SiteResponse:
    if path == "/campaign.toml":
        return document(definition_text(web, port), "text/plain; charset=utf-8")
    if path == "/truth.json":
        truth = {
            "size": web.size,
            "on_topic": [f"http://{one.replace('/', f':{port}/', 1)}" for one in sorted(web.on_topic)],
        }
        return document(json.dumps(truth), "application/json")
    if path != "/":
        return html("<h1>Not found</h1>", 404)
    items = "".join(f'<li><a href="http://{host}:{port}/">{escape(site.name)}</a>' for host, site in web.sites.items())
    return html(
        f"<title>A small Web</title><p>{web.size} pages, some of them about {escape(web.topic.name)}: "
        f'<a href="/campaign.toml">a definition</a>, <a href="/truth.json">the truth</a>.<ul>{items}</ul>'
    )


def _page(site: WebSite, title: str, body: str, end: str) -> str:
    menu = "".join(f'<a href="/section{number}.html">{escape(name)}</a> ' for number, name in enumerate(site.sections))
    return (
        f'<!doctype html><html lang="en"><head><title>{escape(title)} – {escape(site.name)}</title></head><body>'
        f'<nav><a href="/">{escape(site.name)}</a> {menu}</nav><main>{body}</main>'
        f"<footer><p>{escape(site.slogan)}</p></footer></body></html>"
    )


def _home(site: WebSite) -> str:
    newest = sorted(site.pages, key=lambda page: page.date, reverse=True)[:5]
    return _list(newest, f"<h1>{escape(site.name)}</h1>")


def _list(pages: list[WebPage], heading: str) -> str:
    entries = "".join(
        f'<div class="entry"><h2><a href="{page.path}">{escape(page.title)}</a></h2>'
        f"<p>{escape(page.paragraphs[0].partition('. ')[0])}.</p></div>"
        for page in pages
    )
    return heading + entries


def _hub(site: WebSite, end: str) -> str:
    items = "".join(f'<li><a href="{_url(address, end)}">{escape(text)}</a></li>' for address, text in site.hub)
    return f"<h1>Addresses</h1><p>{escape(site.pages[0].paragraphs[0])}</p><ul>{items}</ul>"


def _article(page: WebPage, end: str) -> str:
    text = "".join(f"<p>{escape(one)}</p>" for one in page.paragraphs)
    see = "".join(f'<li><a href="{_url(address, end)}">{escape(words)}</a></li>' for address, words in page.links)
    return (
        f'<article class="post"><h1>{escape(page.title)}</h1><p>By <span class="author">{escape(page.author)}</span>, '
        f'<time datetime="{page.date}">{page.date}</time></p>{text}<h3>See also</h3><ul>{see}</ul></article>'
    )


def _url(address: str, end: str) -> str:
    host, slash, path = address.partition("/")
    return f"http://{host}{end}{slash}{path}"
