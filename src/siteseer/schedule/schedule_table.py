"""Reads a table of schedules: which commands are run again and again, and when.

[forum]
run = "revisit forum --budget 500"
every = "6h"

[festival]
run = ["campaign", "run", "festival.toml", "-o", "festival/{date}"]
cron = "0 6 * * mon-fri"
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from siteseer.errors import ConfigurationError, UsageError
from siteseer.model import JSON
from siteseer.schedule.cron import Cron, read_cron
from siteseer.schedule.due_times import read as read_schedule

VERBS = ("revisit", "crawl", "campaign", "wrapper", "feed", "store", "describe", "audit")
"""The commands that make sense again and again; nothing else is run, whatever a message says."""
PLACEHOLDERS = ("{date}", "{time}")
_PLACEHOLDER = re.compile(r"\{[A-Za-z_]{2,40}\}")
LARGEST = 2**20
NEWEST = 2**20
"""Bytes at the end of the history that are looked at: thousands of runs."""
MOST_ENTRIES = 1_000
MOST_ARGUMENTS = 200
LONGEST_ARGUMENT = 4_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One command, and when it is run."""

    name: str
    run: tuple[str, ...]
    every: float = 0.0
    """Seconds; 0 where `cron` says when."""
    cron: Cron | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The entries of a file, and the time zone of their cron expressions."""

    path: Path
    entries: tuple[Entry, ...]
    timezone: str = "UTC"

    @property
    def history(self) -> Path:
        """Where every run is written down, a line of JSON each."""
        return self.path.with_suffix(".history.jsonl")


def load_table(path: Path) -> Table:
    """Read a file of schedules; raise with one sentence that names the entry."""
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigurationError(f"{path} is too long for a table of schedules")
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no TOML: {error}") from error
    zone = found.pop("timezone", "UTC")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise ConfigurationError(
            f"{path}: there is no time zone {str(zone)[:60]!r}; write Europe/Paris or UTC"
        ) from error
    if not found or len(found) > MOST_ENTRIES:
        raise ConfigurationError(f"{path} has {len(found):,} schedules; from 1 to {MOST_ENTRIES:,} make sense")
    return Table(path, tuple(_entry(path, name, each) for name, each in found.items()), zone)


def _entry(path: Path, name: str, found: Any) -> Entry:
    where = f"{path}, [{name[:60]}]"
    if not isinstance(found, dict) or not name.isprintable() or "/" in name or name.startswith("."):
        raise ConfigurationError(f"{where}: a schedule is a table with a plain name")
    if unknown := found.keys() - {"run", "every", "cron"}:
        raise ConfigurationError(f"{where}: there is no key {min(unknown)!r}; use run, and every or cron")
    if ("every" in found) == ("cron" in found):
        raise ConfigurationError(f'{where}: say when, with every = "6h" or cron = "0 6 * * *"')
    try:
        arguments = checked_command(_words(found.get("run")))
        if "cron" in found:
            return Entry(name, arguments, cron=read_cron(str(found["cron"])))
        schedule = read_schedule(every=str(found["every"]))
    except (UsageError, ValueError) as error:
        raise ConfigurationError(f"{where}: {error}") from error
    assert schedule is not None
    return Entry(name, arguments, schedule.every)


def _words(run: Any) -> list[Any]:
    return shlex.split(run) if isinstance(run, str) else run if isinstance(run, list) else []


def checked_command(words: Iterable[Any]) -> tuple[str, ...]:
    """Return the words of a command that may be scheduled; raise for any other.

    >>> checked_command(["revisit", "forum"])
    ('revisit', 'forum')
    """
    found = tuple(words)
    if found and found[0] == "siteseer":
        found = found[1:]
    if not found or not all(isinstance(word, str) and len(word) <= LONGEST_ARGUMENT for word in found):
        raise UsageError('run wants a command, as in run = "revisit forum"')
    if found[0] not in VERBS or len(found) > MOST_ARGUMENTS or any("\0" in word for word in found):
        raise UsageError(f"{str(found[0])[:40]!r} cannot be scheduled; {', '.join(VERBS)} can")
    for unknown in set(_PLACEHOLDER.findall(" ".join(found))).difference(PLACEHOLDERS):
        raise UsageError(f"nothing is filled in for {unknown}; {' and '.join(PLACEHOLDERS)} are known")
    return found


def fill_placeholders(command: Iterable[str], now: datetime) -> list[str]:
    """Return a command with `{date}` and `{time}` filled in: a directory for each run.

    >>> fill_placeholders(["campaign", "run", "a.toml", "-o", "a/{date}"], datetime(2024, 5, 1, 6))[-1]
    'a/2024-05-01'
    """
    return [word.replace("{date}", f"{now:%Y-%m-%d}").replace("{time}", f"{now:%H%M%S}") for word in command]


def last_runs(table: Table) -> Mapping[str, JSON]:
    """Return the newest run of each entry from the history: `name, began, ended, exit`."""
    found: dict[str, JSON] = {}
    try:
        with table.history.open("rb") as file:
            file.seek(max(0, table.history.stat().st_size - NEWEST))
            lines = file.read().split(b"\n")
    except OSError:
        return {}
    for line in lines:
        try:
            told = json.loads(line)
            datetime.fromisoformat(told["began"])
            found[str(told["name"])] = told
        except (ValueError, KeyError, TypeError, RecursionError):
            continue  # a line that a kill cut off
    return found
