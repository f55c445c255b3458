"""An element in, the shape of what lies below it out: a set of tag paths."""

from __future__ import annotations

from siteseer.extract.records.document import Document

SHAPE_DEPTH = 4
SHAPE_ELEMENTS = 300
STRUCTURAL = frozenset(
    "address article aside body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header li "
    "main nav ol section table tbody td tfoot th thead tr ul".split()
)
"""What templates build with; paragraphs, quotes and rules are what people write with, they would split one role."""

Shape = frozenset[str]


def shape_of(doc: Document, element: int) -> Shape:
    """Return what lies below an element: tag paths of structural elements, four levels, nothing inside paragraphs."""
    found: set[str] = set()
    pending = [(element, "", 0)]
    seen = 0
    while pending and seen < SHAPE_ELEMENTS:
        at, path, depth = pending.pop()
        for child in doc.children(at):
            seen += 1
            tag = doc.tags[child]
            if tag in STRUCTURAL:
                below = f"{path}/{tag}"
                found.add(below)
                if depth + 1 < SHAPE_DEPTH:
                    pending.append((child, below, depth + 1))
    return frozenset(found)
