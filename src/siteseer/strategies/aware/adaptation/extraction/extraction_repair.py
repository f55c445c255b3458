"""Repairs the extraction actions of a level, so that they yield the expected records of its pages.

Order: known actions that are still right stay; then relaxations of them; then expressions for the places of the
expected values. A repair is accepted only if its values are plausible by their type and it holds over the pages of the
level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from siteseer.knowledge.types import Extraction, Field, Level
from siteseer.model import Page
from siteseer.strategies.aware.adaptation.extraction.expected_records import CONTAINERS, ExpectedRecord, ExpectedRecords
from siteseer.strategies.aware.adaptation.extraction.field_candidates import FieldRepair
from siteseer.strategies.aware.adaptation.extraction.field_repair import Others, reads_nonsense, repair_field, works
from siteseer.strategies.aware.adaptation.extraction.record_scope import (
    LOWEST_FIT,
    Budget,
    FittingScope,
    fitting_scopes,
    selected,
    words_of,
)
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context, are_plausible
from siteseer.xpath.page_vocabulary import Vocabulary

NEEDED = ("body", "author", "published", "title", "permalink", "modified")
ESSENTIAL = ("body", "author", "published")
FEWEST_PAGES = 2
MOST_SCOPES = 4
FOUND_FIT = 0.5
"""How well a known scope must fit that is seen to find its records."""
ENOUGH = 0.95
MOST_EVIDENCE = 5
MISTAKEN = 0.1
"""Pages on which a scope may take the text of another kind."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed action: the old one, the new one, and the evidence for it."""

    level: str
    field: str
    old: str
    new: str
    method: str
    relaxations: tuple[str, ...]
    confidence: float
    example: str
    evidence: tuple[str, ...] = ()
    """Further pages on which it was seen to work."""


@dataclass(slots=True)
class RepairedExtraction:
    """A repaired extraction, and its changes."""

    extraction: Extraction
    changes: list[Change] = field(default_factory=list)
    agreement: dict[str, float] = field(default_factory=dict)

    @property
    def worth(self) -> float:
        """How well all fields together are read."""
        return sum(self.agreement.values())


@dataclass(frozen=True, slots=True)
class RepairTask:
    """The records of one kind on the pages of a level: what is known of them, what is expected, and what fails."""

    level: Level
    kind: str
    known: tuple[Extraction, ...]
    expected: tuple[ExpectedRecord, ...]
    failing: frozenset[str]
    """Fields that fail, `record` where the records themselves are not found; nothing where it is not known."""
    lone: bool
    is_stored: bool
    others: Others
    words: Vocabulary
    context: Context
    budget: Budget

    @property
    def has_records(self) -> bool:
        """Whether the records are found with their texts, and only other fields fail."""
        return bool(self.failing) and not self.failing & {"record", "body"}

    def is_kept(self, type: str, known: Sequence[Field], scope: FittingScope) -> bool:
        """Say whether the known fields of a type stay as they are: they do not fail, or were seen to work."""
        is_date = type == "modified" and "published" in self.failing
        if self.has_records and type not in self.failing and not is_date:
            return True
        return type != "body" and not self.is_stored and works(known, scope.pairs, self.others, self.context)


def repair_extractions(
    level: Level,
    expected: ExpectedRecords,
    context: Context,
    words: Vocabulary | None = None,
    failing: Mapping[str, frozenset[str]] | None = None,
) -> list[RepairedExtraction]:
    """Repair the extractions of a level, kind by kind; kinds that cannot be repaired are left out.

    `failing` says which fields of a kind fail; the others are not touched.
    """
    words = words or words_of(expected.pages[:6])
    repaired = []
    budget = Budget()
    bodies: Others = {}
    for ones in expected.by_kind.values():
        for one in ones:
            if one.element.tag != "body":
                bodies.setdefault(id(one.page), set()).add(one.element)
    for kind, ones in expected.by_kind.items():
        if len({id(one.page) for one in ones}) < min(FEWEST_PAGES, len(expected.pages)):
            continue
        if kind not in CONTAINERS and not are_plausible("body", [one.values.get("body", "") for one in ones], context):
            continue
        others = {key: found - {one.element for one in ones} for key, found in bodies.items()}
        known = tuple(one for one in level.extractions if one.of == kind)
        fails = (failing or {}).get(kind, frozenset())
        lone, is_stored = kind in expected.lone, expected.is_stored
        task = RepairTask(level, kind, known, tuple(ones), fails, lone, is_stored, others, words, context, budget)
        if found := _repair(task):
            repaired.append(found)
    return repaired


