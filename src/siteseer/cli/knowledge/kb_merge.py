"""`siteseer kb merge`: merges what a crawl learned into the user's own knowledge; shipped files stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from siteseer.knowledge.load import load
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import save
from siteseer.knowledge.types import Application


def merge_into(file: Path, folder: Path) -> tuple[Path, Application]:
    """Add a knowledge file to a folder: to the file of the same application there, or as a new one."""
    added = load(file)
    target = folder / f"{added.id}.xml"
    known = load(target) if target.exists() else None
    result = replace(merge(known, added), learned=known.learned) if known else added
    folder.mkdir(parents=True, exist_ok=True)
    save(result, target)
    return target, result
