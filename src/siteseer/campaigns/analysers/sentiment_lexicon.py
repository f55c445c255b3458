"""Reads the sentiment lexicons of four languages: word lists, and rules for endings and prefixes.

The lists stand in `wordings/`, one file a language, written for this package from everyday use. A line is a degree and
words; two words joined by `_` count together. Endings and prefixes are taken off here: a list names a word once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.campaigns.relevance.time_and_language import guess_language
from siteseer.extract.function_words import FUNCTION_WORDS

LANGUAGES = ("en", "de", "fr", "es")
SHORTEST = 3
"""Letters that must be left of a word without its ending."""
OPPOSITE = -0.8
"""Unkind is about as bad as kind is good."""
BLAME = 1.3
"""What a word against something counts more: people praise readily, also in what they blame."""
SHOWN = 500
"""Words of a text that show its language."""
REMEMBERED = 50_000

ENDINGS: Mapping[str, str] = {
    "en": "s es d ed ing ing/e ingly ingly/e ed/e er/e est/e ly ily/y iness/y ness er est ier/y iest/y ied/y ies/y "
    "ably/able ful fully able ation/e ion/e ish y ic/e ity/e",
    "de": "e er es en em s n t te ten st ste sten ere erer eres eren erem et/en te/en st/en",
    "fr": "s e es x ee ees er/e e/er ee/er ees/er es/er ent/er ait/er ant/er ante/er antes/er ants/er ment ement nt "
    "euse/eux euses/eux elle/el elles/el ive/if ives/if aux/al trice/teur",
    "es": "s es a/o os/o as/o mente amente/o isimo/o isima/o o/ar a/ar an/ar ado/ar ada/ar ados/ar adas/ar ando/ar "
    "aba/ar aron/ar en/ar o/er e/er ido/er io/er ido/ir ida/ir e/ir ito/o ita/o ita/a",
}
"""What is taken off at the end of a word and, behind a stroke, what is put in its place."""
TURNING: Mapping[str, str] = {"en": "un dis in im ir non mis", "de": "un miss", "fr": "in im mal", "es": "in im des"}
"""What turns a good word into its opposite before it, and the ending that does so behind it."""
WITHOUT: Mapping[str, str] = {"en": "less", "de": "los"}


@dataclass(frozen=True)
class SentimentLexicon:
    """The sentiment words of a language."""

    language: str
    values: Mapping[str, float]
    """Words with their degrees, from -1.95 to 1.5; two words that count together stand with a blank between them."""
    turns: frozenset[str]
    """Negations."""
    strong: frozenset[str]
    weak: frozenset[str]
    contrasts: frozenset[str]
    common: frozenset[str]
    seconds: frozenset[str]
    """The second words of two that count together."""
    known: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def value(self, plain: str) -> float:
        """Return the sentiment of a word, 0 where it has none.

        >>> [sentiment_lexicon("en").value(word) for word in ("good", "happily", "unkind", "bad", "table", "unlike")]
        [1.0, 1.0, -0.8, -1.3, 0.0, 0.0]
        """
        found = self.known.get(plain)
        if found is None:
            found = self._built(plain)
            if len(self.known) < REMEMBERED:
                self.known[plain] = found
        return found

    def knows(self, plain: str) -> bool:
        """Say whether a word is of this language, as far as its list tells."""
        return plain in self.common or plain in self.values

    def _built(self, plain: str) -> float:
        if (found := self._ended(plain)) is not None:
            return found
        without = WITHOUT.get(self.language)
        if without and plain.endswith(without):
            return OPPOSITE * (self._ended(plain.removesuffix(without)) or 0.0)
        for prefix in TURNING[self.language].split():
            if plain.startswith(prefix) and len(plain) - len(prefix) > SHORTEST:
                return OPPOSITE * max(self._ended(plain.removeprefix(prefix)) or 0.0, 0.0)
        return 0.0

    def _ended(self, plain: str) -> float | None:
        """Return the degree of a word with whatever ending; None where the list does not know it."""
        if plain in self.values:
            return self.values[plain]
        for rule in ENDINGS[self.language].split():
            ending, _, instead = rule.partition("/")
            if plain.endswith(ending) and len(plain) - len(ending) >= SHORTEST:
                stem = plain.removesuffix(ending) + instead
                if stem in self.values:
                    return self.values[stem]
        return None


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Return the function words of all these languages, which no text is about."""
    return FUNCTION_WORDS.union(*(sentiment_lexicon(name).common for name in LANGUAGES))


@lru_cache(maxsize=len(LANGUAGES))
def sentiment_lexicon(language: str) -> SentimentLexicon:
    """Return the sentiment lexicon of a language, read from its file."""
    text = files("siteseer.campaigns.analysers").joinpath("wordings", f"{language}.txt").read_text(encoding="utf-8")
    values: dict[str, float] = {}
    sets: dict[str, list[str]] = {"not": [], "very": [], "less": [], "but": [], "common": []}
    for line in text.splitlines():
        key, _, words = line.partition(" ")
        if key in sets:
            sets[key] += words_of(words)
        elif key != "#":
            degree = int(key) / 2 * (BLAME if key[0] == "-" else 1.0)
            values |= {" ".join(words_of(word.replace("_", " "))): degree for word in words.split()}
    turns, strong, weak, contrasts, common = (frozenset(words) for words in sets.values())
    seconds = frozenset(pair.split()[1] for pair in values if " " in pair)
    return SentimentLexicon(language, values, turns, strong, weak, contrasts, common, seconds)


def sentiment_lexicon_for(words: Sequence[str], language: str = "") -> SentimentLexicon | None:
    """Return the lexicon for the language of a text; None where it is in none of these languages.

    >>> texts = ("das ist toll", "very nice", "c est pas mal du tout")
    >>> [sentiment_lexicon_for(text.split()).language for text in texts]
    ['de', 'en', 'fr']
    """
    name = language or guess_language(words)
    if not name:
        met = set(words[:SHOWN])
        name = max(LANGUAGES, key=lambda one: sum(sentiment_lexicon(one).knows(word) for word in met))
    return sentiment_lexicon(name) if name in LANGUAGES else None
