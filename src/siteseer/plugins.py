"""Strategies and analysers found by name: the built-in ones, and those of installed packages (entry points)."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from siteseer.errors import UsageError
from siteseer.interfaces import AnalyserFactory, StrategyFactory

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
_STRATEGIES = "siteseer.strategies"
"""The group of entry points under which other packages offer theirs."""

ANALYSERS = {
    "plain": "siteseer.analyse.plain:make",
    "spacy": "siteseer.analyse.with_spacy:make",
}


def strategy_factory(name: str) -> StrategyFactory:
    """Return what makes the strategy of that name.

    >>> strategy_factory("blind").__module__
    'siteseer.decide.blind'
    """
    return cast(StrategyFactory, _found("strategy", _STRATEGIES, STRATEGIES, name))


def installed_strategies() -> list[str]:
    """Return the names of the strategies of other packages."""
    return sorted(entry_points(group=_STRATEGIES).names)


def analyser_factory(name: str) -> AnalyserFactory:
    """Return what makes the analyser of that name.

    >>> analyser_factory("plain").__module__
    'siteseer.analyse.plain'
    """
    return cast(AnalyserFactory, _found("analyser", "siteseer.analysers", ANALYSERS, name))


def _found(what: str, group: str, shipped: dict[str, str], name: str) -> Any:
    if name in shipped:
        module, _, attribute = shipped[name].partition(":")
        return getattr(import_module(module), attribute)
    for entry in entry_points(group=group, name=name):
        try:
            return entry.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(f"the {what} {name!r} of an installed package cannot be loaded: {error}") from error
    known = sorted({*shipped, *(entry.name for entry in entry_points(group=group))})
    raise UsageError(f"there is no {what} {name!r}; choose one of {', '.join(known)}")
