"""Counts on how many pages of a site each name and each short text occurs, to tell template from content.

What stands on at least half of the pages belongs to the template. That replaces guessing which ids are generated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from siteseer.wrapper.induction.element_tables import MAX_VALUE, Atom, ElementTables

STABLE = 0.5
MIN_LABEL, MAX_LABEL = 2, 60
_LETTER = re.compile(r"[^\W\d_]")


class Vocabulary:
    """How common names and short texts are on the pages of a site.

    >>> from lxml import html
    >>> pages = [ElementTables(html.fromstring(f"<div id='x' class='p{n}'><b>By:</b>Name {n}</div>")) for n in range(3)]
    >>> words = Vocabulary(pages)
    >>> words.is_stable(("id", "x")), words.is_stable(("class", "p1"))
    (True, False)
    >>> words.is_constant("By:"), words.is_constant("Name 1")
    (True, False)
    """

    def __init__(self, views: Sequence[ElementTables]) -> None:
        self.pages = len(views)
        self.atoms: Counter[Atom] = Counter()
        self.texts: Counter[str] = Counter()
        for view in views:
            self.atoms.update(view.by_atom.keys())
            self.texts.update(text for text in view.by_text if len(text) <= MAX_VALUE)

    def is_stable(self, atom: Atom) -> bool:
        """Say whether a name occurs on at least half of the pages."""
        return self.atoms[atom] >= STABLE * self.pages

    def is_constant(self, text: str) -> bool:
        """Say whether a text occurs on at least half of the pages, and on two where there are two."""
        return self.texts[text] >= max(STABLE * self.pages, min(2, self.pages))


def could_be_label(text: str) -> bool:
    """Say whether a text is short enough, has a letter, and can be written in an expression."""
    return MIN_LABEL <= len(text) <= MAX_LABEL and bool(_LETTER.search(text)) and text.isprintable()
