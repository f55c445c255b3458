"""What was marked, kept as knowledge: an entry of the person's own knowledge, checked before it is written."""

from __future__ import annotations

from pathlib import Path

from siteseer.crawl.equipment import user_knowledge
from siteseer.crawl.taught import free_place
from siteseer.errors import UsageError
from siteseer.knowledge.load import read
from siteseer.knowledge.save import save, to_xml
from siteseer.present.designer.workbench import Workbench
from siteseer.wrappers.design.knowledge import as_entry


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
