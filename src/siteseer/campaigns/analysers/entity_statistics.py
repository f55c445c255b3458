"""Tells names from other capitalised words by counts over all texts (named-entity statistics).

A single text cannot tell a name from a word at the beginning of a sentence, or from a noun in German, which writes all
of them with capitals. All texts together show which words are also written small, and which follow articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from siteseer.campaigns.analysers.entity_candidates import candidates, given_names, is_noun
from siteseer.campaigns.analysers.sentiment_lexicon import sentiment_lexicon_for
from siteseer.campaigns.analysers.tokens import Word
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.extract.function_words import FUNCTION_WORDS

MOST_NAMES = 20_000
MOST_COUNTED = 200_000
"""Names that are counted at a time; those met once make room for others."""
OFTEN = 2
"""Texts that must hold a German word before it counts as a name."""
NOUN = 0.15
"""The share of the texts with a German word in which it stands behind an article, from which on it is a noun."""


class NameCounts:
    """Counts candidates for names in bounded memory."""

    def __init__(self) -> None:
        self.firm: Counter[str] = Counter()
        """Names by the texts in which their capitals can only be those of a name."""
        self.loose: Counter[str] = Counter()
        self.lower: Counter[str] = Counter()
        """Words by the texts that write them small."""
        self.german: Counter[str] = Counter()
        """Runs of capitals in German texts."""
        self.capital: Counter[str] = Counter()
        self.nouns: Counter[str] = Counter()

    def read(self, text: str, words: Sequence[Word]) -> None:
        """Count the candidates of a text.

        >>> from siteseer.campaigns.analysers.tokens import read as tokens
        >>> naming = NameCounts()
        >>> for text in ("We met Ann Lee. Boats came.", "Then boats left Larkstead."):
        ...     naming.read(text, tokens(text))
        >>> sorted(naming.names())
        ['Ann Lee', 'Larkstead']
        """
        found = list(candidates(text, words))
        self.lower.update({word.plain for word in words if text[word.start].islower()})
        spoken = sentiment_lexicon_for([word.plain for word in words])
        if spoken is not None and spoken.language == "de":
            self.german.update({one.name for one in found if not one.doubtful or " " in one.name})
            capitals = [place for place, word in enumerate(words) if text[word.start].isupper()]
            self.capital.update({words[place].plain for place in capitals})
            self.nouns.update({words[place].plain for place in capitals if is_noun(text, words, place)})
        else:
            sure = {one.name for one in found if not one.doubtful}
            self.firm.update(sure)
            self.loose.update({one.name for one in found} - sure)
        for counts in (self.firm, self.loose, self.lower, self.german, self.capital, self.nouns):
            drop_singletons(counts)

    def names(self) -> frozenset[str]:
        """Return the candidates that are more likely names than ordinary words; the most frequent ones if there are too
        many.
        """
        counts = Counter({name: self.firm[name] + self.loose[name] for name in self.firm.keys() | self.loose.keys()})
        kept = Counter({name: count for name, count in counts.items() if self._is_name(name)})
        kept.update(self._german())
        order = sorted(kept, key=lambda name: (-kept[name], name))
        forms = {name.casefold(): name for name in reversed(order)}  # Unix and UNIX are one: the more frequent
        return frozenset([name for name in order if forms[name.casefold()] == name][:MOST_NAMES])

    def _is_name(self, name: str) -> bool:
        words, firm, loose = words_of(name), self.firm[name], self.loose[name]
        if len(words) > 1:
            is_new = not any(self.lower[word] for word in words if word not in FUNCTION_WORDS)
            return bool(firm) or (is_new and not name.isupper())
        return bool(words) and firm > 0 and firm + loose > 2 * self.lower[words[0]]

    def _german(self) -> Counter[str]:
        """Return the names in the runs of German texts: without the nouns before and behind them."""
        kept: Counter[str] = Counter()
        people: set[str] = set()
        for run, count in self.german.items():
            parts = run.split()
            given = next((place for place, part in enumerate(parts) if _plain(part) in given_names()), -1)
            if given >= 0:
                parts = parts[given:]
            while parts and self._is_noun(parts[0]):
                parts = parts[1:]
            while parts and self._is_noun(parts[-1]):
                parts = parts[:-1]
            if parts:
                kept[" ".join(parts)] += count
            if given >= 0 and len(parts) > 1:
                people |= {" ".join(parts), parts[-1]}
        return Counter(
            {name: count for name, count in kept.items() if name in people or name.isupper() or count >= OFTEN}
        )

    def _is_noun(self, word: str) -> bool:
        plain = _plain(word)
        if "-" in word and plain.split()[0] not in given_names():
            return True  # a compound
        return bool(self.lower[plain]) or self.nouns[plain] > NOUN * self.capital[plain]


def _plain(word: str) -> str:
    return " ".join(words_of(word))


def drop_singletons(counts: Counter[str]) -> None:
    """Drop what was seen once when there are too many counts."""
    if len(counts) > MOST_COUNTED:
        for name in [name for name, count in counts.items() if count == 1]:
            del counts[name]
