"""Names as a template writes them in, the words around them that are labels out: "Posted by Ann", "Ann says:".

Words that most values share may be a label, or a part of every name: three authors called Smith, a clinic where all
are "Dr". They are a label only where something says so: a colon or another sign, a word for "by" or "author", a verb
after the name, or that they are text of the element around a name that has an element of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from siteseer.extract.records.atoms import Atom
from siteseer.extract.records.document import Document
from siteseer.extract.records.words import BY

SHARED = 0.7
"""Share of the values that have a word in common."""
MOST_WORDS = 4
_SIGN_BEFORE = re.compile(r"[:：|»→·•–—]$|^[-~>*#]+$")
_SIGN_AFTER = re.compile(r"^[(\[{|»«→·•–—:：]|^[-~<>*#]+$")
_LABEL = re.compile(
    r"author|user(?:name)?|member|poster|nick(?:name)?|name|autor(?:in|a)?|auteure?|verfasser(?:in)?|benutzer|nutzer|mitglied"
    r"|membre|miembro|usuario|utente|autore|gebruiker|lid|användare|bruker|автор|пользователь|użytkownik|uživatel",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"says?|said|wrote|writes|posted|replied|commented|sagte?|schrieb|schreibt|meinte?|écrit|dijo|escribió|escribe|scrive|scritto|schreef|zegt"
    r"|skrev|säger|pisze|napisał\(?a?\)?|пишет|написала?|сказала?|kirjoitti|yazdı|dedi",
    re.IGNORECASE,
)
_BETWEEN = frozenset("on at am um le el il den op dnia в".split())
"""Words between a name and a date; with a capital they are names as well."""
Outside = Callable[[int, int], bool]
"""Says whether so many words before the names, or after them, stand outside the elements of the names."""
Affixes = tuple[tuple[str, ...], tuple[str, ...]]


def shared_words(values: Sequence[str]) -> Affixes:
    """Return the first and the last words that most values share, in small letters, the outermost first.

    >>> shared_words(["Posted by Ann", "Posted by Bob", "Posted by Cy"])
    (('posted', 'by'), ())
    """
    words = [value.lower().split() for value in values]
    first: list[str] = []
    last: list[str] = []
    for found, place in ((first, 1), (last, -1)):
        for step in range(MOST_WORDS):
            index = step if place == 1 else -1 - step
            longer = [w[index] for w in words if len(w) > len(first) + len(last) + 1]
            token, times = Counter(longer).most_common(1)[0] if longer else ("", 0)
            if times < SHARED * len(words):
                break
            found.append(token)
    return tuple(first), tuple(last)


def label_words(
    values: Sequence[str], outside: Outside = lambda before, after: False, is_before_date: bool = False
) -> Affixes:
    """Return the words before and after names that are labels; shared words that may be part of the names are not.

    >>> label_words(["Posted by Ann Smith", "Posted by Bob Smith", "Posted by Cy Smith"])
    (('posted', 'by'), ())
    >>> label_words(["Dr Ann Lee says", "Dr Bob Stone says", "Dr Cy Lind says"])
    ((), ('says',))
    """
    first, last = shared_words(values)
    before = next((n for n in range(len(first), 0, -1) if _is_label_before(first[:n]) or outside(n, 0)), 0)
    after = next(
        (n for n in range(len(last), 0, -1) if _is_label_after(values, last[:n], is_before_date) or outside(0, n)), 0
    )
    return first[:before], last[:after]


def _is_label_before(words: tuple[str, ...]) -> bool:
    nearest = words[-1]
    return bool(_SIGN_BEFORE.search(nearest) or _LABEL.fullmatch(nearest) or BY.search(" ".join(words)))


def _is_label_after(values: Sequence[str], words: tuple[str, ...], is_before_date: bool) -> bool:
    """Say whether the words after names are a label; `words` has the last one first.

    What is written in small letters behind names with a capital is no part of them, if nothing with one follows.
    """
    nearest = words[-1]
    if _SIGN_AFTER.search(nearest) or _SAYS.fullmatch(nearest):
        return True
    small = sum(value.split()[-len(words) :] == list(reversed(words)) for value in values)
    capital = sum(value[:1].isupper() for value in values)
    is_plain = is_before_date or nearest in _BETWEEN or capital >= SHARED * len(values)
    return is_plain and small >= SHARED * len(values)


def is_label(value: str) -> bool:
    """Say whether a value is nothing but a word that stands around names.

    >>> [is_label(value) for value in ("on", "von", "Author", "says", "Ann", "Le")]
    [True, True, True, True, False, False]
    """
    return value in _BETWEEN or bool(_SAYS.fullmatch(value) or _LABEL.fullmatch(value) or BY.fullmatch(value))


def standing_outside(docs: Sequence[Document], pages: Sequence[int], atoms: Sequence[Atom], way: str) -> Outside:
    """Return what says whether words around names are text of an element in which the names have one of their own."""

    def outside(before: int, after: int) -> bool:
        if not way.startswith("string") or way.endswith(":after" if before else ":before"):
            return False
        rows = zip(pages, atoms, strict=True)
        found = sum(_is_outside(docs[page], atom.element, before, after) for page, atom in rows)
        return found >= SHARED * len(atoms)

    return outside


def _is_outside(doc: Document, element: int, before: int, after: int) -> bool:
    own: list[bool] = []
    for number in range(doc.first_text[element], doc.stop_text[element]):
        words = [word for word in doc.texts[number].split() if any(map(str.isalnum, word))]
        own += [doc.owner[number] == element] * len(words)
    if len(own) <= before + after:
        return False
    return (all(own[:before]) and not own[before]) if before else (all(own[-after:]) and not own[-after - 1])
