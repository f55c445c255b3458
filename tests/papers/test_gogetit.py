"""Vidal et al., Structure-based crawling in the hidden Web: the worked examples of the paper."""

from __future__ import annotations

from siteseer.strategies.example.link_paths import MapPage
from siteseer.strategies.example.navigation_patterns import NavigationPattern, Step, matches
from siteseer.strategies.example.target_map import navigation_patterns, target_pages_map
from siteseer.strategies.example.url_patterns import group, is_similar, level_pattern, url_pattern

TREE = "http://informatik.uni-trier.de/~ley/db/indices/a-tree"
PEOPLE = [f"{TREE}/c/Chaves:Silvio_8.html", f"{TREE}/u/Ugher:Mangabeira_D.html", f"{TREE}/m/Mendes:Sergio.html"]


def test_figure_6_a_pattern_of_a_level() -> None:
    """Column 1 matches one leaf, column 2 is constant, column 4 is missing once, column 5 meets in their ancestor."""
    assert level_pattern([url.rpartition("/")[2] for url in PEOPLE]) == r"[A-Za-z]+:[A-Za-z]+_?\w*\.html"


def test_figure_6_pattern_of_the_urls() -> None:
    assert all(is_similar(one, other) for one in PEOPLE for other in PEOPLE)
    found = url_pattern(PEOPLE)
    host = r"http://informatik\.uni-trier\.de/~ley/db/indices/a-tree"
    assert found == host + r"/[A-Za-z]+/[A-Za-z]+:[A-Za-z]+_?\w*\.html"
    assert all(matches(found, url) for url in PEOPLE)
    assert not matches(found, f"{TREE}/index.html")


def yahoo() -> tuple[str, dict[str, MapPage]]:
    """The site of Table 1: the films are listed by feeds that stand on another host."""
    entry, films, feeds = "http://www.yahoo.com/", "http://films.yahoo.com/", "http://films.yahoo.com/rss"
    genres = [f"http://rss.ent.yahoo.com/films/{name}.xml" for name in ("drama", "comedy", "horror")]
    shop = "http://films.yahoo.com/shop?d=hv&cf=info&id={}&intl=us"
    pages = {
        entry: MapPage(False, ((films, ""), ("http://mail.yahoo.com/", ""))),
        films: MapPage(False, ((feeds, ""), ("http://films.yahoo.com/help", ""))),
        feeds: MapPage(False, tuple((url, "") for url in genres)),
        "http://films.yahoo.com/help": MapPage(False),
    }
    for number, genre in enumerate(genres):
        listed = [shop.format(1800 + 10 * number + film) for film in range(4)]
        pages[genre] = MapPage(False, tuple((url, "") for url in listed))
        pages.update((url, MapPage(True)) for url in listed)
    return entry, pages


def test_table_1_navigation_pattern() -> None:
    entry, pages = yahoo()
    (found,) = navigation_patterns(pages, entry)
    assert found == NavigationPattern(
        entry,
        (
            Step(r"http://films\.yahoo\.com/"),
            Step(r"http://films\.yahoo\.com/rss"),
            Step(r"http://rss\.ent\.yahoo\.com/films/[A-Za-z]+\.xml"),
            Step(r"http://films\.yahoo\.com/shop\?d=hv&cf=info&id=\d+&intl=us", is_target=True),
        ),
        targets=12,
        hubs=6,
    )


def test_definition_1_the_map_holds_only_paths_to_targets() -> None:
    entry, pages = yahoo()
    found = target_pages_map(pages, entry)
    assert "http://films.yahoo.com/help" not in found
    assert sum(pages[url].is_target for url in found) == 12


def test_figure_4_alike_pages_become_one_node_and_the_best_path_is_taken() -> None:
    """Three paths lead to targets; the one through the two alike pages leads to most of them."""
    pages = {"e://h/": MapPage(False, tuple((f"e://h/{one}", "") for one in ("b/1", "b/2", "c", "d/x/y")))}
    for hub, targets in (("b/1", 3), ("b/2", 3), ("c", 1), ("d/x/y", 2)):
        urls = [f"e://h/{hub}/item/{number}".replace("/b/", "/q/") for number in range(targets)]
        pages[f"e://h/{hub}"] = MapPage(False, tuple((url, "") for url in urls))
        pages.update((url, MapPage(True)) for url in urls)
    first = navigation_patterns(pages, "e://h/")[0]
    assert [str(step.url) for step in first.steps] == [r"e://h/b/\d+", r"e://h/q/\d+/item/\d+"]
    assert first.targets == 6


def test_section_4_3_urls_are_grouped_by_their_levels() -> None:
    urls = ["http://a.org/x/1/p", "http://a.org/y/2/p", "http://b.org/x/1/p", "http://a.org/x/1"]
    assert group(urls) == [urls[:2], [urls[2]], [urls[3]]]
