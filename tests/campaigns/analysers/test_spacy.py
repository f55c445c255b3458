"""spaCy's entities become annotations, where spaCy is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from siteseer.campaigns.analysers.spacy_analyser import SpacyAnalyser, installed_models, make
from siteseer.campaigns.analysis.analyse_objects import default_analysers
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


def test_installed_models_are_found_and_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install spacy")
    model = spacy.blank("en", meta={"name": "tiny_sm", "version": "0.0.1"})
    model.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "Harbour Board"}])
    package = tmp_path / "en_tiny_sm"
    package.mkdir()
    model.to_disk(package / "en_tiny_sm-0.0.1")
    (package / "meta.json").write_text((package / "en_tiny_sm-0.0.1" / "meta.json").read_text())
    (package / "__init__.py").write_text(
        "from spacy.util import load_model_from_init_py\n\n"
        "def load(**given):\n    return load_model_from_init_py(__file__, **given)\n"
    )
    about = tmp_path / "en_tiny_sm-0.0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: en-tiny-sm\nVersion: 0.0.1\n")
    (about / "entry_points.txt").write_text("[spacy_models]\nen_tiny_sm = en_tiny_sm\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_models()["en"] == "en_tiny_sm" and default_analysers() == ["plain", "spacy"]
    text = "They say that the Harbour Board is late, and that it was the end of the kelp in the bay and of all that."
    (one,) = make(CONTEXT).analyse(WebObject("post", "urn:x:1", "http://e.org/", text=text))
    assert (one.label, one.sort) == ("Harbour Board", "ORG")
    shutil.rmtree(package / "en_tiny_sm-0.0.1")
    with pytest.raises(UsageError, match="en_tiny_sm cannot be loaded"):
        make(CONTEXT)
