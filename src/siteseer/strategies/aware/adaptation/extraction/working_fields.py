"""Tells whether known fields still work on the records of a page, so that working ones are left alone.

A field works where it reads something plausible of nearly every record and distinguishes records as well as the
expected values do. Agreement with the record learner is not required: the learner may be mistaken, and a known action
that succeeds is better evidence than a guess. Stored objects of the last crawl are not guesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.knowledge.types import Field
from siteseer.strategies.aware.adaptation.extraction.field_candidates import is_specific
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context, are_plausible

READ = 0.8
"""Share of the records of which a working field reads something."""
AS_TELLING = 0.6
"""How many different values a working field shows at least, as a part of those that are expected."""
DAY = 10
"""Dates may be shown without a time."""


def still_works(
    known: Sequence[Field], read: Sequence[str | None], expected: Sequence[str | None], context: Context
) -> bool:
    """Say whether known fields of one type work, by the values that they read and those expected of the same records.

    >>> author = [Field("author", "span.author")]
    >>> still_works(author, ["Ann Smith", "Bob Smith", "Dan Smith"], ["Ann", "Bob", "Dan"], Context())
    True
    >>> still_works([Field("title", "h1")], ["My weblog"] * 3, ["Rain", "Tea", "Boats"], Context())
    False
    """
    values = [value for value in read if value]
    if not known or not values or len(values) < READ * len(read):
        return False
    type = known[0].type
    if not are_plausible(type, values, context):
        return False
    if type == "author" and all(is_specific(one.expression, type) for one in known):
        return True  # one person may have written everything
    both = [(one, other) for one, other in zip(read, expected, strict=True) if one and other]
    length = DAY if type in ("published", "modified") else None
    told, wanted = (len({value[:length] for value in column}) for column in zip(*both, strict=True)) if both else (1, 1)
    return told >= AS_TELLING * wanted
