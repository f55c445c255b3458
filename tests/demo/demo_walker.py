"""A tiny blind crawler that asks a demo site directly, without a network."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from lxml import html as lxml_html

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.site import local_path

ORIGIN = "http://127.0.0.1"
WORDS = re.compile(r"\w+")


def ask(site: Site, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> SiteResponse:
    return site.respond(SiteRequest(method, path, {"host": "127.0.0.1", **headers}, body))


def header(response: SiteResponse, name: str) -> str:
    return next((value for key, value in response.headers if key == name), "")


def visible(response: SiteResponse) -> str:
    tree = lxml_html.document_fromstring(response.body, parser=lxml_html.HTMLParser(encoding="utf-8"))
    for element in tree.xpath("//head|//script|//style"):
        element.drop_tree()
    return " ".join(WORDS.findall(" ".join(tree.itertext())))


def words(text: str) -> str:
    return " ".join(WORDS.findall(text))


def links(path: str, response: SiteResponse) -> set[str]:
    """Local paths that a page points to, a redirect included."""
    found = [header(response, "Location")] if response.status in (301, 302) else []
    if "html" in header(response, "Content-Type") and response.body.strip():
        tree = lxml_html.document_fromstring(response.body, parser=lxml_html.HTMLParser(encoding="utf-8"))
        found += tree.xpath("//a/@href|//link/@href|//img/@src")
    return {local for link in found if (local := resolve(path, str(link)))}


def resolve(path: str, link: str) -> str:
    """Path and query of a link on this host; empty for others."""
    if link.startswith("/") and not link.startswith("//"):
        return link.partition("#")[0]
    absolute = urljoin(ORIGIN + path, link)
    return local_path(absolute) if urlsplit(absolute).hostname == "127.0.0.1" else ""


def external(response: SiteResponse) -> set[str]:
    tree = lxml_html.document_fromstring(response.body, parser=lxml_html.HTMLParser(encoding="utf-8"))
    return {str(link) for link in tree.xpath("//a/@href") if urlsplit(link).hostname not in (None, "127.0.0.1")}


def walk(site: Site, within: frozenset[str] | None = None, limit: int = 20_000) -> dict[str, SiteResponse]:
    """Follow every link from `/` (only to the paths of `within`, if given)."""
    waiting, answers = ["/"], {}
    known = {"/"}
    while waiting and len(answers) < limit:
        path = waiting.pop()
        answers[path] = ask(site, path)
        new = {link for link in links(path, answers[path]) if within is None or link in within} - known
        known |= new
        waiting.extend(sorted(new))
    return answers
