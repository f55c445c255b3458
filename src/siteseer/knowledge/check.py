"""Checks knowledge files beyond the schema, as a careful reviewer would.

Beyond `validate.py`: expressions given twice, rules that contradict actions, types that rest on one kind of evidence,
and types without test pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from siteseer.errors import KnowledgeError
from siteseer.knowledge.knowledge_base import knowledge_files
from siteseer.knowledge.load import read
from siteseer.knowledge.types import Application, Avoid, Level, Navigation
from siteseer.knowledge.validate import Problem
from siteseer.xpath.syntax import Compare, Condition, Predicate
from siteseer.xpath.syntax import Path as XPathPath


def check(path: Path) -> list[Problem]:
    """Return what is wrong in a knowledge file, or in all files of a folder."""
    found: list[Problem] = []
    for file in knowledge_files(path):
        try:
            reading = read(file.read_bytes(), str(file))
        except OSError as error:
            raise KnowledgeError(f"{file}: cannot be read ({error.strerror})") from None
        found.extend(reading.problems)
        if reading.application is not None:
            found.extend(problems_of(reading.application, str(file)))
    return found


def problems_of(application: Application, name: str, tests: Path | None = None) -> Iterator[Problem]:
    """Yield what is questionable in an application that follows the schema."""
    is_addition = application.learned is not None or not application.detections
    if not is_addition:
        yield from _weak_detection(application, name)
        yield from _without_tests(application, name, tests)
    yield from _twice(application, name)
    for level in application.levels:
        yield from _contradictions(application, level, name)
        yield from _records_without_body(level, name)


def find_test_pages(name: str, beside: Path | None = None) -> Path | None:
    """Return the folder with the test pages of an application: `tests/NAME` beside its file, or where ours lie."""
    package = Path(str(files("siteseer.knowledge")))
    ours = (package / "cms" / "tests", *(parent / "tests/knowledge/pages" for parent in package.parents[2:3]))
    for folder in ((beside / "tests",) if beside else ()) + ours:
        if (folder / name / "expected.json").is_file():
            return folder / name
    return None


def _weak_detection(application: Application, name: str) -> Iterator[Problem]:
    patterns = [pattern for _, pattern in application.patterns() if not pattern.is_absence]
    kinds = {pattern.kind for pattern in patterns}
    if len(kinds) < 2 and not any(pattern.is_decisive for pattern in patterns):
        line = patterns[0].line if patterns else 1
        what = f"all patterns of {application.id} are evidence of one kind ({', '.join(kinds)})"
        yield Problem(
            name, line, what, 'add a pattern of another kind, or mark one that cannot occur elsewhere decisive="yes"'
        )


def _without_tests(application: Application, name: str, tests: Path | None) -> Iterator[Problem]:
    if find_test_pages(application.id, tests or Path(name).parent) is None:
        todo = f"add pages and expected.json in tests/{application.id}/ beside the file"
        yield Problem(name, 1, f"{application.id} has no test pages", todo)


def _twice(application: Application, name: str) -> Iterator[Problem]:
    groups = [[pattern for _, pattern in application.patterns()]]
    groups += [[p for detection in level.detections for p in detection.patterns] for level in application.levels]
    for patterns in groups:
        seen: set[str] = set()
        for pattern in patterns:
            if (text := str(pattern.expression)) in seen:
                yield Problem(name, pattern.line, f"the pattern {pattern.text!r} stands here twice", "remove one")
            seen.add(text)


def _contradictions(application: Application, level: Level, name: str) -> Iterator[Problem]:
    for action in (*level.navigations, *application.navigations):
        if action.role in ("permalink", "media", "same") or not action.text or action.read != "url":
            continue
        for rule in application.avoids:
            if not rule.when.policy and not action.when.policy and _hits(rule, action):
                what = f"the avoid rule {rule.because!r} (line {rule.line}) forbids what this action follows"
                yield Problem(name, action.line, what, "narrow the rule, or remove the alternative")


def _hits(rule: Avoid, action: Navigation) -> bool:
    """Say whether an alternative asks for what a `contains` rule forbids."""
    if not rule.contains or rule.parameter or rule.path:
        return False
    return any(rule.contains in text for path in action.expression.alternatives for text in _asked(path))


def _asked(path: XPathPath) -> Iterator[str]:
    """Yield the texts that the href of a selected link must contain."""
    for step in path.steps:
        for predicate in step.predicates:
            if isinstance(predicate, Compare) and _asks_href(predicate, step.test):
                yield predicate.literal


def _asks_href(predicate: Predicate | Condition, test: str) -> bool:
    if not isinstance(predicate, Compare) or predicate.comparison == "!=":
        return False
    return str(predicate.value) == "@href" or (test == "@href" and str(predicate.value) == ".")


def _records_without_body(level: Level, name: str) -> Iterator[Problem]:
    for extraction in level.extractions:
        types = {field.type for field in extraction.fields}
        if extraction.of not in ("thread", "board", "user") and "body" not in types:
            todo = 'add <field type="body">...</field>'
            yield Problem(name, extraction.line, f"records of kind {extraction.of} have no body", todo)
