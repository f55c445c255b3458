"""A Web of plain pages without classes, four homepages to a host, whose links mostly say `more`, `next` or a number.

Ten of forty homepages are partly on the topic, two of those only reached through two bare lists of addresses on others,
about something else. A campaign is told one word; it also stands in footers, in other pages and in titles of such.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.site import html
from siteseer.demo.truth import Truth

KEYWORD = "viaduct"
FURTHER = tuple("girder pylon concrete inquest rubble inspector corrosion crane".split())
_NOUNS = tuple(
    "window ladder bread carpet engine valley orchard bishop violin market kettle saddle curtain bottle lantern meadow "
    "barrel pencil soup chapel basket garden butcher chimney needle cousin mirror trumpet cellar pillow tailor".split()
)
_DONE = tuple("found painted carried borrowed repaired sold forgotten watched cleaned moved baked tuned".split())
HOMES, ON_TOPIC, HIDDEN, TO_A_HOST, PAGES = 40, 10, 2, 4, 24
LISTS = 3


@dataclass(slots=True)
class Plain:
    """One page: `links` are addresses with link texts."""

    address: str
    title: str
    texts: list[str]
    about: bool = False
    links: list[tuple[str, str]] = field(default_factory=list)


class PlainWeb:
    """The pages of a seed by address (host and path, without port), and which of them are on the topic."""

    def __init__(self, seed: int, homes: int = HOMES) -> None:
        self.random = Random(f"plain/{seed}")
        order = list(range(homes))
        self.random.shuffle(order)
        self.on_topic, self.others = order[: homes // 4], order[homes // 4 :]
        self.hidden = self.on_topic[:HIDDEN]
        self.homes = {number: self._home(number) for number in range(homes)}
        self.pages = {one.address: one for pages in self.homes.values() for one in pages}
        self._link()
        self.bodies = self._written()
        self.truth = frozenset(one.address for one in self.pages.values() if one.about)
        self.size = len(self.bodies)
        self.seeds = tuple(f"{_where(number)}/" for number in self.on_topic[HIDDEN : HIDDEN + 2])

    def site(self) -> Site:
        """Serve it on one port."""
        return Site(Truth("plain", 0, "modern", (), self.truth, frozenset(), self.size), self._answer)

    def definition(self, port: int) -> str:
        """Return a campaign that is told one word, with a budget of a fifth of all pages."""
        seeds = ", ".join(f'"http://{seed.replace("/", f":{port}/", 1)}"' for seed in self.seeds)
        return (
            f'name = "The fall of a viaduct"\nseeds = [{seeds}]\nkeywords = ["{KEYWORD}"]\n'
            f"[budget]\nrequests = {self.size // 5}\n[politeness]\ndelay = 0.0\n"
        )

    def _answer(self, request: SiteRequest) -> SiteResponse:
        host, _, port = request.headers["host"].partition(":")
        body = self.bodies.get(host + request.path)
        return html(body.replace(":PORT/", f":{port}/")) if body is not None else html("<h1>No</h1>", 404)

    # ── what the pages say ────────────────────────────────────────────────────────────────────────────────────────

    def _home(self, number: int) -> list[Plain]:
        return [self._page(number, place) for place in range(self.random.randint(PAGES // 2, 3 * PAGES // 2))]

    def _page(self, number: int, place: int) -> Plain:
        pick, about = self.random, number in self.on_topic and self.random.random() < 0.4
        texts = [" ".join(self._sentence(about) for _ in range(pick.randint(2, 5))) for _ in range(pick.randint(2, 6))]
        title = f"The {pick.choice(_NOUNS)} and the {pick.choice(_NOUNS)}"
        if about:
            texts[0] += f" So much for the {KEYWORD}."
            texts[-1] += f" That is the {KEYWORD} for you."
            if pick.random() < 0.6:
                title = f"The {pick.choice((KEYWORD, *FURTHER))} and the {pick.choice(_NOUNS)}"
        elif pick.random() < 0.25:
            texts[-1] += f" It was as old as the {KEYWORD}."
            title = f"The {KEYWORD} of a {pick.choice(_NOUNS)}" if pick.random() < 0.2 else title
        return Plain(f"{_where(number)}/{pick.randrange(LISTS)}/p{place}.htm", title, texts, about)

    def _sentence(self, about: bool) -> str:
        pick = self.random
        word = pick.choice((KEYWORD, KEYWORD, *FURTHER)) if about and pick.random() < 0.6 else pick.choice(_NOUNS)
        return f"The {pick.choice(_NOUNS)} and the {word} were {pick.choice(_DONE)} by a {pick.choice(_NOUNS)}."

    def _link(self) -> None:
        pick, seen = (
            self.random,
            [page for number in self.homes if number not in self.hidden for page in self.homes[number]],
        )
        topical = [page for page in seen if page.about]
        for pages in self.homes.values():
            own = [page for page in pages if page.about]
            for page in pages:
                near = [*pick.sample(seen, 2), pick.choice(pages)]
                if page.about:
                    near += [*pick.sample(topical, 2), pick.choice(own)]
                page.links += [
                    (one.address, one.title if pick.random() < 0.6 else "more") for one in near if one is not page
                ]
        for number in self.on_topic[HIDDEN:]:
            for page in [one for one in self.homes[number] if one.about][:2]:
                page.links.append((f"{_where(self.others[0])}/links.htm", "links"))

    # ── how they say it ───────────────────────────────────────────────────────────────────────────────────────────

    def _written(self) -> dict[str, str]:
        found = {}
        for number, pages in self.homes.items():
            where, foot = _where(number), f"{KEYWORD} and more" if number % 3 == 0 else "Thank you"
            menu = " ".join(f'<a href="{_path(where)}/{one}/">{one + 1}</a>' for one in range(LISTS))
            for page in pages:
                text = "<br><br>".join(page.texts)
                links = "<br>".join(f'<a href="{_url(address)}">{words}</a>' for address, words in page.links)
                found[page.address] = _framed(
                    page.title, f"<b>{page.title}</b><br>{text}<div>{links}</div>", menu, foot
                )
            found[f"{where}/"] = _framed(f"Home {number}", self._listed(pages[:5], number), menu, foot)
            for one in range(LISTS):
                mine = [page for page in pages if page.address.startswith(f"{where}/{one}/")]
                found[f"{where}/{one}/"] = _framed(f"Part {one + 1}", self._listed(mine, number), menu, foot)
        doors = [
            page.address for number in self.hidden for page in [one for one in self.homes[number] if one.about][:3]
        ]
        others = [self.homes[number][0].address for number in self.others]
        first, second = (f"{_where(self.others[place])}/links.htm" for place in (0, 1))
        found[first] = _addresses([*self.random.sample(others, min(8, len(others))), second])
        found[second] = _addresses([*self.random.sample(others, min(12, len(others))), *doors])
        return found

    @staticmethod
    def _listed(pages: list[Plain], number: int) -> str:
        if number % 2:
            rows = (f'<tr><td>{page.title}<td><a href="{_url(page.address)}">more</a>' for page in pages)
            return f"<table>{''.join(rows)}</table>"
        return "".join(
            f'<a href="{_url(page.address)}"><h3>{page.title}</h3><p>{page.texts[0][:80]}</p></a>' for page in pages
        )


def _where(number: int) -> str:
    return f"h{number // TO_A_HOST}.localhost/~u{number}"


def _path(address: str) -> str:
    return f"/{address.partition('/')[2]}"


def _url(address: str) -> str:
    return f"http://{address.replace('/', ':PORT/', 1)}"


def _framed(title: str, body: str, menu: str, foot: str) -> str:
    return f"<title>{title}</title><table><tr><td>{menu}<tr><td>{body}<tr><td>{foot}</table>"


def _addresses(addresses: list[str]) -> str:
    return "<ul>" + "".join(f'<li><a href="{_url(one)}">{number}</a>' for number, one in enumerate(addresses)) + "</ul>"
