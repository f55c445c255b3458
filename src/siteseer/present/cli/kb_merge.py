"""siteseer kb merge: what a crawl learned becomes part of the user's own knowledge; shipped files stay as they are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from siteseer.knowledge.load import load
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import save
from siteseer.knowledge.types import Application


def own_knowledge(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the user's own knowledge files.

    >>> own_knowledge({"SITESEER_KNOWLEDGE": "/srv/boards"}).name
    'boards'
    """
    named = environment.get("SITESEER_KNOWLEDGE")
    return Path(named) if named else Path.home() / ".config" / "siteseer" / "knowledge"


def merge_into(file: Path, folder: Path) -> tuple[Path, Application]:
    """Add a knowledge file to a folder: to the file of the same application there, or as a new one."""
    added = load(file)
    target = folder / f"{added.id}.xml"
    known = load(target) if target.exists() else None
    result = replace(merge(known, added), learned=known.learned) if known else added
    folder.mkdir(parents=True, exist_ok=True)
    save(result, target)
    return target, result


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
