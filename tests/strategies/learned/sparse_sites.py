"""Catalogues whose pages hold a heading and a few values, each unlike the others, with the clutter that goes with them.

Every catalogue is a function from a seed to a `Catalogue`: what it answers, and the addresses of its record pages. All
else is noise: other views of records, lists in another order, filters, endless calendars, addresses with session ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import parse_qsl, unquote, urlsplit

from siteseer.model import Page

HOST = "http://sparse.test"
Answer = Callable[[str, dict[str, str]], str | None]
MONTHS = "January February March April May June July August September October November December".split()
HEADS = "Salix Erica Rosa Tilia Acer Viola Carex Poa Allium Malva Iris Linum Mentha Sorbus Ulmus Vicia".split()
TAILS = "alba minor palustris carnea vulgaris montana hirta rubra repens aurea nana vernalis".split()
TOWNS = "Oslo Bergen Voss Hamar Moss Skien Bodø Narvik Drammen Arendal".split()
MAKES = "Anchor Bell Crown Drum Eagle Fern Globe Heron".split()


@dataclass(frozen=True)
class Catalogue:
    """A site, its record pages, and how many requests reach them all."""

    answer: Answer
    records: frozenset[str]
    needed: int

    def fetch(self, url: str) -> Page:
        """Answer a request."""
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        body = self.answer(unquote(parts.path) or "/", query)
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        return Page(url, 200 if body else 404, headers, (body or "<h1>No such page</h1>").encode())


def chunks(things: Sequence[str], size: int) -> list[list[str]]:
    """Cut a list into pages."""
    return [list(things[first : first + size]) for first in range(0, len(things), size)]


def rows(links: Sequence[str]) -> str:
    """Write links as a list."""
    return "<ul class=rows>" + "".join(f"<li>{link}" for link in links) + "</ul>"


def plants(seed: int = 1, count: int = 90) -> Catalogue:
    """Plants by Latin name below letters; families beside every page; a footer of a whole sentence."""
    chance = Random(f"plants {seed}")
    names = chance.sample([f"{head} {tail}" for head in HEADS for tail in TAILS], count)
    family = {name: f"{name[:3].lower()}aceae" for name in names}
    facts = {
        name: (f"{10 * chance.randint(1, 9)}–{10 * chance.randint(10, 40)} cm", chance.choice(MONTHS)) for name in names
    }
    address = {name: f"/flora/{name.lower().replace(' ', '-')}" for name in names}
    letters = sorted({name[0] for name in names})
    families = sorted(set(family.values()))

    def frame(body: str) -> str:
        beside = "".join(f"<li><a href='/kin/{one}'>{one}</a>" for one in families)
        return (
            f"<title>A small flora</title><div id=nav><ul>{beside}</ul></div><div id=main>{body}</div>"
            "<div id=foot>Please write to the gardeners if you find an error on these pages.</div>"
        )

    def listed(title: str, found: list[str]) -> str:
        return frame(f"<h1>{title}</h1>" + rows([f"<a href='{address[one]}'>{one}</a>" for one in sorted(found)]))

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path == "/":
            return frame("<h1>A small flora</h1>" + rows([f"<a href='/letter/{one}'>{one}</a>" for one in letters]))
        if path.startswith("/letter/") and path[8:] in letters:
            return listed(path[8:], [one for one in names if one[0] == path[8:]])
        if path.startswith("/kin/") and path[5:] in families:
            return listed(path[5:], [one for one in names if family[one] == path[5:]])
        name = next((one for one in names if address[one] == path), None)
        if name is None:
            return None
        height, month = facts[name]
        kin = f"<a href='/kin/{family[name]}'>{family[name]}</a>"
        return frame(f"<h1>{name}</h1><dl><dt>Family<dd>{kin}<dt>Height<dd>{height}<dt>In flower from<dd>{month}</dl>")

    return Catalogue(answer, frozenset(HOST + one for one in address.values()), 1 + len(letters) + count)


def papers(seed: int = 1, count: int = 80) -> Catalogue:
    """Papers by number in the query, a plain view of each, lists in four orders, and a clock on every page."""
    chance = Random(f"papers {seed}")
    found = []
    for number in range(count):
        title = " ".join(chance.sample(TAILS, 2)).capitalize()
        first = chance.randrange(1, 900)
        found.append((number + 300, title, f"{first}–{first + chance.randrange(4, 30)}", 1960 + chance.randrange(40)))
    clock = iter(range(10**6))

    def frame(body: str) -> str:
        return f"<table><tr><td><a href='/'>Papers</a></table>{body}<p>Made in 0.{next(clock) * 7919 % 9973:04} seconds"

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path == "/":
            by, page = query.get("by", "no"), int(query.get("from", "0"))
            keys = {"no": 0, "title": 1, "pages": 2, "year": 3}
            ordered = sorted(found, key=lambda one: one[keys.get(by, 0)])
            links = [
                f"<tr><td><a href='/paper.php?id={number}'>{title}</a><td>{pages}<td>{year}"
                for number, title, pages, year in ordered[page : page + 25]
            ]
            orders = " ".join(f"<a href='/?by={one}'>{one}</a>" for one in keys)
            own = f"by={by}&" if "by" in query else ""
            more = f"<a href='/?{own}from={page + 25}'>more</a>" if page + 25 < count else ""
            return frame(f"<h1>Proceedings</h1><p>{orders}<table>{''.join(links)}</table>{more}")
        one = next((one for one in found if str(one[0]) == query.get("id")), None)
        if path != "/paper.php" or one is None:
            return None
        number, title, pages, year = one
        view = "" if "look" in query else f"<a href='/paper.php?id={number}&look=slim'>slim</a>"
        tag = "h3" if "look" in query else "h1"
        return frame(f"<{tag}>{title}</{tag}><table><tr><td>Pages<td>{pages}<tr><td>Year<td>{year}</table>{view}")

    addresses = frozenset(f"{HOST}/paper.php?id={one[0]}" for one in found)
    return Catalogue(answer, addresses, count + 4)


def departures(seed: int = 1, count: int = 150) -> Catalogue:
    """Departures whose headings recur and whose values are few, and a calendar without end whose URLs say nothing."""
    chance = Random(f"departures {seed}")
    found = [
        (f"{a} – {b}", f"{chance.randrange(5, 24)}:{chance.randrange(0, 60, 5):02}", f"Platform {chance.randint(1, 9)}")
        for a, b in (chance.sample(TOWNS, 2) for _ in range(count))
    ]
    pages = chunks([str(number) for number in range(count)], 30)

    def frame(body: str) -> str:
        return f"<div class=bar><a href='/'>Board</a> <a href='/planner?m=293'>Planner</a></div>{body}"

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path == "/":
            page = int(query.get("part", "1"))
            links = [f"<a href='/dep/{number}'>{found[int(number)][0]}</a>" for number in pages[page - 1]]
            more = f"<a rel=next href='/?part={page + 1}'>Next</a>" if page < len(pages) else ""
            return frame(f"<h2>Departures</h2>{rows(links)}{more}")
        if path == "/planner":
            month = int(query.get("m", "0"))
            days = "".join(f"<td>{day}" for day in range(1, 29 + month % 4))
            steps = f"<a href='/planner?m={month - 1}'>before</a> <a href='/planner?m={month + 1}'>after</a>"
            return frame(f"<h2>{MONTHS[month % 12]} {2000 + month // 12}</h2><table><tr>{days}</table>{steps}")
        number = path.removeprefix("/dep/")
        if not number.isdigit() or int(number) >= count:
            return None
        way, time, platform = found[int(number)]
        return frame(f"<h2>{way}</h2><table><tr><th>Time<td>{time}<tr><th>Track<td>{platform}</table>")

    return Catalogue(answer, frozenset(f"{HOST}/dep/{number}" for number in range(count)), count + len(pages))


def probes(seed: int = 1, count: int = 120) -> Catalogue:
    """Records with nothing but a number and two small numbers, found by lists of ten."""
    chance = Random(f"probes {seed}")
    found = [(chance.randrange(40), chance.randrange(15)) for _ in range(count)]
    pages = chunks([str(number) for number in range(1, count + 1)], 10)

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path == "/":
            return "<h1>Probes</h1>" + rows([f"<a href='/box/{n + 1}'>Box {n + 1}</a>" for n in range(len(pages))])
        name, _, number = path[1:].partition("/")
        if name == "box" and number.isdigit() and 0 < int(number) <= len(pages):
            links = [f"<a href='/probe/{one}'>Probe {one}</a>" for one in pages[int(number) - 1]]
            return f"<p><a href='/'>Up</a><h1>Box {number}</h1>{rows(links)}"
        if name == "probe" and number.isdigit() and 0 < int(number) <= count:
            depth, grains = found[int(number) - 1]
            return f"<p><a href='/'>Up</a><h1>Probe {number}</h1><p>{depth} m<p>{grains} grains"
        return None

    return Catalogue(answer, frozenset(f"{HOST}/probe/{n}" for n in range(1, count + 1)), count + len(pages) + 1)


def spares(seed: int = 1, count: int = 100) -> Catalogue:
    """Spare parts with prices in the lists, filters by three things, a session id in every link, a visitor count."""
    chance = Random(f"spares {seed}")
    colours, sizes = ("red", "blue", "grey", "green"), ("S", "M", "L", "XL", "XXL")
    found = [
        (f"{chance.choice(MAKES)} {chance.choice(TAILS)} {number}", chance.choice(colours), chance.choice(sizes),
         f"{chance.randrange(2, 80)}.{chance.randrange(100):02} €")
        for number in range(count)
    ]  # fmt: skip
    visits = iter(range(48_000, 10**6))

    def answer(path: str, query: dict[str, str]) -> str | None:
        visit = next(visits)
        sid = f"sid={visit * 2654435761 % 2**32:08x}{visit:08x}"

        def frame(body: str) -> str:
            filters = " ".join(
                f"<a href='/parts?{name}={one}&{sid}'>{one}</a>"
                for name, values in (("tint", colours), ("fit", sizes), ("maker", MAKES))
                for one in values
            )
            return f"<p>{filters}</p>{body}<p>Visitor {visit}"

        if path in ("/", "/parts"):
            wanted = [
                number
                for number, one in enumerate(found)
                if query.get("tint", one[1]) == one[1]
                and query.get("fit", one[2]) == one[2]
                and query.get("maker", one[0].split()[0]) == one[0].split()[0]
            ]
            start = int(query.get("start", "0"))
            links = "".join(
                f"<tr><td><a href='/part/{number}.html?{sid}'>{found[number][0]}</a><td>{found[number][3]}"
                for number in wanted[start : start + 20]
            )
            kept = "&".join(f"{name}={query[name]}" for name in ("tint", "fit", "maker") if name in query)
            ways = [
                f"<a href='/parts?{kept}&{name}={one}&{sid}'>{one} only</a>"
                for name, values in (("tint", colours), ("fit", sizes))
                if kept and name not in query
                for one in values
            ]
            more = f"<a href='/parts?{kept}&start={start + 20}&{sid}'>next</a>" if start + 20 < len(wanted) else ""
            title = " ".join(query[name] for name in ("tint", "fit", "maker") if name in query) or "All parts"
            return frame(f"<h1>{title}</h1><p>{len(wanted)} parts</p><table>{links}</table>{' '.join(ways)} {more}")
        number = path.removeprefix("/part/").removesuffix(".html")
        if not number.isdigit() or int(number) >= count:
            return None
        name, colour, size, price = found[int(number)]
        values = f"<tr><td>Price<td>{price}<tr><td>Colour<td>{colour}<tr><td>Size<td>{size}"
        return frame(f"<h1>{name}</h1><table>{values}</table>")

    return Catalogue(answer, frozenset(f"{HOST}/part/{number}.html" for number in range(count)), count + 5)


def stamps(seed: int = 1, count: int = 80) -> Catalogue:
    """Stamps of a few issues: one description and one heading for each issue, other values, and a calendar."""
    chance = Random(f"stamps {seed}")
    issues = [
        (
            f"{make} issue",
            f"Printed on {' '.join(chance.sample(TAILS, 5))} paper with a fine border all around the edge",
        )
        for make in MAKES
    ]
    found = [
        (chance.randrange(len(issues)), f"{chance.randrange(1, 99)} ct", f"Michel {number * 3 + 11}")
        for number in range(count)
    ]

    def frame(body: str) -> str:
        return f"<p><a href='/'>Stamps</a> <a href='/auctions/2026/11'>Auctions</a></p>{body}"

    def answer(path: str, query: dict[str, str]) -> str | None:
        parts = path.strip("/").split("/")
        if path == "/":
            return frame(
                "<h1>Stamps</h1>" + rows([f"<a href='/issue/{n}'>{one[0]}</a>" for n, one in enumerate(issues)])
            )
        if parts[0] == "auctions" and len(parts) == 3 and parts[2].isdigit():
            year, month = int(parts[1]), int(parts[2])
            after = f"/auctions/{year + month // 12}/{month % 12 + 1}"
            days = "".join(f"<td>{day}" for day in range(1, 31))
            return frame(
                f"<h1>{MONTHS[month - 1]} {year}</h1><table><tr>{days}</table><p>None.<a href='{after}'>Later</a>"
            )
        if parts[0] == "issue" and parts[1].isdigit() and int(parts[1]) < len(issues):
            mine = [number for number, one in enumerate(found) if one[0] == int(parts[1])]
            return frame(
                f"<h1>{issues[int(parts[1])][0]}</h1>"
                + rows([f"<a href='/stamp?no={number}'>{found[number][1]}</a>" for number in mine])
            )
        if parts[0] == "stamp" and query.get("no", "").isdigit() and int(query["no"]) < count:
            issue, face, catalogue = found[int(query["no"])]
            return frame(f"<h1>{issues[issue][0]}</h1><p>{issues[issue][1]}<dl><dt>Face<dd>{face}<dd>{catalogue}</dl>")
        return None

    return Catalogue(answer, frozenset(f"{HOST}/stamp?no={n}" for n in range(count)), count + len(issues) + 1)


def coins(seed: int = 1, count: int = 70) -> Catalogue:
    """Coins of which each leads to the next three; no list shows them, and no heading names them."""
    chance = Random(f"coins {seed}")
    names = [f"{chance.choice(MAKES)} {chance.choice(HEADS)}" for _ in range(count)]
    found = [(name, f"{chance.uniform(1, 30):.2f} g", f"{600 + chance.randrange(900)}") for name in names]

    def answer(path: str, query: dict[str, str]) -> str | None:
        number = 0 if path == "/" else int(path.removeprefix("/coin-")) if path[6:].isdigit() else count
        if number >= count:
            return None
        if path == "/":
            return "<title>Coins</title><b>Coins</b><p>Begin <a href='/coin-0'>here</a>"
        name, weight, year = found[number]
        beside = rows(
            [f"<a href='/coin-{(number + n) % count}'>{found[(number + n) % count][0]}</a>" for n in (1, 2, 3)]
        )
        return f"<title>Coins</title><b>{name}</b><div>{weight}</div><div>{year}</div>{beside}"

    return Catalogue(answer, frozenset(f"{HOST}/coin-{number}" for number in range(count)), count + 1)


def museum(seed: int = 1, count: int = 90, stories: int = 15) -> Catalogue:
    """Objects of a museum beside stories of some length, which are no record pages."""
    chance = Random(f"museum {seed}")
    words = ["".join(chance.choices(("ka", "ro", "mi", "ten", "sul", "va", "der", "pri"), k=3)) for _ in range(900)]
    tales = [" ".join(chance.choices(words, k=150)) for _ in range(stories)]
    found = [
        (f"{chance.choice(MAKES)} of {chance.choice(TOWNS)}", f"{chance.randrange(1500, 1900)}", f"Inv. {3000 + 7 * n}")
        for n in range(count)
    ]
    rooms = chunks([str(number) for number in range(count)], 15)

    def frame(body: str) -> str:
        return f"<nav><a href='/'>Museum</a> <a href='/stories'>Stories</a></nav><main>{body}</main>"

    def answer(path: str, query: dict[str, str]) -> str | None:
        name, _, number = path[1:].partition("/")
        place = int(number) if number.isdigit() else 10**6
        if path == "/":
            return frame("<h1>Museum</h1>" + rows([f"<a href='/room/{n}'>Room {n}</a>" for n in range(len(rooms))]))
        if path == "/stories":
            return frame("<h1>Stories</h1>" + rows([f"<a href='/story/{n}'>Story {n}</a>" for n in range(stories)]))
        if name == "story" and place < stories:
            return frame(f"<h1>Story {place}</h1><p>{tales[place]}")
        if name == "room" and place < len(rooms):
            return frame(
                f"<h1>Room {place}</h1>" + rows([f"<a href='/object/{n}'>{found[int(n)][0]}</a>" for n in rooms[place]])
            )
        if name == "object" and place < count:
            title, year, inventory = found[place]
            return frame(f"<h1>{title}</h1><p class=year>{year}</p><p class=inv>{inventory}</p>")
        return None

    needed = count + stories + len(rooms) + 2
    return Catalogue(answer, frozenset(f"{HOST}/object/{number}" for number in range(count)), needed)


def opac(seed: int = 1, count: int = 80) -> Catalogue:
    """Books behind one link to a search that lists them all, in other orders too, and by author."""
    chance = Random(f"opac {seed}")
    writers = [f"{chance.choice(MAKES)}, {tail}" for tail in TAILS]
    found = [
        (f"{chance.choice(HEADS)} {chance.choice(TAILS)} {number}", chance.choice(writers), f"QA {chance.random():.4f}")
        for number in range(count)
    ]

    def frame(body: str) -> str:
        return f"<p><a href='/'>Library</a> <a href='/login'>Log in</a> <a href='/search'>Search</a></p>{body}"

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path == "/login" or (path == "/search" and not query):
            return frame("<form method=post><input name=a><input type=submit></form>")
        if path == "/":
            return frame("<h1>Library</h1><a href='/search?q=all'>Browse everything</a>")
        if path == "/search":
            asked, start = query.get("q", ""), int(query.get("from", "0"))
            mine = [number for number, one in enumerate(found) if asked in ("all", one[1])]
            mine = sorted(mine, key=lambda number: found[number][1 if query.get("sort") else 0])
            links = [
                f"<a href='/book/{number}'>{title}</a> by <a href='/search?q={writer}'>{writer}</a>"
                for number in mine[start : start + 20]
                for title, writer, _ in found[number : number + 1]
            ]
            more = f"<a href='/search?q={asked}&from={start + 20}'>next</a>" if start + 20 < len(mine) else ""
            return frame(
                f"<p>{len(mine)} found <a href='/search?q={asked}&sort=writer'>by writer</a>{rows(links)}{more}"
            )
        number = path.removeprefix("/book/")
        if not number.isdigit() or int(number) >= count:
            return None
        title, writer, shelf = found[int(number)]
        return frame(f"<h1>{title}</h1><p><a href='/search?q={writer}'>{writer}</a><p>{shelf}")

    return Catalogue(answer, frozenset(f"{HOST}/book/{number}" for number in range(count)), count + 7)


SITES: dict[str, Callable[[int], Catalogue]] = {
    "plants": plants,
    "papers": papers,
    "departures": departures,
    "probes": probes,
    "spares": spares,
    "stamps": stamps,
    "coins": coins,
    "museum": museum,
    "opac": opac,
}
