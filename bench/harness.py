"""What all benches share: options, tables, the ratio to a peer, the exit code.

The parameters of a bench's `main` are its options, and its module's docstring is what `--help` says:

    def main(pairs: int = 2_000, sites: Names = ("blog", "wiki"), show: Annotated[bool, "print every page"] = False) -> int:
        ...

    if __name__ == "__main__":
        run(main)

gives `--pairs 2000`, `--sites blog wiki` (or `blog,wiki`) and `--show`; `Annotated[Path, "where", "-o"]` gives a short name, too. A
positional-only parameter is an argument without a name. What `main` returns is the number of wanted figures that were missed: the exit code is 0 where it is 0 or nothing, else 1.

Importing this module makes `tests` and the scripts of `training` importable.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parents[1]
Names = Sequence[str]
"""Several values of one option."""

for folder in (ROOT, ROOT / "training"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def run(main: Callable[..., int | None], arguments: Sequence[str] | None = None) -> None:
    """Call a bench with what the command line gives, and leave with its exit code."""
    given = vars(parser(main).parse_args(arguments))
    places, names = [], {}
    for name, parameter in inspect.signature(main).parameters.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            places.append(given[name])
        else:
            names[name] = given[name]
    sys.exit(1 if main(*places, **names) else 0)


def parser(main: Callable[..., int | None]) -> argparse.ArgumentParser:
    """Return the parser of a bench's command line."""
    told = argparse.ArgumentParser(
        description=inspect.getmodule(main).__doc__,  # type: ignore[union-attr]
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    hints = get_type_hints(main, include_extras=True)
    for name, parameter in inspect.signature(main).parameters.items():
        _add(told, parameter, hints[name])
    return told


def _add(told: argparse.ArgumentParser, parameter: inspect.Parameter, hint: Any) -> None:
    """Add a parameter of a bench as an option, or as an argument where it is positional only."""
    options: dict[str, Any] = {"default": parameter.default}
    short: list[str] = []
    if get_origin(hint) is Annotated:
        hint, options["help"], *short = get_args(hint)
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if get_origin(hint) is Literal:
        options["choices"] = get_args(hint)
    elif hint == Names:
        options |= {"nargs": "*", "action": _Several}
    elif hint is bool:
        options["action"] = "store_true"
    else:
        options["type"] = kinds[0] if kinds else hint
    if parameter.default is parameter.empty:
        del options["default"]
    elif parameter.kind is parameter.POSITIONAL_ONLY:
        options.setdefault("nargs", "?")
    named = parameter.kind is not parameter.POSITIONAL_ONLY
    told.add_argument(*short, f"--{parameter.name.replace('_', '-')}" if named else parameter.name, **options)


def choose(names: Names, offered: Iterable[str]) -> list[str]:
    """Return the names that were given, or leave with exit code 2 where one of them is not offered.

    >>> choose(["speed"], {"speed": 1, "memory": 2})
    ['speed']
    """
    offered = list(offered)
    if unknown := [name for name in names if name not in offered]:
        print(f"there is nothing called {', '.join(unknown)}; choose among {', '.join(offered)}", file=sys.stderr)
        sys.exit(2)
    return list(names)


class _Several(argparse.Action):
    """Values apart by spaces or commas; none given for an argument leaves its default."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if values is not self.default:
            values = [word for value in values for word in value.split(",") if word]
        setattr(namespace, self.dest, values)


class Table:
    """Rows beneath titles: a column is its title and how its values are formatted.

    >>> table = Table("site:<6", "pages:>6", "ms/page:>8.1f")
    site   pages ms/page
    >>> table.row("blog", 12, 3.14159)
    blog      12     3.1
    >>> table.row("wiki", "-", None)
    wiki       -
    """

    def __init__(self, *columns: str) -> None:
        pairs = [column.rpartition(":") for column in columns]
        self._formats = [spec for _, _, spec in pairs]
        self._places = [re.match(r"[<>^]?\d+", spec)[0] for spec in self._formats]  # type: ignore[index]
        self._print(f"{title:{place}}" for (title, _, _), place in zip(pairs, self._places, strict=True))

    def row(self, *values: object) -> None:
        """Print a row; a text stands where a number was expected, and nothing where there is no value."""
        self._print(
            f"{'' if value is None else value:{place if value is None or isinstance(value, str) else spec}}"
            for value, spec, place in zip(values, self._formats, self._places, strict=True)
        )

    def _print(self, cells: Any) -> None:
        print("".join(cells).rstrip(), flush=True)


def ratio(what: str, ours: float, peer: str, theirs: float) -> float:
    """Print how a figure of ours compares with that of a named peer, measured in the same minute, and return the ratio.

    >>> ratio("CPU ms/page", 2.0, "wget", 1.6)
    CPU ms/page: siteseer 2, wget 1.6: 1.25 times
    1.25
    """
    shown = [f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}" for figure in (ours, theirs)]
    print(f"{what}: siteseer {shown[0]}, {peer} {shown[1]}: {ours / theirs:.2f} times", flush=True)
    return ours / theirs
