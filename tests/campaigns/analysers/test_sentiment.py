"""Opinions by word lists: what turns, strengthens, weakens or outweighs a judging word, and what is none."""

from __future__ import annotations

import pytest

from siteseer.campaigns.analysers.builtin_analyser import BuiltinAnalyser
from siteseer.campaigns.analysers.corpus_statistics import CorpusStatistics
from siteseer.campaigns.analysers.sentiment import judging_sentences, polarity
from siteseer.campaigns.analysers.sentiment_lexicon import LANGUAGES, sentiment_lexicon, sentiment_lexicon_for
from siteseer.campaigns.analysers.tokens import read
from siteseer.campaigns.relevance.definition import Definition, Entity
from siteseer.model import WebObject


def degree(text: str, language: str = "") -> float:
    return polarity(judging_sentences(text, read(text), language))


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("The harbour is good.", "The harbour is very good."),
        ("The harbour is slightly pleasant.", "The harbour is pleasant."),
        ("It is not good.", "It is good."),
        ("It was a pleasant trip, but the boat was awful.", "The boat was awful, but it was a pleasant trip."),
        ("Unkind words.", "Kind words."),
        ("We will not recommend it.", "We will recommend it."),
        ("It won't start.", "It won the race."),
        ("We met :(", "We met :-)"),
        ("Das gefällt mir nicht.", "Das gefällt mir sehr."),
        ("Il ne sera pas bon.", "Il sera bon."),
        ("No me gustó nada.", "Me gustó mucho."),
    ],
)
def test_what_stands_around_a_judging_word_counts(less: str, more: str) -> None:
    assert degree(less) < degree(more)


def test_two_negations_in_one_clause_are_one() -> None:
    assert degree("Il ne sera jamais bon, ce plan.", "fr") < 0 > degree("No es nunca bueno.", "es")


def test_a_negation_does_not_reach_over_a_pause() -> None:
    assert degree("No, it is good.") > 0 > degree("It is no good.")


def test_words_are_known_in_all_their_forms() -> None:
    told = {
        "en": "delights happier hopefully worried lovingly",
        "de": "schönsten freundliche",
        "es": "preciosas",
        "fr": "heureuses",
    }
    for language, words in told.items():
        text = " ".join(words.split())
        assert all(sentiment_lexicon(language).value(word.plain) for word in read(text)), language


def test_every_list_can_be_read_and_no_word_is_on_both_sides() -> None:
    for language in LANGUAGES:
        one = sentiment_lexicon(language)
        assert len(one.values) > 500 and one.turns and one.strong and one.weak and one.contrasts
        assert not (one.turns | one.contrasts) & {word for word, value in one.values.items() if value > 0}


def test_a_name_judges_nothing() -> None:
    definition = Definition("x", ("http://e.org/",), ("kelp",), (Entity("Disaster Relief Trust"),))
    thing = WebObject("post", "urn:x:1", "http://e.org/", text="The Disaster Relief Trust met on the pier.")
    assert [
        one for one in BuiltinAnalyser(definition, CorpusStatistics()).analyse(thing) if one.kind == "opinion"
    ] == []


def test_short_texts_have_a_language_too_and_others_say_nothing_by_words() -> None:
    languages = [
        one.language for one in map(sentiment_lexicon_for, (["das", "ist"], ["the", "sea"], ["el", "mar"])) if one
    ]
    assert languages == ["de", "en", "es"]
    italian = "Il libro di cui si parla non ha una fine, gli amici sono con me, anche per il vino della casa nel bello."
    assert degree(italian) == 0.0


@pytest.mark.parametrize("text", [":" * 100_000, "<3" * 50_000, ":-)" * 30_000, "x" * 100_000, "un" * 50_000])
def test_rows_of_signs_are_read_once(text: str) -> None:
    assert -1 <= degree(text) <= 1
