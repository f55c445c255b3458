"""The values of an alignment: facts, settings, matches and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from siteseer.errors import UsageError

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
TYPE_RELATIONS = frozenset({RDF_TYPE, "rdf:type", "a"})
"""Relations that say the class of an instance; classes are compared last, and are no evidence before."""
LITERALS = ("exact", "alnum", "shingle")
_NO_HINTS: Mapping[str, str] = MappingProxyType({})


class Fact(NamedTuple):
    """One statement: an instance, a relation, and another instance or (`literal`) a text.

    >>> Fact("urn:b:1", "title", "Hamlet", literal=True).object
    'Hamlet'
    """

    subject: str
    relation: str
    object: str
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How two ontologies are aligned."""

    theta: float = 0.1
    """What every relation is believed to have in common with every other before the first round; it only boots it."""
    joins: int = 2
    """The longest path of relations that may equal one relation of the other side; 1 looks at single relations only."""
    literals: str = "shingle"
    """When two texts are equal: `exact`, `alnum` (letters and digits alike) or `shingle` (typing errors, word order,
    additions and abbreviations are forgiven, at a price)."""
    rounds: int = 10
    """Rounds without convergence before it is called off."""
    hints: Mapping[str, str] = field(default_factory=lambda: _NO_HINTS)
    """What a form or a table shows as the name of a left relation: similar right ones are believed more at first."""
    negative: bool = False
    """Let values that differ speak against equality. Fragile: what is only written otherwise counts as different."""

    def __post_init__(self) -> None:
        if not 0 < self.theta < 1:
            raise UsageError(f"theta is a probability between 0 and 1, not {self.theta:g}")
        if not 1 <= self.joins <= 3:
            raise UsageError(f"joins have one to three steps, not {self.joins}")
        if self.literals not in LITERALS:
            raise UsageError(f"literals are compared as {', '.join(LITERALS)}, not {self.literals!r}")
        if self.rounds < 1:
            raise UsageError("at least one round is needed")


@dataclass(frozen=True, slots=True)
class Match:
    """Two instances, relations or classes that belong together."""

    kind: Literal["instance", "relation", "class"]
    left: str
    right: str
    """Names; an inverse relation is `created~`, a join `created~ / label`."""
    probability: float
    support: int
    """What is behind it: values that two instances share, facts that judged a relation, matched members of a class."""
    direction: Literal["=", "<", ">"] = "="
    """`<`: the left one is contained in the right one; `>`: the other way round; `=`: instances."""
    among_matched: float | None = None
    """For classes: the share among the instances that have a match at all, as sources rarely cover each other."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The result of an alignment: the matches, best first; `rounds` counts the rounds until it converged."""

    instances: tuple[Match, ...]
    relations: tuple[Match, ...]
    classes: tuple[Match, ...]
    rounds: int

    def right_of(self, left: str) -> str | None:
        """Return the right instance that a left instance is, None where there is none."""
        return next((match.right for match in self.instances if match.left == left), None)

    def relation_of(self, left: str) -> Match | None:
        """Return the right relation or join that a left relation is best contained in."""
        return next((match for match in self.relations if match.left == left and match.direction == "<"), None)
