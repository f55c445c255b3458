"""Finds the unique text of a sample: the text of records occurs once, the text of templates often.

A text is unique when its value occurs exactly once in the whole sample, has at least three words, is no date and no
part of the page's title. Occurrences count, not pages: the title repeated above each post of a one-page thread is not
the text of a record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from siteseer.extract.records.fields.field_atoms import DateReader
from siteseer.extract.records.record_document import Document
from siteseer.page.tree import title

FEWEST_WORDS = 3
DATE_LENGTH = 60
LONGEST_LINE = 140
"""Longer texts with a date in them are prose."""
_IDEOGRAPHS = re.compile("[぀-ヿ㐀-鿿가-힯฀-๿]")


def unique_lengths(docs: Sequence[Document], reader: DateReader) -> list[list[int]]:
    """Return for each document the length of each text where it is unique, else 0."""
    known: dict[str, str] = {}
    occurrences: Counter[str] = Counter()
    for doc in docs:
        for text in doc.texts:
            if text not in known:
                known[text] = without_date(text.lower(), reader)
            occurrences[known[text]] += 1
    return [_of_document(doc, occurrences, known, reader) for doc in docs]


def without_date(text: str, reader: DateReader) -> str:
    """Return a text with its date blotted out: two lines that differ only in when are one line of the template.

    >>> without_date("posted: 5 may 2015 3:12 pm, subject: tea", DateReader())
    'posted: # subject: tea'
    """
    if len(text) > LONGEST_LINE or not any(letter.isdigit() for letter in text):
        return text
    found = reader.read(text)
    return " ".join(f"{text[: found.span[0]]}#{text[found.span[1] :].lstrip(',;')}".split()) if found else text


def _of_document(doc: Document, occurrences: Counter[str], known: dict[str, str], reader: DateReader) -> list[int]:
    heading = " ".join(title(doc.page).lower().split())
    return [
        _length(text, reader) if occurrences[known[text]] == 1 and text.lower() not in heading else 0
        for text in doc.texts
    ]


def word_count(text: str) -> int:
    """Count words; scripts without spaces count two signs as a word.

    >>> word_count("one two"), word_count("今日は晴れです")
    (2, 4)
    """
    words = text.count(" ") + 1
    return words if text.isascii() else words + len(_IDEOGRAPHS.findall(text)) // 2


def _length(text: str, reader: DateReader) -> int:
    if word_count(text) < FEWEST_WORDS:
        return 0
    if len(text) < DATE_LENGTH and reader.read(text):
        return 0
    return len(text)
