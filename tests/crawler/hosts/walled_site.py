"""A small forum that shuts its door: after so many requests every address is answered in another way."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.crawler.small_site import Answer, SmallSite

SYLLABLES = "ka lo mi ter ne sun da vor pel ri gan to sel bu fen ol ash wick dorn mer".split()
Wall = Callable[[str, int], Answer]


def page(title: str, body: str) -> bytes:
    """Return a page in the frame that all pages of the forum share."""
    menu = "".join(f'<a href="/list/{number}">{number}</a> ' for number in range(4))
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body><nav>{menu}</nav>"
        f"<main><h1>{title}</h1>{body}</main><footer>The harbour forum</footer></body></html>"
    ).encode()


def text_of(name: str, sentences: int = 8) -> str:
    """Return some sentences that only one page has."""
    chance = random.Random(name)
    words = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(sentences * 12)]
    said = [" ".join(words[12 * one : 12 * one + 12]).capitalize() + "." for one in range(sentences)]
    return "".join(f"<p>{one}</p>" for one in said)


@dataclass
class WalledForum:
    """Sixty threads in four lists; `wall` answers everything from the given request on, while it stands."""

    wall: Wall
    after: int = 30
    threads: int = 60
    is_up: bool = True
    opens_for: Callable[[dict[str, str]], bool] = lambda headers: False
    spared: Callable[[str], bool] = lambda path: False
    refused: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)
    count: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, path: str, headers: dict[str, str]) -> Answer:
        with self.lock:
            self.count += 1
            number = self.count
        if self.is_up and number > self.after and not self.opens_for(headers) and not self.spared(path):
            self.refused.append(path)
            return self.wall(path, number)
        self.shown.add(path)
        return self.ordinary(path)

    def ordinary(self, path: str) -> Answer:
        """Answer as the forum does without a wall."""
        kind, _, name = path.strip("/").partition("/")
        if not path.strip("/"):
            return 200, {}, page("Harbour", text_of("home"))
        if kind == "list" and name.isdigit() and int(name) < 4:
            size = self.threads // 4
            shown = range(int(name) * size, (int(name) + 1) * size)
            links = "".join(f'<li><a href="/thread/{one}">Thread {one}</a></li>' for one in shown)
            return 200, {}, page(f"Board {name}", f"<ul>{links}</ul>{text_of(path, 2)}")
        if kind == "thread" and name.isdigit() and int(name) < self.threads:
            return 200, {}, page(f"Thread {name}", text_of(path))
        return 404, {}, b"<title>Not found</title><p>There is no such page."

    @property
    def urls(self) -> int:
        """How many pages the forum has."""
        return 1 + 4 + self.threads

    def served(self) -> SmallSite:
        """Return a server of the forum."""
        return SmallSite(self)


def forbidden(path: str, number: int) -> Answer:
    return 403, {}, b"<html><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1></body></html>"
