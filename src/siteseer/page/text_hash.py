"""Returns a 64-bit hash of a text, the same in every run."""

from __future__ import annotations

from xxhash import xxh3_64_intdigest


def hash_of(text: str) -> int:
    """Return a number that stands for a text, the same in every run; it fits a column of a database."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace")) >> 1
