"""Navigation patterns: learned from a map, printed, stored, read, followed."""

from __future__ import annotations

import json

import pytest

from siteseer.errors import ConfigurationError
from siteseer.strategies.example.link_paths import MapPage
from siteseer.strategies.example.navigation_patterns import NavigationPattern, SavedPatterns, Step, read_saved_patterns
from siteseer.strategies.example.pattern_crawl import PatternCrawl
from siteseer.strategies.example.target_map import navigation_patterns

ORIGIN = "http://e.org"
Links = dict[str, tuple[tuple[str, str], ...]]


def forum(threads: int) -> Links:
    """A board of some pages with ten threads each, besides a list of members that leads nowhere."""
    pages = -(-threads // 10)
    site: Links = {"/": (("/f?f=1", "li/a"), ("/members", "ul/li/a"))}
    for page in range(pages):
        url = "/f?f=1" if not page else f"/f?f=1&start={page * 10}"
        listed = [(f"/t?t={number}", "h3/a.title") for number in range(page * 10, min(threads, page * 10 + 10))]
        onward = [(f"/f?f=1&start={other * 10}", "p.pages/a") for other in (page - 1, page + 1) if 0 < other < pages]
        site[url] = (*listed, *onward)
        site.update((target, ()) for target, _ in listed)
    site["/members"] = tuple((f"/u?u={number}", "td/a") for number in range(30))
    return {ORIGIN + url: tuple((ORIGIN + to, place) for to, place in links) for url, links in site.items()}


def learned(site: Links) -> list[NavigationPattern]:
    pages = {url: MapPage("/t?" in url, links) for url, links in site.items()}
    return navigation_patterns(pages, ORIGIN + "/")


def followed(site: Links, patterns: list[NavigationPattern]) -> list[str]:
    follower = PatternCrawl(patterns)
    waiting, asked = follower.begin([ORIGIN + "/"]), []
    while waiting:
        url = waiting.pop(0)
        asked.append(url)
        waiting += follower.page(url, site[url])
    return asked


def test_a_forum_that_grew_is_followed_to_its_new_end() -> None:
    patterns = learned(forum(35))
    grown = forum(72)
    asked = followed(grown, patterns)
    targets = {url for url in grown if "/t?" in url}
    assert targets <= set(asked)
    assert len(asked) == len(set(asked)) == len(targets) + 8 + 1
    assert "again and again" in str(patterns[0]) and "25 targets, 5 other pages" in str(patterns[0])


def test_places_tell_links_where_urls_do_not() -> None:
    site: Links = {
        ORIGIN + "/": tuple((f"{ORIGIN}/n/{one}", "h3/a.title" if one % 2 else "li/a.user") for one in range(20))
    }
    pages = {ORIGIN + "/": MapPage(False, site[ORIGIN + "/"])}
    pages.update((f"{ORIGIN}/n/{one}", MapPage(one % 2 == 1)) for one in range(20))
    (pattern,) = navigation_patterns(pages, ORIGIN + "/")
    assert pattern.steps[-1].places == ("h3/a.title",)
    assert len(followed({**site, **{url: () for url in pages if url not in site}}, [pattern])) == 11


def test_what_is_stored_is_read_again() -> None:
    lesson = SavedPatterns(tuple(learned(forum(12))), (frozenset((1, 2)), frozenset((3,))), 0.8)
    assert read_saved_patterns(lesson.lines().splitlines()) == lesson
    assert read_saved_patterns(['{"template": "/of/another/strategy"}', ""]) == SavedPatterns()


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        '{"steps": [{"url": "("}], "entry": "x"}',
        '{"steps": [{}], "entry": "x"}',
        '{"steps": 7}',
        '{"sample": ["x"], "border": 1}',
        "[]" * 3,
    ],
)
def test_a_bad_line_is_named(line: str) -> None:
    with pytest.raises(ConfigurationError, match="line 2"):
        read_saved_patterns(["{}", line], "file")


def test_steps_that_loop_end() -> None:
    step = Step(".*", repeats=True, is_target=True)
    site = {f"{ORIGIN}/{one}": tuple((f"{ORIGIN}/{other}", "") for other in range(6)) for one in range(6)}
    site[ORIGIN + "/"] = ((f"{ORIGIN}/0", ""),)
    assert len(followed(site, [NavigationPattern(ORIGIN + "/", (step, step))])) == 7


def test_nothing_is_learned_where_no_target_is_reached() -> None:
    assert navigation_patterns({"e://h/": MapPage(False, (("e://h/1", ""),))}, "e://h/") == []
    assert json.loads(SavedPatterns((NavigationPattern("e://h/", ()),)).lines())["entry"] == "e://h/"
