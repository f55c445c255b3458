"""ARCHITECTURE.md says what is so: its picture, its table of tasks, the places of libraries, the paths it names."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import draw_architecture
import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "siteseer"
TEXT = (ROOT / "ARCHITECTURE.md").read_text()
IMPORTED_AS = {"ruamel.yaml": "ruamel", "google-re2": "re2"}


def rows(heading: str) -> list[list[str]]:
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1:]]


TASKS = rows("I want to change …")
LIBRARIES = rows("Where a library is known")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task[0])
def test_a_task_leads_to_what_is_there(task: list[str]) -> None:
    _, path, sought = (cell.strip("`") for cell in task)
    text = (SOURCE / path).read_text()
    if path.endswith(".py"):
        assert sought in defined(text)
    else:
        assert sought in text


def defined(text: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def test_many_tasks_are_told() -> None:
    assert len(TASKS) >= 15
    assert len({task[0] for task in TASKS}) == len(TASKS)


def test_paths_that_the_text_names_exist() -> None:
    prose = re.sub(r"```.*?```|`siteseer/state.db`", "", TEXT, flags=re.DOTALL)
    for path in re.findall(r"`([a-z_0-9]+(?:/[a-z_0-9]+)*(?:/|/\w+\.\w+|\.py|/[a-z_0-9]+))`", prose):
        there = [root / f"{path}{suffix}" for root in (SOURCE, ROOT, ROOT / "src") for suffix in ("", ".py")]
        assert any(place.exists() for place in there), f"ARCHITECTURE.md names {path}, which does not exist"


def test_folders_of_the_tree_exist_and_none_is_left_out() -> None:
    block = TEXT.split("## The tree")[1].split("```")[1]
    told = set()
    for line in block.splitlines():
        if folder := re.match(r"  ([a-z_]+)/ ", line):
            told.add(folder[1])
            for inner in re.findall(r"(?<![\w/])([a-z_0-9]+)/(?=[\s,:;.()*\w]|$)", line[folder.end() :]):
                assert [*(SOURCE / folder[1]).rglob(f"{inner}/")], f"{folder[1]}/{inner} is in the tree and not there"
    assert told == {path.parent.name for path in SOURCE.glob("*/__init__.py")} - {"settings"}


def test_the_layers_are_those_that_are_proved() -> None:
    told = re.search(r"`(cli → .*?)`", TEXT, re.DOTALL)
    assert told is not None
    assert re.findall(r"\w+", told[1]) == [name for name in draw_architecture.layers(ROOT) if name != "platforms"]


@cache
def users() -> dict[str, set[str]]:
    """Return for each library the files that import it, also by its name in quotes."""
    places: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            for name in imported(node):
                places.setdefault(name.partition(".")[0], set()).add(file.relative_to(SOURCE).as_posix())
    return places


def imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(
            func=ast.Name(id=function) | ast.Attribute(attr=function), args=[ast.Constant(value=str(name))]
        ) | (ast.Call(func=ast.Name(id=function), args=[ast.Constant(value=str(name)), _])) if "import" in function:
            return [name]
    return []


@pytest.mark.parametrize("row", LIBRARIES, ids=lambda row: row[0])
def test_a_library_is_used_where_the_text_says_and_nowhere_else(row: list[str]) -> None:
    files = users()[IMPORTED_AS.get(row[0], row[0].lower())]
    places = re.findall(r"`([^`]+)`", row[1])
    assert [file for file in sorted(files) if not file.startswith(tuple(places))] == []
    assert [place for place in places if not any(file.startswith(place) for file in files)] == []


def test_no_library_that_shapes_a_part_is_left_out() -> None:
    told = {IMPORTED_AS.get(row[0], row[0].lower()) for row in LIBRARIES}
    assert told >= set(
        "lxml aiohttp sqlite3 pyoxigraph fsspec apscheduler celery scrapy playwright fastapi nicegui numpy".split()
    )


LAYOUT = SOURCE / "collection" / "layout.py"
SPELT_ELSEWHERE = {
    "archive/warc_sources.py": {"archive"},  # of a WACZ that any tool unpacked: the format's folder
    "crawler/build.py": {"siteseer", "knowledge"},  # of a person: ~/.config/siteseer
    "fetch/login_profiles.py": {"siteseer"},
    "integrations/scrapy.py": {"pages/unknown"},  # what Scrapy counts
}


def spelt_paths(tree: ast.Module) -> set[str]:
    """Return the texts that stand for a place in a collection: joined to a path, or with a folder of it in front."""
    folders = "archive|indexes|pages|reports|logs|siteseer"
    files = r"(state|text)\.db|(index\.cdxj|(pages|skipped|failed)\.jsonl|(summary|derived|made_from|audit)\.json)"
    sentences = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    sentences |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str(text))) if re.fullmatch(
                rf"{folders}|objects|knowledge|rdf|{files}", text
            ):
                found.add(text)
            case ast.Constant(value=str(text)) if id(node) not in sentences and re.fullmatch(
                rf"(({folders})/[\w./*-]*|{files})", text
            ):
                found.add(text)
    return found


def test_only_one_file_knows_where_things_lie_in_a_collection() -> None:
    assert {"siteseer/state.db", "reports/summary.json"} <= spelt_paths(
        ast.parse("a = b / 'reports/summary.json'\nc = 'siteseer/state.db'")
    )
    spelt = {
        file.relative_to(SOURCE).as_posix(): names
        for file in SOURCE.rglob("*.py")
        if file != LAYOUT and (names := spelt_paths(ast.parse(file.read_text())))
    }
    assert spelt == SPELT_ELSEWHERE


def test_the_picture_shows_the_imports_of_today() -> None:
    drawn = ElementTree.parse(draw_architecture.PICTURE).getroot().find("{*}metadata")
    assert drawn is not None
    assert drawn.text == draw_architecture.architecture(ROOT).as_json(), (
        "the picture is out of date: run python bench/draw_architecture.py and look at docs/pictures/architecture.svg"
    )


def test_every_package_has_a_place_in_the_picture() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages - {"settings"} <= set(draw_architecture.DESCRIPTIONS)
    assert set(draw_architecture.DESCRIPTIONS) == set(draw_architecture.GROUP_OF)
