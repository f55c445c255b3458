"""A structural pattern in, XPath expressions out: where pages of the same template keep what the sample keeps there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from siteseer.extract.forest.patterns import Pattern

_TYPE = re.compile(r"\[@([a-z]+)='([^']*)'\]")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The generic expressions of a pattern, from strict to loose."""

    exact: str
    """Type and level."""
    relaxed: str
    """Type alone."""
    audit: str
    """As the thesis prints it: type and the dfs numbers met in the sample."""


def wrapper(pattern: Pattern) -> Wrapper | None:
    """Return the expressions of a pattern; None where it is told by its number alone, which fits one page only.

    >>> wrapper(Pattern("div[@class='story']", 3, nodes={0: [77], 1: [81]})).exact
    "/html/body/*/div[starts-with(normalize-space(@class),'story')]"
    """
    tag = pattern.type.partition("[")[0]
    told = _TYPE.findall(pattern.type)
    if not told and tag != "body":
        return None
    tests = "".join(f"[starts-with(normalize-space(@{name}),'{value}')]" for name, value in told)
    inner = "/*" * (pattern.level - 2)
    exact = f"/html/body{inner}/{tag}{tests}" if pattern.level > 1 else "/html/body"
    clues = " and ".join(f"contains(@{name},'{value}')" for name, value in told)
    numbers = " or ".join(f"@dfs='{number}'" for number in pattern.positions)
    return Wrapper(exact, f"//{tag}{tests}", f"//{tag}[{clues} and ({numbers})]" if clues else f"//{tag}[{numbers}]")
