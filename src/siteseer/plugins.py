"""Strategies and extractors found by name: the built-in ones, and those of installed packages (entry points)."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from siteseer.errors import UsageError
from siteseer.interfaces import StrategyFactory

STRATEGIES = {
    "auto": "siteseer.decide.auto:make",
    "aware": "siteseer.decide.adapting:make",
    "learned": "siteseer.decide.learned:make",
    "acebot": "siteseer.decide.acebot:make",
    "acebot-sample": "siteseer.decide.acebot:make_sample",
    "example": "siteseer.decide.example:make",
    "probe": "siteseer.decide.probe:make",
    "probe-get": "siteseer.decide.probe:make_get_only",
    "understand": "siteseer.decide.understand:make",
    "focused": "siteseer.decide.focused.strategy:make",
    "blind": "siteseer.decide.blind:make",
    "revisit": "siteseer.decide.revisit:make",
}
"""Name to `module:factory`; a module is only imported when its strategy is asked for."""


def strategy_factory(name: str) -> StrategyFactory:
    """Return what makes the strategy of that name.

    >>> strategy_factory("blind").__module__
    'siteseer.decide.blind'
    """
    if name in STRATEGIES:
        module, _, attribute = STRATEGIES[name].partition(":")
        return cast(StrategyFactory, getattr(import_module(module), attribute))
    for entry in entry_points(group="siteseer.strategies", name=name):
        return cast(StrategyFactory, entry.load())
    known = sorted({*STRATEGIES, *(entry.name for entry in entry_points(group="siteseer.strategies"))})
    raise UsageError(f"there is no strategy {name!r}; choose one of {', '.join(known)}")
