"""Bodies in, the key of the element around each record out: the largest that holds no other body, if there is one."""

from __future__ import annotations

from collections import Counter

from siteseer.extract.records.sample import Instances, Sample

SHARE = 0.8


def learn_scope(sample: Sample, bodies: Instances) -> str | None:
    """Return the key of the records' own element; None where records are spread over siblings or share one."""
    pages, elements = bodies.page.tolist(), bodies.element.tolist()
    crowded: set[tuple[int, int]] = set()
    seen: set[tuple[int, int]] = set()
    for page, element in zip(pages, elements, strict=True):
        at = sample.docs[page].parent[element]
        while at >= 0 and (page, at) not in crowded:
            (crowded if (page, at) in seen else seen).add((page, at))
            at = sample.docs[page].parent[at]
    several = {page for page, count in Counter(pages).items() if count > 1}
    rows = [(page, element) for page, element in zip(pages, elements, strict=True) if page in several]
    times: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for page, element in rows:
        doc, at = sample.docs[page], element
        while at >= 0 and (page, at) not in crowded:
            key = sample.keyed[page].key(at)
            times[key] += 1
            sizes[key] += doc.stop[at] - at
            at = doc.parent[at]
    good = [key for key, count in times.items() if SHARE * len(rows) <= count <= len(rows)]
    return max(good, key=lambda key: (sizes[key] / times[key], key), default=None)
