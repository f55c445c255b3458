"""Derives navigation actions of the knowledge base from the kinds of URL that were worth following.

A route is one kind of link: where it stands in pages, and the URLs that it was seen to lead to. Its regular expression
is made from these URLs, so that parameters stand in the order in which the site writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from siteseer.knowledge.types import Avoid, DropParameter, Learned, Navigation, Paging
from siteseer.page.urls import SESSION_PARAMETERS
from siteseer.strategies.learned.online_learner.identity_rules import ANY, Part, name_of
from siteseer.strategies.learned.online_learner.url_shapes import digitless, is_counter

ANY_LINK = "a/@href"
MOST_URLS = 2_000
"""URLs of a route that are looked at: the orders of parameters show in far fewer."""
MOST_SPELLINGS = 12
_SEPARATED = re.compile(r"([&;])")
_SESSION = re.compile(rf"[?&;](?:{'|'.join(sorted(SESSION_PARAMETERS))})=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Route:
    """Links that are worth following: the template of their URLs, the URLs, and where the links stand."""

    template: str
    urls: tuple[str, ...]
    links: str = ANY_LINK
    worth: float = 1.0
    is_list: bool = False
    is_listed: bool = False
    """Whether a sitemap lists such URLs."""
    because: str = "brought nothing new"


def actions(routes: Iterable[Route], method: str) -> tuple[Navigation, ...]:
    """Return the navigation actions of routes, those that lead to content before those that lead to lists."""
    return tuple(filter(None, (_action(route, method) for route in routes)))


def _action(route: Route, method: str) -> Navigation | None:
    spelt = dict.fromkeys(address_expression(url, route.template) for url in route.urls[:MOST_URLS])
    expressions = list(filter(None, spelt))[:MOST_SPELLINGS]
    if not expressions:
        return None
    priority = round(10 * route.worth + (5 if route.is_list else 0), 1)
    learned = Learned(method=method, confidence=round(route.worth, 3), evidence=route.because)
    return Navigation("child", route.links, priority=priority, matches="|".join(expressions), learned=learned)


def avoids(left: Iterable[Route], followed: Sequence[Navigation], routes: Sequence[Route]) -> tuple[Avoid, ...]:
    """Return rules against kinds of URL that are not worth following though a sitemap lists or an action fits them.

    None is made that would forbid what is followed.
    """
    wanted = [_path_and_query(url) for route in routes for url in route.urls[:MOST_URLS]]
    found = []
    for route in left:
        said = None if "?" in route.template else address_expression(route.urls[0], route.template)
        own = _path_and_query(route.urls[0])
        is_met = route.is_listed or any(re.search(action.matches, own) for action in followed)
        if said and is_met and not any(re.search(said, url) for url in wanted):
            found.append(Avoid(route.because, path=said))
    return tuple(found)


def _path_and_query(url: str) -> str:
    return "/" + name_of(url).partition("://")[2].partition("/")[2]


def address_expression(url: str, template: str) -> str | None:
    """Return the regular expression of URLs like this one, over path and query; None where the template is another's.

    >>> address_expression("http://e.org/t.php?t=5&f=2", "/t.php?f=0&t=0")
    '^/t\\\\.php\\\\?t=[0-9]+&f=[0-9]+$'
    """
    path, _, query = name_of(url).partition("://")[2].partition("/")[2].partition("?")
    wanted_path, _, wanted_query = template.partition("?")
    if wanted_path.startswith("//"):
        wanted_path = "/" + wanted_path[2:].partition("/")[2]
    segments, wanted = ("/" + path).split("/"), wanted_path.split("/")
    if len(segments) != len(wanted):
        return None
    said = "/".join(_piece(one, "/?") for one in wanted)
    if query:
        said += r"\?" + "".join(_parameters(query, wanted_query))
    session = _SESSION.search(url)
    return f"^{said}(?:[?&;]{session[0][1:-1]}=[^&;]*)?$" if session else f"^{said}$"


def _parameters(query: str, template: str) -> Iterator[str]:
    wanted: dict[str, str | None] = {}
    for one in template.split("&"):
        name, equals, value = one.partition("=")
        wanted[name] = value if equals else None
    for place, text in enumerate(_SEPARATED.split(query)):
        name, equals, value = text.partition("=")
        if place % 2:
            yield text
        else:
            known = wanted.get(digitless(name[:60]), "*")
            yield _piece(digitless(name), "&;=") + (f"={_piece(known or '*', '&;')}" if equals else "")


def _piece(shape: str, ends: str) -> str:
    """Return the expression of a shape: 0 is any number, a star any text that is no number."""
    star = f"[^{ends}]*[^0-9{ends}][^{ends}]*"
    parts = re.split(r"(0|\*)", shape)
    return "".join("[0-9]+" if one == "0" else star if one == "*" else _literally(one) for one in parts)


def _literally(text: str) -> str:
    return re.escape(text).replace("\\-", "-")


def drops(idle: Sequence[Part]) -> tuple[DropParameter, ...]:
    """Return the parameters that do not change the page; idle path segments have no words in a knowledge file.

    >>> drops([Part("/view.php", "highlight", "*"), Part("", "print", "print")])[0].path
    '^/view\\\\.php$'
    """
    found = []
    for part in idle:
        if part.path:
            path = "" if part.path == ANY else f"^{'/'.join(_piece(one, '/?') for one in part.path.split('/'))}$"
            value = "" if part.value == ANY else f"^{re.escape(part.value)}$"
            found.append(DropParameter(part.name, "does not change the page", value, path))
    return tuple(found)


def pagings(templates: Sequence[str]) -> tuple[Paging, ...]:
    """Return what turns pages: where a kind of URL exists with and without one number more.

    >>> [one.parameter for one in pagings(["/t.php?t=0", "/t.php?start=0&t=0", "/t.php?do=edit&t=0"])]
    ['start']
    >>> [one.path for one in pagings(["/a/*/", "/a/*/comment-page-0/"])]
    ['/comment-page-([0-9]+)/?$']
    """
    known = set(templates)
    found: dict[Paging, None] = {}
    for template in templates:
        path, _, query = template.partition("?")
        parts = query.split("&") if query else []
        for part in parts:
            rest = [one for one in parts if one != part]
            if part.endswith("=0") and rest and f"{path}?{'&'.join(rest)}" in known:
                found[Paging(part.removesuffix("=0"))] = None
        segments = path.rstrip("/").split("/")
        last = segments[-1]
        shorter = "/".join(segments[:-1])
        if is_counter(last) and last != "0" and not query and known & {shorter, f"{shorter}/"} and len(segments) > 2:
            said = _literally(last.partition("0")[0]) + "([0-9]+)" + _literally(last.partition("0")[2])
            found[Paging(path=f"/{said}/?$", first="1")] = None
    return tuple(found)
