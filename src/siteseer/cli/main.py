"""The command line: one file per group of commands; errors become one sentence and the right exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.main

from siteseer.cli.add_extras import add_and_run_again
from siteseer.cli.parameters.every_command import Group, complete
from siteseer.cli.terminal import print_error
from siteseer.collection.private_files import named_paths, private_files
from siteseer.errors import NO_ROOM, DiskFullError, MissingExtraError, SiteseerError, UsageError
from siteseer.version import __version__

INTERRUPTED = 130
"""What typer returns where Ctrl-C cut a command off; none of our commands does."""
GROUPS = (
    "crawl",
    "login",
    "objects",
    "article",
    "detect",
    "form.form",
    "align",
    "wrapper.wrapper",
    "wrapper.wrapper_jobs",
    "wrapper.wrapper_runs",
    "knowledge.kb",
    "knowledge.learn",
    "audit",
    "compare",
    "time.timestamp",
    "time.changes",
    "time.feed",
    "time.revisit",
    "campaign.campaign",
    "schedule",
    "campaign.campaign_results",
    "worker",
    "export",
    "store",
    "ui",
    "demo",
)
"""The modules that add commands, in the order in which the help lists them."""


WRONG_USAGE: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What the parser of arguments raises; the library carries its own copy of click, or uses the installed one."""


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(__version__)
        raise typer.Exit


def build() -> typer.Typer:
    """Return the application with all its commands."""
    app = typer.Typer(
        name="siteseer",
        cls=Group,
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    for name in GROUPS:
        import_module(f"siteseer.cli.{name}").register(app)
    complete(app)
    return app


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Archive the Web knowingly: recognise pages, follow what leads to content, keep posts as well as bytes."""


def understand(arguments: Sequence[str]) -> None:
    """Read a command without running it; raise UsageError where it is wrong.

    >>> understand(["revisit", "forum", "--budget", "500"])
    >>> understand(["revisit"])
    Traceback (most recent call last):
        ...
    siteseer.errors.UsageError: Missing argument 'collection'.
    """
    command: Any = _command()
    name, words, parent = "siteseer", list(arguments), None
    try:
        while True:
            parent = command.make_context(name, words, parent=parent)
            if not hasattr(command, "commands"):
                return
            left = [*_first(parent), *parent.args]
            if not left and command.invoke_without_command:
                return
            name, command, words = command.resolve_command(parent, left)
    except WRONG_USAGE as error:
        raise UsageError(error.format_message()) from error
    except typer.Exit:
        raise UsageError("a question for help is no command") from None


@cache
def _command() -> Any:
    return typer.main.get_command(build())


def _first(context: Any) -> list[str]:
    """The name of the command, which newer versions of the parser keep out of sight."""
    return [*(getattr(context, "_protected_args", None) or getattr(context, "protected_args", None) or ())]


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run a command; return its exit code."""
    try:
        with private_files(*named_paths(arguments)):
            result = build()(arguments, prog_name="siteseer", standalone_mode=False)
        if result == INTERRUPTED:
            raise KeyboardInterrupt
    except MissingExtraError as error:
        add_and_run_again(error, arguments)
        print_error(str(error))
        return error.exit_code
    except SiteseerError as error:
        print_error(str(error))
        return error.exit_code
    except typer.Exit as done:
        return int(done.exit_code)
    except WRONG_USAGE as error:
        print_error(f"{error.format_message()} See siteseer --help.")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print_error("Stopped.")
        return 13
    except BrokenPipeError:
        sys.stdout = None  # the reader went away: nothing more to say
        return 0
    except OSError as error:
        print_error(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))
        return DiskFullError.exit_code if error.errno in NO_ROOM else 1
    return result if isinstance(result, int) else 0
