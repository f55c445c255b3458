"""Builds the virtual document of a page for detection patterns: the HTML together with metadata of HTTP and the URL.

    <page>
      <http-url scheme= host= port= path= query= ext=>the URL</http-url>
      <http-param name= value=/>* <http-seg n= value=/>*
      <http-status code=/> <http-header name= value=/>* <http-cookie name= domain=/>* <http-redirect from=/>*
      <html>...</html>
    </page>

Reference: M. Faheem, thesis, section 3.1. Differs: the names carry `http-`, since HTML has its own header, link and
meta; values of cookies are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from itertools import islice
from urllib.parse import SplitResult, unquote_plus, urlsplit

from lxml import html
from lxml.html import HtmlElement

from siteseer.model import Page
from siteseer.page.tree import cached, tree
from siteseer.xpath.evaluation import VIRTUAL_ROOT, matcher
from siteseer.xpath.syntax import Compare, Exists, Expression, Path, Step

MAX_ELEMENTS = 200
"""Of each kind: nobody honest sends more headers, cookies, parameters or path segments."""
MAX_VALUE = 8192
_ESCAPES = re.compile(r"::|[\[(,=]\s*/|\b(?:and|or)\s+/")
"""Written axes and absolute paths inside predicates; a literal that looks like one costs only time."""
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@cached
def virtual_document(page: Page) -> HtmlElement:
    """Return the `page` element of the virtual document.

    >>> page = Page("http://e.org/a.php?t=1", headers=(("Content-Type", "text/html"),), body=b"<p>hi")
    >>> [child.tag for child in virtual_document(page)][:4], virtual_document(page).find(".//p").text
    (['http-url', 'http-param', 'http-seg', 'http-status'], 'hi')
    """
    root: HtmlElement = deepcopy(metadata(page))
    # The tree is shared with everything else that looks at the page and would change its root if it were moved here.
    root.append(deepcopy(tree(page)))
    return root


@cached
def metadata(page: Page) -> HtmlElement:
    """Return the virtual document without the HTML: cheap, where that is all that is needed. Never change it."""
    root: HtmlElement = html.Element(VIRTUAL_ROOT)
    for kind in (_url, _parameters, _segments, _status, _headers, _cookies, _redirects):
        root.extend(islice(kind(page), MAX_ELEMENTS))
    return root


def matches_virtual_document(expression: Expression, page: Page) -> bool:
    """Whether an expression selects anything in the virtual document of a page.

    The document is put together only for the few expressions that look at HTTP and HTML at once.
    """
    return any(_holds(part, some, page) for part, some in _parts(expression))


def _holds(part: str, expression: Expression, page: Page) -> bool:
    if part == "both":
        return bool(matcher(expression, "virtual")(virtual_document(page)))
    if part == "either" and matcher(expression, "virtual")(metadata(page)):
        return True
    return bool(matcher(expression, "document")(tree(page)))  # also for http-: HTML may contain elements of that name


@lru_cache(maxsize=65536)
def _parts(expression: Expression) -> tuple[tuple[str, Expression], ...]:
    """Group the alternatives by the part of the virtual document that decides, what is cheap to ask first."""
    parts: dict[str, list[Path]] = {"html": [], "either": [], "both": []}
    for path in expression.alternatives:
        parts[_part_of_path(path)].append(path)
    return tuple((part, Expression(tuple(paths))) for part, paths in parts.items() if paths)


def _part_of_path(path: Path) -> str:
    """Say which part decides: `html`, `either` of HTTP and HTML alone, or `both` together.

    Steps downwards from an element inside one part stay there; other axes and the root lead out of it.
    """
    if path.start == "." or not path.steps or _ESCAPES.search(str(path)):
        return "both"
    first = path.steps[0]
    if first.test[0].isalpha() and first.test not in ("text()", VIRTUAL_ROOT):
        return "either" if first.test.startswith("http-") else "html"
    is_anywhere = path.start == "" or first.axis == "descendant"
    return "either" if first.test == "*" and is_anywhere and _has_attribute(first) else "both"


def _has_attribute(step: Step) -> bool:
    """Whether only an element with an attribute passes, which the root of the virtual document has not."""
    return bool(step.ids or step.classes) or any(
        isinstance(one, Exists | Compare)
        and one.value.start == ""
        and len(one.value.steps) == 1
        and one.value.steps[0].test.startswith("@")
        and (isinstance(one, Exists) or one.literal != "")
        for one in step.predicates
    )


def _element(kind: str, **values: str) -> HtmlElement:
    element: HtmlElement = html.Element(f"http-{kind}")
    for attribute, value in values.items():
        element.set(attribute.rstrip("_"), _clean(value))
    return element


def _clean(value: str) -> str:
    return _ILLEGAL.sub("\ufffd", value[:MAX_VALUE])


def _split(page: Page) -> SplitResult:
    try:
        return urlsplit(page.url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def _url(page: Page) -> Iterator[HtmlElement]:
    parts = _split(page)
    last = parts.path.rpartition("/")[2]
    element = _element(
        "url",
        scheme=parts.scheme,
        host=(parts.hostname or ""),
        port=parts.netloc.rpartition("@")[2].rpartition("]")[2].partition(":")[2],
        path=parts.path,
        query=parts.query,
        ext=last.rpartition(".")[2].lower() if "." in last else "",
    )
    element.text = _clean(page.url)
    yield element


def _parameters(page: Page) -> Iterator[HtmlElement]:
    for part in re.split("[&;]", _split(page).query[:MAX_VALUE]):
        name, _, value = part.partition("=")
        if part:
            yield _element("param", name=unquote_plus(name), value=unquote_plus(value))


def _segments(page: Page) -> Iterator[HtmlElement]:
    segments = [segment for segment in _split(page).path[:MAX_VALUE].split("/") if segment]
    for number, segment in enumerate(segments, start=1):
        yield _element("seg", n=str(number), value=segment)


def _status(page: Page) -> Iterator[HtmlElement]:
    yield _element("status", code=str(page.status))


def _headers(page: Page) -> Iterator[HtmlElement]:
    for name, value in page.headers:
        if name.lower() != "set-cookie":
            yield _element("header", name=name.lower(), value=value)


def _cookies(page: Page) -> Iterator[HtmlElement]:
    for name, value in page.headers:
        if name.lower() == "set-cookie":
            cookie, *attributes = value[:MAX_VALUE].split(";")
            domain = next(
                (one.partition("=")[2] for one in attributes if one.strip().lower().startswith("domain=")), ""
            )
            yield _element("cookie", name=cookie.partition("=")[0].strip().lower(), domain=domain.strip())


def _redirects(page: Page) -> Iterator[HtmlElement]:
    for url in page.redirected_from:
        yield _element("redirect", from_=url)
