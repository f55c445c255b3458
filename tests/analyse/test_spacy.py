"""spaCy's entities become annotations, where spaCy is installed."""

from __future__ import annotations

import pytest

from siteseer.analyse.with_spacy import SpacyAnalyser, installed_models, make
from siteseer.errors import UsageError
from siteseer.interfaces import AnalyserContext
from siteseer.model import WebObject

CONTEXT = AnalyserContext('name = "x"\nseeds = ["e.org"]\nkeywords = ["kelp"]\n', {})


def test_without_a_model_one_sentence_says_what_to_install() -> None:
    if installed_models():
        pytest.skip("a model of spaCy is installed here")
    with pytest.raises(UsageError, match=r"pip install spacy|spacy download"):
        make(CONTEXT)


def test_entities_of_a_model_are_told_with_their_kind_and_place() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install spacy")
    model = spacy.blank("en")
    rules = model.add_pipe("entity_ruler")
    rules.add_patterns(
        [
            {"label": "PERSON", "pattern": [{"LOWER": "ada"}, {"LOWER": "norwell"}]},
            {"label": "DATE", "pattern": [{"LOWER": "yesterday"}]},
        ]
    )
    analyser = SpacyAnalyser({"en": model})
    text = "It was yesterday that Ada Norwell spoke; Ada Norwell again."
    (one,) = analyser.analyse(WebObject("post", "urn:x:1", "http://e.org/", text=text))
    assert (one.label, one.sort, text[one.start : one.end]) == ("Ada Norwell", "PERSON", "Ada Norwell")
    assert analyser.analyse(WebObject("post", "urn:x:2", "http://e.org/")) == []
    assert analyser.version == SpacyAnalyser({"en": model}).version
