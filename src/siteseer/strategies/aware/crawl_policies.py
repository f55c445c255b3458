"""Applies the policies that the user chose: which optional rules of a knowledge file hold for this crawl.

A policy is a choice that a knowledge file offers in plain words ("keep the members' profile pages"). Links that are
left out by default (`<url ... policy="profiles" is="no"/>`) are followed on every page once the policy is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from siteseer.errors import UsageError
from siteseer.interfaces import StrategyContext
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.types import Application, Avoid

CHOSEN_RULE = "--policy"
"""Begins the rule under which a URL is left out only because a person chose so."""


@dataclass(frozen=True, slots=True)
class AwareOptions:
    """The policies that the user chose, as values by name."""

    policies: Mapping[str, str] = field(default_factory=dict)


def options_of(context: StrategyContext) -> AwareOptions:
    """Return the policies that the user chose; raise for a policy that no application has."""
    chosen = chosen_policies(context.options.policies)
    if chosen:
        check_policies(chosen, context.knowledge())
    return AwareOptions(chosen)


def chosen_policies(policies: Sequence[str]) -> dict[str, str]:
    """Read `NAME=VALUE` of policies.

    >>> chosen_policies(["old-revisions=yes"])
    {'old-revisions': 'yes'}
    """
    for one in policies:
        if not one.partition("=")[0].strip() or not one.partition("=")[2].strip():
            raise UsageError(f"--policy {one} says no value; write it as NAME=VALUE, such as old-revisions=yes")
    return {name.strip(): value.strip() for name, _, value in (one.partition("=") for one in policies)}


def check_policies(chosen: Mapping[str, str], knowledge: KnowledgeBase) -> None:
    """Raise where a policy has a name that no application knows."""
    known = {policy.name for application in knowledge.applications for policy in application.policies}
    for name in chosen:
        if name not in known:
            raise UsageError(f"no application has a policy {name!r}; known are {', '.join(sorted(known)) or 'none'}")


def left_out(application: Application, chosen: dict[str, str]) -> tuple[Avoid, ...]:
    """Return the avoid rules that apply; a rule that applies only by a policy names that policy."""
    usable = (rule for rule in application.avoids if application.applies(rule.when, chosen))
    return tuple(
        rule
        if application.applies(rule.when)
        else replace(rule, because=f"{CHOSEN_RULE} {rule.when.policy}={rule.when.value} ({rule.because})")
        for rule in usable
    )


def wanted_after_all(application: Application, chosen: dict[str, str]) -> tuple[Avoid, ...]:
    """Return the avoid rules that hold by default but not under the chosen policies."""
    return tuple(
        rule
        for rule in application.avoids
        if rule.when.policy in chosen and application.applies(rule.when) and not application.applies(rule.when, chosen)
    )
