"""Saves a design as an entry of the person's own knowledge base, checked before it is written."""

from __future__ import annotations

from pathlib import Path

from siteseer.crawler.build import user_knowledge
from siteseer.crawler.results.learned_entry import free_place
from siteseer.errors import UsageError
from siteseer.knowledge.load import read
from siteseer.knowledge.save import save, to_xml
from siteseer.web.designer.workbench import Workbench
from siteseer.wrapper.designer.design_entry import as_entry


def save_knowledge(bench: Workbench, name: str) -> Path:
    """Write an entry of that name; nothing that exists is replaced."""
    folder = user_knowledge()
    path = free_place(name, folder)
    entry, _ = as_entry(bench.snapshot, bench.state.draft, name)
    reading = read(to_xml(entry), path.name)
    if reading.problems:
        raise UsageError(f"this cannot be said as knowledge: {reading.problems[0].what}")
    folder.mkdir(parents=True, exist_ok=True)
    save(entry, path)
    return path
