"""Sites that answer every address with a page: found out by what they say; healthy sites are asked nothing more."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from siteseer.collection.state import State
from siteseer.crawler.run import crawl
from siteseer.model import Follow, Note, Outcome, Page
from siteseer.settings import CrawlOptions
from siteseer.strategies.traps.repeated_pages import ALIKE, ENDLESS
from siteseer.strategies.traps.soft404 import DEAD, PROBE, RULE, Soft404
from tests.crawler.small_site import Answer, SmallSite

HTML = (("Content-Type", "text/html"),)
MENU = '<nav><a href="/">Home</a> <a href="/catalogue">Catalogue</a></nav>'
THINGS = ("lamp", "boat", "gate", "river", "stone", "tower", "field", "bridge", "mill", "garden")
ERRORS: dict[str, Callable[[str], str]] = {
    "not found": lambda path: f"<p>Sorry, there is no {path} here.</p>" + further(path),
    "plain": lambda path: f"<p>This page does not exist.</p>{further(path)}",
    "home": lambda path: home(),
    "search": lambda path: f"<h2>Search</h2><form><input name=q></form><p>Nothing for {path[1:]}</p>" + further(path),
}


def further(path: str) -> str:
    """Links that lead on for ever, in a directory of their own, with names that never repeat."""
    name = "".join(chr(97 + int(digit)) for digit in str(crc32(path.encode())))
    return "".join(f'<a href="{name}{letter}/">{letter}</a>' for letter in "xyz")


def home() -> str:
    lost = "".join(f'<a href="lost/{name}">{name}</a>' for name in THINGS)
    return f"<p>Welcome to the shop of old things.</p>{lost}"


def item(path: str) -> str:
    name = path.rpartition("/")[2]
    return f"<p>A fine old {THINGS[int(name) % 10]} and a {THINGS[int(name) // 10]}, well kept.</p>"


def shop(error: Callable[[str], str] | None) -> Callable[[str, dict[str, str]], Answer]:
    """A catalogue whose pages differ by two words, and an answer to everything else."""

    def answer(path: str, _: dict[str, str]) -> Answer:
        if path == "/robots.txt":
            return 404, {}, b"none"
        if path == "/":
            body = home()
        elif path == "/catalogue":
            body = "".join(f'<a href="/item/{number}">thing {number}</a>' for number in range(40))
        elif path.startswith("/item/") and path[6:].isdigit() and int(path[6:]) < 40:
            body = item(path)
        elif error is None:
            return 404, {}, f"<p>no {path}".encode()
        else:
            body = error(path)
        return 200, {}, f"<html><head><title>Shop</title></head><body>{MENU}{body}</body></html>".encode()

    return answer


@contextmanager
def served(error: Callable[[str], str] | None) -> Iterator[SmallSite]:
    with SmallSite(shop(error)) as site:
        yield site


def options(site: SmallSite, folder: Path, **more: Any) -> CrawlOptions:
    usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "concurrency": 1, "assets": "none"}
    return CrawlOptions((site.url + "/",), folder, **(usual | more))


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    state = State(folder, create=False)
    try:
        return sorted(state.rows(query))
    finally:
        state.close()


@pytest.mark.parametrize("strategy", ["blind", "aware", "acebot"])
@pytest.mark.parametrize("name", list(ERRORS))
def test_a_site_that_answers_everything_ends(name: str, strategy: str, tmp_path: Path) -> None:
    with served(ERRORS[name]) as site:
        summary = crawl(options(site, tmp_path, strategy=strategy, limit=400))
        asked = site.paths()
    assert summary["finished"] and len(asked) < 120
    assert {f"/item/{number}" for number in range(40)} <= set(asked)
    assert summary["skipped"][RULE] > 0
    notes = rows(tmp_path, "SELECT because FROM notes WHERE event = 'soft_404'")
    assert len(notes) > 3 and all(because.startswith(RULE) for (because,) in notes)


def test_where_nothing_can_be_learned_soft_404s_are_noticed_too(tmp_path: Path) -> None:
    with served(ERRORS["not found"]) as site:
        summary = crawl(options(site, tmp_path, strategy="auto", limit=400, knowledge=()))
        asked = site.paths()
    assert summary["finished"] and len(asked) < 120
    assert len(rows(tmp_path, "SELECT because FROM notes WHERE event = 'soft_404'")) > 0


def test_a_healthy_site_is_not_probed(tmp_path: Path) -> None:
    """Neither by pages that differ in two words, nor where the site says 404 itself."""
    with served(None) as site:
        summary = crawl(options(site, tmp_path))
        asked = site.paths()
    wanted = {"/robots.txt", "/", "/catalogue"} | {f"/item/{number}" for number in range(40)}
    assert sorted(asked) == sorted(wanted | {f"/lost/{name}" for name in THINGS})
    assert summary["finished"] and summary["skipped"] == {}


def test_killed_and_resumed_it_finds_the_same(tmp_path: Path) -> None:
    """Where a kill falls between answers that are all alike decides only how many missing pages are asked for."""
    moments = random.Random(5)
    with served(ERRORS["not found"]) as site:
        whole, broken = tmp_path / "whole", tmp_path / "broken"
        started = time.monotonic()
        crawl(options(site, whole))
        duration = time.monotonic() - started
        for _ in range(8):
            process = multiprocessing.get_context("fork").Process(target=crawl, args=(options(site, broken),))
            process.start()
            process.join(0.03 + moments.random() * duration / 4)
            if process.exitcode is None:
                os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
        assert crawl(options(site, broken))["finished"]
    for table in (
        "SELECT url, status, because, rule, depth, referrer, priority FROM urls WHERE url NOT LIKE '%/lost/%'",
        "SELECT url, event, because FROM notes WHERE details LIKE '%section%'",
        "SELECT url, status, digest FROM captures WHERE url NOT LIKE '%/lost/%' AND key IS NOT NULL",
    ):
        assert rows(broken, table) == rows(whole, table) != [], table
    asked = "SELECT url FROM urls WHERE url LIKE '%/lost/%' AND status = 2"
    assert abs(len(rows(broken, asked)) - len(rows(whole, asked))) < 20
    assert len(rows(whole, "SELECT key FROM memory")) > 10


def page(path: str, body: str) -> Page:
    return Page(f"http://e.org{path}", 200, HTML, f"<html><body>{body}</body></html>".encode())


def seen(guard: Soft404, path: str, body: str) -> list[Follow]:
    """Show a page to the guard; return the addresses that it wants to ask for."""
    one = page(path, body)
    return [action for action in guard.look(one, Follow(one.url, "link", depth=1))[1] if isinstance(action, Follow)]


def convinced(message: Callable[[str], str]) -> Soft404:
    """Return a guard that has found out a site."""
    guard = Soft404()
    asked = [one for name in THINGS[:6] for one in seen(guard, f"/old/{name}.html", message(name))]
    assert len(asked) == 1 and asked[0].family == PROBE
    assert asked[0].url.startswith("http://e.org/old/") and asked[0].url.endswith(".html")
    answer = page(asked[0].url.removeprefix("http://e.org"), message(asked[0].url[17:-5]))
    assert any(isinstance(one, Note) for one in guard.hear(Outcome(answer.url, "page", page=answer), asked[0]))
    return guard


def is_soft(guard: Soft404, path: str, body: str) -> bool:
    return guard.look(page(path, body), Follow(f"http://e.org{path}", "link", depth=1))[0]


def test_words_of_the_address_count_unless_the_site_repeats_addresses() -> None:
    echoing = convinced(lambda name: f"<p>Sorry, no {name} here")
    assert is_soft(echoing, "/new/cart.html", "<p>Sorry, no cart here")
    assert not is_soft(echoing, "/new/cart.html", "<p>Sorry, no cart here, but wheels")
    silent = convinced(lambda name: "<p>Sorry, nothing here")
    assert is_soft(silent, "/new/cart", "<p>Sorry, nothing here")
    assert not is_soft(silent, "/new/cart", "<p>Sorry, nothing cart here")
    assert not is_soft(silent, "/new/view", '<p>Sorry, nothing here<img src="/view.jpg">')
    assert not is_soft(silent, "/", "<p>Sorry, nothing here"), "the front page exists"


def test_a_site_that_says_404_is_believed() -> None:
    guard = Soft404()
    asked = [one for name in THINGS for one in seen(guard, f"/old/{name}", "<p>Nothing in this drawer")]
    assert len(asked) == 1
    answer = Page(asked[0].url, 404, HTML, b"<html><body><p>Nothing in this drawer")
    assert guard.hear(Outcome(answer.url, "page", page=answer), asked[0]) == []
    assert not is_soft(guard, "/old/more", "<p>Nothing in this drawer")


def test_a_section_of_nothing_but_soft_404s_is_left_and_one_with_a_page_is_not() -> None:
    guard = convinced(lambda name: f"<p>Sorry, no {name} here")
    seen(guard, "/new/cart", "<h1>Cart</h1><p>A cart with two wheels")
    for number in range(DEAD):
        for place in ("dead", "new"):
            assert guard.verdict(f"http://e.org/{place}/x").allowed
            assert is_soft(guard, f"/{place}/{number}", f"<p>Sorry, no {number} here")
    assert guard.verdict("http://e.org/dead/x").rule == RULE and guard.verdict("http://e.org/new/x").allowed


def test_pages_that_differ_in_numbers_like_their_addresses_are_suspected_late() -> None:
    guard = Soft404()
    asked = [len(seen(guard, f"/drawer/{number}", f"<p>Drawer {number}")) for number in range(60)]
    assert asked.index(1) == ENDLESS and sum(asked) == 1
    guard = Soft404()
    same = [len(seen(guard, f"/shelf/{number}", "<p>Nothing on this shelf")) for number in range(60)]
    assert same.index(1) == ALIKE and sum(same) == 1
