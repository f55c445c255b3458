"""One moment of a design, as values: what was shown, which step it is, what the wrapper finds on the page."""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.wrappers.design.draft import Draft
from siteseer.wrappers.design.marking import Choice
from siteseer.wrappers.records import Record

STEPS = ("page", "records", "attributes", "next", "replay", "save")
Hits = dict[str, tuple[int, ...]]
EMPTY = Draft("")


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a design."""

    draft: Draft = EMPTY
    step: str = "page"
    clicks: tuple[int, ...] = ()
    choices: tuple[Choice, ...] = ()
    nexts: tuple[Choice, ...] = ()
    acts: bool = False
    """Whether a click uses the page instead of marking something in it."""
    by_hand: str | None = None
    """The text of the wrapper, once a person has changed it."""

    @property
    def text(self) -> str:
        """The text of the wrapper."""
        return self.by_hand if self.by_hand is not None else str(self.draft) if self.draft.url else ""


@dataclass(frozen=True, slots=True)
class Found:
    """What the wrapper finds on the page that is shown."""

    records: tuple[Record, ...] = ()
    hits: Hits | None = None
    error: str = ""
