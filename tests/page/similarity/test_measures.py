"""Each measure of similarity agrees with a plain version, and stands in one place."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import siteseer
from siteseer.page.similarity.cosine import cosine
from siteseer.page.similarity.jaro_winkler import jaro_winkler
from siteseer.page.similarity.set_measures import dice, jaccard, overlap
from siteseer.page.similarity.text_measures import letter_pairs, letter_shingles, runs, shingles

SOURCES = Path(siteseer.__file__).parent
MEASURES = re.compile(
    r"def \w*(?:likeness|jaccard|shingles|jaro|winkler|levenshtein|cosine|common_subsequence|edit_distance)\w*\("
)
SETS = st.sets(st.integers(0, 12))
NAMES = st.text("abcé ", max_size=12)


@given(SETS, SETS)
def test_measures_of_sets(one: set[int], other: set[int]) -> None:
    shared = sum(item in other for item in one)
    total = len(one) + len(other)
    assert jaccard(one, other) == (shared / (total - shared) if total else 1.0)
    assert dice(one, other) == (2 * shared / total if one and other else 0.0)
    assert overlap(one, other) == (1.0 if not total else shared / max(1, min(len(one), len(other))))


@given(st.lists(st.sampled_from("abc"), max_size=9), st.integers(1, 4))
def test_runs_and_shingles(words: list[str], size: int) -> None:
    plain = [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]
    assert runs(words, size) == plain
    assert shingles(words, size) == (set(plain) if len(words) >= size or not words else {tuple(words)})


@given(st.lists(NAMES, max_size=5), st.integers(2, 3))
def test_letter_shingles_of_many_texts(texts: list[str], size: int) -> None:
    codes, owners = letter_shingles(texts, size)
    for number, text in enumerate(texts):
        windows = [text[at : at + size] for at in range(len(text) - size + 1)]
        plain = {window for window in windows if " " not in window[1:-1]}
        assert int((owners == number).sum()) == len(plain)
        if size == 2:
            assert letter_pairs(text) == plain
    for one, first in zip(texts, range(len(texts)), strict=True):
        for other, second in zip(texts, range(len(texts)), strict=True):
            equal = set(codes[owners == first].tolist()) == set(codes[owners == second].tolist())
            if size == 2:
                assert equal == (letter_pairs(one) == letter_pairs(other))


def plain_jaro(one: str, other: str) -> float:
    """Return Jaro's similarity, straight from Winkler (1990)."""
    reach = max(len(one), len(other)) // 2 - 1
    free, ours = list(range(len(other))), []
    for at, letter in enumerate(one):
        place = next((place for place in free if other[place] == letter and abs(place - at) <= max(reach, 0)), None)
        if place is not None:
            free.remove(place)
            ours.append(letter)
    theirs = [letter for place, letter in enumerate(other) if place not in free]
    if not ours:
        return 0.0
    swapped = sum(a != b for a, b in zip(ours, theirs, strict=True)) / 2
    return (len(ours) / len(one) + len(ours) / len(other) + (len(ours) - swapped) / len(ours)) / 3


@given(NAMES, NAMES)
def test_jaro_winkler(one: str, other: str) -> None:
    common = 0
    while common < min(4, len(one), len(other)) and one[common] == other[common]:
        common += 1
    jaro = 1.0 if one == other else plain_jaro(one, other)
    assert jaro_winkler(one, other) == pytest.approx(jaro + 0.1 * common * (1 - jaro))


@given(*[st.dictionaries(st.sampled_from("abcd"), st.floats(0.01, 9)) for _ in range(2)])
def test_cosine(one: dict[str, float], other: dict[str, float]) -> None:
    first, second = ([vector.get(term, 0.0) for term in "abcd"] for vector in (one, other))
    wanted = sum(a * b for a, b in zip(first, second, strict=True))
    lengths = math.hypot(*first) * math.hypot(*second)
    assert cosine(one, other) == pytest.approx(wanted / lengths if lengths else 0.0)


def test_similarity_has_one_place() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {match}"
        for path in SOURCES.rglob("*.py")
        if path.parent != SOURCES / "page" / "similarity"
        for match in MEASURES.findall(path.read_text())
    ]
    assert found == []
    defined = [
        name
        for path in (SOURCES / "page" / "similarity").glob("*.py")
        for name in re.findall(r"^def (\w+)\(", path.read_text(), re.MULTILINE)
        if not name.startswith("_")
    ]
    assert len(defined) == len(set(defined)) and "jaccard" in defined
