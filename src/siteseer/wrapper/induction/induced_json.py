"""Induces a wrapper from marked pages, and returns it with its ranked expressions as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.model import JSON, Page
from siteseer.wrapper.induction import Attribute, Mark, compose, induce, induce_next, induce_records
from siteseer.wrapper.induction.shortlist import Ranked

LONGEST = 200
MOST_HITS = 500


def induced_json(
    pages: Sequence[Page], examples: Sequence[Mark], rows: Sequence[Mark], links: Sequence[Mark], url: str
) -> JSON:
    """Induce from marked attributes, records and next links; the wrapper starts at `url`.

    With `rows` the examples are inside records; without, a page is one record.
    """
    records = induce_records(pages, rows, examples) if rows else None
    attributes = records.attributes if records else induce(pages, examples) if examples else {}
    following = induce_next(pages, links) if links else ()
    found = records or attributes
    return {
        "records": [ranked_json("record", rank, one) for rank, one in enumerate(records.expressions, 1)]
        if records
        else [],
        "attributes": {name: _attribute(one) for name, one in attributes.items()},
        "next": [ranked_json("next", rank, one) for rank, one in enumerate(following, 1)],
        "wrapper": compose(url, found, following[0] if following else None) if found else None,
    }


def _attribute(one: Attribute) -> JSON:
    rows = [ranked_json(one.name, rank, ranked) for rank, ranked in enumerate(one.expressions, 1)]
    return {"expressions": rows, "optional": one.optional, "warning": one.warning}


def ranked_json(name: str, rank: int, one: Ranked) -> JSON:
    """Return an expression with its scores and the values that it selects on each page."""
    shown = [[value[:LONGEST] for value in page[:MOST_HITS]] for page in one.hits]
    return {
        "name": name, "rank": rank, "xpath": one.xpath, "value": one.value, "score": one.score, "f1": one.f1,
        "precision": one.precision, "recall": one.recall, "robustness": one.robustness,
        "plausibility": one.plausibility, "agreement": one.agreement, "hits": shown,
    }  # fmt: skip
