"""The hostile demo site: every path of its truth must end with an outcome, and none with a crash."""

from __future__ import annotations

from html import escape

from siteseer.demo.hostile.broken_answers import broken_answers
from siteseer.demo.hostile.documents import odd_documents
from siteseer.demo.hostile.redirects import PATHS, answer_redirect
from siteseer.demo.prose import Prose
from siteseer.demo.site import Site, SiteRequest, SiteResponse, document, html
from siteseer.demo.truth import TrueText, Truth

DEFAULT_MEGABYTES = 10
PLAIN_PAGES = 5
ROBOTS = (
    "User-agent: *\nDisallow: /l/\n\nSitemap: {}/sitemap.xml\nSitemap: file:///etc/passwd\nCrawl-delay: never\n\x00\n"
)


def make_hostile(seed: int, template: str, size: int = DEFAULT_MEGABYTES, pause: float = 0.05) -> Site:
    """Make a hostile site. Large documents have `size` MB (links: 100,000 times that); `pause` is between slow bytes.

    The links of the page of a million links lie under `/l/`, which robots.txt closes.
    """
    broken = broken_answers(size, pause)
    documents = odd_documents(size)
    texts = tuple(_text(seed, number) for number in range(1, PLAIN_PAGES + 1))
    pages = {text.page: text for text in texts}
    paths = (*pages, *broken, *documents, *PATHS)
    index = _index(template, paths)

    def answer(request: SiteRequest) -> SiteResponse:
        path = request.path
        if path == "/":
            return html(index)
        if path == "/robots.txt":
            return document(ROBOTS.format(request.origin), "text/plain")
        if path in pages:
            text = pages[path]
            return html(f"<title>{escape(text.title)}</title><h1>{escape(text.title)}</h1><p>{escape(text.text)}</p>")
        if path in broken:
            return broken[path](request)
        if path in documents:
            return documents[path]()
        return answer_redirect(request) or html("<title>Not found</title><p>Nothing here.</p>", 404)

    content = frozenset(("/", *paths))
    oracle = frozenset(("/", *pages))
    return Site(Truth("hostile", seed, template, texts, content, frozenset(), len(oracle), oracle), answer)


def _text(seed: int, number: int) -> TrueText:
    prose = Prose("hostile", seed, number)
    path = f"/plain/{number}"
    return TrueText("page", path, path, prose.title(), "", "", prose.passage(1, 1).text)


def _index(template: str, paths: tuple[str, ...]) -> str:
    """Draw the page that links to everything, the ordinary pages last so that a crawler must survive to see them."""
    links = [f'<a href="{path}">{path}</a>' for path in reversed(paths)]
    if template == "classic":
        rows = "".join(f"<tr><td>{at}</td><td>{link}</td></tr>" for at, link in enumerate(links))
        body = f"<table border=1>{rows}</table>"
    else:
        body = "<main><ul style='columns:3'>" + "".join(f"<li>{link}</li>" for link in links) + "</ul></main>"
    head = "<meta charset='utf-8'><title>Hostile site</title><style>body{font:14px/1.6 sans-serif;margin:24px}</style>"
    return f"<!DOCTYPE html><html><head>{head}</head><body><h1>Everything that can go wrong</h1>{body}</body></html>"
