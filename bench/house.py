"""The size and the shape of the source tree: modules, importers, names, folders, cycles, functions.

    python bench/house.py [--tree PATH] [--show]

`--tree` measures another checkout, so that before and after stand side by side. File names and small modules are counted without
`__init__.py`. The exit code is 1 where a file name occurs in more than three folders or a folder holds more than 20 modules.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from harness import ROOT, Table, run

FEW_LINES, MANY_MODULES, MANY_PARAMETERS, MANY_FOLDERS = 60, 20, 6, 3
Graph = dict[str, set[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of Python: its dotted name, its place below `src`, its lines and its syntax tree."""

    name: str
    path: Path
    lines: int
    tree: ast.Module


def main(
    tree: Annotated[Path, "another checkout"] = ROOT,
    show: Annotated[bool, "list cycles, repeated names, functions with many parameters"] = False,
) -> int:
    """Print the figures of a checkout; return how many rules it breaks."""
    modules = read_modules(tree / "src")
    files = [module for module in modules if module.path.name != "__init__.py"]
    graph = import_graph(modules)
    importers = Counter(target for targets in graph.values() for target in targets)
    folders: dict[str, list[Path]] = defaultdict(list)
    for module in files:
        folders[module.path.name].append(module.path.parent)
    repeated = {name: len(places) for name, places in folders.items() if len(places) > 1}
    sizes = Counter(module.path.parent for module in files)
    full = [folder for folder, size in sizes.items() if size > MANY_MODULES]
    cycles = strongly_connected(graph)
    functions = [(f"{module.path}: {name}", node) for module in modules for name, node in functions_of(module.tree)]
    longest, function = max(functions, key=lambda pair: length(pair[1]))
    many = [name for name, node in functions if parameters(node) > MANY_PARAMETERS]
    commonest = max(sorted(folders), key=lambda name: len(folders[name]))
    largest = max(sorted(sizes), key=lambda folder: sizes[folder])
    table = Table("of the tree:<40", "number:>8,", "  which:<2")
    table.row("modules", len(modules), f"  of these {len(modules) - len(files)} __init__.py")
    table.row("lines", sum(module.lines for module in modules), "")
    table.row("modules with a single importer", sum(importers[module.name] == 1 for module in files), "")
    table.row(f"modules under {FEW_LINES} lines", sum(module.lines < FEW_LINES for module in files), "")
    table.row("file names in several folders", len(repeated), "")
    table.row("most folders of one file name", len(folders[commonest]), f"  {commonest}")
    table.row(f"folders with more than {MANY_MODULES} modules", len(full), "")
    table.row("most modules in one folder", sizes[largest], f"  {largest}")
    table.row("import cycles", len(cycles), "")
    table.row("lines of the longest function", length(function), f"  {longest}")
    table.row(f"functions with more than {MANY_PARAMETERS} parameters", len(many), "")
    if show:
        list_all("import cycles", map(", ".join, cycles))
        list_all("file names in several folders", (f"{name}: {count}" for name, count in sorted(repeated.items())))
        list_all(f"functions with more than {MANY_PARAMETERS} parameters", many)
    crowded = sorted(name for name, count in repeated.items() if count > MANY_FOLDERS)
    list_all("names in too many folders", (f"{name}: {', '.join(map(str, folders[name]))}" for name in crowded))
    list_all("folders with too many modules", (f"{folder}: {sizes[folder]}" for folder in full))
    return len(crowded) + len(full)


def list_all(title: str, rows: Iterable[str]) -> None:
    """Print rows beneath a title, or nothing where there are none."""
    if rows := list(rows):
        print(f"\n{title}", *rows, sep="\n  ")


def read_modules(source: Path) -> list[Module]:
    """Return the modules below a folder, by name."""
    modules = []
    for path in sorted(source.rglob("*.py")):
        place, text = path.relative_to(source), path.read_text(encoding="utf-8")
        parts = place.parent.parts if path.name == "__init__.py" else place.with_suffix("").parts
        modules.append(Module(".".join(parts), place, text.count("\n"), ast.parse(text)))
    return modules


def import_graph(modules: list[Module]) -> Graph:
    """Return for each module the modules of the same tree that it imports, anywhere in the file."""
    names = {module.name for module in modules}
    return {module.name: {target for target in imported(module, names) if target != module.name} for module in modules}


def imported(module: Module, names: set[str]) -> Iterator[str]:
    """Yield the modules that one module imports: `from package import module` means the module, else the package."""
    package = module.name.split(".") if module.path.name == "__init__.py" else module.name.split(".")[:-1]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                target = f"{base}.{alias.name}"
                if target in names:
                    yield target
                elif base in names:
                    yield base


def strongly_connected(graph: Graph) -> list[list[str]]:
    """Return the sets of modules that import each other, directly or through others (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph[node]):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                cycles.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return cycles


def functions_of(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield all functions of a module, methods with their class's name."""

    def inside(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield prefix + child.name, child
                yield from inside(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.ClassDef):
                yield from inside(child, f"{prefix}{child.name}.")
            else:
                yield from inside(child, prefix)

    return inside(tree, "")


def length(function: Function) -> int:
    """Return the lines of a function, from `def` to its end."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def parameters(function: Function) -> int:
    """Return the number of parameters that a caller may give; `self` and `cls` are none."""
    given = function.args
    names = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    return len(names) - (names[:1] in (["self"], ["cls"])) + len(given.kwonlyargs)


if __name__ == "__main__":
    run(main)
