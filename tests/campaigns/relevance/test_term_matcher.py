"""Names among words, against a plain search that is obviously right."""

from __future__ import annotations

import unicodedata
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from siteseer.campaigns.relevance.definition import Definition, Entity, Learned, Term
from siteseer.campaigns.relevance.term_matcher import _WORD, SearchTerm, TermMatcher, words_of

WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4)


def plainly(phrases: list[list[str]], text: list[str]) -> Counter[int]:
    """Every occurrence of every phrase but those that lie within a longer one."""
    found = [
        (start, start + len(phrase), number)
        for number, phrase in enumerate(phrases)
        for start in range(len(text) - len(phrase) + 1)
        if text[start : start + len(phrase)] == phrase
    ]
    kept = [
        one
        for one in found
        if not any(
            other[0] <= one[0] and one[1] <= other[1] and other[1] - other[0] > one[1] - one[0] for other in found
        )
    ]
    return Counter(number for _, _, number in kept)


@given(st.lists(WORDS, max_size=6, unique_by=tuple), st.lists(st.sampled_from("abcde"), max_size=30))
def test_finds_what_a_plain_search_finds(phrases: list[list[str]], text: list[str]) -> None:
    term_matcher = TermMatcher([(SearchTerm(" ".join(one)), (" ".join(one),)) for one in phrases])
    assert term_matcher.find(text) == dict(plainly(phrases, text))


@given(st.text(max_size=60))
def test_words_are_those_of_the_whole_text_without_accents(text: str) -> None:
    apart = unicodedata.normalize("NFKD", text.casefold()).casefold()
    folded = unicodedata.normalize("NFC", "".join(one for one in apart if not unicodedata.combining(one)))
    assert words_of(text) == _WORD.findall(folded)


def test_names_begin_and_end_with_words_whatever_their_case_and_accents() -> None:
    wanted = Definition("x", ("http://e.org/",), ("dam",), (Entity("Café Müller", ("CM",)),))
    term_matcher = TermMatcher.of(wanted)
    found = term_matcher.find(words_of("The DAMS of cafe muller (C.M.), adamant; a dam: CM."))
    assert {term_matcher.sought[one].name: count for one, count in found.items()} == {"Café Müller": 2, "dam": 1}


def test_scripts_without_spaces_are_read_letter_by_letter() -> None:
    term_matcher = TermMatcher([(SearchTerm("dam"), ("水坝",))])
    assert term_matcher.find(words_of("新的水坝工程")) == {0: 1}


def test_a_keyword_is_worth_more_than_the_same_learned_term() -> None:
    learned = Learned((Term("Kelp", 0.2),))
    term_matcher = TermMatcher.of(Definition("x", ("http://e.org/",), ("kelp",), learned=learned))
    assert [one.weight for one in term_matcher.sought] == [1.0]
