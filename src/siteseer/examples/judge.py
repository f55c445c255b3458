"""Pages in, their levels out: targets, parts of one, other views of one; judged again when more is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.examples.delivered import Target, Targets
from siteseer.examples.similar import Likeness, Signature

TARGET, PART, OTHER_VIEW = "target", "part", "other view"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is kept of a page: how it is built, and its texts."""

    signature: Signature
    target: Target


class Judge:
    """Knows the kind of page that is wanted, and every page seen so far.

    >>> judge = Judge()
    >>> judge.take(Seen(frozenset(range(9)), Target("/1", ((1, 2),))), is_sample=True)
    >>> judge.take(Seen(frozenset(range(9)), Target("/2", ((3, 4),))))
    >>> judge.take(Seen(frozenset(range(3)), Target("/", ((5,),))))
    >>> judge.level(1), judge.levels()
    ('target', ['target', 'target', None])
    """

    def __init__(self, samples: Sequence[Signature] = ()) -> None:
        self.kind = Likeness(samples)
        self.pages: list[Seen] = []
        self._targets = Targets()

    def take(self, page: Seen, is_sample: bool = False, is_related: bool = False) -> None:
        """Take in a page."""
        self.pages.append(page)
        if is_sample:
            self.kind.add_sample(page.signature)
        else:
            self.kind.observe(page.signature, is_related)
        if self.is_wanted(-1):
            self._targets.add(page.target)

    def is_wanted(self, number: int) -> bool:
        """Say whether a page is of the wanted kind."""
        return self.kind.is_alike(self.pages[number].signature)

    def level(self, number: int) -> str | None:
        """Return what the page that came last is, as far as is known now."""
        return self._targets.level(len(self._targets.pages) - 1) if self.is_wanted(number) else None

    def levels(self) -> list[str | None]:
        """Return what all pages are, by all that is known."""
        targets = Targets()
        for number, page in enumerate(self.pages):
            if self.is_wanted(number):
                targets.add(page.target)
        levels = iter(targets.levels())
        return [next(levels) if self.is_wanted(number) else None for number in range(len(self.pages))]
