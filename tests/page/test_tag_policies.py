"""Tags that are not read are listed in one place, and the table holds what it says."""

from __future__ import annotations

import ast
from pathlib import Path

import siteseer
from siteseer.page.tag_policies import BLOCKS, CODE, UNREAD_IN

SOURCES = Path(siteseer.__file__).parent
TABLE = SOURCES / "page" / "tag_policies.py"


def listed(source: str) -> list[list[str]]:
    """Return the strings of every collection that is written out."""
    rows = [node.elts for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Tuple | ast.List | ast.Set)]
    return [[one.value for one in row if isinstance(one, ast.Constant) and isinstance(one.value, str)] for row in rows]


def test_no_module_but_the_table_lists_tags_that_are_not_read() -> None:
    found = {
        (path.relative_to(SOURCES).as_posix(), tuple(row))
        for path in SOURCES.rglob("*.py")
        if path != TABLE
        for row in listed(path.read_text(encoding="utf-8"))
        if set(row) >= CODE or len(BLOCKS.intersection(row)) > 24
    }
    assert found == set()


def test_the_search_finds_a_second_list() -> None:
    assert [row for row in listed('X = {"head", "style", "script"}') if set(row) >= CODE]


def test_code_is_read_for_no_purpose_and_every_policy_differs() -> None:
    assert all(tags >= CODE for tags in UNREAD_IN.values())
    assert len(set(UNREAD_IN.values())) == len(UNREAD_IN)
