"""Values of a column in, the words that stand before and after the names in them out: `Posted by`, `says:`."""

from __future__ import annotations

from collections import Counter

from siteseer.extract.records.words import AUTHOR, BY

AFFIX_SHARE = 0.7
MOST_AFFIXES = 4
FEWEST_NAMES = 3
"""Of fewer names nobody can tell what they share by chance."""


def common_affixes(values: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first and last words that most values share.

    >>> common_affixes(["Posted by Ann", "Posted by Bob", "Posted by Cy"])
    (('posted', 'by'), ())
    >>> common_affixes(["by Ann Smith", "by Bob Smith", "by Cy Smith"])
    (('by',), ())
    """
    words = [value.split() for value in values]
    first: list[str] = []
    last: list[str] = []
    for found, place in ((first, 1), (last, -1)):
        for step in range(MOST_AFFIXES):
            index = step if place == 1 else -1 - step
            longer = [w[index] for w in words if len(w) > len(first) + len(last) + 1]
            token, times = Counter(word.lower() for word in longer).most_common(1)[0] if longer else ("", 0)
            if times < AFFIX_SHARE * len(words):
                break
            found.append(token)
        while found and not _is_no_name(
            found[-1],
            [w[len(found) - 1 if place == 1 else -len(found)] for w in words if len(w) > len(found)],
            len(set(values)) < FEWEST_NAMES,
        ):
            found.pop()
    return tuple(first), tuple(last)


def _is_no_name(token: str, written: list[str], are_few: bool) -> bool:
    """Say whether a word that all values share stands beside their names: `by`, `says:`, never `Smith`."""
    if not any(map(str.isalpha, token)) or token.endswith(":") or BY.search(token) or AUTHOR.fullmatch(token):
        return True
    return not are_few and all(word.islower() for word in written if word.lower() == token)
