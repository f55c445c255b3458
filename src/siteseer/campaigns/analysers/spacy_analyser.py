"""Finds entities with spaCy's models, where spaCy and a model for the language are installed.

A model is chosen for each text by its language; texts in languages without a model are left alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from typing import Any

from siteseer.campaigns.analysers.corpus_statistics import analysed_text
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.campaigns.relevance.time_and_language import guess_language
from siteseer.errors import MissingExtraError, UsageError
from siteseer.interfaces import AnalyserContext
from siteseer.model import Annotation, WebObject

LONGEST = 100_000
MOST_ENTITIES = 25
SURE = 0.8
"""About the share of right names of the small models, as their authors publish it."""
NO_ENTITIES = frozenset("DATE TIME PERCENT MONEY QUANTITY ORDINAL CARDINAL".split())
"""Figures and dates are no entities of a campaign."""
_SLOW = ("tagger", "parser", "attribute_ruler", "lemmatizer", "morphologizer")
"""Parts of a model that names are found without."""


class SpacyAnalyser:
    """Finds entities with models by language; `xx` stands for any."""

    def __init__(self, models: Mapping[str, Any]) -> None:
        self.models = models
        told = sorted(f"{name} {one.meta.get('name')} {one.meta.get('version')}" for name, one in models.items())
        self.version = f"{version('spacy')}.{hashlib.sha256(' '.join(told).encode()).hexdigest()[:8]}"

    def analyse(self, thing: WebObject) -> Sequence[Annotation]:
        """Return the entities of an object, each where it is named first."""
        text = analysed_text(thing)[:LONGEST]
        only = next(iter(self.models)) if len(self.models) == 1 else ""
        model = self.models.get(guess_language(words_of(text[:5_000])) or only) or self.models.get("xx")
        if model is None or not text.strip():
            return []
        found: dict[str, Annotation] = {}
        for one in model(text).ents:
            name = " ".join(one.text.split())
            if one.label_ not in NO_ENTITIES and 1 < len(name) <= 100:
                start, end = (one.start_char, one.end_char) if thing.text else (None, None)
                found.setdefault(name, Annotation("entity", name, 1.0, SURE, start, end, name, one.label_))
        return list(found.values())[:MOST_ENTITIES]


def installed_models() -> dict[str, str]:
    """Return the installed models by language, the smallest of each; nothing where spaCy is not installed."""
    if find_spec("spacy") is None:
        return {}
    order = {"sm": 0, "md": 1, "lg": 2}
    found = {entry.name for entry in entry_points(group="spacy_models")}
    names = sorted(found, key=lambda name: (order.get(name.rpartition("_")[2], 3), name))
    return {name.partition("_")[0]: name for name in reversed(names)}


def make(context: AnalyserContext) -> SpacyAnalyser:
    """Return the analyser with all installed models."""
    if find_spec("spacy") is None:
        raise MissingExtraError("nlp", "the analyser spacy needs spaCy and a model (python -m spacy download MODEL)")
    models = dict(_loaded(installed_models()))
    if not models:
        raise UsageError("spaCy has no model yet: python -m spacy download en_core_web_sm, or that of your language")
    return SpacyAnalyser(models)


def _loaded(names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    load = import_module("spacy").load
    for language, name in names.items():
        try:
            yield language, load(name, exclude=_SLOW)
        except (OSError, ValueError, ImportError) as error:
            raise UsageError(f"spaCy's model {name} cannot be loaded: {' '.join(str(error).split())[:200]}") from error
