"""Regular expressions for URLs that are alike."""

from __future__ import annotations

import random
import string
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.strategies.example.navigation_patterns import matches
from siteseer.strategies.example.url_patterns import group, is_alike, is_coded, is_similar, level_pattern, url_pattern

LEVEL = st.text(string.ascii_letters + string.digits + "-_.~%:=+()*", max_size=12)


@given(st.lists(st.tuples(LEVEL, LEVEL, LEVEL), min_size=1, max_size=8))
@settings(max_examples=150, deadline=None)
def test_the_pattern_of_urls_matches_each_of_them(parts: list[tuple[str, str, str]]) -> None:
    urls = [f"http://e.org/x/{a}/{b}?id={c}" for a, b, c in parts]
    pattern = url_pattern(urls)
    assert all(matches(pattern, url) for url in urls), pattern


def test_titles_become_one_class_that_numbers_do_not_match() -> None:
    pattern = url_pattern(
        ["http://e.org/a/12-on-the-long-road.html", "http://e.org/a/7-tea.html", "http://e.org/a/8-a-b-c.html"]
    )
    assert pattern == r"http://e\.org/a/\d+-[\w\-]+\.html"
    assert not matches(pattern, "http://e.org/a/P9.html")


def test_words_and_numbers_are_not_cut_in_two() -> None:
    assert level_pattern(["page10", "page11"]) == r"page\d+"
    assert level_pattern(["tea", "team"]) == "[A-Za-z]+"


def test_alike_urls() -> None:
    assert is_alike("http://e.org/2020/05/on-tea/", "http://e.org/2021/06/a-cup/")
    assert not is_alike("http://e.org/2020/05/on-tea/", "http://e.org/2021/06/")
    assert not is_alike("http://e.org/show.php?t=1", "http://e.org/print.php?t=1")
    assert not is_alike("http://e.org/archives/57-a-title.html", "http://e.org/archives/P9.html")
    assert is_alike("http://e.org/p/9f06a2b177", "http://e.org/p/af16a2b17")
    assert is_coded("http://e.org/p?x=9f06a2b177") and not is_coded("http://e.org/2020/tea-time/")


def test_alike_urls_are_grouped_as_two_by_two() -> None:
    chance = random.Random(5)
    urls = [f"http://e.org/{chance.choice('ab')}/{chance.choice('cd')}/{chance.randint(1, 9)}" for _ in range(30)]
    groups = group(urls)
    assert sorted(url for one in groups for url in one) == sorted(set(urls))
    for one in groups:
        for other in groups:
            assert one is other or not any(is_similar(a, b) for a in one for b in other)


def test_hostile_urls_cost_little() -> None:
    started = time.process_time()
    urls = [
        "http://e.org/" + "a/" * 900 + str(number) + "?" + "&".join(f"x{one}=1" for one in range(300))
        for number in range(30)
    ]
    assert url_pattern(urls) and group(urls)
    assert time.process_time() - started < 5
