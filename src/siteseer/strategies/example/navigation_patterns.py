"""The values of navigation patterns: how they are printed for people, stored as lines, and read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import re2

from siteseer.errors import ConfigurationError
from siteseer.strategies.example.page_similarity import Signature

MAX_LINES, MAX_STEPS, MAX_LENGTH = 1_000, 20, 4_000


@dataclass(frozen=True, slots=True)
class FormUse:
    """A search form in a pattern: where it is sent, and which of its fields take several values."""

    action: str
    """Without a query."""
    method: str
    varied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pattern: follow the links whose URL matches, and that stand in one of these positions."""

    url: str
    """A regular expression for the whole URL; for a form, the generic URL that stands for all its submissions."""
    places: tuple[str, ...] = ()
    """The last labels of the tag path to the link; none means anywhere."""
    repeats: bool = False
    """Whether pages of this step lead to further pages of the same step, as those of a list do."""
    is_target: bool = False
    form: FormUse | None = None

    def __str__(self) -> str:
        kind = "target" if self.is_target else "hub"
        if self.form is not None:
            return f"{kind:6} {self.form.method} {self.url}"
        where = f"  in {' or '.join(self.places)}" if self.places else ""
        return f"{kind:6} {self.url}{'  (again and again)' if self.repeats else ''}{where}"


@dataclass(frozen=True, slots=True)
class NavigationPattern:
    """A way from an entry point to target pages."""

    entry: str
    steps: tuple[Step, ...]
    targets: int = 0
    hubs: int = 0
    """What was met along it when it was learned."""

    def __str__(self) -> str:
        head = f"E0 entry  {self.entry}"
        lines = [f"E{number} {step}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([head, *lines, f"   {self.targets} targets, {self.hubs} other pages"])


@dataclass(frozen=True, slots=True)
class SavedPatterns:
    """What one crawl passes on to the next: the patterns, and signatures of the wanted pages."""

    patterns: tuple[NavigationPattern, ...] = ()
    samples: tuple[Signature, ...] = ()
    border: float = 0.75

    def lines(self) -> str:
        """Return the lines of the file."""
        rows: list[Any] = [
            {
                "entry": one.entry,
                "steps": [asdict(step) for step in one.steps],
                "targets": one.targets,
                "hubs": one.hubs,
            }
            for one in self.patterns
        ]
        rows += [{"sample": sorted(one), "border": self.border} for one in self.samples]
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read_saved_patterns(lines: Iterable[str], where: str = "patterns") -> SavedPatterns:
    """Read what `SavedPatterns.lines` wrote; lines of other strategies are passed over.

    >>> stored = SavedPatterns((NavigationPattern("http://e.org/", (Step("http://e.org/\\\\d+", is_target=True),), 3),))
    >>> read_saved_patterns(stored.lines().splitlines()) == stored
    True
    """
    patterns: list[NavigationPattern] = []
    samples: list[Signature] = []
    border = SavedPatterns().border
    for number, line in enumerate(lines, 1):
        if number > MAX_LINES:
            break
        try:
            row = json.loads(line) if line.strip() else {}
            if "steps" in row:
                patterns.append(_pattern(row))
            elif "sample" in row:
                samples.append(frozenset(int(one) for one in row["sample"]))
                border = min(max(float(row["border"]), 0.0), 1.0)
        except (ValueError, TypeError, KeyError, ConfigurationError) as error:
            raise ConfigurationError(f"{where}, line {number}: this is no navigation pattern: {error}") from error
    return SavedPatterns(tuple(patterns), tuple(samples), border)


def _pattern(row: dict[str, Any]) -> NavigationPattern:
    steps: Sequence[dict[str, Any]] = row["steps"][:MAX_STEPS]
    made = []
    for one in steps:
        expression = str(one["url"])[:MAX_LENGTH]
        form = _form(one.get("form"))
        if form is None:
            compiled(expression)
        places = tuple(str(place) for place in one.get("places", ()))
        made.append(Step(expression, places, bool(one.get("repeats")), bool(one.get("is_target")), form))
    return NavigationPattern(str(row["entry"]), tuple(made), int(row.get("targets", 0)), int(row.get("hubs", 0)))


def _form(row: dict[str, Any] | None) -> FormUse | None:
    if row is None:
        return None
    return FormUse(str(row["action"])[:MAX_LENGTH], str(row["method"]), tuple(str(name) for name in row["varied"]))


@lru_cache(maxsize=1_000)
def compiled(expression: str) -> Any:
    """Return an expression ready to match whole URLs, in time linear in their length."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(f"^(?:{expression})$", options=options)
    except re2.error as error:
        raise ConfigurationError(f"{expression} is no expression that can be used: {error}") from error


def matches(expression: str, url: str) -> bool:
    """Say whether a URL matches an expression as a whole.

    >>> matches(r"http://e\\.org/\\d+", "http://e.org/12"), matches(r"http://e\\.org/\\d+", "http://e.org/12/print")
    (True, False)
    """
    return bool(compiled(expression).search(url))
