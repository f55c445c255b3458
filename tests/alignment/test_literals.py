"""When two texts are equal: formats, slips, order, additions; and what must stay different."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import EqualLiterals, equal_literals
from siteseer.alignment.literals.normalise import alnum_key, exact_key, looser_keys
from siteseer.alignment.literals.similarity_join import similar_pairs


def equal(left: list[str], right: list[str], how: str) -> EqualLiterals:
    return equal_literals(KeyedText(left, how), KeyedText(right, how))


def likeness(one: str, other: str, how: str = "shingle") -> float:
    found = equal([one], [other], how)
    return float(found.similarity.max(initial=0.0))


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("310/456-7890", "(310) 456 7890", 1.0),
        ("9.990", "9.99", 1.0),
        ("30 September 2008", "2008-09-30", 1.0),
        ("May 25, 2010", "2010-05-25T00:00:00Z", 1.0),
        ("31/12/1999", "1999-12-31", 1.0),
        ("Café Zürich", "cafe zurich", 1.0),
        ("St. Martin&#039;s Griffin", "St Martin's Griffin", 1.0),
        ("Dickens, Charles", "Charles Dickens", 0.9),
        ("Hamlet (French Edition)", "Hamlet", 0.85),
        ("Unbearable Lightness: A Story of Loss and Gain", "Unbearable Lightness", 0.75),
        ("Publisher: Providence Forum Press", "Providence Forum Press", 0.65),
        ("Howard Zinn, Paul Buhle", "Howard Zinn", 0.8),
        ("J. K. Rowling", "Rowling, Joanne", 0.3),
        ("new south wales", "nsw", 0.5),
        ("smith", "smiht", 0.7),
        ("0857331500", "0857331506", 0.5),
        ("12224 ventura blvd.", "12224 ventura blv", 0.7),
        ("arnie morton's of chicago", "arnie mortons of chicago il", 0.7),
    ],
)
def test_alike(one: str, other: str, least: float) -> None:
    assert likeness(one, other) >= least
    assert likeness(other, one) >= least


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.50", "150"),
        ("2008", "2009"),
        ("A History of Modern Europe: v. 1", "A History of Modern Europe: v. 2"),
        ("12", "13"),
        ("Emma", "Persuasion"),
        ("ann", "anne b"),
    ],
)
def test_different(one: str, other: str) -> None:
    assert likeness(one, other) < 0.8 or likeness(one, other, "alnum") == 0
    assert likeness(one, other, "alnum") == 0
    assert likeness(one, other, "exact") == 0


def test_volumes_are_never_alike() -> None:
    assert likeness("A History of Modern Europe, volume 1", "A History of Modern Europe, volume 2") == 0


def test_exact_is_stricter_than_alnum() -> None:
    assert likeness("Ham-let", "hamlet", "exact") == 0
    assert likeness("Ham-let", "hamlet", "alnum") == 1
    assert likeness(" 9.50", "9.5", "exact") == 1


def test_what_resembles_many_counts_for_little() -> None:
    alone = equal(["starlight"], ["starlihgt"], "shingle").probability.max()
    among = equal(["starlight"], [f"starligh{letter}" for letter in "abcdefg"], "shingle").probability.max()
    assert alone > 0.7
    assert among < 0.2


def test_order_of_texts_does_not_matter() -> None:
    left, right = ["Dickens, Charles", "Emma", "0857331500"], ["Charles Dickens", "Ema", "0857331506"]
    one = equal(left, right, "shingle")
    two = equal(left[::-1], right[::-1], "shingle")
    assert {
        (left[i], right[j], round(float(p), 9)) for i, j, p in zip(one.left, one.right, one.probability, strict=True)
    } == {
        (left[::-1][i], right[::-1][j], round(float(p), 9))
        for i, j, p in zip(two.left, two.right, two.probability, strict=True)
    }


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_text_has_keys_and_a_likeness(one: str, other: str) -> None:
    assert exact_key(one) == exact_key(one + " ")
    assert alnum_key(one) == alnum_key(one.strip())
    assert all(0 < weight <= 1 for _, weight in looser_keys(one))
    if one.strip() and other.strip():
        assert 0 <= likeness(one, other) <= 1
        assert likeness(one, one) == 1


@pytest.mark.parametrize(
    "text", ["(" * 2000, " " * 1999 + "x", ":" * 2000, "a;" * 1000, "1" * 2000, '"' * 2000, "é" * 2000]
)
def test_hostile_texts_take_no_time(text: str) -> None:
    found = equal([text] * 50, [text + "!"] * 50, "shingle")
    assert len(found.left) in (0, 2500)


def test_similar_finds_what_comparing_all_finds() -> None:
    left = ["great expectations", "the pickwick papers", "bleak house", "a tale of two cities", "hard times"]
    right = ["great expectation", "pickwick papers", "bleak houses", "tale of two citis", "little dorrit"]
    x, y, jaccard = similar_pairs(left, right)
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == [(k, k) for k in range(4)]
    assert (jaccard >= 0.65).all()
