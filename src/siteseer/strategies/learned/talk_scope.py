"""Excludes the talk pages of wikis from a crawl's scope, where the user chose so (`--policy talk=no`).

Discussion is content, on sites of unknown software too. `--policy talk=no` leaves it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from siteseer.interfaces import Scope, StrategyContext, Verdict
from siteseer.strategies.aware.crawl_policies import CHOSEN_RULE, chosen_policies
from siteseer.strategies.learned.online_learner.link_classes import TALK
from siteseer.strategies.learned.online_learner.url_words import is_talk


@dataclass(frozen=True, slots=True)
class WithoutTalk:
    """A scope to which talk pages do not belong."""

    scope: Scope

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        """Say whether a URL belongs to the crawl, and which rule decided."""
        found = self.scope.verdict(url, depth)
        if found.allowed and is_talk(url):
            return Verdict(False, "talk page", f"{CHOSEN_RULE} {TALK}=no (talk page)")
        return found


def with_chosen_talk(context: StrategyContext) -> StrategyContext:
    """Return the context of a strategy; without talk pages where the policies say `talk=no`."""
    if chosen_policies(context.options.policies).get(TALK) != "no":
        return context
    return replace(context, scope=WithoutTalk(context.scope))
