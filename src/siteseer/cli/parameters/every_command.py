"""What every command has: --json, --quiet and --verbose, a help in groups, and examples."""

from __future__ import annotations

import inspect
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from siteseer.cli.parameters.examples import EXAMPLES, GROUPS
from siteseer.cli.terminal import set_verbosity

JSON_FORMATS = {"objects": "jsonl", "query": "json", "wrapper run": "jsonl", "wrapper records": "jsonl"}
"""Commands with --format, and the format that --json stands for."""
JSON_ALREADY = ("article", "wrapper induce")
"""Commands whose results are JSON lines in any case."""
OF_EVERY_COMMAND = "every command"

AsJson = Annotated[bool, typer.Option("--json", help="Print results as JSON.", rich_help_panel=OF_EVERY_COMMAND)]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Say nothing but results and errors.", rich_help_panel=OF_EVERY_COMMAND)
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Say more: all figures, and what went on.", rich_help_panel=OF_EVERY_COMMAND)
]


def complete(app: typer.Typer, path: str = "") -> None:
    """Give all commands below an application what every command has."""
    for group in app.registered_groups:
        assert group.typer_instance is not None
        complete(group.typer_instance, f"{path} {group.name}".strip())
    for command in app.registered_commands:
        assert command.callback is not None
        name = f"{path} {command.name or command.callback.__name__}".strip()
        if command.cls is not Command:  # groups outlive an application
            command.cls = Command
            command.callback = _with_options(command.callback, name)


def _with_options(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a command that takes the options of every command."""
    signature = inspect.signature(function, eval_str=True)
    own = dict(signature.parameters)
    has_json = "as_json" in own

    @wraps(function)
    def run(**values: Any) -> Any:
        as_json = values.get("as_json", False) if has_json else values.pop("as_json")
        is_quiet, is_verbose = values.pop("quiet"), values.pop("verbose", False)
        set_verbosity(-1 if is_quiet else 1 if is_verbose else 0, as_json)
        if not as_json or has_json or name in JSON_ALREADY:
            return function(**values)
        if name in JSON_FORMATS:
            return function(**{**values, "form": JSON_FORMATS[name]})
        with _json_lines():
            return function(**values)

    added = {"as_json": AsJson, "quiet": Quiet, "verbose": Verbose}
    more = [_flag(key, told) for key, told in added.items() if key not in own]
    made = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own.values()]
    run.__signature__ = signature.replace(parameters=[*made, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*made, *more)}
    del run.__dict__["__wrapped__"]
    return run


def _flag(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)


class _JsonLines(io.TextIOBase):
    """Writes each line that a command prints as one JSON object."""

    def __init__(self, below: Any) -> None:
        self._below, self._begun = below, ""
        self.buffer = _Bytes(self)

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._below.write(json.dumps({"line": line}, ensure_ascii=False) + "\n")
        return len(text)

    def flush(self) -> None:
        self._below.flush()

    def end(self) -> None:
        if self._begun:
            self.write("\n")
        self.flush()


class _Bytes(io.RawIOBase):
    """Takes bytes for the same lines."""

    def __init__(self, lines: _JsonLines) -> None:
        self._lines = lines

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._lines.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


@contextmanager
def _json_lines() -> Iterator[None]:
    """Print what is printed within as JSON lines: for commands whose results are text."""
    before = sys.stdout
    sys.stdout = lines = _JsonLines(before)
    try:
        yield
    finally:
        lines.end()
        sys.stdout = before


_KINDS = re.compile(r"<(int|float|str|path|list\[str\])(?: range)?>")
_PLAIN = {"int": "N", "float": "NUMBER", "str": "TEXT", "path": "PATH", "list[str]": "TEXT"}


class Command(TyperCommand):
    """A command whose help lists its options in groups, and ends with examples."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each group under its heading."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if (row := parameter.get_help_record(ctx)) is None:
                continue
            is_argument = parameter.param_type_name == "argument"
            group = getattr(parameter, "rich_help_panel", None)
            title = "Arguments" if is_argument else group[0].upper() + group[1:] if group else "Options"
            if "--help" in parameter.opts:
                title = OF_EVERY_COMMAND[0].upper() + OF_EVERY_COMMAND[1:]
            sections.setdefault(title, []).append(_row(parameter, row))
        last = sections.pop(OF_EVERY_COMMAND[0].upper() + OF_EVERY_COMMAND[1:], [])
        for title, rows in (*sections.items(), ("Every command", last)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        write_examples(ctx, formatter)


def _row(parameter: Any, row: tuple[str, str]) -> tuple[str, str]:
    """Return how a parameter is written, and what it is for, with its default."""
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper(), parameter.help or ""
    shown = parameter.show_default
    default = shown if isinstance(shown, str) else parameter.default if shown else None
    is_value = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    name = _KINDS.sub(lambda kind: _PLAIN[kind[1]], row[0])
    return name, f"{parameter.help or ''} [{default}]" if is_value else parameter.help or ""


def write_examples(ctx: Any, formatter: Any) -> None:
    """Write the examples of a command."""
    name = " ".join(ctx.command_path.split()[1:])
    if found := EXAMPLES.get(name, EXAMPLES.get(f"{name} list" if name == "form" else name)):
        with formatter.section("Examples"):
            for example in found:
                formatter.write(f"{'':>{formatter.current_indent}}siteseer {example}\n")


class Group(TyperGroup):
    """The application, whose help lists the commands in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, each group under its heading."""
        for title, names in GROUPS.items():
            rows = [
                (name, self.commands[name].get_short_help_str(limit=200)) for name in names if name in self.commands
            ]
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands first, then the few options."""
        self.format_commands(ctx, formatter)
        rows = [row for one in self.get_params(ctx) if (row := one.get_help_record(ctx)) is not None]
        with formatter.section("Options"):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Say where more is told."""
        with formatter.section("Examples"):
            for example in ("crawl https://forum.example.org/ -o forum", "objects forum --author ann"):
                formatter.write(f"{'':>{formatter.current_indent}}siteseer {example}\n")
        formatter.write(
            "\nsiteseer COMMAND --help tells of one command; --json, --quiet and --verbose go with every one.\n"
        )
