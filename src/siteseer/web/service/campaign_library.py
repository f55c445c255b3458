"""Manages campaigns in the service: defines, runs, analyses and stops them, each in a process of its own."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from siteseer.campaigns import overview
from siteseer.campaigns.relevance.edit_definition import edit_values, values_of
from siteseer.campaigns.relevance.parse_definition import definition_errors, read_definition
from siteseer.campaigns.run_campaign import COPY, LARGEST_DEFINITION, load_definition
from siteseer.campaigns.vocabulary.reference_crawl import Proposal, complete_definition, read_proposals, write_proposals
from siteseer.collection.layout import is_collection
from siteseer.collection.lock import is_held
from siteseer.errors import NotFoundError, SiteseerError, UsageError
from siteseer.model import JSON
from siteseer.web.service import campaign_results
from siteseer.web.service.campaign_run import CampaignRun, how_it_ended, remove
from siteseer.web.service.library import Library

MOST_AT_ONCE = 2
"""Campaigns that may run at the same time in one service: each crawls many sites."""
TERMS = "campaign.terms.tsv"


@dataclass(frozen=True, slots=True)
class Marked:
    """A person's word on a proposed term; a weight of None leaves it as it is."""

    text: str
    mark: str
    weight: float | None = None


class CampaignLibrary:
    """The campaigns below the folder of a library: every folder with a definition `campaign.toml` is one.

    >>> import tempfile
    >>> campaigns = CampaignLibrary(Library(Path(tempfile.mkdtemp())))
    >>> campaigns.create("kelp", 'name = "Kelp"\\nseeds = ["e.org"]\\nkeywords = ["kelp"]\\n')
    >>> campaigns.names(), campaigns.state("kelp")["phase"]
    (['kelp'], 'new')
    """

    def __init__(self, library: Library, allow_private: bool = False) -> None:
        self.library, self.allow_private = library, allow_private
        self._runs: dict[str, CampaignRun] = {}
        self._lock = Lock()

    # ── definitions ───────────────────────────────────────────────────────────────────────────────────────────────

    def names(self) -> list[str]:
        """Return the names of all campaigns."""
        return sorted(campaign_folders(self.library.root))

    def folder(self, name: str) -> Path:
        """Return the directory of a campaign; raise NotFoundError where there is none of that name."""
        found = campaign_folders(self.library.root)
        if name not in found:
            raise NotFoundError(f"there is no campaign {name[:100]!r} here")
        return found[name]

    def create(self, name: str, text: str) -> None:
        """Make a campaign of a definition."""
        read_definition(text)
        folder = self.library.place(name)
        if folder.exists():
            raise UsageError(f"there is something called {name} already; choose another name")
        folder.mkdir(parents=True)
        _write(folder / COPY, text)

    def text(self, name: str) -> str:
        """Return the definition as it is written."""
        file = self.folder(name) / COPY
        try:
            if file.stat().st_size > LARGEST_DEFINITION:
                raise UsageError(f"the definition of {name} is too large")
            return file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the definition of {name} cannot be read: {error}") from error

    def write(self, name: str, text: str) -> None:
        """Replace the definition; what runs goes on with the old one until it is started again."""
        read_definition(text)
        _write(self.folder(name) / COPY, text)

    def revise(self, name: str, changes: JSON) -> str:
        """Change values of the definition, keep the rest of its text; return the new text."""
        text = edit_values(self.text(name), changes)
        self.write(name, text)
        return text

    @staticmethod
    def check(text: str) -> list[JSON]:
        """Return everything that is wrong with a definition: `table`, `key` and `error`."""
        try:
            return [
                {"table": table, "key": key, "error": said} for table, key, said in definition_errors(values_of(text))
            ]
        except SiteseerError as error:
            return [{"table": "", "key": "", "error": str(error)}]

    # ── the reference crawl ───────────────────────────────────────────────────────────────────────────────────────

    def terms(self, name: str) -> list[Proposal]:
        """Return what the reference crawl proposed; empty before it."""
        file = self.folder(name) / TERMS
        try:
            return read_proposals(file.read_text(encoding="utf-8"), TERMS)
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{TERMS} of {name} cannot be read: {error}") from error

    def mark(self, name: str, words: list[Marked]) -> list[Proposal]:
        """Accept, reject or leave open proposed terms; what is accepted completes the definition."""
        said = {one.text: one for one in words}
        proposals = self.terms(name)
        if unknown := said.keys() - {one.text for one in proposals}:
            raise UsageError(f"nobody proposed {sorted(unknown)[0][:100]!r}")
        marked = [_marked(one, said[one.text]) if one.text in said else one for one in proposals]
        text = complete_definition(self.text(name), [one for one in marked if one.mark == "accept"])
        self.write(name, text)
        _write(self.folder(name) / TERMS, write_proposals(marked))
        return marked

    # ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, name: str) -> None:
        """Run a campaign, or go on with it; returns at once."""
        self._start(name, "run", ())

    def learn(self, name: str, limit: int = 200) -> None:
        """Crawl a little, and propose terms and sites; returns at once."""
        self._start(name, "learn", ("--limit", str(limit)))

    def analyse(self, name: str, again: bool = False, before: str = "") -> None:
        """Read what was gathered, and write report and proposal; returns at once.

        `again` reads everything anew; `before` names an earlier campaign to be compared with.
        """
        if not overview.totals(self.folder(name)).pages:
            raise UsageError(f"{name} has no page yet; run it first")
        earlier = ("--before", str(self.folder(before))) if before else ()
        self._start(name, "analyse", ("--all", *(("--again",) if again else ()), *earlier))

    def select(self, name: str, threshold: float | None = None) -> None:
        """Make the WACZ of what was accepted, and of what is open from a degree on; returns at once."""
        folder = self.folder(name)
        if not campaign_results.takes_something(folder, threshold):
            raise UsageError("nothing is accepted: accept sites or pages, or choose a lower threshold")
        degree = () if threshold is None else ("--threshold", str(threshold))
        self._start(name, "select", ("-o", str(folder / campaign_results.SELECTION), *degree))

    def delete(self, name: str) -> None:
        """Delete a campaign with all its sites; never one that somebody works on."""
        folder = self.folder(name)
        if folder == self.library.root:
            raise UsageError(f"{name} is the folder that is shown; open the folder above it to delete it")
        with self._lock:
            self._check_idle(name, folder)
            remove(folder)
            self._runs.pop(name, None)

    def stop(self, name: str) -> None:
        """End what runs when what it sent has been answered; it can go on later."""
        running = self._runs.get(name)
        if running is None or not running.is_alive:
            raise UsageError(f"{name} is not run by this service")
        running.stop()

    def state(self, name: str) -> JSON:
        """Return how far a campaign is: `phase`, `error`, figures of all sites, and the summary of the last run."""
        folder = self.folder(name)
        running, ended = self._runs.get(name), how_it_ended(folder)
        phase, error = (running.phase, running.error) if running else (ended.phase, "")
        if running is None and is_held(folder):
            phase = "elsewhere"
        said = campaign_results.progress(folder) if phase in ("analysing", "selecting", "elsewhere") else ""
        return {
            "name": name,
            "phase": phase,
            **({"error": error} if error else {}),
            **({"progress": said} if said else {}),
            "proposals": sum(one.mark == "?" for one in self.terms(name)),
            **asdict(overview.totals(folder)),
            **campaign_results.stamps(folder),
            "summary": ended.summary,
        }

    def close(self, seconds: float = 30.0) -> None:
        """Stop everything that runs, and wait until it is saved."""
        for one in self._runs.values():
            if one.is_alive:
                one.stop()
        for one in self._runs.values():
            one.wait(seconds)

    def _start(self, name: str, verb: str, options: tuple[str, ...]) -> None:
        folder = self.folder(name)
        self._check_reach(folder)
        with self._lock:
            self._check_idle(name, folder)
            if sum(one.is_alive for one in self._runs.values()) >= MOST_AT_ONCE:
                raise UsageError(f"{MOST_AT_ONCE} campaigns are running; wait for one of them or stop it")
            self._runs[name] = CampaignRun(folder, verb, options)

    def _check_idle(self, name: str, folder: Path) -> None:
        earlier = self._runs.get(name)
        if (earlier is not None and earlier.is_alive) or is_held(folder):
            raise UsageError(f"{name} is running: stop it first, or wait for its end")

    def _check_reach(self, folder: Path) -> None:
        """Refuse a definition that reaches for more than the service may."""
        definition, _ = load_definition(folder / COPY)
        if definition.politeness.allow_private and not self.allow_private:
            raise UsageError("this service was not started with leave to reach private networks: allow_private")
        if (kept := definition.stores.archive) and ("://" not in kept or kept.startswith(("file:", "local:"))):
            raise UsageError("archives go to a folder of this machine from the command line only: [stores] archive")
        for one in definition.examples:
            if "://" not in one and not (folder / one).resolve().is_relative_to(folder):
                raise UsageError(f"the example {one!r} lies outside the campaign's folder")


def campaign_folders(root: Path) -> dict[str, Path]:
    """Return every campaign below a folder by name: looked for, never made from a name, so that none leads outside."""
    if (root / COPY).is_file():
        return {root.name: root}
    if not root.is_dir() or is_collection(root):
        return {}
    folders = (one for one in root.iterdir() if not one.is_symlink() and not one.name.startswith("."))
    return {one.name: one for one in folders if (one / COPY).is_file()}


def _marked(one: Proposal, word: Marked) -> Proposal:
    return replace(one, mark=word.mark, weight=one.weight if word.weight is None else word.weight)


def as_json(one: Any) -> JSON:
    """Return a site, worker or proposal as JSON."""
    return asdict(one)


def _write(path: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text.encode("utf-8", "replace").decode(), encoding="utf-8")
    beside.replace(path)
