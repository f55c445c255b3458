"""Renders an archived page as HTML without scripts, for the built-in page view.

Only elements and attributes that are known to be harmless are copied; addresses lead back into the archive. The view is
served from an origin of its own, under a policy that forbids scripts, so that what slips through still does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urldefrag

from lxml import etree, html

from siteseer.model import JSON, Page
from siteseer.page.text import text
from siteseer.page.tree import is_html, tree
from siteseer.page.urls import resolve
from siteseer.web.service.locate_object import element_of_object

Rewrite = Callable[[str, str], str]
"""Kind (`page` or `resource`) and absolute URL in, the address under which the view serves it out."""

HERE = "siteseer-here"
"""The id of the place that the view opens at."""
ELEMENTS = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup data "
    "dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i img ins "
    "kbd li main map mark nav ol p picture pre q rp rt ruby s samp section small source span strike strong style "
    "sub summary sup table tbody td tfoot th thead time title tr tt u ul var wbr link area button label fieldset "
    "legend".split()
)
ATTRIBUTES = frozenset(
    "abbr align alt axis bgcolor border cellpadding cellspacing cite class clear color cols colspan compact coords "
    "datetime dir face frame headers height hspace id lang name nowrap open rel reversed rowspan rules scope shape "
    "size span start style summary title type valign value vspace width itemprop itemscope itemtype".split()
)
DROPPED = frozenset(
    "script noscript iframe frame frameset object embed applet svg math template audio video canvas base meta form "
    "input select textarea".split()
)
"""Elements of which nothing is shown, their content neither; a form's content is shown without the form."""
UNWRAPPED = frozenset(("form",))
INNER = ("td", "th", "tr", "li", "dd", "dt", "tbody", "body")
"""Elements beside which nothing else may stand: an anchor goes inside."""
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')\s]{1,2000})["']?\s*\)""", re.IGNORECASE)
_CSS_IMPORT = re.compile(r"@import[^;]{0,2000};?", re.IGNORECASE)
MARK = f"#{HERE}{{outline:3px solid #e0a100;outline-offset:4px;scroll-margin-top:2rem}}"


def page_view(page: Page, rewrite: Rewrite, marked: JSON = None) -> str:
    """Return the page as harmless HTML, marked where the object stands.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p onclick=x()>Hi<script>y()</script>")
    >>> "<p>Hi</p>" in page_view(page, lambda kind, url: url)
    True
    """
    if not is_html(page):
        return _plain(page)
    root = _copy(tree(page), page.url, rewrite)
    head = root.find("head")
    if head is None:
        head = html.Element("head")
        root.insert(0, head)
    style = html.Element("style")
    style.text = MARK
    head.append(style)
    if marked:
        _mark(root, marked)
    return "<!DOCTYPE html>\n" + str(html.tostring(root, encoding="unicode"))


def safe_css(source: str, base: str, rewrite: Rewrite) -> str:
    """Return a style sheet whose addresses lead into the archive and that imports nothing.

    >>> safe_css("p{background:url(a.png)}", "http://e.org/css/x.css", lambda kind, url: "/r/" + url)
    'p{background:url("/r/http://e.org/css/a.png")}'
    """

    def own(match: re.Match[str]) -> str:
        if match[1].lower().startswith("data:image/"):
            return match[0]
        url = resolve(base, match[1])
        return f'url("{_quoted(rewrite("resource", url))}")' if url else "none"

    source = _CSS_IMPORT.sub("", source)
    return _CSS_URL.sub(own, source).replace("</", "<\\/")


def _quoted(text: str) -> str:
    return text.replace("\\", "%5C").replace('"', "%22").replace("<", "%3C").replace(">", "%3E").replace("\n", "%0A")


def _plain(page: Page) -> str:
    shell = html.Element("html")
    body = etree.SubElement(shell, "body")
    etree.SubElement(body, "pre").text = _legal(text(page)[:1_000_000] or "This capture holds no text.")
    return "<!DOCTYPE html>\n" + str(html.tostring(shell, encoding="unicode"))


def _copy(root: html.HtmlElement, base: str, rewrite: Rewrite) -> html.HtmlElement:
    """Copy what is harmless, without recursion: pages can be nested deeper than Python goes."""
    declared = root.find(".//base[@href]")
    base = (resolve(base, declared.get("href")) or base) if declared is not None else base
    made: list[html.HtmlElement] = []
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    shell = html.Element("html")
    for event, element in walk:
        if event == "comment" or not isinstance(element.tag, str):
            _append_text(made[-1] if made else shell, element.tail)
        elif event == "start":
            if element.tag in DROPPED and element.tag not in UNWRAPPED:
                walk.skip_subtree()
                made.append(shell)  # its text goes nowhere
                continue
            copied = _element(element, base, rewrite)
            if made and made[-1] is not shell:
                made[-1].append(copied)
            if element.tag != "style":
                copied.text = _legal(element.text)
            made.append(copied)
        else:
            made.pop() if len(made) > 1 else None
            _append_text(made[-1], element.tail if element is not root else None)
    return made[0] if made else shell


def _element(element: html.HtmlElement, base: str, rewrite: Rewrite) -> html.HtmlElement:
    tag = element.tag if element.tag in ELEMENTS else "div" if element.tag in UNWRAPPED else "span"
    if tag == "link" and "stylesheet" not in (element.get("rel") or "").lower().split():
        return html.Element("span")
    copied = html.Element(tag)
    for name, value in element.attrib.items():
        if name == "style":
            copied.set(name, _legal(safe_css(value, base, rewrite)))
        elif name in ATTRIBUTES:
            copied.set(name, _legal(value))
    if tag == "style":
        copied.text = _legal(safe_css(element.text or "", base, rewrite))
    elif tag in ("a", "area") and element.get("href"):
        _link(copied, element.get("href"), base, rewrite)
    elif tag in ("img", "source") and (url := resolve(base, _picture(element))):
        copied.set("src", rewrite("resource", url))
    elif tag == "link" and (url := resolve(base, element.get("href") or "")):
        copied.set("href", rewrite("resource", url))
    return copied


def _picture(element: html.HtmlElement) -> str:
    return element.get("src") or element.get("data-src") or ""


def _link(copied: html.HtmlElement, href: str, base: str, rewrite: Rewrite) -> None:
    if href.startswith("#"):
        copied.set("href", _legal(href))
    elif url := resolve(base, href):
        fragment = urldefrag(href).fragment
        copied.set("href", rewrite("page", url) + (f"#{fragment}" if fragment else ""))


def _append_text(parent: html.HtmlElement, added: str | None) -> None:
    if not added:
        return
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + _legal(added)
    else:
        parent.text = (parent.text or "") + _legal(added)


def _legal(value: str | None) -> str:
    """Return text that can be written as XML: lxml refuses control characters."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", value or "")


def _mark(root: html.HtmlElement, marked: JSON) -> None:
    """Give the element where the object stands the id that the view opens at."""
    place = element_of_object(marked, root)
    if place is None:
        return
    if not place.get("id"):
        place.set("id", HERE)
        return
    place.set("style", "outline:3px solid #e0a100;outline-offset:4px;" + (place.get("style") or ""))
    anchor = html.Element("span", id=HERE)
    if place.getparent() is not None and place.tag not in INNER:
        place.addprevious(anchor)
    else:
        anchor.tail, place.text = place.text, None
        place.insert(0, anchor)
