"""Lists the URLs that a crawl's own rules skipped, in strata to sample from, and counts those left for other reasons.

URLs outside the scope, excluded by the user or refused by robots.txt were not ours to fetch: they are counted apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from siteseer.collection.history.url_history import urls_table
from siteseer.collection.state import State
from siteseer.collection.url_status import FAILED, IN_FLIGHT, SKIPPED, WAITING
from siteseer.model import JSON
from siteseer.page.urls import identity, url_key
from siteseer.strategies.aware.crawl_policies import CHOSEN_RULE
from siteseer.strategies.learned.online_learner.url_templates import Templates

NOT_OURS = {
    "scope": "outside_scope",
    "robots": "robots",
    "unreachable": "unreachable_hosts",
    "depth": "deeper_than_allowed",
    "redirect loop": "redirect_loops",
    "route": "needs_browser",
}
"""Rules whose URLs are not to be fetched by an audit, with the name under which they are reported."""
EXCLUDED = ("--exclude", CHOSEN_RULE)
"""Begin the rules under which a person left URLs out."""
FEWEST = 4
"""So many URLs of a stratum are looked at on average: rarer kinds are put together."""
MOST_PAGER_KINDS = 10
"""So many kinds of further pages of lists are sampled by themselves."""
MOST_TEMPLATES = 20_000
"""So many URLs are enough to find the kinds of URL."""


@dataclass(frozen=True, slots=True)
class SkippedUrl:
    """A URL that a rule of the crawl skipped."""

    url: str
    rule: str
    referrer: str = ""
    depth: int = 1
    text: str = ""
    """The text of a link to it."""
    is_pager: bool = False
    """Whether it goes on in a list."""


@dataclass(frozen=True, slots=True)
class LinkFact:
    """What the kept pages show of a URL: the text of the first link to it, and whether a link continues a list."""

    text: str = ""
    is_pager: bool = False


def rules_of_strategy(state: State) -> list[tuple[str, str, str, int]]:
    """Return URL, rule, referrer and depth of what the crawls' own rules skipped, by the last known outcomes."""
    rows = state.rows(
        f"SELECT url, rule, referrer, depth FROM {urls_table(state)} WHERE status = ? ORDER BY id", (SKIPPED,)
    )
    return [(url, rule, referrer or "", depth or 1) for url, rule, referrer, depth in rows if _is_ours(rule)]


def _is_ours(rule: str) -> bool:
    return rule not in NOT_OURS and not rule.startswith(EXCLUDED)


def not_covered(state: State) -> JSON:
    """Count the URLs that a certificate does not cover, by reason: failed, refused, never reached, not in scope."""
    found: Counter[str] = Counter()
    rows = state.rows(f"SELECT status, rule, count(*) FROM {urls_table(state)} GROUP BY status, rule")
    for status, rule, count in rows:
        if status in (WAITING, IN_FLIGHT):
            found["unreached"] += count
        elif status == FAILED:
            found[_failure(rule or "")] += count
        elif status == SKIPPED and not _is_ours(rule):
            found["excluded" if rule.startswith(EXCLUDED) else NOT_OURS[rule]] += count
    return dict(sorted(found.items()))


def _failure(reason: str) -> str:
    status = reason[:3]
    if status in ("404", "410"):
        return "dead_links"
    return "refused" if status in ("401", "403", "407", "429", "451") else "failed"


def stratify(urls: Sequence[SkippedUrl], sample: int, seen: Iterable[str] = ()) -> dict[str, list[SkippedUrl]]:
    """Divide skipped URLs by rule, by kind of URL and by whether they continue a list; rare kinds are put together.

    >>> made = [SkippedUrl(f"http://e.org/t?id={n}", "far") for n in range(50)] + [SkippedUrl("http://e.org/x", "far")]
    >>> {name: len(found) for name, found in stratify(made, 20).items()}
    {'far · /t?id=0': 50, 'far': 1}
    """
    kinds = kinds_of([*(one.url for one in urls), *seen])
    fine: dict[str, list[SkippedUrl]] = defaultdict(list)
    for one in urls:
        goes_on = " · further pages of lists" if one.is_pager else ""
        fine[f"{one.rule} · {kinds[identity(one.url)]}{goes_on}"].append(one)
    return _pooled(fine, FEWEST * len(urls) / max(1, sample))


def _pooled(fine: Mapping[str, list[SkippedUrl]], fewest: float) -> dict[str, list[SkippedUrl]]:
    """Put kinds together that are too rare to be sampled by themselves: by rule, then all that is left.

    Kinds of further pages of lists stay by themselves however rare they are: a few may lead to half of the site.
    """
    pagers = sorted((members for members in fine.values() if members[0].is_pager), key=len, reverse=True)
    apart = {id(members) for members in pagers[:MOST_PAGER_KINDS]}
    found: dict[str, list[SkippedUrl]] = {}
    by_rule: dict[str, list[SkippedUrl]] = defaultdict(list)
    for name, members in fine.items():
        if len(members) >= fewest or id(members) in apart:
            found[name] = members
        else:
            rule = members[0].rule
            by_rule["further pages of lists" if members[0].is_pager else rule].extend(members)
    rest: dict[str, list[SkippedUrl]] = defaultdict(list)
    for rule, members in by_rule.items():
        rest[rule if len(members) >= fewest or members[0].is_pager else _reason(rule)].extend(members)
    return found | rest


def _reason(rule: str) -> str:
    """Return the reason of a rule of the learner without the kind of URL that it speaks of.

    >>> _reason("/t?id=0: other name of /t?id=0&page=0"), _reason("feed")
    ('other name', 'feed')
    """
    return rule.rpartition(": ")[2].partition(" of /")[0]


def kinds_of(urls: Iterable[str]) -> dict[str, str]:
    """Return the kind of each URL, by its identity."""
    names = list(dict.fromkeys(map(identity, urls)))
    templates = Templates()
    for name in names[:MOST_TEMPLATES]:
        templates.add(name)
    templates.rebuild()
    return {name: templates.of(number if number < MOST_TEMPLATES else templates.add(name)).name
            for number, name in enumerate(names)}  # fmt: skip


class KnownUrls:
    """Which URLs a collection knows: captured or found in any crawl, with any outcome."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._told: dict[str, bool] = {}

    def __contains__(self, url: str) -> bool:
        name = identity(url)
        if name not in self._told:
            self._told[name] = self.was_captured(url) or self._has(
                "SELECT 1 FROM urls WHERE crawl IN (SELECT id FROM crawls) AND key = ?", (url_key(url),)
            )
        return self._told[name]

    def was_captured(self, url: str) -> bool:
        """Say whether the collection holds a capture of a URL."""
        return self._has("SELECT 1 FROM captures WHERE key = ? LIMIT 1", (url_key(url),))

    def _has(self, query: str, values: tuple[object, ...]) -> bool:
        return any(True for _ in self._state.rows(query, values))
