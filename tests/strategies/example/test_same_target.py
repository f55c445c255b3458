"""Which pages of the wanted kind are one target under several names, and which are its further parts."""

from __future__ import annotations

from siteseer.strategies.example.same_target import Target, Targets, extends

ORIGIN = "http://e.org"
FOOTER, BOARD = 900, 901


def levels(*pages: tuple[str, tuple[int, ...]], canonical: dict[str, str] | None = None) -> list[str]:
    found = Targets()
    for path, texts in pages:
        named = (canonical or {}).get(path, "")
        found.add(Target(ORIGIN + path, ((*texts, FOOTER),), ORIGIN + named if named else ""))
    return found.levels()


OTHERS = [(f"/x?t={number}", (number * 10, number * 10 + 1)) for number in range(20, 40)]


def test_pages_of_a_thread_are_all_targets() -> None:
    thread = [("/t?t=5", (BOARD, 1, 2, 3)), ("/t?t=5&start=10", (BOARD, 4, 5)), ("/t?t=6", (BOARD, 6))]
    assert levels(*OTHERS, *thread)[-3:] == ["target", "target", "target"]


def test_permalinks_of_posts_are_other_views() -> None:
    found = levels(*OTHERS, ("/t?t=5", (1, 2, 3)), ("/t?p=17", (1, 2, 3)), ("/t?p=18", (1, 2, 3)))
    assert found[-3:] == ["target", "other view", "other view"]


def test_the_canonical_name_is_the_target_whichever_came_first() -> None:
    found = levels(*OTHERS, ("/t?p=17", (1, 2, 3)), ("/t?t=5", (1, 2, 3)), canonical={"/t?p=17": "/t?t=5"})
    assert found[-2:] == ["other view", "target"]


def test_further_comments_are_part_of_the_post() -> None:
    post = ("/2020/tea/", (1, 2, 7, 8))
    assert levels(*OTHERS, post, ("/2020/tea/comment-page-1/", (1, 2, 5, 6)))[-2:] == ["target", "part"]


def test_the_second_page_of_an_article_with_the_same_comments_is_part_of_it() -> None:
    assert levels(*OTHERS, ("/a/tea/", (1, 2, 7, 8)), ("/a/tea/2/", (3, 4, 7, 8)))[-2:] == ["target", "part"]


def test_pages_without_texts_of_their_own_are_taken_as_they_are() -> None:
    assert levels(("/1", ()), ("/2", ()), ("/3", ())) == ["target"] * 3


def test_extending_urls() -> None:
    assert extends("http://e.org/a?t=1&x=2", "http://e.org/a?t=1")
    assert not extends("http://e.org/a?t=1", "http://e.org/a?t=1")
    assert not extends("http://e.org/b/2", "http://e.org/a")
    assert not extends("http://e.org/a/b?t=1", "http://e.org/a?t=1")


def test_what_says_the_same_around_its_text_is_part_of_an_article_and_a_page_of_a_thread_is_not() -> None:
    pages = {
        "/article": ((1, 2), (31, 32), (51, 52)),
        "/article/2": ((3, 4), (31, 32), (51, 52)),
        "/thread": ((5, 6), (33, 34, 35), (53,)),
        "/thread/2": ((7, 8), (36, 37, 38), (53,)),
    }
    targets = Targets()
    for path, texts in pages.items():
        targets.add(Target(f"http://e.org{path}", texts))
    assert targets.levels() == ["target", "part", "target", "target"]
