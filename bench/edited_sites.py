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
    lists: Callable[[EditedSite], dict[str, str]] | None = None
    """The pages that list others, by their paths, where these are not the latest pages and a list of each section."""
    form: str = ""
    """The addresses of new pages; where it is empty they are in the folder of the section, whatever its pages' form."""
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
            word, number = chance.choice(WORDS), chance.randrange(10**6)
            path = _path(self.form, section, word, number, TODAY) if self.form else ""
            path = path or f"{self._folder(section)}{word}-{number}"
            new[path] = (section, TODAY)
            self.rates[path] = 0.0
        self.pages = new | self.pages
        return edited, set(new)

    def _folder(self, section: str) -> str:
        sample = next(path for path, (own, _) in self.pages.items() if own == section)
        return sample.rpartition("/")[0] + "/"

    def serve(self) -> Site:
        """Return the site as it is now."""
        lists = self.lists(self) if self.lists is not None else self._lists()
        state = {path: self._page(path) for path in self.pages} | lists
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
        sections = sorted({section.partition("/")[0] for section, _ in self.pages.values()})
        return "<ul>" + "".join(f"<li><a href='/in/{one}'>{one}</a></li>" for one in sections) + "</ul>"

    def _lists(self) -> dict[str, str]:
        """Return the first page, with the latest pages, and a list of each section."""
        found = {"/": self._list("Latest", self._latest()[:12])}
        for section in sorted({section for section, _ in self.pages.values()}):
            own = [path for path, (of, _) in self.pages.items() if of == section]
            found[f"/in/{section}"] = self._list(section, own)
        return found

    def _latest(self) -> list[str]:
        return sorted(self.pages, key=lambda path: self.pages[path][1], reverse=True)

    def _list(self, title: str, paths: Sequence[str], more: str = "", says: Callable[[str], str] = lambda _: "") -> str:
        """Return a list of pages under the menu, with what it says of each."""
        rows = "".join(f"<p><a href='{p}'>{self._title(p)}</a>{says(p)}</p>" for p in paths)
        return f"<title>{title}</title>{self._menu()}<h1>{title}</h1><div>{rows}</div>{more}"

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
            found[_path(form, section, word, number, day)] = (section, day)
    return found


def _path(form: str, section: str, word: str, number: int, day: date) -> str:
    return form.format(section=section, word=word, number=number, year=day.year, month=day.month)


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


def by_list(chance: random.Random) -> EditedSite:
    """A site whose first page names no page, only parts; new ones show in the lists of the parts' parts alone."""
    form = "/{section}/{word}-{number}"
    parts = [f"{part}/{own}" for part in ("tools", "plants", "soils") for own in ("large", "small", "other")]
    pages = _paths(chance, parts, 22, form)
    busy = chance.choice(parts)

    def lists(site: EditedSite) -> dict[str, str]:
        found = {"/": site._list("Home", ())}
        for part in sorted({part.partition("/")[0] for part in parts}):
            inner = [one for one in parts if one.startswith(f"{part}/")]
            found[f"/in/{part}"] = site._list(
                part, (), "".join(f"<h2><a href='/in/{one}'>{one}</a></h2>" for one in inner)
            )
        for one in parts:
            found[f"/in/{one}"] = site._list(one, [path for path, (of, _) in site.pages.items() if of == one])
        return found

    rates = {path: 0.7 if pages[path][0] == busy else 0.02 for path in pages}
    return EditedSite("by list", pages, rates, lists=lists, form=form)


def by_archive(chance: random.Random) -> EditedSite:
    """A blog without a feed: four posts on its first page, older ones behind it, archives of months, and topics."""
    form = "/{word}-{number}/"
    topics = ("garden", "kitchen", "letters", "walks", "work")
    pages = _paths(chance, topics, 40, form)
    busy = chance.choice(topics)

    def lists(site: EditedSite) -> dict[str, str]:
        latest = site._latest()
        months: dict[str, list[str]] = {}
        for path in latest:
            months.setdefault(f"/{site.pages[path][1]:%Y/%m}/", []).append(path)
        side = "<ul>" + "".join(f"<li><a href='{month}'>{month}</a></li>" for month in months) + "</ul>"
        found = {month: site._list(month, own, side) for month, own in months.items()}
        found |= _paginated(site, "/", "Journal", latest, 4, side)
        for topic in topics:
            own = [path for path in latest if site.pages[path][0] == topic]
            found |= _paginated(site, f"/in/{topic}", topic, own, 10, side)
        return found

    rates = {path: 0.6 if pages[path][0] == busy else 0.02 for path in pages}
    return EditedSite("by archive", pages, rates, lists=lists, form=form)


