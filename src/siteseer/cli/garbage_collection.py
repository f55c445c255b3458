"""Sets how often a process that reads many pages looks for cycles of objects."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Let a process that reads pages look for cycles of objects seldom: it makes millions of short-lived ones."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
