"""Everything is followed but what never ends: calendars, growing paths, sessions that change with every page."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from siteseer.demo import make_site
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Follow, Page
from siteseer.page.urls import identity
from siteseer.plugins import strategy_factory
from siteseer.settings import AcebotOptions
from siteseer.strategies.traps.url_chains import GROWTH, LONGEST, Chain, in_own_session
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, context_of, fetch_from

HTML = (("Content-Type", "text/html"),)


def walk(url: Callable[[int], str], body: Callable[[int], str], most: int = 200) -> Iterator[int]:
    """Follow a chain of pages, each of which leads to the next, as long as it is followed."""
    why = Follow(url(0), "seed")
    for number in range(most):
        page = Page(url(number), headers=HTML, body=body(number).encode())
        chain, onward = Chain(page, why), url(number + 1)
        yield number
        if not chain.verdict(onward).allowed:
            return
        why = Follow(onward, "link", state=chain.state_for(onward), referrer=page.url)


def test_a_calendar_ends_after_its_events() -> None:
    def month(number: int) -> str:
        event = "a concert of rare and old songs about rivers" if number == 8 else "no events"
        return f"<h1>{number % 12 + 1}/{2020 + number // 12}</h1><p>{event}</p>"

    assert len(list(walk(lambda number: f"http://e.org/calendar/{number}", month))) == 8 + 1 + LONGEST


def test_a_list_whose_pages_differ_is_followed_to_its_end() -> None:
    words = ["river", "stone", "lamp", "gate", "boat", "field", "tower"]

    def listing(number: int) -> str:
        return f"<p>{words[number % 7]} {words[number // 7 % 7]} {words[number // 49]}</p>"

    assert len(list(walk(lambda number: f"http://e.org/list?page={number}", listing))) == 200


def test_a_growing_path_is_left_soon() -> None:
    grown = list(walk(lambda number: "http://e.org" + "/a" * (number + 1), lambda number: "<p>nothing here</p>"))
    assert len(grown) <= 3 + GROWTH + 1


def test_other_kinds_of_pages_are_followed_from_an_endless_one() -> None:
    page = Page("http://e.org/c/9", headers=HTML, body=b"<p>nothing</p>")
    why = Follow(page.url, "link", state=Chain(page, Follow(page.url, "seed")).state_for("http://e.org/c/1"))
    state = {"chain": [LONGEST, *why.state["chain"][1:]]}
    chain = Chain(page, Follow(page.url, "link", state=state, referrer="http://e.org/c/8"))
    assert chain.verdict("http://e.org/about").allowed and not chain.verdict("http://e.org/c/10").allowed


def test_values_that_differ_from_link_to_link_are_no_session() -> None:
    links = [f"http://e.org/f?file=8f0000000000{name}" for name in "abc"]
    assert in_own_session("http://e.org/f?file=8f0000000000d", links) == links


@pytest.mark.parametrize("template", ["modern", "classic"])
@pytest.mark.parametrize("name", ["auto", "aware", "learned", "acebot", "blind"])
def test_the_trap_ends_for_every_strategy(name: str, template: str) -> None:
    site = make_site("trap", seed=4, template=template)
    context = replace(context_of(acebot=AcebotOptions(sample=300)), knowledge=KnowledgeBase.shipped)
    done = Crawl(fetch_from(site)).run(strategy_factory(name)(context), 2, limit=2000)
    assert done.requests < 2000
    asked = {identity(one.url).removeprefix(ORIGIN).partition("?")[0] for one in done.asked}
    assert site.truth.content_paths <= asked


@pytest.mark.parametrize("strategy", ["blind", "aware"])
def test_the_trap_ends(strategy: str, serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("trap", seed=4)
    summary = run_crawl(server.url, strategy=strategy, limit=3000)
    assert summary["finished"]
    rules = summary["skipped"]
    assert rules["growing path"] > 0 and any(rule.startswith("endless list") for rule in rules)
    asked = {request.path.partition("?")[0] for request in server.log}
    assert server.site.truth.content_paths <= asked
