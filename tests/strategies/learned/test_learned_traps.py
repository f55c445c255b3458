"""Traps noticed by what pages show, for any strategy: the blind one with a guard finishes where it would not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from siteseer.demo import make_site
from siteseer.interfaces import Memory
from siteseer.model import Action, Follow, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.page.tree import is_html
from siteseer.page.urls import identity, resolve
from siteseer.strategies.blind_strategy import BlindStrategy
from siteseer.strategies.learned.online_learner.identity_rules import name_of
from siteseer.strategies.traps.content_traps import ENDLESS, TrapGuard
from siteseer.strategies.traps.soft404 import PROBE
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, content, fetch_from

HTML = (("Content-Type", "text/html; charset=utf-8"),)


class Guarded:
    """Blind, but for what the guard says when a URL's turn comes."""

    def __init__(self) -> None:
        self.blind, self.guard = BlindStrategy(), TrapGuard()
        self.queue: dict[str, Follow] = {}
        self.glances: list[Any] = []

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        return self.blind.start(seeds, memory)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        if outcome.page is not None and outcome.page.status < 400 and is_html(outcome.page):
            self.glances.append(self.guard.glance(outcome.page))
            self.guard.learn(self.glances[-1])
        for action in self.blind.decide(outcome, why) if why.family not in (PROBE, "robots") else ():
            if isinstance(action, Follow) and action.url.startswith(ORIGIN):
                self.queue.setdefault(action.url, action)
            elif isinstance(action, Remember):
                yield action

    def refill(self, room: int) -> Iterator[Action]:
        for url, action in list(self.queue.items()):
            del self.queue[url]
            verdict = self.guard.verdict(url)
            yield action if verdict.allowed else Skip(url, verdict.because, verdict.rule)
            if verdict.allowed:
                return


def page(path: str, body: str) -> Page:
    return Page(ORIGIN + path, 200, HTML, body.encode())


def see(guard: TrapGuard, path: str, body: str) -> None:
    guard.learn(guard.glance(page(path, body)))


def story(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    name = "".join(letters[int(digit)] for digit in str(number))
    return f"<p>Story {name} tells how the {name} went over the {name} hill to the {name} town and back</p>"


def test_a_parameter_that_changes_nothing_is_learned_and_one_that_matters_is_not() -> None:
    guard = TrapGuard()
    for number in range(6):
        see(guard, f"/story?id={number}", story(number))
    for number, look in ((1, "dark"), (2, "light")):
        see(guard, f"/story?id={number}&skin={look}", story(number))
    assert guard.key(f"{ORIGIN}/story?id=4&skin=blue") == guard.key(f"{ORIGIN}/story?id=4")
    assert guard.key(f"{ORIGIN}/story?id=4") != guard.key(f"{ORIGIN}/story?id=5")
    refused = guard.verdict(f"{ORIGIN}/story?id=4&skin=blue")
    assert not refused.allowed and refused.rule == "same page under another name" and "/story?id=4" in refused.because
    assert guard.verdict(f"{ORIGIN}/story?id=77&skin=blue").allowed
    assert [str(part) for part in guard.idle] == ["parameter skin on /story"]


@given(some.text("ab/?&=;%s.id1:#S+utm_", max_size=24))
def test_names_are_identities(rest: str) -> None:
    url = resolve(ORIGIN, "/" + rest)
    assert url is None or name_of(url) == identity(url)


def test_print_pages_are_recognised_as_the_same_content() -> None:
    guard = TrapGuard()
    for number in range(8):
        see(guard, f"/story/{number}", f"<nav>Home and other things</nav>{story(number)}")
    for number in (3, 5):
        see(guard, f"/print/story/{number}", story(number))
    assert not guard.verdict(f"{ORIGIN}/print/story/7").allowed
    assert guard.verdict(f"{ORIGIN}/print/story/99").allowed, "nobody has seen that story yet"


def test_an_endless_calendar_ends_and_a_long_list_does_not() -> None:
    guard = TrapGuard()
    for number in range(ENDLESS + 1):
        see(guard, f"/calendar/{2000 + number}/5", f"<h1>5/{2000 + number}</h1><p>No events.</p>")
        see(guard, f"/list?page={number}", f"<ul><li>{story(number)[9:20]}</ul>")
    assert guard.verdict(f"{ORIGIN}/calendar/2099/1").rule == "endless list: /calendar/0/0"
    assert guard.verdict(f"{ORIGIN}/list?page=99").allowed


def test_paths_that_grow_are_noticed_when_they_show_nothing_new() -> None:
    guard = TrapGuard()
    assert guard.verdict(f"{ORIGIN}/a/b/a/b/a").allowed
    for path in ("/a", "/a/a", "/a/b/a"):
        see(guard, path, "<p>Nothing here yet.")
    assert guard.verdict(f"{ORIGIN}/a/b/a/b/a").rule == "growing path"
    assert guard.verdict(f"{ORIGIN}/b/c/d").allowed


def test_the_guard_lets_even_a_blind_crawl_of_the_trap_end() -> None:
    site = make_site("trap", 0, "modern", 6)
    done = Crawl(fetch_from(site)).run(Guarded(), limit=400)
    assert content(done, site) == 1.0
    assert done.requests < 200
    assert done.rules["same page under another name"] > 50


def test_what_the_guard_knows_follows_from_its_glances() -> None:
    site = make_site("trap", 0, "classic", 4)
    first = Guarded()
    done = Crawl(fetch_from(site)).run(first, limit=60)
    second = TrapGuard()
    for glance in first.glances:
        second.learn(glance)
    urls = [*done.skipped, *(one.url for one in done.asked)]
    assert [first.guard.verdict(url) for url in urls] == [second.verdict(url) for url in urls]
    assert first.guard.idle == second.idle != ()
