"""Small search sites on loopback: records behind one form, nothing linked; every search is counted."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, quote, urlsplit

Row = dict[str, str]
Matches = Callable[[Row, dict[str, str]], bool]


@dataclass
class SearchSite:
    """A form at `/`, answers at `/find`, records at `/r/N`; an answer shows `size` records a page, at most `cap`."""

    rows: Sequence[Row]
    form: str
    matches: Matches
    shown: Callable[[Row], str] = lambda row: escape(row["title"])
    size: int = 10
    cap: int = 10_000
    intro: str = ""
    counts: bool = True
    """Whether an answer says how many records there are."""
    asked: list[str] = field(default_factory=list)
    url: str = ""
    _server: ThreadingHTTPServer | None = None

    @property
    def searches(self) -> list[str]:
        """The searches, without further pages of answers."""
        return [path for path in self.asked if path.startswith("/find") and "page=" not in path]

    @property
    def found(self) -> set[int]:
        """The numbers of the records whose pages were asked for."""
        return {int(path.removeprefix("/r/")) for path in self.asked if path.startswith("/r/")}

    def answer(self, path: str) -> str | None:
        """Return the page at a path."""
        parts = urlsplit(path)
        values = {name: one[0] for name, one in parse_qs(parts.query, keep_blank_values=True).items()}
        if parts.path == "/":
            return self._frame(f"<h1>Search</h1><p>{self.intro}</p>{self.form}")
        if parts.path == "/about":
            return self._frame("<h1>About us</h1><p>We collect things that nobody links to.</p>")
        if parts.path == "/find":
            return self._frame(self._found(values))
        if parts.path.startswith("/r/") and parts.path[3:].isdigit() and int(parts.path[3:]) < len(self.rows):
            row = self.rows[int(parts.path[3:])]
            cells = "".join(f"<tr><th>{name}<td>{escape(value)}" for name, value in row.items() if name != "title")
            return self._frame(f"<h1>{escape(row['title'])}</h1><table>{cells}</table>")
        return None

    def _found(self, values: dict[str, str]) -> str:
        page = int(values.pop("page", "1"))
        if not any(values.values()):
            return f"<p>Please fill in the form.</p>{self.form}"
        every = [at for at, row in enumerate(self.rows) if self.matches(row, values)]
        if not every:
            return f"<p>Nothing.</p>{self.form}"
        met = every[: self.cap]
        part = met[(page - 1) * self.size : page * self.size]
        listed = "".join(f"<li><a href='/r/{at}'>{self.shown(self.rows[at])}</a>" for at in part)
        rest = "&".join(f"{name}={quote(value)}" for name, value in values.items())
        more = f"<a rel=next href='/find?{rest}&page={page + 1}'>Next page</a>" if page * self.size < len(met) else ""
        said = f"<p>{len(every)} records</p>" if self.counts else ""
        return f"{said}<ol>{listed}</ol>{more}"

    def _frame(self, body: str) -> str:
        top = "<a href='/'>Home</a> <a href='/about'>About the collection</a>"
        return f"<!doctype html><meta charset=utf-8><title>Collection</title><div>{top}</div><main>{body}</main>"

    def __enter__(self) -> Self:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                text = site.answer(self.path)
                body = (text or "not here").encode()
                self.send_response(200 if text is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *said: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *said: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()


FREE_TEXT = "<form action=/find><label>Find <input name=q></label> <button>Search</button></form>"


def words_match(row: Row, values: dict[str, str]) -> bool:
    """Say whether all words that were typed stand in a record."""
    own = " ".join(row.values()).lower().replace(",", " ").split()
    return all(word in own for word in values.get("q", "").lower().split())


def title_matches(row: Row, values: dict[str, str]) -> bool:
    """Say whether all words that were typed stand in the title of a record."""
    own = row["title"].lower().split()
    return all(word in own for word in values.get("q", "").lower().split())


PLACES = "Ambry Bellow Corrie Dunmore Eskdale Fenwick Garvald Holme Innerleven Jarrow".split()
TRADES = "cooper weaver tanner saddler chandler fletcher glover hatter ironmonger joiner".split()
FIRST = "Ada Bruno Clara Dmitri Elsa Farid Greta Hugo Irina Jonas Kaja Lorenz Mira Nils Orla Pavel".split()
LAST = "Abel Brandt Castell Dorn Ekman Falk Gruber Hahn Ilves Jansen Keller Lind Moreau Novak Olsen Petrov".split()


SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()


def wares(count: int = 70, seed: int = 1) -> list[Row]:
    """Return things whose names share no word; only trade and place, on their pages, connect them."""
    chance = random.Random(seed)
    names = chance.sample([a + b + c + a for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES if a != b], count)
    return [{"title": name.title(), "trade": chance.choice(TRADES), "place": chance.choice(PLACES)} for name in names]


def people(count: int = 70, seed: int = 1) -> list[Row]:
    """Return people whose names are all different; trade and place stand on their pages only."""
    chance = random.Random(seed)
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    return [
        {"title": name, "trade": chance.choice(TRADES), "place": chance.choice(PLACES)}
        for name in chance.sample(names, count)
    ]
