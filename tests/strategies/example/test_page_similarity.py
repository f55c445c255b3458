"""Telling pages of one kind without a threshold that somebody tuned."""

from __future__ import annotations

import random

from siteseer.strategies.example.page_similarity import PageSimilarity, widest_gap


def kind_of(chance: random.Random, base: int, common: int, own: int, varying: int) -> frozenset[int]:
    """Make a signature: what the site shares, what the kind shares, and a few labels that come and go."""
    varied = (base + 500 + one for one in range(varying) if chance.random() < 0.5)
    return frozenset((*range(common), *range(base, base + own), *varied))


def test_a_variety_of_the_kind_is_learned() -> None:
    chance = random.Random(1)
    bare = [kind_of(chance, 1_000, 60, 40, 4) for _ in range(30)]
    with_comments = [page | set(range(2_000, 2_025)) for page in bare]
    lists = [kind_of(chance, 5_000, 60, 40, 4) for _ in range(30)]
    kind = PageSimilarity([bare[0]])
    for page, other in zip(with_comments, lists, strict=True):
        kind.observe(page, True)
        kind.observe(other, False)
    assert all(map(kind.is_alike, with_comments + bare))
    assert not any(map(kind.is_alike, lists))


def test_pages_with_other_urls_that_are_built_nearly_alike_are_told_apart() -> None:
    chance = random.Random(2)
    posts = [kind_of(chance, 1_000, 80, 12, 3) for _ in range(20)]
    lists = [kind_of(chance, 5_000, 80, 4, 3) for _ in range(20)]
    kind = PageSimilarity([posts[0]])
    for page, other in zip(posts, lists, strict=True):
        kind.observe(page, True)
        kind.observe(other, False)
    assert kind.similarity(lists[0]) > 0.75
    assert all(map(kind.is_alike, posts))
    assert not any(map(kind.is_alike, lists))


def test_urls_that_say_nothing_are_not_relied_on() -> None:
    chance = random.Random(3)
    kind = PageSimilarity([kind_of(chance, 1_000, 20, 80, 4)])
    for _ in range(10):
        kind.observe(kind_of(chance, 5_000, 20, 80, 4), True)
    assert not kind.relations_tell()
    assert len(kind.samples) == 1


def test_without_samples_nothing_is_alike() -> None:
    assert not PageSimilarity().is_alike(frozenset((1, 2)))


def test_one_sample_and_nothing_else_known() -> None:
    assert 0.65 < PageSimilarity([frozenset(range(10))]).border < 0.9


def test_the_widest_gap() -> None:
    assert widest_gap([], 0.5, 0.7) == (0.2, 0.6)