def _paginated(site: EditedSite, path: str, title: str, paths: Sequence[str], each: int, more: str) -> dict[str, str]:
    parts = [paths[start : start + each] for start in range(0, len(paths), each)]
    names = [path, *(f"{path.rstrip('/')}/page/{number}" for number in range(2, len(parts) + 1))]
    ahead = [f"<a href='{name}'>Older posts</a>" for name in names[1:]] + [""]
    return {name: site._list(title, own, older + more) for name, own, older in zip(names, parts, ahead, strict=True)}


def by_row(chance: random.Random) -> EditedSite:
    """Boards whose rows show the last post: half of the changes move a row, half are edits that none shows.

    Threads that were busy lately are edited more.
    """
    form = "/thread/{number}"
    boards = ("f1", "f2", "f3", "f4")
    pages = _paths(chance, boards, 50, form)
    pages = dict(sorted(pages.items(), key=lambda one: one[1][1], reverse=True))
    quiet = {path for path in pages if chance.random() < 0.5}

    def lists(site: EditedSite) -> dict[str, str]:
        def last(path: str) -> date:
            return TODAY if site.edits.get(path) and path not in quiet else site.pages[path][1]

        found = {"/": site._list("Boards", ())}
        for board in boards:
            own = sorted((p for p, (of, _) in site.pages.items() if of == board), key=last, reverse=True)
            found[f"/in/{board}"] = site._list(board, own, says=lambda p: f" <i>{last(p):%d %B %Y}</i>")
        return found

    order = list(pages)
    rates = {path: 0.6 if number < 40 else 0.02 for number, path in enumerate(order)}
    return EditedSite("by row", pages, rates, lists=lists, form=form)


def by_shelf(chance: random.Random) -> EditedSite:
    """A catalogue without dates: shelves by a parameter, in parts of eight; the first page names the shelves alone."""
    form = "/item?id={number}"
    shelves = ("maps", "prints", "music", "letters", "coins")
    pages = _paths(chance, shelves, 40, form)
    busy = chance.choice(shelves)

    def lists(site: EditedSite) -> dict[str, str]:
        found = {"/": site._list("Catalogue", ())}
        for shelf in shelves:
            own = [path for path, (of, _) in site.pages.items() if of == shelf]
            parts = [own[start : start + 8] for start in range(0, len(own), 8)]
            names = [
                f"/shelf?of={shelf}" + (f"&p={number}" if number > 1 else "") for number in range(1, len(parts) + 1)
            ]
            pager = "<p>" + " ".join(f"<a href='{name}'>{number}</a>" for number, name in enumerate(names, 1)) + "</p>"
            found |= {name: site._list(shelf, part, pager) for name, part in zip(names, parts, strict=True)}
            found[f"/in/{shelf}"] = site._list(shelf, (), f"<a href='/shelf?of={shelf}'>All of {shelf}</a>")
        return found

    rates = {path: 0.6 if pages[path][0] == busy else 0.02 for path in pages}
    return EditedSite("by shelf", pages, rates, lists=lists, form=form)


def by_author(chance: random.Random) -> EditedSite:
    """A magazine whose lists are in parts of twelve, by author; one goes through what she wrote, young texts first."""
    form = "/text/{word}-{number}.html"
    authors = ("adler", "brandt", "clausen", "dorn")
    pages = _paths(chance, authors, 50, form)
    busy = chance.choice(authors)

    def lists(site: EditedSite) -> dict[str, str]:
        latest = site._latest()
        found = {"/": site._list("Latest texts", latest[:6])}
        for author in authors:
            own = [path for path in latest if site.pages[path][0] == author]
            found |= _paginated(site, f"/in/{author}", author, own, 12, "")
        return found

    order = sorted((path for path in pages if pages[path][0] == busy), key=lambda path: pages[path][1], reverse=True)
    rates = {path: 0.75 if path in order[:30] else 0.01 for path in pages}
    return EditedSite("by author", pages, rates, lists=lists, form=form)


def _sitemap(entries: dict[str, str]) -> str:
    urls = "".join(
        f"<url><loc>{{origin}}{path.replace('&', '&amp;')}</loc>{more}</url>" for path, more in entries.items()
    )
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


OPEN_MAKERS: tuple[Callable[[random.Random], EditedSite], ...] = (
    by_section, by_age, by_frequency, by_stamp, by_list, by_board, by_place, by_archive, by_row,
)  # fmt: skip
HELD_OUT_MAKERS: tuple[Callable[[random.Random], EditedSite], ...] = (by_shelf, by_author)
"""Only measured."""
