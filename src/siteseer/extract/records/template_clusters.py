"""Clusters the pages of a site by template, and leaves out near-duplicates.

A learner that sees threads and lists of threads at once takes the wrong key for the list, and the same thread under
two addresses makes its own text look like a template. So pages are first put together by the root paths they share,
and a page most of whose long texts are on a page already kept is left out of learning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

from siteseer.extract.records.element_keys import folded
from siteseer.extract.records.record_document import Document
from siteseer.page.similarity.set_measures import jaccard

LIKENESS = 0.65
COMMON = (0.03, 0.95)
"""Paths on fewer or more of the pages than this tell nothing."""
CORE_SHARE = 0.5
LONG_WORDS = 8
DUPLICATE_SHARE = 0.30

Paths = frozenset[int]
"""Root paths, each as a number: that of its parent and its own last step, folded together."""


def paths_of(doc: Document) -> Paths:
    """Return the root paths of a page: tag, id or first class of each step, digits folded."""
    if not doc.paths:
        doc.paths = frozenset(_paths(doc))
    return doc.paths


def _paths(doc: Document) -> list[int]:
    found: list[int] = []
    memo: dict[tuple[str, str | None, str | None], bytes] = {}
    for facts, parent in zip(zip(doc.tags, doc.ids, doc.classes, strict=True), doc.parent, strict=True):
        step = memo.get(facts)
        if step is None:
            step = memo[facts] = _step(*facts).encode("utf-8", "replace")
        found.append(crc32(step, found[parent] if parent >= 0 else 0))
    return found


def _step(tag: str, id_: str | None, class_: str | None) -> str:
    names = (class_ or "").split(None, 1)
    return f"/{tag}" + (f"#{folded(id_)}" if id_ else "") + (f".{folded(names[0])}" if names else "")


def cluster(docs: Sequence[Document]) -> list[list[int]]:
    """Return groups of page numbers, the largest first."""
    pages = [paths_of(doc) for doc in docs]
    frequency = Counter(path for paths in pages for path in paths)
    low, high = COMMON[0] * len(docs), COMMON[1] * len(docs)
    telling = {path for path, count in frequency.items() if low <= count <= high}
    groups: list[list[int]] = []
    counts: list[Counter[int]] = []
    for number, paths in enumerate(pages):
        own = paths & telling
        scores = [jaccard(own, core_of(counts[group], len(groups[group]))) for group in range(len(groups))]
        best = max(range(len(groups)), key=scores.__getitem__, default=-1)
        if best >= 0 and scores[best] >= LIKENESS:
            groups[best].append(number)
            counts[best].update(own)
        else:
            groups.append([number])
            counts.append(Counter(own))
    return sorted(groups, key=len, reverse=True)


def core_of(counts: Counter[int], pages: int) -> Paths:
    """Return the paths on at least half of the pages."""
    return frozenset(path for path, count in counts.items() if count >= CORE_SHARE * pages)


def without_duplicates(docs: Sequence[Document]) -> list[Document]:
    """Leave out pages of whose long texts nearly a third are on a page already kept."""
    long_texts = [{text for text in doc.texts if text.count(" ") >= LONG_WORDS - 1} for doc in docs]
    frequency = Counter(text for texts in long_texts for text in texts)
    often = max(5, 0.1 * len(docs))
    seen: set[str] = set()
    kept: list[Document] = []
    for doc, texts in zip(docs, long_texts, strict=True):
        telling = {text for text in texts if frequency[text] <= often}
        if len(telling & seen) > DUPLICATE_SHARE * len(telling):
            continue
        seen |= telling
        kept.append(doc)
    return kept
