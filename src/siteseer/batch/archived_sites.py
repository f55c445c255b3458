"""Tells the sites of archives apart: what was recognised, learned or left of each, and the problems that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from siteseer.archive.repair_warc import damage_of
from siteseer.archive.warc_sources import warc_files
from siteseer.knowledge.types import Application
from siteseer.model import JSON
from siteseer.page.urls import folder_of
from siteseer.strategies.learned.record_extraction import FEWEST

MOST_FOLDERS = 1_000
"""Folders of unrecognised pages that are counted one by one; further pages count as pages of the site's root."""
MOST_NAMED = 3
"""Sites that a sentence names."""


@dataclass(slots=True)
class ArchivedSite:
    """One site of an archive, and how many of its pages were recognised.

    >>> site = ArchivedSite("e.org")
    >>> site.add("http://e.org/notes/1.html", None)
    >>> site.may_be_learned, site.is_to_learn("http://e.org/notes/1.html")
    (True, True)
    """

    name: str
    pages: int = 0
    application: str | None = None
    """The software that a knowledge file describes, if one does."""
    folder: str | None = None
    """The folder that holds all pages of that software."""
    applications: Counter[str] = field(default_factory=Counter)
    unrecognised: Counter[str] = field(default_factory=Counter)
    """Pages that no knowledge file describes, by their folder."""

    def add(self, url: str, application: Application | None) -> None:
        """Count a page, and what was recognised in it."""
        self.pages += 1
        folder = folder_of(url)
        if application is None:
            is_counted = folder in self.unrecognised or len(self.unrecognised) < MOST_FOLDERS
            self.unrecognised[folder if is_counted else "/"] += 1
            return
        self.applications[application.id] += 1
        if not application.is_generic:
            self.application = self.application or application.id
            self.folder = folder if self.folder is None else _common_folder(self.folder, folder)

    @property
    def may_be_learned(self) -> bool:
        """Whether there are pages to learn from: any of an unknown site, those beside the folder of known software."""
        if self.application is None:
            return bool(self.unrecognised)
        outside = sum(count for folder, count in self.unrecognised.items() if not folder.startswith(self.folder or "/"))
        return outside >= FEWEST

    def is_to_learn(self, url: str) -> bool:
        """Say whether a page is one to learn from."""
        return self.application is None or not folder_of(url).startswith(self.folder or "/")

    def summary_row(self, objects: Mapping[str, int]) -> JSON:
        """Return the site's row of the summary; `objects` are those that were found, by kind."""
        outcome, because = self._outcome(sum(objects.values()))
        return {
            "site": self.name,
            "outcome": outcome,
            "pages": self.pages,
            "applications": dict(self.applications),
            "unrecognised": self.unrecognised.total(),
            "objects": dict(objects),
            "because": because,
        }

    def _outcome(self, objects: int) -> tuple[str, str]:
        if not objects:
            return "left", self._why_left()
        if self.application is None:
            return "learned", "no knowledge file describes this software"
        beside = f" Pages outside {self.folder} were learned." if self.may_be_learned else ""
        return "recognised", f"{self.applications[self.application]:,} pages are of {self.application}.{beside}"

    def _why_left(self) -> str:
        if self.application is not None:
            return f"it runs {self.application}, and none of its pages here holds a post"
        if self.pages < FEWEST:
            return f"it has {_count(self.pages, 'page')}, too few to learn from"
        return "no knowledge file describes this software, and its pages hold nothing that repeats and could be learned"


def _common_folder(left: str, right: str) -> str:
    """Return the deepest folder that holds both.

    >>> _common_folder("/board/a/", "/board/about/")
    '/board/'
    """
    common = "/"
    for one, other in zip(left.split("/")[1:-1], right.split("/")[1:-1], strict=False):
        if one != other:
            break
        common += f"{one}/"
    return common


def site_problems(sites: Sequence[JSON]) -> list[JSON]:
    """Return the problems of archives, given the rows of their sites (`ArchivedSite.summary_row`), gravest first."""
    left = [site for site in sites if site["outcome"] == "left"]
    if len(left) == len(sites):
        pages = sum(site["pages"] for site in sites)
        because = f" ({sites[0]['because']})" if len(sites) == 1 else ""
        sentence = f"No object was found in {_count(pages, 'page')} of {_count(len(sites), 'site')}{because}."
        return [_problem("no-objects", len(sites), sentence, "`siteseer detect FILE` says what a page is taken for.")]
    strays = [site for site in left if site["pages"] < FEWEST]
    empty = [site for site in left if site["pages"] >= FEWEST]
    found: list[JSON] = []
    if empty:
        sentence = f"No object was found in {_count(len(empty), 'site')} of this archive: {_named(empty)}."
        hint = "Describe one of them by itself with a knowledge file of your own: --knowledge FILE."
        found.append(_problem("site-without-objects", len(empty), sentence, hint))
    if strays:
        sentence = f"{_count(len(strays), 'site')} with a few pages each gave no objects: {_named(strays)}."
        found.append(_problem("site-left", len(strays), sentence, ""))
    return found


def unreadable(archives: Sequence[Path]) -> list[JSON]:
    """Return the problem that parts of archives cannot be read, where that is so: nothing is found in them."""
    damaged = [(file.name, offset) for each in archives for file in warc_files(each) for offset, _ in damage_of(file)]
    if not damaged:
        return []
    places = ", ".join(f"{name} at offset {offset}" for name, offset in damaged[:MOST_NAMED])
    sentence = f"{_count(len(damaged), 'part')} of the archives cannot be read and gave no objects: {places}."
    return [_problem("archive-damaged", len(damaged), sentence, "`siteseer verify FILE` names them all.")]


def _problem(reason: str, count: int, sentence: str, hint: str) -> JSON:
    return {"reason": reason, "count": count, "sentence": sentence, "next": hint}


def _named(sites: Iterable[JSON]) -> str:
    sites = list(sites)
    names = ", ".join(f"{site['site']} ({_count(site['pages'], 'page')})" for site in sites[:MOST_NAMED])
    return names + (f" and {len(sites) - MOST_NAMED:,} more" if len(sites) > MOST_NAMED else "")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
