"""Compares successive crawls of a campaign: which pages and objects are new, gone or changed.

Crawls are those that a site's collection holds (`siteseer revisit` adds further ones), or those of an earlier
directory of the same campaign and of this one. A page that a crawl did not request again is not reported as gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from siteseer.archive.archived_pages import read_capture
from siteseer.campaigns.load_campaign import LoadedCampaign, open_site_state
from siteseer.change.diff import compare, compare_objects
from siteseer.collection.objects.object_json import loads
from siteseer.collection.state import State
from siteseer.errors import ArchiveError
from siteseer.model import JSON, Page, WebObject

GONE = (404, 410)
MOST_TOLD = 5_000
"""Pages and objects of a crawl that are named; all are counted."""
UNCHANGED = ("same", "noise", "template", "script")
"""What the page is about is as it was."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One capture of a page."""

    url: str
    status: int
    digest: str
    archive: Path
    offset: int

    def page(self) -> Page:
        """Read the page from the archive."""
        try:
            found = read_capture(self.archive, self.offset)
        except ArchiveError:
            if not self.archive.is_file():
                raise
            return Page(self.url)  # a damaged record says nothing; `verify` tells of it
        return Page(self.url, found.status, found.headers, found.body, found.fetched_at)


@dataclass(slots=True)
class Round:
    """The pages and objects that a crawl of a site found, compared with what was known before."""

    site: str
    crawl: int
    started: str
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("new", "gone", "changed", "same", "not asked"), 0)
    )
    objects: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("new", "gone", "edited", "same"), 0))
    told: list[JSON] = field(default_factory=list)

    def tell(self, kind: str, what: str, **facts: JSON) -> None:
        """Count an item, and list it by name while there is room."""
        counts = self.objects if kind == "object" else self.counts
        counts[what] += 1
        if what != "same" and len(self.told) < MOST_TOLD:
            row = {"site": self.site, "crawl": self.crawl, "started": self.started, "kind": kind, "change": what}
            self.told.append({**row, **facts})

    def to_json(self) -> JSON:
        """Return the counts."""
        return {
            "site": self.site, "crawl": self.crawl, "started": self.started, "pages": self.counts,
            "objects": self.objects,
        }  # fmt: skip


def rounds(campaign: LoadedCampaign, before: LoadedCampaign | None = None) -> Iterator[Round]:
    """Return what each crawl of each site changed, in the order of sites and crawls."""
    earlier = {site.name: site for site in before.sites} if before else {}
    for site in campaign.sites:
        with open_site_state(site) as state:
            if site.name in earlier:
                with open_site_state(earlier[site.name]) as old:
                    yield _compared(site.name, old, state)
            yield from _within(site.name, state)


def _within(name: str, state: State) -> Iterator[Round]:
    """Compare each further crawl of a collection with what its earlier ones saw last."""
    crawls = [
        (int(number), str(started)) for number, started in state.rows("SELECT id, started FROM crawls ORDER BY id")
    ]
    for crawl, started in crawls[1:]:
        found = Round(name, crawl, started[:19] + "Z")
        known = _visits(state, "c.crawl < ?", (crawl,))
        for key, after in _visits(state, "c.crawl = ?", (crawl,)).items():
            before = known.pop(key, None)
            _judge(found, before, after)
            if before is not None and before.status == 200 and after.status == 200:
                _judge_objects(found, _things(state, key, "<", crawl), _things(state, key, "=", crawl))
        found.counts["not asked"] = sum(one.status == 200 for one in known.values())
        yield found


def _compared(name: str, old: State, new: State) -> Round:
    """Compare the collections of one site in two directories."""
    started = next(iter(new.rows("SELECT min(started) FROM crawls")))[0] or ""
    found = Round(name, 1, str(started)[:19] + "Z")
    known = _visits(old, "1", ())
    for key, after in _visits(new, "1", ()).items():
        before = known.pop(key, None)
        _judge(found, before, after)
        if before is not None and before.status == 200 and after.status == 200:
            _judge_objects(found, _things(old, key, ">", 0), _things(new, key, ">", 0))
    found.counts["not asked"] = sum(one.status == 200 for one in known.values())
    return found


def _judge(found: Round, before: Visit | None, after: Visit) -> None:
    was = before is not None and before.status == 200
    if after.status == 200 and not was:
        found.tell("page", "new", url=after.url)
    elif after.status in GONE and was:
        found.tell("page", "gone", url=after.url, because=f"the site answers {after.status}")
    elif before is not None and was and after.status in (200, 304):
        if after.status == 304 or before.digest == after.digest:
            found.tell("page", "same")
            return
        judged = compare(before.page(), after.page())
        is_same = judged.verdict in UNCHANGED
        found.tell("page", "same" if is_same else "changed", url=after.url, because=judged.because)


def _judge_objects(found: Round, before: list[WebObject], after: list[WebObject]) -> None:
    """Compare the objects of a page that was fetched again."""
    judged = compare_objects(before, after)
    for what, things in (("new", judged.new), ("gone", judged.gone)):
        for one in things:
            found.tell("object", what, url=one.url, id=one.id, title=one.title or "")
    for edit in judged.edited:
        found.tell("object", "edited", url=edit.new.url, id=edit.new.id, because=", ".join(edit.fields))
    found.objects["same"] += judged.same


def _visits(state: State, where: str, values: tuple[JSON, ...]) -> dict[bytes, Visit]:
    """Return the last capture of each page."""
    rows = state.rows(
        "SELECT c.key, c.url, coalesce(o.status, c.status), coalesce(o.digest, c.digest), coalesce(o.file, c.file), "
        "coalesce(o.offset, c.offset), max(c.id) FROM captures c LEFT JOIN captures o ON o.id = c.original "
        f"WHERE {where} AND (c.title IS NOT NULL OR c.status IN (304, 404, 410)) AND c.url NOT LIKE '%/robots.txt' "
        "GROUP BY c.key",
        values,
    )
    folder = state.archive
    return {row[0]: Visit(row[1], row[2], row[3], folder / row[4], row[5]) for row in list(rows)}


def _things(state: State, key: bytes, which: str, crawl: int) -> list[WebObject]:
    """Return the objects of the last capture of a page that had any, among some crawls."""
    rows = state.rows(
        "SELECT object FROM objects WHERE capture = (SELECT max(b.capture) FROM objects b JOIN captures c "
        f"ON c.id = b.capture WHERE c.key = ? AND c.crawl {which} ?)",
        (key, crawl),
    )
    return [loads(text) for (text,) in rows]
