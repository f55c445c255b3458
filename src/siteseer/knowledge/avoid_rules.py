"""Matches URLs against the `avoid` rules of an application: which rule says not to fetch a URL.

A page has hundreds of links and an application dozens of rules: all path expressions are asked at once, as a set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import re2

from siteseer.knowledge.types import Avoid, regex
from siteseer.knowledge.url_identity import parameters_of


class AvoidRules:
    """The `avoid` rules of an application, compiled for many URLs.

    >>> rules = AvoidRules((Avoid("feed", path="/feed/?$"), Avoid("print view", parameter="view", value="^print$")))
    >>> [rule.because for rule in map(rules.first, ("http://e.org/a/feed/", "http://e.org/?view=print")) if rule]
    ['feed', 'print view']
    """

    def __init__(self, rules: tuple[Avoid, ...]) -> None:
        self.rules = rules
        self._anywhere = [number for number, rule in enumerate(rules) if not rule.path and not rule.parameter]
        self._by_parameter: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            if rule.parameter and not rule.path:
                self._by_parameter.setdefault(rule.parameter, []).append(number)
        self._with_path = [number for number, rule in enumerate(rules) if rule.path]
        self._paths: Any = None
        if self._with_path:
            self._paths = re2.Set.SearchSet()
            for number in self._with_path:
                self._paths.Add(rules[number].path)
            self._paths.Compile()

    def first(self, url: str) -> Avoid | None:
        """Return the first rule that a URL falls under, or None."""
        path = "/" + url.partition("?")[0].partition("://")[2].partition("/")[2]
        matching: Iterable[int] = (self._paths.Match(path) or ()) if self._paths else ()
        parameters = parameters_of(url) if "?" in url else []
        possible = [*self._anywhere, *(self._with_path[place] for place in matching)]
        for name, _ in parameters:
            possible += self._by_parameter.get(name, ())
        for number in sorted(possible):
            rule = self.rules[number]
            if rule.contains and rule.contains not in url:
                continue
            if rule.unless and any(name == rule.unless for name, _ in parameters):
                continue
            if not rule.parameter or _has(parameters, rule):
                return rule
        return None


def _has(parameters: list[tuple[str, str]], rule: Avoid) -> bool:
    values = [value for name, value in parameters if name == rule.parameter]
    return any(regex(rule.value).search(value) for value in values) if rule.value else bool(values)
