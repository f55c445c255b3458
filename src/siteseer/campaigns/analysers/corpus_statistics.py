"""Computes corpus statistics over all objects of a campaign: which capitalised words are names, and the topics.

Objects are read once, one by one; what is kept of them is bounded: counts of names, and a sample of texts that is the
same in whatever order the objects come.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace

from siteseer.campaigns.analysers.entity_statistics import NameCounts, drop_singletons
from siteseer.campaigns.analysers.sentiment_lexicon import function_words
from siteseer.campaigns.analysers.tokens import Word, read
from siteseer.campaigns.analysers.topic_model import Topic, label, learn_topics
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.model import JSON, WebObject

SAMPLE = 2_000
"""Texts that topics are learned from."""


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The names and topics that all texts of a campaign show together."""

    objects: int = 0
    names: frozenset[str] = frozenset()
    topics: tuple[Topic, ...] = ()
    idf: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> JSON:
        """Return it as JSON."""
        return {
            "objects": self.objects,
            "names": sorted(self.names),
            "topics": [asdict(topic) for topic in self.topics],
            "idf": self.idf,
        }

    @classmethod
    def from_json(cls, told: JSON) -> CorpusStatistics:
        """Read it back.

        >>> CorpusStatistics.from_json(CorpusStatistics(3, frozenset({"Ann Lee"})).to_json()).names
        frozenset({'Ann Lee'})
        """
        topics = tuple(Topic(one["label"], one["terms"]) for one in told["topics"])
        return cls(told["objects"], frozenset(told["names"]), topics, dict(told["idf"]))


def analysed_text(thing: WebObject) -> str:
    """Return the text of an object to be analysed: its own text, or its title where it has none."""
    return thing.text or thing.title or ""


def terms_of(words: Sequence[Word]) -> Counter[str]:
    """Return the words that can be what a text is about, with how often they occur."""
    common = function_words()
    return Counter(
        word.plain for word in words if len(word.plain) > 2 and not word.plain.isdigit() and word.plain not in common
    )


def read_corpus(objects: Iterable[WebObject], sample: int = SAMPLE) -> CorpusStatistics:
    """Return the corpus statistics of the objects.

    >>> texts = ["The mayor met Ann Lee.", "A day with Ann Lee.", "They saw Bo Day."]
    >>> sorted(read_corpus(WebObject("post", str(n), "", text=text) for n, text in enumerate(texts)).names)
    ['Ann Lee', 'Bo Day']
    """
    naming, forms = NameCounts(), Counter[str]()
    chosen: list[tuple[int, str, Counter[str]]] = []
    number = 0
    for thing in objects:
        text = analysed_text(thing)
        words = read(text)
        if not words:
            continue
        number += 1
        naming.read(text, words)
        forms.update({text[word.start : word.end] for word in words if not word.first})
        drop_singletons(forms)
        row = (-_place(thing.id), thing.id, terms_of(words))
        if len(chosen) < sample:
            heapq.heappush(chosen, row)
        elif row > chosen[0]:
            heapq.heapreplace(chosen, row)
    topics, idf = learn_topics([terms for _, _, terms in sorted(chosen, key=lambda row: row[:2])])
    written = _written(forms, {term for topic in topics for term in topic.terms})
    called = (replace(topic, label=label(topic.terms, written)) for topic in topics)
    return CorpusStatistics(number, naming.names(), tuple(called), idf)


def _written(forms: Counter[str], terms: set[str]) -> dict[str, str]:
    """Return how most texts write each term, within sentences."""
    found: dict[str, str] = {}
    for form, _ in sorted(forms.items(), key=lambda one: (-one[1], one[0])):
        if len(plain := words_of(form)) == 1 and plain[0] in terms:
            found.setdefault(plain[0], form)
    return found


def _place(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8], "big")
