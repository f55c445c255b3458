"""Learns the label words that a template writes around names: "Posted by Ann", "Ann says:".

Words that most values share may be a label, or a part of every name: three authors called Smith, a clinic where all
are "Dr". They are a label only where something says so: a colon or another sign, a word for "by" or "author", a verb
after the name, or that they are text of the element around a name that has an element of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from siteseer.extract.records.fields.field_atoms import Atom
from siteseer.extract.records.fields.label_words import LABELS
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.role_words import BY
from siteseer.page.dates.month_names import fold
from siteseer.page.text import BLOCKS

SHARED = 0.7
"""Share of the values that have a word in common."""
MOST_WORDS = 4
SHORTEST_VERB = 3
"""Shorter words with a capital are names as well: `Le`, `El`."""
_SIGN_BEFORE = re.compile(r"[:：|»→·•–—]$|^[-~>*#]+$")
_SIGN_AFTER = re.compile(r"^[|»«→·•–—:：]|^[-~<>*#(\[{]+$|^[(\[{][^A-Z]")
_LABEL = re.compile(
    r"author|user(?:name)?|member|poster|nick(?:name)?|name|autor(?:in|a)?|auteure?|verfasser(?:in)?|benutzer|nutzer|mitglied"
    r"|membre|miembro|usuario|utente|autore|gebruiker|lid|användare|bruker|автор|пользователь|użytkownik|uživatel",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"says?|said|wrote|writes|posted|replied|commented|sagte?|schrieb|schreibt|meinte?|écrit|dijo|escribió|escribe|scrive|scritto|schreef|zegt"
    r"|(?:a|ha|hat|heeft|har|has|hanno|ont) (?:écrit|dit|posté|scritto|detto|geschrieben|gesagt|geschreven|gezegd"
    r"|skrevet|skrivit|written|said)"
    r"|skrev|säger|pisze|napisał\(?a?\)?|пишет|написала?|сказала?|kirjoitti|yazdı|dedi",
    re.IGNORECASE,
)
_PARTICLES = frozenset("von van de di da af av le la del della dos das du des zu ter ten".split())
"""Words of labels that begin names as well."""
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
    >>> label_words(["von Ann Lee", "von Bob Stone"]), label_words(["von Berg", "von Stein"])
    ((('von',), ()), ((), ()))
    """
    first, last = shared_words(values)
    ends = [" ".join(value.split()[len(first) :]) for value in values]
    after = next(
        (n for n in range(len(last), 0, -1) if _is_label_after(ends, last[:n], is_before_date) or outside(0, n)), 0
    )
    begins = [" ".join(value.split()[: -after or None]) for value in values]
    before = next((n for n in range(len(first), 0, -1) if _is_label_before(begins, first[:n]) or outside(n, 0)), 0)
    return first[:before], last[:after]


def _is_label_before(values: Sequence[str], words: tuple[str, ...]) -> bool:
    nearest = words[-1]
    if nearest in _PARTICLES and _is_part_of_names(values, words):
        return False
    return bool(_SIGN_BEFORE.search(nearest) or _LABEL.fullmatch(nearest) or BY.search(" ".join(words)))


def _is_part_of_names(values: Sequence[str], words: tuple[str, ...]) -> bool:
    """Say whether the last of some words before names is a part of them: behind another label, or as in `von Berg`."""
    if len(words) > 1 and _is_label_before(values, words[:-1]):
        return True
    rests = [value.split()[len(words) - 1 :] for value in values]
    alone = sum(len(rest) == 2 and rest[0].islower() and rest[1].istitle() for rest in rests)
    return alone >= SHARED * len(values)


def _is_label_after(values: Sequence[str], words: tuple[str, ...], is_before_date: bool) -> bool:
    """Say whether the words after names are a label; `words` has the last one first.

    What is written in small letters behind names with a capital is no part of them, if nothing with one follows.
    """
    nearest = words[-1]
    shown = next((value.split()[-len(words)] for value in values if len(value.split()) > len(words)), nearest)
    if _SIGN_AFTER.search(shown) or _SAYS.fullmatch(nearest) or _SAYS.fullmatch(" ".join(reversed(words))):
        return True
    if is_before_date and LABELS.get(fold(" ".join(reversed(words)))) in ("date", "edited"):
        return True
    small = sum(value.split()[-len(words) :] == list(reversed(words)) for value in values)
    capital = sum(value[:1].isupper() for value in values)
    is_plain = is_before_date or nearest in _BETWEEN or capital >= SHARED * len(values)
    return is_plain and small >= SHARED * len(values)


def is_label(value: str) -> bool:
    """Say whether a value is nothing but a word that stands around names.

    >>> [is_label(value) for value in ("on", "von", "Author", "says", "answered", "Ann", "Le")]
    [True, True, True, True, True, False, False]
    """
    if LABELS.get(fold(value)) in ("date", "edited"):
        return value != value.title() or " " in value or len(value) > SHORTEST_VERB
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
    own = [owner == element for owner in _owners(doc, element)]
    if len(own) <= before + after:
        return False
    return (all(own[:before]) and not own[before]) if before else (all(own[-after:]) and not own[-after - 1])


def _owners(doc: Document, element: int) -> list[int]:
    """Return for every word in an element the element that directly contains it."""
    owners: list[int] = []
    for number in range(doc.first_text[element], doc.stop_text[element]):
        words = [word for word in doc.texts[number].split() if any(map(str.isalnum, word))]
        owners += [doc.owner[number]] * len(words)
    return owners


def spans_blocks(doc: Document, element: int, before: int, words: int) -> bool:
    """Say whether so many words of an element, after so many others, stand in several blocks: they are no one value."""
    blocks = set()
    for owner in _owners(doc, element)[before : before + words]:
        while owner > element and doc.tags[owner] not in BLOCKS:
            owner = doc.parent[owner]
        blocks.add(owner)
    return len(blocks) > 1
