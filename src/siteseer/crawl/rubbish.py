"""How a process that crawls looks for rubbish: seldom, as it makes millions of short-lived objects and few cycles."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Leave what was loaded so far alone, and look for cycles among the rest more seldom."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
