"""Loads an `Application` from a knowledge file; each error has its line and what to do.

XML is read without entities, DTDs or network, as files are shared between people. `read` collects every problem,
`load` raises the problems as one `KnowledgeError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from siteseer.errors import KnowledgeError
from siteseer.knowledge.build import build
from siteseer.knowledge.types import Application
from siteseer.knowledge.validate import Problem, problems_in

MAX_BYTES = 4 << 20
"""The largest shipped file has 15 kB; what is larger than this was not written by a person."""
MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The result of reading a file: an application where it is valid, and all problems."""

    application: Application | None
    problems: tuple[Problem, ...]


def load(path: Path) -> Application:
    """Read a knowledge file; raise `KnowledgeError` where it is wrong."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise KnowledgeError(f"{path}: cannot be read ({error.strerror}); name an existing knowledge file") from None
    return load_bytes(data, str(path))


def load_bytes(data: bytes, name: str) -> Application:
    """Read a knowledge file that is in memory; raise `KnowledgeError` where it is wrong."""
    reading = read(data, name)
    if reading.problems or reading.application is None:
        raise KnowledgeError("\n".join(str(problem) for problem in reading.problems[:MAX_SHOWN]))
    return reading.application


def load_trusted(data: bytes, name: str) -> Application:
    """Read a shipped file, which the tests have validated: expressions are parsed when they are first needed."""
    return build(_parse(data, name), name)


def read(data: bytes, name: str) -> LoadResult:
    """Read a knowledge file and collect everything that is wrong in it."""
    try:
        root = _parse(data, name)
    except KnowledgeError as error:
        return LoadResult(None, (Problem(name, getattr(error, "line", 1), str(error.args[1]), str(error.args[2])),))
    found = tuple(problems_in(root, name))
    return LoadResult(None if found else build(root, name), found)


class _Unreadable(KnowledgeError):
    def __init__(self, name: str, line: int, what: str, todo: str) -> None:
        super().__init__(f"{name}:{line}: {what}; {todo}", what, todo)
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0])


def _parse(data: bytes, name: str) -> etree._Element:
    if len(data) > MAX_BYTES:
        raise _Unreadable(
            name, 1, f"the file is larger than {MAX_BYTES >> 20} MB", "split it into one file per application"
        )
    if b"<!DOCTYPE" in data[:100_000] or b"<!ENTITY" in data:
        raise _Unreadable(
            name, 1, "document types and entities are not allowed", "remove the <!DOCTYPE ...> declaration"
        )
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _Unreadable(name, error.lineno or 1, f"not well-formed XML ({error.msg})", "correct the line") from None
    document: Any = root.getroottree().docinfo
    if document.doctype:
        raise _Unreadable(name, 1, "document types are not allowed", "remove the <!DOCTYPE ...> declaration")
    return root
