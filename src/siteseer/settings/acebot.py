"""The parameters of ACEBot."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AcebotOptions:
    """The parameters of ACEBot, with the defaults of Faheem's thesis, section 5.3.1."""

    sample: int | None = 3_000
    """Pages of the sitemap; None takes the complete site. Below 2,500 the thesis saw other patterns in every run."""
    steps: int = 3
    """k, the navigation steps of a pattern: most content is no deeper."""
    ratio: float = 0.95
    """The completion ratio: patterns are selected until they cover this share of the sitemap's 2-grams."""
    attributes: tuple[str, ...] = ("id",)
    """What labels show: id, class or both. With id alone patterns fit similar sites better."""
    continuity: int | None = 3
    """How often a repeated step is repeated while learning; None as often as it leads to new pages."""
    least_gain: float = 1.0
    """A pattern that brings fewer new 2-grams a page is not worth its requests."""
    alike: float = 0.95
    """Pages of a cluster whose 2-grams have at least this Jaccard similarity count once."""
