"""Writes the titles, sentences and names of the demo sites from a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from random import Random

from siteseer.demo import words

SENTENCES = (
    "The {a} {n} {v} the {n} near {p}.",
    "We {d} {v} a {a} {n} and the {a} {n} behind it {t}.",
    "Nobody in {p} had {v} such a {a} {n}, so we {v} it {d}.",
    "My neighbour {v} the {n} {t}, although the {n} was {a} and {a}.",
    "Is there a {a} {n} that was never {v} {t}?",
    "{g} {f} {v} {number} {a} {ns} and {d} {v} the {n}.",
    "If the {n} stays {a}, the {n} from {p} must be {v} {d}.",
    "It took {number} days until the {a} {n} was {v} with a {n}.",
    "{t_cap} the {n} {d} {v} our {a} {n}!",
    "Between the {n} and the {n} stands a {a} {n}, {d} {v}.",
    "What I {v} {t} was neither {a} nor {a}: a {n} for {g}.",
    "They say that {p} {v} its {n} because of one {a} {n}.",
    "A {n} costs {number} crowns in {p}, a {a} one {d} twice as much.",
    "First the {n} is {v}, then the {a} {n}, and only {t} the {n}.",
    "Have you ever {v} a {n} as {a} as the {n} of {p}?",
    "The old {n} book calls it the {a} {n}; {g} {d} {v} it.",
    "Whoever {v} this {n} {t} knew a {a} {n} when they saw one.",
    "Instead of the {a} {n} we {v} {number} {ns}, each {a}, each {v} {d}.",
)
TITLES = (
    "The {a} {n} of {p}", "How we {v} the {n}", "A {n} for the {a} {n}", "{number} {ns} in {p}", "On {a} {ns} and {ns}",
    "{g}'s {a} {n}", "Why the {n} was {v}", "Notes on a {a} {n}", "The {n}, {d} {v}", "{p} and its {n}",
)  # fmt: skip
SLOT = re.compile(r"\{(\w+)\}")
ARTICLE = re.compile(r"\b([Aa])(?= [aeiou])")
LISTS = {
    "n": words.NOUNS, "a": words.ADJECTIVES, "v": words.VERBS, "d": words.ADVERBS, "p": words.PLACES, "t": words.TIMES,
    "g": words.GIVEN, "f": words.FAMILY,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Some paragraphs, as plain text and as HTML, with the links to other hosts in them."""

    text: str
    paragraphs: tuple[str, ...]
    links: tuple[str, ...] = ()

    def html(self, tag: str = "p") -> str:
        """Return the paragraphs, each in an element of that name; `br` separates them by line breaks instead."""
        if tag == "br":
            return "<br />\n<br />\n".join(self.paragraphs)
        return "\n".join(f"<{tag}>{paragraph}</{tag}>" for paragraph in self.paragraphs)


@lru_cache(maxsize=4096)
def slug(title: str) -> str:
    """Return a title as it stands in a URL.

    >>> slug("Greta's old clock!")
    'gretas-old-clock'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", "")).strip("-")


def plural(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural("bakery"), plural("loaf"), plural("bench"), plural("valley")
    ('bakeries', 'loaves', 'benches', 'valleys')
    """
    if noun in ("loaf", "shelf"):
        return noun[:-1] + "ves"
    if noun[-1] == "y" and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


class Prose:
    """Writes; the same key always writes the same.

    >>> Prose("blog", 1).title() == Prose("blog", 1).title()
    True
    """

    def __init__(self, *key: object) -> None:
        self.random = Random("/".join(map(str, key)))

    def fill(self, template: str) -> str:
        """Put words into the slots of a sentence."""
        return ARTICLE.sub(r"\1n", SLOT.sub(lambda slot: self._word(slot[1]), template))

    def _word(self, slot: str) -> str:
        if slot == "number":
            return str(self.random.randint(2, 97))
        if slot == "ns":
            return plural(self.random.choice(words.NOUNS))
        if slot == "t_cap":
            time = self.random.choice(words.TIMES)
            return time[0].upper() + time[1:]
        return self.random.choice(LISTS[slot])

    def title(self) -> str:
        """Write a title of three to six words."""
        title = self.fill(self.random.choice(TITLES))
        return title[0].upper() + title[1:]

    def name(self) -> str:
        """Invent a person."""
        return f"{self.random.choice(words.GIVEN)} {self.random.choice(words.FAMILY)}"

    def sentence(self) -> str:
        """Write one sentence."""
        sentence = self.fill(self.random.choice(SENTENCES))
        return sentence[0].upper() + sentence[1:]

    def passage(self, fewest: int, most: int, links: float = 0.0) -> Passage:
        """Write between so many paragraphs; `links` is the chance that one of them points to another host."""
        plain, marked, found = [], [], []
        for _ in range(self.random.randint(fewest, most)):
            sentences = [self.sentence() for _ in range(self.random.randint(2, 6))]
            plain.append(" ".join(sentences))
            html = [escape(sentence, quote=False) for sentence in sentences]
            if self.random.random() < links:
                url = f"http://site{self.random.randint(1, 400)}.example.org/{self._word('n')}-{self._word('a')}.html"
                found.append(url)
                first, space, rest = html[-1].partition(" ")
                html[-1] = f'<a href="{url}">{first}</a>{space}{rest}'
            marked.append(" ".join(html))
        return Passage("\n".join(plain), tuple(marked), tuple(found))

    def remark(self, links: float = 0.1) -> Passage:
        """Write a comment: now and then a mere word of thanks, else one or two paragraphs."""
        if self.random.random() < 0.15:
            short = self.random.choice(words.SHORT)
            return Passage(short, (short,))
        return self.passage(1, 2, links)

    def pick(self, choices: Sequence[str], fewest: int, most: int) -> tuple[str, ...]:
        """Choose some, in their own order."""
        chosen = set(self.random.sample(range(len(choices)), min(len(choices), self.random.randint(fewest, most))))
        return tuple(choice for number, choice in enumerate(choices) if number in chosen)
