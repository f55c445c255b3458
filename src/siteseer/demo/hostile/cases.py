"""The hostile demo sites, one for each attack, served alone so that each crawl's time and memory are its own.

Every site has a start page that leads to the trouble and to three ordinary pages, which must be kept whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from urllib.parse import quote

from siteseer.demo.hostile.baits import charset_baits, html_baits, link_baits, xml_baits
from siteseer.demo.hostile.broken_answers import broken_answers
from siteseer.demo.hostile.documents import odd_documents, odd_page
from siteseer.demo.hostile.endless import ENDLESS
from siteseer.demo.hostile.floods import bombs, floods, trickles, upgrades
from siteseer.demo.hostile.forgeries import (
    forged_records,
    kinds_without_number,
    media_without_number,
    packed_sitemaps,
    unasked_answers,
)
from siteseer.demo.hostile.odd_values import (
    SPELT,
    long_pauses,
    odd_cookies,
    odd_headers,
    odd_pauses,
    odd_statuses,
    spelt_hosts,
    type_baits,
    value_baits,
)
from siteseer.demo.hostile.redirects import PATHS, answer_redirect
from siteseer.demo.prose import Prose
from siteseer.demo.site import Site, SiteRequest, SiteResponse, html, redirect
from siteseer.demo.truth import Truth

Answer = Callable[[SiteRequest], SiteResponse | None]
Respond = Callable[[SiteRequest], SiteResponse]
PLAIN = ("/plain/1", "/plain/2", "/plain/3")
INTERNAL = {
    "/internal/1": "http://127.0.0.1:{}/admin",
    "/internal/2": "http://localhost:{}/admin",
    "/internal/3": "http://shop.localhost:{}/admin",
    "/internal/4": "http://[::ffff:127.0.0.1]:{}/admin",
    "/internal/5": "http://2130706433:{}/admin",
    "/internal/6": "http://0/:{}/admin",
    "/internal/7": "http://127.1:{}/admin",
    "/internal/8": "http://0.0.0.0:{}/admin",
}
"""Redirects to another server of this machine."""
SECONDS = 30.0
"""Of the processor, on a busy machine: a crawl of a hostile site takes no more, start and reports included."""
REQUESTS = 60
"""Of a site that never ends; of others there are fewer."""


@dataclass(frozen=True)
class HostileCase:
    """One hostile site: where the trouble is, what answers there, and how long a crawl of it may take."""

    name: str
    paths: tuple[str, ...]
    answer: Answer
    seconds: float = SECONDS
    is_endless: bool = False
    host: str = "127.0.0.1"
    """The name by which the site is to be asked for."""

    def site(self, stranger: int = 9) -> Site:
        """Make the site; `stranger` is a port of this machine where a crawl has no business."""
        content = frozenset(("/", *PLAIN, *self.paths))
        return Site(
            Truth("hostile", 0, self.name, (), content, frozenset(), len(content), content),
            partial(self._respond, stranger),
        )

    def _respond(self, stranger: int, request: SiteRequest) -> SiteResponse:
        if request.path in PLAIN:
            return _plain(request.path)
        if request.path in INTERNAL:
            return redirect(INTERNAL[request.path].format(stranger))
        if request.path.startswith(SPELT):
            return spelt_hosts(stranger)[request.path](request)
        answer = self.answer(request) if request.path != "/" else None
        if answer is None and request.path == "/":
            links = "".join(f'<li><a href="{path}">{number}</a>' for number, path in enumerate((*self.paths, *PLAIN)))
            return html(f"<title>Start</title><h1>Everything that can go wrong: {self.name}</h1><ul>{links}</ul>")
        return answer or html("<title>Not found</title><p>Nothing here.</p>", 404)


def _plain(path: str) -> SiteResponse:
    prose = Prose("hostile", 0, int(path[-1]))
    title = prose.title()
    return html(f"<title>{title}</title><h1>{title}</h1><p>{prose.passage(2, 4).text}</p>")


SHARED = {
    "slow bytes": "/wire/ slow",
    "wrong lengths": "/wire/ short-length bad-length negative-length two-lengths half empty",
    "closed early": "/wire/ reset reset-later close half cut-chunks",
    "garbled chunks": "/wire/ bad-chunks cut-chunks huge-chunk",
    "damaged encodings": "/wire/ broken-gzip cut-gzip not-gzip unknown-encoding twice-gzip",
    "odd status lines": "/wire/ bad-status strange-status garbage old-protocol no-headers no-content",
    "odd headers": "/wire/ long-header folded-header many-headers many-cookies no-length",
    "failures that stay": "/never/ 500 404",
    "failures that heal": "/heal/ 500 503 429 reset",
    "charsets that are none": "/doc/charset/ *",
    "odd encodings": "/doc/ wrong-charset unknown-charset empty-charset two-charsets utf16 nul controls escapes",
    "odd types": "/doc/ no-type wrong-type bad-type binary long-title unclosed",
    "impossible links": "/doc/ impossible-links",
    "a million links": "/doc/ million-links",
    "deep nesting": "/doc/ deep deep-tables deep-inline",
    "huge pages": "/doc/ huge one-line",
    "a million attributes": "/doc/tricky/ attributes attribute-names attributes-of-many-tags",
    "very many tags": "/doc/tricky/ metas bases link-elements cells inputs unclosed-fonts",
    "very deep tags": "/doc/tricky/ nested nested-with-spaces leaves-of-a-deep-tree nested-lists end-tags",
    "very long values": "/doc/tricky/ classes spaces-in-a-tag long-values short-words no-utf-8",
    "comments and entities": "/doc/tricky/ comments open-comments entities ampersands",
}
"""Sites made of parts of the one hostile site: the folder, and what of it."""


@cache
def hostile_cases() -> Mapping[str, HostileCase]:
    """Return every hostile site by its name."""
    internal = (*INTERNAL, *(path for path in PATHS if "/to/" in path))
    cases = [
        *_parts(),
        *(_case(f"flood of {path.rpartition('/')[2]}", {path: answer}) for path, answer in floods().items()),
        *(_case(f"bomb of {path.rpartition('/')[2]}", {path: answer}) for path, answer in bombs().items()),
        _case("trickles", trickles()),
        _case("other protocols", upgrades()),
        HostileCase("internal servers", internal, answer_redirect, host="shop.localhost"),
        HostileCase("redirects", PATHS, answer_redirect),
        *(_case(f"bait: {name}", _pages(f"/bait/{name}/", pages)) for name, pages in html_baits().items()),
        _case("bait: links", _pages("/bait/links/", link_baits())),
        _case("bait: charsets", {f"/bait/charsets/{name}": _same(answer) for name, answer in charset_baits().items()}),
        _case("bait: xml", {f"/bait/xml/{name}": _same(answer) for name, answer in xml_baits().items()}),
        *(_case(f"bait: {name}", _pages("/bait/odd/", pages)) for name, pages in value_baits().items()),
        _case("bait: wrong types", {f"/bait/types/{name}": _same(answer) for name, answer in type_baits().items()}),
        _case("headers that make no sense", odd_headers()),
        _case("cookies that are none", odd_cookies()),
        _case("statuses that are none", odd_statuses()),
        _case("pauses that are none", odd_pauses()),
        replace(_case("pauses without end", long_pauses()), is_endless=True),
        replace(_case("this machine in other words", spelt_hosts(9)), host="shop.localhost"),
        *(_endless(answer, first) for answer, first in ENDLESS),
        _case("forged records", forged_records()),
        _case("answers nobody asked for", unasked_answers()),
        HostileCase("packed sitemaps", ("/maps/",), packed_sitemaps),
        replace(_case("kinds without number", kinds_without_number()), is_endless=True),
        replace(_case("media without number", media_without_number()), is_endless=True),
    ]
    return {case.name: case for case in cases}


def _parts() -> Iterator[HostileCase]:
    """Yield the sites made of parts of the one hostile site."""
    answers: dict[str, Respond] = dict(broken_answers(1, 0.05))
    answers |= {path: _made(make) for path, make in odd_documents(1).items()}
    for name, parts in SHARED.items():
        folder, *names = parts.split()
        wanted = {path: answers[path] for path in answers if path.startswith(folder)}
        yield _case(name, wanted if names == ["*"] else {folder + part: wanted[folder + part] for part in names})


def _case(name: str, answers: Mapping[str, Respond]) -> HostileCase:
    def answer(request: SiteRequest) -> SiteResponse | None:
        path = request.path if request.path in answers else quote(request.path)
        return answers[path](request) if path in answers else None

    return HostileCase(name, tuple(answers), answer)


def _endless(answer: Answer, first: str) -> HostileCase:
    name = str(getattr(answer, "__name__", "")).replace("_", " ")
    return HostileCase(name, (first,), answer, is_endless=True)


def _pages(folder: str, pages: Mapping[str, Callable[[], bytes]]) -> dict[str, Respond]:
    return {folder + name: _made(partial(_page_of, make)) for name, make in pages.items()}


def _page_of(make: Callable[[], bytes]) -> SiteResponse:
    return odd_page(make())


def _made(make: Callable[[], SiteResponse]) -> Respond:
    return lambda request: make()


def _same(answer: SiteResponse) -> Respond:
    return lambda request: answer
