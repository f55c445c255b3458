"""`siteseer ui`: serves the web interface, on this machine only."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from siteseer.cli.terminal import print_message
from siteseer.errors import NotFoundError, UsageError
from siteseer.optional_dependencies import needs


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ui")(ui)


def ui(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A collection, or a folder of them.")] = Path(),
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")] = 8080,
) -> None:
    """Open the web interface: start crawls, watch them, read, ask, compare. Ctrl-C ends it."""
    with needs("ui", "the web interface needs NiceGUI"):
        from siteseer.web.ui.serve import serve
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no directory; name a collection or a folder of them")
    if not folder.exists():
        if not sys.stdin.isatty():
            raise NotFoundError(f"there is no folder {folder}; make it, or name a collection or a folder of them")
        typer.confirm(f"There is no folder {folder}. Make it?", abort=True, err=True)

    def ready(link: str) -> None:
        print_message(
            "Open this link in a browser; it carries the key, so keep it to yourself. Ctrl-C ends the interface."
        )
        print(link, flush=True)

    serve(folder, port, ready)