def _repair(task: RepairTask) -> RepairedExtraction | None:
    best: RepairedExtraction | None = None
    expected = task.expected
    essential = (*ESSENTIAL, "title") if task.lone else ESSENTIAL
    wanted = [type for type in essential if sum(type in one.values for one in expected) >= 0.5 * len(expected)]
    lowest = FOUND_FIT if task.has_records else LOWEST_FIT
    scopes = fitting_scopes(task.known, expected, task.lone, task.words, task.budget, lowest)
    for scope in islice((scope for scope in scopes if not _takes_others(task, scope)), MOST_SCOPES):
        found = _with_scope(task, scope)
        if found is None:
            continue
        if best is None or found.worth > best.worth + 0.05:
            best = found
        is_enough = all(best.agreement.get(type, 0.0) >= ENOUGH for type in wanted)
        if is_enough or (task.has_records and scope.candidate.method == "known"):
            break
    return best


def _takes_others(task: RepairTask, scope: FittingScope) -> bool:
    """Say whether a scope also selects what holds no record of its kind, but the text of another kind.

    What lies inside a record is that record's: a scope of comments that holds the article too would take its text.
    """
    taken = {pair.element for pair in scope.pairs}
    pages = {id(one.page): one.page for one in task.expected}
    mistaken = 0
    for key, page in pages.items():
        free = [one for one in selected(scope.candidate.text, page) if one not in taken]
        bodies = task.others.get(key, set())
        mistaken += any(above in free for body in bodies for above in (body, *body.iterancestors()))
    return mistaken > MISTAKEN * len(pages)


def _with_scope(task: RepairTask, scope: FittingScope) -> RepairedExtraction | None:
    """Repair the fields of one kind inside one scope; None where not even the text is found."""
    kind, level = task.kind, task.level
    is_known = scope.candidate.method == "known"
    origin = next(
        (one for one in task.known if scope.candidate.text in one.scope), task.known[0] if task.known else None
    )
    old = origin.fields if origin else ()
    pages = tuple(dict.fromkeys(pair.expected.page.url for pair in scope.pairs))
    example = pages[0]
    take = origin.take if origin and is_known else "first" if task.lone else "all"
    made = RepairedExtraction(Extraction(kind, scope.candidate.text, take=take))  # type: ignore[arg-type]
    if not is_known:
        was = origin.scope if origin else ""
        made.changes.append(_change(level, kind, "record", was, scope, example))
    repairs: dict[str, FieldRepair] = {}
    kept: set[str] = set()
    nonsense: set[str] = set()
    for type in NEEDED:
        known = [one for one in old if one.type == type]
        if task.is_kept(type, known, scope):
            kept.add(type)
            made.agreement[type] = 1.0
            continue
        repair = repair_field(type, known, scope.pairs, task.others, task.words, task.budget)
        values = [pair.expected.values[type] for pair in scope.pairs if type in pair.expected.values]
        if repair is None or not are_plausible(type, values, task.context):
            if type == "body" and kind not in CONTAINERS:
                return None
            if reads_nonsense(known, scope.pairs, task.others, task.context):
                nonsense.add(type)
            continue
        repairs[type] = repair
        made.agreement[type] = repair.agreement
        if not repair.is_known:
            was = " | ".join(one.text for one in known)
            new = " | ".join(one.text for one in repair.fields)
            name = f"{kind}/{type}"
            made.changes.append(
                Change(level.id, name, was, new, repair.method, repair.changes, round(repair.agreement, 3), example)
            )
    if not repairs:
        return None
    if "published" not in kept and (named := _as_published(repairs, old)) is not None:
        repairs["published"] = named
    fields = [one for type in NEEDED if type in repairs for one in repairs[type].fields]
    fields += [one for one in old if one.type not in repairs and one.type not in nonsense]
    made.changes = [replace(one, evidence=pages[1:MOST_EVIDENCE]) for one in made.changes]
    made.extraction = replace(made.extraction, fields=tuple(replace(one, line=0, template="") for one in fields))
    return made


def _as_published(repairs: Mapping[str, FieldRepair], old: Sequence[Field]) -> FieldRepair | None:
    """Return the date of the last edit as that of publication where the known actions make no difference of them."""
    published = [one.text for one in old if one.type == "published"]
    modified = [one.text for one in old if one.type == "modified"]
    if "published" in repairs or "modified" not in repairs or not published or modified not in ([], published):
        return None
    repair = repairs["modified"]
    return replace(repair, fields=tuple(replace(one, type="published") for one in repair.fields))


def _change(level: Level, kind: str, what: str, was: str, scope: FittingScope, example: str) -> Change:
    found = scope.candidate
    return Change(
        level.id, f"{kind}/{what}", was, found.text, found.method, found.changes, round(scope.fit, 3), example
    )


def now_of(pages: Sequence[Page]) -> Context:
    """Return the context of pages: the latest moment at which one of them was fetched."""
    return Context(max((page.fetched_at for page in pages if page.fetched_at), default=None))
