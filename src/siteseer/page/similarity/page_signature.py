"""Computes the signature of a page: what kind of page it is, whatever its text and however long its lists.

The signature is the set of the last three labels on the way from the root to each element; a label is the tag with its
first class that holds no number. Two pages of one kind share nearly all of them: on forums and blogs of eight kinds of
software this told threads from lists, profiles and searches better than the tree distance, which counts posts.
"""

from __future__ import annotations

from collections.abc import Set
from hashlib import blake2b

from siteseer.model import Page
from siteseer.page.similarity.shared_subtrees import UNSEEN
from siteseer.page.tree import cached, tree

STEPS = 3
LONGEST_CLASS = 24
MAX_NODES = 50_000


@cached
def signature(page: Page) -> frozenset[str]:
    """Return the signature of a page.

    >>> sorted(signature(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<p class='a b'>x")))
    ['html', 'html/body', 'html/body/p.a']
    """
    found: set[str] = set()
    waiting: list[tuple[object, tuple[str, ...]]] = [(tree(page), ())]
    for _ in range(MAX_NODES):
        if not waiting:
            break
        element, above = waiting.pop()
        path = (*above[1 - STEPS :], _label(element))
        found.add("/".join(path))
        waiting.extend(
            (child, path)
            for child in element  # type: ignore[attr-defined]
            if isinstance(child.tag, str) and child.tag not in UNSEEN
        )
    return frozenset(found)


def _label(element: object) -> str:
    """Return tag and first class; the classes of html and body name single pages and are left out."""
    tag, classes = str(element.tag), element.get("class")  # type: ignore[attr-defined]
    if not classes or tag in ("html", "body"):
        return tag
    usable = (one for one in classes.split() if len(one) <= LONGEST_CLASS and not any(map(str.isdigit, one)))
    first = next(usable, "")
    return f"{tag}.{first}" if first else tag


def hashed(labels: Set[str]) -> frozenset[int]:
    """Return a signature as 32-bit numbers, for storage."""
    return frozenset(int.from_bytes(blake2b(one.encode("utf-8", "replace"), digest_size=4).digest()) for one in labels)
