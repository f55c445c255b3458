"""A learned knowledge file in, the user's own knowledge with it out; shipped entries are never changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from siteseer.knowledge.load import load
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import save
from siteseer.knowledge.types import Application

VARIABLE = "SITESEER_KNOWLEDGE"


def own_knowledge(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the user's own knowledge files.

    >>> own_knowledge({"SITESEER_KNOWLEDGE": "/srv/knowledge"}).name
    'knowledge'
    """
    if given := environment.get(VARIABLE):
        return Path(given)
    home = environment.get("XDG_CONFIG_HOME") or str(Path(environment.get("HOME", "~")).expanduser() / ".config")
    return Path(home) / "siteseer" / "knowledge"


def merge_into(file: Path, folder: Path) -> tuple[Path, Application]:
    """Add a knowledge file to a folder: to the file of the same application there, or as a new one."""
    added = load(file)
    target = folder / f"{added.id}.xml"
    known = load(target) if target.exists() else None
    result = replace(merge(known, added), learned=known.learned or added.learned) if known else added
    folder.mkdir(parents=True, exist_ok=True)
    save(result, target)
    return target, result
