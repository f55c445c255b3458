"""The built-in analyser: what it finds, where, in several languages, and that hostile texts cost little."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.campaigns.analysers.builtin_analyser import BuiltinAnalyser, make
from siteseer.campaigns.analysers.corpus_statistics import CorpusStatistics, read_corpus
from siteseer.campaigns.analysers.sentiment import judging_sentences, polarity
from siteseer.campaigns.analysers.tokens import read
from siteseer.campaigns.analysers.topic_model import degrees, learn_topics
from siteseer.campaigns.relevance.definition import Definition, Entity
from siteseer.interfaces import AnalyserContext
from siteseer.model import Annotation, WebObject

KELP = Definition(
    "Kelp", ("http://e.org/",), keywords=("kelp",), entities=(Entity("Harbour Board", ("the Board", "Hafenamt")),)
)
WORDS = st.sampled_from(
    ["kelp", "Ada", "Norwell", "the", "Board", "not", "good", "terrible", ".", "\n", "é", "日本", "J."]
)


def post(text: str, name: str = "1", title: str | None = None) -> WebObject:
    return WebObject("post", f"urn:x:{name}", "http://e.org/", title=title, text=text)


def found(text: str, kind: str, told: CorpusStatistics | None = None) -> dict[str, Annotation]:
    annotations = BuiltinAnalyser(KELP, told or CorpusStatistics()).analyse(post(text))
    return {one.label: one for one in annotations if one.kind == kind}


def test_entities_of_the_definition_are_found_by_any_of_their_names_and_where_they_stand() -> None:
    text = "Yesterday the Board met. The harbour board, or HAFENAMT, will wait."
    one = found(text, "entity")["Harbour Board"]
    assert (one.quote, text[one.start : one.end], one.confidence) == ("the Board", "the Board", 1.0)
    assert found("The boardwalk is closed.", "entity") == {}


def test_names_are_what_all_texts_show_to_be_names() -> None:
    texts = ["We met Ada Norwell there.", "A letter to Ada Norwell came.", "We met Bo Marsh once.", "Then Kites flew."]
    texts.append("She likes kites, and the kites like Larkstead.")
    told = read_corpus(post(text, str(number)) for number, text in enumerate(texts))
    assert told.names == {"Ada Norwell", "Bo Marsh", "Larkstead"}
    names = found("Larkstead: it was Ada Norwell, not Jo Pond.", "entity", told)
    assert list(names) == ["Larkstead", "Ada Norwell"] and names["Ada Norwell"].confidence < 1


def test_words_that_begin_sentences_or_are_also_written_small_are_no_names() -> None:
    texts = ["Boats left. Boats came.", "Boats and boats.", "On Monday the Boats left, boats came back on Monday."]
    assert read_corpus(post(text, str(number)) for number, text in enumerate(texts)).names == frozenset()


def test_apostrophes_belong_to_few_names() -> None:
    texts = [
        "We heard O’Brien; I’m sure Ada's boat wasn't there. They said Don't go.",
        "So O'Brien said I'm late. But Don't!",
    ]
    told = read_corpus(
        post(f"{text} Then came Ada’s letter to O’Brien.", str(number)) for number, text in enumerate(texts)
    )
    assert told.names == {"Ada", "O'Brien"}
    assert polarity(judging_sentences("It isn't good.", read("It isn't good."), "en")) < 0


def test_topics_part_texts_that_speak_of_different_things_in_whatever_order_they_come() -> None:
    sea = [f"kelp tide diver harvest reef number{n} boat" for n in range(12)]
    rail = [f"train rail tram station signal number{n} driver" for n in range(12)]
    things = [post(text, str(number)) for number, text in enumerate(sea + rail)]
    told, again = read_corpus(things), read_corpus(reversed(things))
    assert told == again
    best = {}
    for text in ("the diver saw kelp on the reef", "a tram left the station late"):
        counts = {word.plain: 1 for word in read(text)}
        cosines = degrees(counts, told.topics, told.idf)
        best[text] = told.topics[cosines.index(max(cosines))].label
        assert max(cosines) > 0.5
    assert len(set(best.values())) == 2
    (label,) = set(found("train, tram and rail, a signal", "topic", told)) - {"Kelp"}
    assert set(label.split(", ")) <= {"train", "rail", "tram", "station", "signal", "driver"}


def test_the_campaign_itself_is_a_topic_with_its_terms_as_evidence() -> None:
    one = found("kelp and more kelp from the Harbour Board", "topic")["Kelp"]
    assert 0.5 < one.degree <= 1 and "kelp (2)" in one.quote


def test_few_texts_have_no_topics() -> None:
    assert learn_topics([])[0] == () == read_corpus([post("one two three")]).topics


@pytest.mark.parametrize(
    ("language", "good", "bad", "turned"),
    [
        ("en", "The plan is excellent and useful.", "A terrible and dangerous failure.", "It is not good."),
        (
            "de",
            "Der Plan ist ausgezeichnet und nützlich.",
            "Ein schrecklicher, gefährlicher Skandal.",
            "Das ist nicht gut.",
        ),
        ("fr", "Le projet est excellent et utile.", "Un échec terrible et dangereux.", "Ce n'est pas bon."),
        ("es", "El plan es excelente y útil.", "Un fracaso terrible y peligroso.", "No es bueno."),
    ],
)
def test_praise_blame_and_negation(language: str, good: str, bad: str, turned: str) -> None:
    said = {
        name: polarity(judging_sentences(text, read(text), language))
        for name, text in (("+", good), ("-", bad), ("~", turned))
    }
    assert said["+"] > 0.4 and said["-"] < -0.4 and said["-"] < said["~"] < 0


def test_the_language_of_a_text_is_told_by_its_words() -> None:
    german = "Das ist ein wunderbarer Tag, und die Leute sind mit dem Plan nicht nur froh: er ist gut für den Hafen."
    assert polarity(judging_sentences(german, read(german))) > 0


def test_opinions_of_entities_come_from_the_sentences_that_name_them() -> None:
    text = "The Harbour Board failed, a disaster and a scandal. The weather was wonderful, perfect, a great joy."
    opinions = found(text, "opinion")
    one = opinions["Harbour Board"]
    assert one.degree < -0.3 and text[one.start : one.end] == one.quote and one.quote.startswith("The Harbour Board")
    assert opinions[""].degree > one.degree


def test_one_judging_word_is_no_opinion_of_the_whole() -> None:
    assert "" not in found("It was a good day for kelp.", "opinion")


def test_what_only_a_title_says_has_no_place_in_the_text() -> None:
    thing = WebObject("post", "urn:x:1", "http://e.org/", title="The Harbour Board")
    (one,) = [one for one in BuiltinAnalyser(KELP, CorpusStatistics()).analyse(thing) if one.kind == "entity"]
    assert one.start is None and one.quote == "The Harbour Board"[4:]


def test_another_definition_or_study_is_another_version() -> None:
    one = BuiltinAnalyser(KELP, CorpusStatistics()).version
    assert (
        one
        == BuiltinAnalyser(KELP, CorpusStatistics()).version
        != BuiltinAnalyser(KELP, CorpusStatistics(1, frozenset({"Ann Lee"}))).version
    )
    text = 'name = "x"\nseeds = ["http://e.org/"]\nkeywords = ["kelp"]\n'
    assert make(AnalyserContext(text, CorpusStatistics().to_json())).version != one


@given(st.lists(WORDS, max_size=60).map(" ".join))
@settings(max_examples=60, deadline=None)
def test_every_place_shows_its_quote(text: str) -> None:
    told = CorpusStatistics(9, frozenset({"Ada Norwell", "Ada", "Norwell Ada"}))
    for one in BuiltinAnalyser(KELP, told).analyse(post(text)):
        assert -1 <= one.degree <= 1 and 0 <= one.confidence <= 1
        if one.start is not None:
            assert text[one.start : one.end] == one.quote
        if one.kind == "entity":
            assert one.label in {"Harbour Board", *told.names}


@pytest.mark.parametrize(
    "text",
    ["A" * 300_000, "A " * 150_000, "Aa-" * 100_000, "." * 300_000, "not good " * 30_000, "Ab\n" * 100_000],
)
def test_hostile_texts_cost_little(text: str) -> None:
    began = time.process_time()
    found(text, "entity", CorpusStatistics(2, frozenset({"Ab"})))
    assert time.process_time() - began < 5  # a tenth of that here; quadratic work takes minutes


def test_addresses_are_no_text() -> None:
    text = "See https://kites.example.org/Kelp-Harvest and www.kites.example.org, kites there."
    assert [word.plain for word in read(text)] == ["see", "and", "kites", "there"]


def test_a_name_in_capitals_is_the_same_name() -> None:
    texts = ["They use Nixos here.", "We like Nixos too.", "Now NIXOS is here."]
    told = read_corpus(post(text, str(number)) for number, text in enumerate(texts))
    assert told.names == {"Nixos"} and list(found("It runs NIXOS now.", "entity", told)) == ["Nixos"]
