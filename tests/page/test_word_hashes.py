"""The words that are found in arrays are those of the regular expression, each with the hash of its characters."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.model import Page
from siteseer.page import word_hashes
from siteseer.page.text import BLOCK, BLOCK_END, WORD, text_blocks, words
from siteseer.page.tree import MARKS
from siteseer.page.two_grams import distinct, grams, hash_pairs, hash_words
from siteseer.page.word_hashes import R, find_words, hash_runs, hash_strings
from siteseer.strategies.learned.online_learner.prose import MIN_WORDS, prose, split_words

LETTERS = st.sampled_from([*"aB_7 -ßéłЯส\u0e31中文・𝔘²½\ud800", *MARKS])
TEXTS = st.lists(LETTERS, max_size=40).map("".join)
PIECES = (
    "one two three four five six ",
    "<p>",
    "<b>x</b>y",
    "Zażółć ",
    "中文字符很多啊",
    "12 ",
    "<li>",
    "<a>z",
    "</a>",
    "  ",
)
BODIES = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
MASK = (1 << 64) - 1


def plain_mix(value: int) -> int:
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def plain_hash(word: str) -> int:
    return plain_mix(sum(plain_mix(ord(letter)) * pow(R, place, 1 << 64) for place, letter in enumerate(word)) & MASK)


def page_of(body: str) -> Page:
    return Page("http://e.org/", 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode())


@settings(deadline=None)
@given(TEXTS)
def test_words_are_runs_of_letters_each_with_its_hash_and_block(text: str) -> None:
    found = find_words(text)
    runs = list(WORD.finditer(text))
    assert found.hashes.tolist() == [plain_hash(one[0]) for one in runs]
    assert found.are_letters.tolist() == [one[0].isalpha() for one in runs]
    borders = [place for place, letter in enumerate(text) if letter in (BLOCK, BLOCK_END)]
    assert found.blocks.tolist() == [sum(place < one.start() for place in borders) for one in runs]


@settings(deadline=None)
@given(TEXTS)
def test_characters_of_scripts_without_spaces_are_words(text: str) -> None:
    found, runs = find_words(text, is_split=True), split_words(text)
    assert found.hashes.tolist() == [plain_hash(one) for one in runs]
    assert found.are_letters.tolist() == [one.isalpha() for one in runs]


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=9))
def test_strings_have_the_hash_of_words(strings: list[str]) -> None:
    assert hash_strings(strings).tolist() == [plain_hash(one) for one in strings]


def test_a_long_text_is_read_in_parts_that_cut_no_word() -> None:
    for odd in ("", "中"):
        text = (f"word{odd} {BLOCK} other12 " * 20_000) + "x" * (2 * word_hashes.CHUNK + 9)
        found = find_words(text)
        assert len(found.hashes) == 40_000 + 3  # a run of letters longer than a part is cut
        assert found.hashes[:40_000].tolist() == [plain_hash(f"word{odd}"), plain_hash("other12")] * 20_000
        assert found.blocks[:40_000].tolist() == [place // 2 for place in range(1, 40_001)]


def test_strings_longer_than_a_part_have_the_same_hashes() -> None:
    assert hash_strings(["lengthy" * 3] * 50_000).tolist() == [plain_hash("lengthy" * 3)] * 50_000


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, MASK), min_size=1, max_size=5), min_size=1, max_size=5))
def test_equal_runs_have_equal_hashes(runs: list[list[int]]) -> None:
    sizes = np.array([len(one) for one in runs])
    together = hash_runs(
        np.array([one for run in runs for one in run], np.uint64), np.cumsum(sizes) - sizes, sizes
    ).tolist()
    alone = [hash_runs(np.array(one, np.uint64), np.array([0]), np.array([len(one)]))[0] for one in runs]
    assert together == alone
    assert len(set(together)) == len({tuple(one) for one in runs})


@settings(deadline=None)
@given(BODIES)
def test_grams_are_pairs_of_the_words(body: str) -> None:
    page = page_of(body)
    assert np.array_equal(grams(page), np.unique(hash_words(words(page))))


@settings(deadline=None)
@given(BODIES)
def test_prose_is_that_of_blocks_read_one_by_one(body: str) -> None:
    page = page_of(body)
    found = prose(page)
    pairs = set[int]()
    kinds: dict[bool, dict[tuple[str, ...], None]] = {True: {}, False: {}}
    for block in text_blocks(page):
        plain = tuple(word if word.isalpha() else "0" for word in split_words(block.lower()))
        if plain:
            kinds[len(plain) >= MIN_WORDS][plain] = None
        if len(plain) >= MIN_WORDS:
            hashes = hash_pairs(hash_strings(plain)) >> np.uint64(32)
            pairs |= {one for one, a, b in zip(hashes.tolist(), plain, plain[1:], strict=False) if "0" not in (a, b)}
    assert found.grams.tolist() == sorted(pairs)
    assert [len(found.blocks), len(found.shorter)] == [len(kinds[True]), len(kinds[False])]
    assert distinct(found.grams).tolist() == found.grams.tolist()


def test_a_block_has_the_same_hash_on_every_page() -> None:
    shown = "<p>The same six words stand here."
    first, second = prose(page_of(f"{shown}<p>One")), prose(page_of(f"<h1>12 other</h1><div>{shown}</div>"))
    assert first.blocks == second.blocks
    assert first.blocks != prose(page_of("<p>Here the same six words stand.")).blocks
    assert re.fullmatch(r"\d+", str(first.blocks[0]))
