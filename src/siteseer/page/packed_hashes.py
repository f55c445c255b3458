"""Packs 32-bit hashes as text for storage in a crawl's memory, and unpacks them."""

from __future__ import annotations

from base64 import b64decode, b64encode

import numpy as np

from siteseer.page.two_grams import Grams


def pack(hashes: Grams | tuple[int, ...]) -> str:
    """Return 32-bit hashes as text.

    >>> pack((1, 2))
    'AQAAAAIAAAA='
    """
    return b64encode(np.asarray(hashes, np.uint64).astype("<u4").tobytes()).decode("ascii")


def unpack(text: str) -> Grams:
    """Return the hashes that `pack` wrote.

    >>> unpack("AQAAAAIAAAA=").tolist()
    [1, 2]
    """
    return np.frombuffer(b64decode(text), "<u4").astype(np.uint64)
