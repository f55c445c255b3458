"""The definition of a campaign: frozen values, with their defaults and the reasons for them.

Reference: the intelligent crawl definition of ARCOMEM (Faheem's thesis, section 4.1): seeds with the entities, topics
and times that are meant, completed by what a small reference crawl learns of the topic's vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from siteseer.settings import Politeness


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase of the topic; `weight` 1 is as good as a keyword that the person gave."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place, organisation or event, with the other names that it goes by."""

    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of the campaign; None is no limit."""

    requests: int | None = None
    """Every HTTP request: robots.txt, redirects and retries too."""
    bytes: int | None = None
    days: float | None = None
    """Counted from the first start, also while the campaign is stopped."""


@dataclass(frozen=True, slots=True)
class Sites:
    """Which sites belong to the campaign."""

    follow: str = "linked"
    """`linked`: sites that links lead to join, by what the links promise; `seeds`: only those of the seeds."""
    most: int = 1_000
    at_once: int = 100
    """Sites that are open at the same time; each takes a few megabytes."""


@dataclass(frozen=True, slots=True)
class Stores:
    """Where the sites are kept besides the campaign's directory: addresses only, keys come from the environment."""

    archive: str = ""
    """A folder, `s3://bucket/prefix` or `hdfs://`: each site has its own folder there."""
    objects: str = ""
    """A SPARQL 1.1 endpoint: each site has its own graph there."""
    objects_update: str = ""


@dataclass(frozen=True, slots=True)
class Learned:
    """The terms that the reference crawl found and a person accepted."""

    terms: tuple[Term, ...] = ()
    sites: tuple[str, ...] = ()
    """Further seeds."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A campaign.

    >>> Definition("Kelp", ("http://e.org/",), keywords=("kelp",)).terms
    (Term(text='kelp', weight=1.0),)
    """

    name: str
    seeds: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    examples: tuple[str, ...] = ()
    """Pages about the topic: URLs, or files beside the definition. The reference crawl reads their vocabulary."""
    since: date | None = None
    until: date | None = None
    languages: tuple[str, ...] = ()
    social: float = 0.5
    """What a link from a further author counts, compared with the first one: 0 counts only the best."""
    strategy: str = "blind"
    """How pages of a site are found; `focused` says in which order. `blind` leaves nothing out."""
    policies: tuple[str, ...] = ()
    assets: str = "none"
    """`all` also archives pictures and styles of kept pages; they count against the budget."""
    browser: str = "never"
    """`auto`: pages whose content needs scripts are shown by a browser; `always`: all pages."""
    budget: Budget = field(default_factory=Budget)
    politeness: Politeness = field(default_factory=Politeness)
    sites: Sites = field(default_factory=Sites)
    stores: Stores = field(default_factory=Stores)
    learned: Learned = field(default_factory=Learned)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The words and phrases that pages are searched for, without the entities."""
        return (*map(Term, self.keywords), *self.learned.terms)

    @property
    def all_seeds(self) -> tuple[str, ...]:
        """The seeds of the person and those that were learned, each once."""
        return tuple(dict.fromkeys((*self.seeds, *self.learned.sites)))
