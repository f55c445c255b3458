"""Splits the header lines of a mail from its text, where a `pre` element shows both.

A head is lines of `Name: value`, then a blank line (RFC 5322). Some archives show a mail as it came. Its head is no
part of what its author wrote, and says who and when.
"""

from __future__ import annotations

import re

from siteseer.extract.records.fields.label_words import LABELS
from siteseer.page.dates.month_names import fold

FEWEST_LINES, MOST_LINES = 2, 60
LONGEST_HEAD = 8_000
_LINE = re.compile(r"([^\s:][^:]{0,40}?)\s*:\s*(.*)")


def split_head(text: str) -> tuple[tuple[str, ...], str]:
    """Return the lines of a mail's head, continued ones joined, and the text after it; no lines where there is no head.

    >>> split_head("From: Ann\\nDate: 5 May 2015\\nSubject: Tea,\\n and more\\n\\nIt is late.\\nYours")
    (('From: Ann', 'Date: 5 May 2015', 'Subject: Tea, and more'), 'It is late.\\nYours')
    >>> split_head("Tea: five o'clock\\n\\nCome.")
    ((), "Tea: five o'clock\\n\\nCome.")
    """
    head, blank, rest = text.lstrip("\r\n")[:LONGEST_HEAD].replace("\r\n", "\n").partition("\n\n")
    lines: list[str] = []
    for line in head.split("\n"):
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += " " + line.strip()
        elif _LINE.match(line) and len(lines) < MOST_LINES:
            lines.append(" ".join(line.split()))
        else:
            return (), text
    roles = {LABELS.get(fold(line.partition(":")[0].strip())) for line in lines}
    if not blank or len(lines) < FEWEST_LINES or not {"author", "date"} & roles or len(roles - {None}) < 2:
        return (), text
    whole = text.lstrip("\r\n").replace("\r\n", "\n")
    return tuple(lines), rest if len(whole) <= LONGEST_HEAD else whole.partition("\n\n")[2]
