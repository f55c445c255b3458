"""Caches values computed from a page together with the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from siteseer.model import Page

Result = TypeVar("Result")


def cached(function: Callable[[Page], Result]) -> Callable[[Page], Result]:
    """Decorate a function of a page so that it is computed once per page."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def once(page: Page) -> Result:
        try:
            return page.memo[name]  # type: ignore[no-any-return]
        except KeyError:
            result = page.memo[name] = function(page)
            return result

    return once
