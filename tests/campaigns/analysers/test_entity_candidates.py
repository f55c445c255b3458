"""Names: where a run of capitals begins and ends, and what all texts show to be a name."""

from __future__ import annotations

import pytest

from siteseer.campaigns.analysers.builtin_analyser import BuiltinAnalyser
from siteseer.campaigns.analysers.corpus_statistics import read_corpus
from siteseer.campaigns.analysers.entity_statistics import NameCounts
from siteseer.campaigns.analysers.tokens import read
from siteseer.campaigns.relevance.definition import Definition
from siteseer.model import WebObject

GERMAN = (
    "Der Hafen ist für die Boote und das Amt zu klein, sagt Petra Lindner, und alle sind auf dem Weg nach Larkstadt.",
    "Das Amt in Larkstadt will den Hafen nicht, und die Boote sind für den Präsidenten Uwe Holm ein Zeichen der Zeit.",
    "Im Hafen von Larkstadt ist das Zeichen für die Boote, die auf dem Weg sind, und Lindner ist mit der NKP nicht da.",
)


def names(*texts: str) -> set[str]:
    naming = NameCounts()
    for text in texts:
        naming.read(text, read(text))
    return set(naming.names())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We saw Mayor Maren Ostby on Friday.", {"Maren Ostby"}),
        ("It was told by Dr. J. R. Quill of the Bank of Larkstead.", {"J. R. Quill", "Bank of Larkstead"}),
        ("They met Ludwig van Holm and Ana de la Cruz.", {"Ludwig van Holm", "Ana de la Cruz"}),
        ("We went to Stow-on-the-Hill and saw a Larkstead-based choir.", {"Stow-on-the-Hill", "Larkstead"}),
        ("Last August Ines Pond left.", {"August Ines Pond"}),
        ("THE LAST BOAT LEAVES LARKSTEAD TODAY.", set()),
        ("Yesterday it rained. Tomorrow it may not.", set()),
    ],
)
def test_a_run_of_capitals_is_cut_where_a_name_ends(text: str, wanted: set[str]) -> None:
    assert names(text) == wanted


def test_german_nouns_are_no_names_and_people_are() -> None:
    assert names(*GERMAN) == {"Larkstadt", "Petra Lindner", "Lindner", "Uwe Holm", "NKP"}


def test_a_known_name_is_found_in_capitals_and_inside_longer_runs() -> None:
    texts = [
        "He left New Larkstead at noon.",
        "NEW LARKSTEAD 3 May: boats wait.",
        "New Larkstead slept. All Quiet New Larkstead!",
    ]
    things = [WebObject("post", f"urn:x:{n}", "http://e.org/", text=text) for n, text in enumerate(texts)]
    analyser = BuiltinAnalyser(Definition("x", ("http://e.org/",), ("kelp",)), read_corpus(things))
    for thing in things:
        assert "New Larkstead" in {one.label for one in analyser.analyse(thing) if one.kind == "entity"}, thing.text
