"""Every command, every crawl option, every exit code and every knowledge-base element is documented."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer.main

from siteseer.cli.main import build
from siteseer.collection.exit_codes import EXIT_CODES, STOPPED_CODES

ROOT = Path(__file__).parents[1]
DOCS = "\n".join(file.read_text() for file in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])


def commands() -> list[str]:
    group = typer.main.get_command(build())
    names = []
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        names += [f"{name} {one}" for one in inner] if inner else [name]
    return names


@pytest.mark.parametrize("name", commands())
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"(siteseer |`){re.escape(name)}\b", DOCS), f"no document tells of `siteseer {name}`"


def test_every_crawl_option_is_documented() -> None:
    crawl = typer.main.get_command(build()).commands["crawl"]  # type: ignore[attr-defined]
    text = (ROOT / "docs" / "crawling.md").read_text()
    options = {name for parameter in crawl.params for name in parameter.opts if name.startswith("--")}
    assert [name for name in sorted(options) if name not in text and name not in ("--output", "--help")] == []


def test_every_exit_code_is_documented() -> None:
    text = (ROOT / "docs" / "crawling.md").read_text()
    codes = {str(code) for code in (*STOPPED_CODES.values(), *EXIT_CODES.values(), 2, 3, 4, 13, 17)}
    table = re.findall(r"^\| ([\d, ]+) \|", text, re.MULTILINE)
    assert codes <= {code.strip() for row in table for code in row.split(",")}


def test_every_problem_is_documented() -> None:
    text = (ROOT / "docs" / "crawling.md").read_text()
    table = dict(re.findall(r"^\| `([\w-]+)` \| (\d+) \|", text, re.MULTILINE))
    assert {reason: str(code) for reason, code in EXIT_CODES.items()} == table


def test_links_between_documents_lead_somewhere() -> None:
    for file in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text()):
            assert (file.parent / target).exists(), f"{file.name} links to {target}, which does not exist"


PATHS = re.compile(r"(?<![\w./-])(?:src/siteseer|bench|tests|training)/[a-z_0-9/]+\.(?:py|md|json)\b(?!\.)")


@pytest.mark.parametrize(
    "file", [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))], ids=lambda file: file.name
)
def test_files_that_documents_name_exist(file: Path) -> None:
    assert [
        path for path in PATHS.findall(file.read_text()) if not (ROOT / path).exists() and "pinboard" not in path
    ] == []


def test_files_that_sources_name_exist() -> None:
    for folder in ("src", "bench", "training", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            missing = [path for path in PATHS.findall(file.read_text()) if not (ROOT / path).exists()]
            assert missing == [], f"{file.relative_to(ROOT)} names {', '.join(missing)}"


def test_modules_that_documents_import_exist() -> None:
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for module in re.findall(r"^\s*(?:from|import) (siteseer(?:\.\w+)*)", file.read_text(), re.MULTILINE):
            assert find_spec(module), f"{file.name} imports {module}, which does not exist"


def test_the_repository_speaks_of_the_product_only() -> None:
    forbidden = re.compile(r"/work/|/root/|py" + r"pi\.org|files\.pythonhosted|registry\.npm", re.IGNORECASE)
    for folder in ("src", "docs", "tests", "bench"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".py", ".md", ".xml", ".lark") and file != Path(__file__):
                assert not forbidden.search(file.read_text(encoding="utf-8")), file
