"""A few sites on one port, told apart by the Host header, with a link from each to the next."""

from __future__ import annotations

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.site import html
from siteseer.demo.truth import Truth


def ring(sites: int, pages: int) -> Site:
    """Sites `s0` to `sN`; each page links to two others of its site, the last one to the next site."""

    def answer(request: SiteRequest) -> SiteResponse:
        host, _, port = request.headers["host"].partition(":")
        number, place = int(host[1:].partition(".")[0]), request.path.strip("/") or "0"
        if not place.isdigit() or int(place) >= pages:
            return html("<h1>No</h1>", 404)
        links = [f"/{other}" for other in (2 * int(place) + 1, 2 * int(place) + 2) if other < pages]
        if int(place) == pages - 1:
            links.append(f"http://s{(number + 1) % sites}.localhost:{port}/")
        words = "kelp harvest" if int(place) % 3 == 0 else "tea"
        body = "".join(f'<li><a href="{url}">{words} {url[-1]}</a>' for url in links)
        return html(f"<title>{words} {number} {place}</title><p>Of {words} on {number} and {place}</p><ul>{body}</ul>")

    return Site(Truth("ring", 0, "modern", (), frozenset(), frozenset(), sites * pages), answer)


def definition(port: int, more: str = "", seeds: int = 1) -> str:
    """A definition for the ring."""
    urls = ", ".join(f'"http://s{number}.localhost:{port}/"' for number in range(seeds))
    return f'name = "Kelp"\nseeds = [{urls}]\nkeywords = ["kelp"]\n[politeness]\ndelay = 0.0\n{more}'
