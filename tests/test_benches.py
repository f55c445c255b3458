"""What the benches share, and the measure of the source tree."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal

import harness
import house
import pytest

ROOT = Path(__file__).parents[1]


def given(arguments: list[str]) -> dict[str, object]:
    def bench(
        folder: Path | None = None,
        /,
        pairs: int = 5,
        sites: harness.Names = ("blog", "wiki"),
        half: Literal["test", "dev"] = "test",
        show_all: Annotated[bool, "every page"] = False,
        size: int | None = None,
    ) -> None:
        raise AssertionError

    return vars(harness.parser(bench).parse_args(arguments))


def test_parameters_of_a_bench_are_its_options() -> None:
    assert given([]) == {
        "folder": None, "pairs": 5, "sites": ("blog", "wiki"), "half": "test", "show_all": False, "size": None,
    }  # fmt: skip
    told = given(["somewhere", "--pairs", "7", "--show-all", "--half", "dev", "--size", "3"])
    assert (told["folder"], told["pairs"], told["show_all"], told["half"], told["size"]) == (
        Path("somewhere"), 7, True, "dev", 3,
    )  # fmt: skip


@pytest.mark.parametrize("words", [["a", "b"], ["a,b"], ["a,", "b"]])
def test_values_of_an_option_are_apart_by_spaces_or_commas(words: list[str]) -> None:
    assert given(["--sites", *words])["sites"] == ["a", "b"]


def test_a_value_that_is_not_offered_is_refused() -> None:
    with pytest.raises(SystemExit) as left:
        given(["--half", "third"])
    assert left.value.code == 2


@pytest.mark.parametrize(("missed", "code"), [(None, 0), (0, 0), (1, 1), (256, 1)])
def test_missed_figures_are_the_exit_code(missed: int | None, code: int) -> None:
    def bench(names: harness.Names = (), /) -> int | None:
        assert list(names) == ["x"]
        return missed

    with pytest.raises(SystemExit) as left:
        harness.run(bench, ["x"])
    assert left.value.code == code


def test_arguments_without_a_name_have_a_default() -> None:
    def bench(names: harness.Names = ("a", "b"), count: int = 3, /) -> None: ...

    assert vars(harness.parser(bench).parse_args([])) == {"names": ("a", "b"), "count": 3}


def test_an_option_may_have_a_short_name() -> None:
    def bench(output: Annotated[Path | None, "where", "-o"] = None) -> None: ...

    assert harness.parser(bench).parse_args(["-o", "there"]).output == Path("there")


def test_what_a_bench_does_not_offer_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        harness.choose(["speed", "sped"], ("speed", "memory"))
    assert left.value.code == 2
    assert "nothing called sped; choose among speed, memory" in capsys.readouterr().err


def test_tables_and_ratios_print_as_told() -> None:
    assert doctest.testmod(harness).failed == 0 < doctest.testmod(harness).attempted


BENCHES = sorted(file.stem for file in (ROOT / "bench").glob("*.py") if "\n    run(main)\n" in file.read_text())


@pytest.mark.parametrize("name", sorted(set(BENCHES) - {"harness"}))
def test_a_bench_finds_what_it_needs_and_says_its_options(name: str) -> None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        root = (error.name or "").partition(".")[0]
        if root in ("siteseer", "tests") or (ROOT / "bench" / f"{root}.py").exists():
            raise
        pytest.skip(f"needs {root}, of the extra `bench`")
    assert "usage:" in harness.parser(module.main).format_help()


def test_the_source_tree_keeps_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert house.main() == 0, capsys.readouterr().out


def test_a_crowded_tree_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tmp_path / "src" / "siteseer"
    for number in range(4):
        (package / f"part{number}").mkdir(parents=True)
        (package / f"part{number}" / "__init__.py").write_text("")
        (package / f"part{number}" / "routes.py").write_text("def f(self, a, b, c, d, e, g): ...\n")
    for number in range(21):
        (package / f"module{number}.py").write_text(
            f"from siteseer import module{(number + 1) % 3}\n"
            if number < 3
            else "class A:\n    def f(self, a, b, c, d, e, g, *, h): ...\n"
        )
    assert house.main(tmp_path) == 2
    printed = capsys.readouterr().out
    figures = {line[:40].strip(): line[40:].split() for line in printed.splitlines()[1:12]}
    assert figures["modules"][0] == "29"
    assert figures["modules with a single importer"] == ["3"]
    assert figures["most folders of one file name"] == ["4", "routes.py"]
    assert figures["most modules in one folder"] == ["21", "siteseer"]
    assert figures["import cycles"] == ["1"]
    assert figures["functions with more than 6 parameters"] == ["18"]
    assert "routes.py: siteseer/part0, siteseer/part1" in printed
    assert "siteseer: 21" in printed


def test_what_a_module_imports_is_told_by_name() -> None:
    modules = {
        module.name: module for module in house.read_modules(ROOT / "src") if module.name.startswith("siteseer.page")
    }
    names = set(modules)
    assert "siteseer.page.urls" in set(house.imported(modules["siteseer.page.links"], names))


def test_the_figures_of_another_checkout_are_printed(tmp_path: Path) -> None:
    (tmp_path / "src" / "siteseer").mkdir(parents=True)
    (tmp_path / "src" / "siteseer" / "model.py").write_text("def f():\n    pass\n")
    command = [sys.executable, "bench/house.py", "--tree", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "siteseer/model.py: f" in done.stdout
