"""Reads the YAML configuration of Browsertrix Crawler: what it shares with ours, and the names of what it does not.

Its scope is `prefix` unless it says otherwise, and its expressions are regular ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCOPES = {"page": "page", "prefix": "prefix", "host": "host", "domain": "domain", "any": "any", "custom": "page"}
"""Its scopes and ours; `custom` takes what `include` matches and nothing else."""
SAME = {
    "collection": "output", "depth": "depth", "exclude": "exclude", "scopeExcludeRx": "exclude", "include": "include",
    "scopeIncludeRx": "include", "limit": "limit", "pageLimit": "limit", "sizeLimit": "size_limit",
    "timeLimit": "time_limit", "userAgent": "user_agent", "workers": "concurrency", "proxyServer": "proxy",
    "pageExtraDelay": "delay",
}  # fmt: skip
"""Its keys that mean what one of ours means."""
SEEDS = ("seeds", "url")
OF_A_SEED = ("url", "scopeType", "include", "exclude", "depth")
MARKS = frozenset(
    "scopeType scopeIncludeRx scopeExcludeRx generateWACZ generateCDX combineWARC workers collection pageLimit "
    "sizeLimit timeLimit userAgent userAgentSuffix extraHops behaviors blockRules blockAds screenshot screencastPort "
    "text waitUntil pageLoadTimeout behaviorTimeout pageExtraDelay warcInfo saveState useSitemap sitemap selectLinks "
    "headless diskUtilization logging maxPageRetries failOnFailedSeed proxyServer".split()
)
"""Keys that only Browsertrix has."""


def is_browsertrix(found: Mapping[str, Any]) -> bool:
    """Say whether the keys of a file are those of Browsertrix.

    >>> is_browsertrix({"seeds": [], "scopeType": "host"}), is_browsertrix({"seeds": [], "scope": "host"})
    (True, False)
    """
    seeds = found.get("seeds")
    tables = [one for one in seeds if isinstance(one, dict)] if isinstance(seeds, list) else []
    return bool(MARKS & found.keys()) or any("scopeType" in one for one in tables)


def translated(found: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a Browsertrix configuration in our words, and the keys that are left out because we do not know them.

    >>> translated({"url": "http://e.org/", "scopeType": "host", "exclude": "print", "text": "to-pages"})
    ({'scope': 'host', 'url': 'http://e.org/', 'exclude': ['re:print']}, ['text'])
    """
    made: dict[str, Any] = {"scope": "prefix"}
    unread: list[str] = []
    if "scopeType" in found or "include" in found:
        made["scope"] = _scope(found, unread)
    for key, value in found.items():
        if key in SEEDS:
            made[key] = [_seed(one, unread) for one in value] if isinstance(value, list) else value
        elif key in SAME:
            made[SAME[key]] = _value(SAME[key], value)
        elif key != "scopeType":
            unread.append(str(key))
    return made, unread


def _seed(seed: Any, unread: list[str]) -> Any:
    if not isinstance(seed, dict):
        return seed
    unread += [f"{key} of a seed" for key in seed if key not in OF_A_SEED]
    made = {SAME.get(key, key): _value(key, seed[key]) for key in OF_A_SEED if key in seed and key != "scopeType"}
    if "scopeType" in seed or "include" in seed:
        made["scope"] = _scope(seed, unread)
    return made


def _scope(table: Mapping[str, Any], unread: list[str]) -> str:
    name = str(table.get("scopeType", "custom"))
    if name not in SCOPES:
        unread.append(f"scopeType {name}")
    return SCOPES.get(name, "prefix")


def _value(name: str, value: Any) -> Any:
    """Return a value as we write it: expressions are regular ones, and no limit is 0."""
    if name in ("include", "exclude"):
        return [f"re:{one}" for one in (value if isinstance(value, list) else [value])]
    return None if name in ("limit", "size_limit", "time_limit", "depth") and value in (0, -1) else value
