"""Sites on which pages are edited and written without any list saying so, each with another kind of hint to where.

The edits follow rates that differ by section, by age, by what the sitemap says, or by place in a list, as on real sites; the
truth is which pages were edited and which are new.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from siteseer.demo import make_site
from siteseer.demo.site import Site, SiteRequest, SiteResponse

TODAY = date.today()
WORDS = (
    "river boat water hill stone bread lamp wind door field horse paper glass kettle tower garden letter engine bridge"
    " slowly again never often behind under across the a of and to from with quiet old green narrow early late"
).split()
HTML = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass
class EditedSite:
    """A site that time passes on: its pages with their day and section, what was edited how often, what is new."""

    name: str
    pages: dict[str, tuple[str, date]]
    """Section and day of each page, by its path, in the order of the lists."""
    rates: dict[str, float]
    """How likely each page is edited from one visit to the next."""
    sitemap: Callable[[EditedSite], str] | None = None
    edits: dict[str, int] = field(default_factory=dict)
    stamps: dict[str, date] = field(default_factory=dict)
    """When each page was last edited, where that shows in the sitemap."""
    fresh: list[str] = field(default_factory=list)

    def pass_time(self, chance: random.Random) -> tuple[set[str], set[str]]:
        """Edit pages by their rates and write some new ones; return both."""
        edited = {path for path in self.pages if chance.random() < self.rates[path]}
        for path in edited:
            self.edits[path] = self.edits.get(path, 0) + 1
        sections = sorted({section for section, _ in self.pages.values()})
        new = {}
        for _ in range(5):
            section = chance.choice(sections)
            path = f"{self._folder(section)}{chance.choice(WORDS)}-{chance.randrange(10**6)}"
            new[path] = (section, TODAY)
            self.rates[path] = 0.0
        self.pages = new | self.pages
        return edited, set(new)

    def _folder(self, section: str) -> str:
        sample = next(path for path, (own, _) in self.pages.items() if own == section)
        return sample.rpartition("/")[0] + "/"

    def serve(self) -> Site:
        """Return the site as it is now."""
        state = {path: self._page(path) for path in self.pages} | self._lists()
        if self.sitemap is not None:
            state["/sitemap.xml"] = self.sitemap(self)
            state["/robots.txt"] = "User-agent: *\nSitemap: {origin}/sitemap.xml\n"

        def answer(request: SiteRequest) -> SiteResponse:
            path = request.target
            if path not in state:
                return SiteResponse(404)
            kind = {"/sitemap.xml": "application/xml", "/robots.txt": "text/plain"}.get(
                path, "text/html; charset=utf-8"
            )
            return SiteResponse(
                200, (("Content-Type", kind),), state[path].replace("{origin}", request.origin).encode()
            )

        return replace(make_site("blog", seed=0, template="classic", size=1), answer=answer)

    def _page(self, path: str) -> str:
        chance = random.Random(path)
        day = self.pages[path][1]
        lines = [" ".join(chance.choice(WORDS) for _ in range(40)) + "." for _ in range(5)]
        for number in range(self.edits.get(path, 0)):
            again = random.Random(f"{path} {number}")
            lines[again.randrange(5)] = " ".join(again.choice(WORDS) for _ in range(40)) + "."
        title = " ".join(chance.choice(WORDS) for _ in range(4))
        text = "".join(f"<p>{line}</p>" for line in lines)
        return (
            f"<title>{title}</title>{self._menu()}<h1>{title}</h1><div>{day:%d %B %Y}</div>{text}<a href='/'>Home</a>"
        )

    def _menu(self) -> str:
        sections = sorted({section for section, _ in self.pages.values()})
        return "<ul>" + "".join(f"<li><a href='/in/{one}'>{one}</a></li>" for one in sections) + "</ul>"

    def _lists(self) -> dict[str, str]:
        """Return the first page, with the latest pages, and a list of each section."""

        def rows(paths: Sequence[str]) -> str:
            return "<div>" + "".join(f"<p><a href='{p}'>{self._title(p)}</a></p>" for p in paths) + "</div>"

        latest = sorted(self.pages, key=lambda path: self.pages[path][1], reverse=True)[:12]
        found = {"/": f"<title>Home</title>{self._menu()}<h1>Latest</h1>{rows(latest)}"}
        for section in sorted({section for section, _ in self.pages.values()}):
            own = [path for path, (of, _) in self.pages.items() if of == section]
            found[f"/in/{section}"] = f"<title>{section}</title>{self._menu()}<h1>{section}</h1>{rows(own)}"
        return found

    def _title(self, path: str) -> str:
        chance = random.Random(path)
        [chance.choice(WORDS) for _ in range(200)]
        return " ".join(chance.choice(WORDS) for _ in range(4))


def _paths(chance: random.Random, sections: Sequence[str], each: int, form: str) -> dict[str, tuple[str, date]]:
    found = {}
    for section in sections:
        for _ in range(each):
            day = TODAY - timedelta(days=20 + int(chance.expovariate(1 / 500)))
            word, number = chance.choice(WORDS), chance.randrange(10**6)
            found[form.format(section=section, word=word, number=number, year=day.year, month=day.month)] = (
                section,
                day,
            )
    return found


def by_section(chance: random.Random) -> EditedSite:
    """A manual of which one part is in flux; each part has its folder."""
    pages = _paths(chance, ("guide", "reference", "history", "recipes", "people"), 40, "/{section}/{word}-{number}")
    busy = chance.choice(("guide", "reference", "history", "recipes", "people"))
    return EditedSite("by section", pages, {path: 0.6 if pages[path][0] == busy else 0.01 for path in pages})


def by_board(chance: random.Random) -> EditedSite:
    """Pages that are told apart by a parameter alone."""
    pages = _paths(chance, ("3", "7", "12", "20", "31"), 40, "/show?board={section}&item={number}")
    busy = chance.choice(("3", "7", "12", "20", "31"))
    return EditedSite("by parameter", pages, {path: 0.6 if pages[path][0] == busy else 0.01 for path in pages})


def by_age(chance: random.Random) -> EditedSite:
    """A blog whose young posts are corrected."""
    pages = _paths(chance, ("notes",), 200, "/{year}/{month:02}/{word}-{number}")
    order = sorted(pages, key=lambda path: pages[path][1], reverse=True)
    rates = {path: 0.6 if (TODAY - pages[path][1]).days < 110 else 0.01 for path in pages}
    return EditedSite("by age", {path: pages[path] for path in order}, rates)


def by_frequency(chance: random.Random) -> EditedSite:
    """Pages in one folder whose sitemap says how often they change, and exaggerates."""
    pages = _paths(chance, ("all",), 200, "/{word}-{number}.html")
    words = {path: chance.choice(("daily", "monthly", "monthly", "yearly", "yearly", "never")) for path in pages}
    rates = {path: {"daily": 0.55, "monthly": 0.03, "yearly": 0.01, "never": 0.0}[words[path]] for path in pages}

    def sitemap(site: EditedSite) -> str:
        return _sitemap({path: f"<changefreq>{words.get(path, 'monthly')}</changefreq>" for path in site.pages})

    return EditedSite("by changefreq", pages, rates, sitemap)


def by_stamp(chance: random.Random) -> EditedSite:
    """A sitemap that dates most of the edits; some, of one section, it does not know of."""
    pages = _paths(chance, ("essays", "letters", "plays", "verse", "tales"), 40, "/{section}/{word}-{number}")
    rates = {path: 0.5 if pages[path][0] == "plays" else 0.05 for path in pages}

    def sitemap(site: EditedSite) -> str:
        found = {}
        for path, (section, day) in site.pages.items():
            when = TODAY if site.edits.get(path) and section != "plays" else day
            found[path] = "" if section == "plays" else f"<lastmod>{when.isoformat()}</lastmod>"
        return _sitemap(found)

    return EditedSite("by lastmod", pages, rates, sitemap)


def by_place(chance: random.Random) -> EditedSite:
    """A catalogue of which somebody goes through a stretch, page by page."""
    pages = _paths(chance, ("all",), 200, "/item/{word}-{number}")
    order, start = list(pages), chance.randrange(160)
    rates = {path: 0.8 if start <= number < start + 30 else 0.005 for number, path in enumerate(order)}
    return EditedSite("by place", pages, rates)


def _sitemap(entries: dict[str, str]) -> str:
    urls = "".join(
        f"<url><loc>{{origin}}{path.replace('&', '&amp;')}</loc>{more}</url>" for path, more in entries.items()
    )
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


OPEN_MAKERS: tuple[Callable[[random.Random], EditedSite], ...] = (by_section, by_age, by_frequency, by_stamp)
HELD_OUT_MAKERS: tuple[Callable[[random.Random], EditedSite], ...] = (by_board, by_place)
"""Only measured."""
