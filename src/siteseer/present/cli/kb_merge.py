"""siteseer kb merge: what a crawl learned becomes part of the user's own knowledge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from siteseer.adaptation.merging import merge_into, own_knowledge


def register(app: typer.Typer) -> None:
    """Add the command to `kb`."""

    @app.command("merge")
    def merge_command(
        files: Annotated[list[Path], typer.Argument(help="Knowledge files, such as DIR/siteseer/knowledge/NAME.xml")],
    ) -> None:
        """Add knowledge files to your own knowledge (~/.config/siteseer/knowledge, or $SITESEER_KNOWLEDGE)."""
        for file in files:
            target, application = merge_into(file, own_knowledge())
            typer.echo(f"{application.id}: {file} added to {target}")
