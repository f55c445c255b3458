"""Tagged texts in, plain texts with the names that people marked in them out: CoNLL 2003, and words with tags."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

TIGHT = frozenset(". , ; : ! ? ) ] 's n't 'm 're 've 'll %".split())
"""What stands close to the word before it."""
SPORTS = frozenset("SOCCER CRICKET BASEBALL TENNIS GOLF NHL BASKETBALL RUGBY CYCLING BADMINTON BOXING SKIING".split())
SENTENCES = 8
"""Tagged sentences that make a text."""


@dataclass(slots=True)
class Labelled:
    """A text and the names in it."""

    text: str = ""
    names: list[str] = field(default_factory=list)

    def add(self, word: str, is_name: bool, continues: bool) -> None:
        """Append a word, with a blank before it where one belongs."""
        gap = "" if not self.text or self.text.endswith(("\n", "(", "[")) or word in TIGHT else " "
        self.text += gap + word
        if is_name and continues and self.names:
            self.names[-1] += gap + word
        elif is_name:
            self.names.append(word)


def newswire(text: str) -> list[Labelled]:
    """Return the reports of a file in the form of CoNLL 2003."""
    found, last = [Labelled()], "O"
    for line in text.splitlines():
        if line.startswith("-DOCSTART-"):
            found.append(Labelled())
        elif not line.strip():
            found[-1].text += "\n" if found[-1].text and not found[-1].text.endswith("\n") else ""
            last = "O"
        else:
            word, *_, label = line.split()
            found[-1].add(word, label != "O", label.startswith("I-") and last[2:] == label[2:])
            last = label
    return [one for one in found if one.text.strip()]


def tagged(text: str, tag: str) -> list[Labelled]:
    """Return texts of a few sentences each from lines of `word/TAG`; words with that tag are names."""
    found: list[Labelled] = []
    for number, line in enumerate(text.splitlines()):
        if number % SENTENCES == 0:
            found.append(Labelled())
        continues = False
        for token in line.split():
            word, _, label = token.rpartition("/")
            is_name = label.startswith(tag)
            found[-1].add(word.replace("&slash;", "/").replace("_", " "), is_name, continues)
            continues = is_name
        found[-1].text += "\n"
    return found


def sports(reports: list[Labelled], fewest: int = 8) -> list[tuple[str, str]]:
    """Return the reports whose headline begins with a sport: that, and the report without its headline."""
    found = []
    for one in reports:
        head, _, rest = one.text.partition("\n")
        match = re.match(r"([A-Z]+)\s?[-:]", head)
        if match and match[1] in SPORTS and len(rest) > 200:
            found.append((match[1], rest))
    counts = Counter(label for label, _ in found)
    return [(label, text) for label, text in found if counts[label] >= fewest]
