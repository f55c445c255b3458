"""Analyses an object with names, terms and word lists alone: the built-in analyser of entities, topics and opinions.

Entities are those of the campaign's definition, by any of their names, and what all texts together show to be names.
Topics are the campaign's own, by its terms, and the groups of terms that occur together in all texts. Opinions are
those of the whole text, and of each entity by the sentences that name it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from siteseer.campaigns.analysers.corpus_statistics import CorpusStatistics, analysed_text, terms_of
from siteseer.campaigns.analysers.entity_candidates import candidates, normalised_name, parts
from siteseer.campaigns.analysers.sentiment import SentenceSentiment, is_opinion, judging_sentences, polarity
from siteseer.campaigns.analysers.tokens import Word, read, sentence_at
from siteseer.campaigns.analysers.topic_model import degrees
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.term_matcher import SearchTerm, TermMatcher
from siteseer.interfaces import AnalyserContext
from siteseer.model import Annotation, WebObject

VERSION = "2"
GUESSED = 0.6
"""How sure a name is that nobody gave."""
LEAST_TOPIC = 0.2
MOST_TOPICS, MOST_ENTITIES = 3, 50
QUOTE = 200
WORDS = 0.5
"""How sure an opinion is that word lists tell."""


class BuiltinAnalyser:
    """Analyses objects for one campaign.

    >>> analyser = BuiltinAnalyser(Definition("Kelp", ("http://e.org/",), keywords=("kelp",)), CorpusStatistics())
    >>> found = analyser.analyse(WebObject("post", "urn:x:1", "http://e.org/", text="Kelp, kelp and a bad, sad day."))
    >>> [(one.kind, one.label, one.degree > 0) for one in found]
    [('topic', 'Kelp', True), ('opinion', '', False)]
    """

    def __init__(self, definition: Definition, study: CorpusStatistics) -> None:
        self.definition, self.study = definition, study
        self._term_matcher = TermMatcher(
            [(SearchTerm(one.name), (one.name, *one.aliases)) for one in definition.entities]
        )
        self._scorer = RelevanceScorer(definition)
        self._names = {name.casefold(): name for name in sorted(study.names)}
        told = json.dumps([repr(definition), study.to_json()], sort_keys=True)
        self.version = f"{VERSION}.{hashlib.sha256(told.encode()).hexdigest()[:8]}"

    def analyse(self, thing: WebObject) -> Sequence[Annotation]:
        """Return the entities, topics and opinions of an object."""
        text = analysed_text(thing)
        words = read(text)
        named, taken = self._entities(text, words)
        spoken = judging_sentences(text, words, named=taken)
        is_text = bool(thing.text)
        entities = [one for one, _ in named.values()]
        found = [*entities, *self._topics(thing, words), *self._opinions(text, words, spoken, named)]
        return found if is_text else [_unplaced(one) for one in found]

    def _entities(self, text: str, words: list[Word]) -> tuple[dict[str, tuple[Annotation, set[int]]], set[int]]:
        """Return each entity where it is named first, with the sentences that name it; and the words of all names."""
        found: dict[str, tuple[Annotation, set[int]]] = {}
        taken: set[int] = set()
        for first, last, number in self._term_matcher.places([word.plain for word in words]):
            taken.update(range(first, last))
            self._name(found, self._term_matcher.sought[number].name, text, words[first:last], 1.0)
        for one in candidates(text, words):
            for first, last in parts(one):
                name = self._names.get(normalised_name(text, words, first, last).casefold())
                if name and taken.isdisjoint(range(first, last)):
                    taken.update(range(first, last))
                    self._name(found, name, text, words[first:last], GUESSED)
        return dict(list(found.items())[:MOST_ENTITIES]), taken

    @staticmethod
    def _name(
        found: dict[str, tuple[Annotation, set[int]]], name: str, text: str, words: Sequence[Word], sure: float
    ) -> None:
        start, end = words[0].start, words[-1].end
        place = found.setdefault(name, (Annotation("entity", name, 1.0, sure, start, end, text[start:end]), set()))
        place[1].add(words[0].sentence)

    def _topics(self, thing: WebObject, words: list[Word]) -> Iterator[Annotation]:
        degree, because = self._scorer.score_text(" ".join(filter(None, (thing.title, thing.text))))
        if degree:
            yield Annotation("topic", self.definition.name, degree, 1.0, quote=because)
        terms = terms_of(words)
        scored = zip(degrees(terms, self.study.topics, self.study.idf), self.study.topics, strict=True)
        best = sorted(((round(cosine, 4), topic) for cosine, topic in scored), key=lambda one: (-one[0], one[1].label))
        for cosine, topic in best[:MOST_TOPICS]:
            if cosine >= LEAST_TOPIC:
                held = [term for term in topic.terms if term in terms][:5]
                yield Annotation("topic", topic.label, min(cosine, 1.0), GUESSED, quote=", ".join(held))

    @staticmethod
    def _opinions(
        text: str, words: list[Word], spoken: list[SentenceSentiment], named: dict[str, tuple[Annotation, set[int]]]
    ) -> Iterator[Annotation]:
        if is_opinion(spoken):
            yield _opinion("", text, words, spoken)
        for label, (_, sentences) in named.items():
            of_it = [one for one in spoken if one.sentence in sentences and one.balance]
            if of_it:
                yield _opinion(label, text, words, of_it)


def _opinion(label: str, text: str, words: list[Word], spoken: list[SentenceSentiment]) -> Annotation:
    degree = polarity(spoken)
    telling = max(spoken, key=lambda one: (one.balance if degree >= 0 else -one.balance, -one.sentence))
    start, end = sentence_at(words, telling.sentence)
    return Annotation(
        "opinion", label, degree, WORDS, start, min(end, start + QUOTE), text[start : min(end, start + QUOTE)]
    )


def _unplaced(one: Annotation) -> Annotation:
    """Return the annotation of a title: its places are not those of the text."""
    return Annotation(one.kind, one.label, one.degree, one.confidence, None, None, one.quote, one.sort)


def make(context: AnalyserContext) -> BuiltinAnalyser:
    """Return the analyser for a campaign."""
    return BuiltinAnalyser(read_definition(context.definition), CorpusStatistics.from_json(context.study))
