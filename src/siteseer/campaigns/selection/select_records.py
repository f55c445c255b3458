"""Packages the accepted pages of a campaign as one WACZ over all sites; the originals stay as they are.

Pages come with the requisites that a browser needs to show them, the redirects that led there and, unless rejected,
the pages over which links led to them. Records are copied byte for byte, so every digest still holds.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.cdxj import Entry, entries_of, write_index
from siteseer.archive.copy_records import copy_records
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.campaigns.analysis.campaign_index import CampaignIndex, page_key
from siteseer.campaigns.analysis.update_index import Tell, update_index
from siteseer.campaigns.load_campaign import LoadedCampaign, open_site_state
from siteseer.campaigns.selection.page_dependencies import PageDependencies
from siteseer.campaigns.selection.proposal import read_proposal, way_to
from siteseer.campaigns.selection.proposal_marks import Line, read_lines
from siteseer.collection.description import Description
from siteseer.collection.layout import ARCHIVE, INDEX, INDEXES, PAGE_LISTS, PAGES, archive_of, has_objects
from siteseer.collection.wacz import Package, export_wacz
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.version import __version__


@dataclass(frozen=True, slots=True)
class SelectedPage:
    """A page that enters the archive."""

    key: int
    because: str
    role: str
    """`page`, or `way`: only there to reach others."""


def choose(catalogue: CampaignIndex, marked: Iterable[Line], threshold: float | None) -> list[SelectedPage]:
    """Return the kept pages that marks and threshold accept, then the pages that lead to them."""
    held = {key for (key,) in catalogue.each("SELECT key FROM page")}
    chosen: dict[int, SelectedPage] = {}
    rejected: set[int] = set()
    for line in marked:
        one = line.proposed
        if one.kind == "site":
            continue
        key = page_key(one.address)
        if key not in held:
            if one.mark == "accept":
                raise UsageError(f"{one.address} is accepted, but the campaign does not hold it: mend the address")
            continue
        if line.counts_as == "reject":
            rejected.add(key)
        elif line.counts_as == "accept":
            chosen[key] = SelectedPage(key, f"accepted by a person; {one.reasons}", "page")
        elif threshold is not None and one.degree >= threshold:
            chosen[key] = SelectedPage(key, f"degree {one.degree:g}, threshold {threshold:g}; {one.reasons}", "page")
    ways: dict[int, int] = {}
    for key in chosen:
        for step in way_to(catalogue, key):
            if step not in rejected and step not in chosen:
                ways[step] = ways.get(step, 0) + 1
    on_the_way = [SelectedPage(key, f"on the way to {count} chosen pages", "way") for key, count in ways.items()]
    return [*chosen.values(), *on_the_way]


def select(
    campaign: LoadedCampaign,
    proposal: Path,
    target: Path,
    threshold: float | None = None,
    tell: Tell = lambda line: None,
) -> JSON:
    """Write the WACZ of the accepted pages; return what it holds."""
    with CampaignIndex.of(campaign.folder) as catalogue:
        update_index(campaign, catalogue, tell)
        chosen = {one.key: one for one in choose(catalogue, read_lines(proposal), threshold)}
        if not any(one.role == "page" for one in chosen.values()):
            best = max((one.degree for one in read_proposal(proposal) if one.kind == "page"), default=0.0)
            raise UsageError(
                f"nothing is accepted: write accept in {proposal}, or let pages in by their degree with --threshold; "
                f"the highest is {best:g}"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".selection-") as name:
            made = _Made(Path(name), campaign, catalogue, chosen)
            for number, site in enumerate(campaign.sites, 1):
                made.take(site)
                tell(f"{number:,} of {len(campaign.sites):,} sites looked through, {made.pages:,} pages taken")
            return made.pack(target)


class _Made:
    """The collection that becomes the package."""

    def __init__(
        self, folder: Path, campaign: LoadedCampaign, catalogue: CampaignIndex, chosen: dict[int, SelectedPage]
    ) -> None:
        self.folder, self.campaign, self.catalogue, self.chosen = folder, campaign, catalogue, chosen
        self.needed = PageDependencies()
        self.pages = self.records = self.sites = 0
        self._best = (-1.0, "")
        for part in (ARCHIVE, INDEXES, PAGE_LISTS):
            (folder / part).mkdir()
        self._objects = folder / "objects.nq.gz"

    def take(self, site: Path) -> None:
        """Copy what was chosen of a site."""
        rows = [
            row
            for row in self.catalogue.each(
                "SELECT key, capture, url, title, time, relevance FROM page WHERE site = ? ORDER BY capture",
                (site.name,),
            )
            if row[0] in self.chosen
        ]
        if not rows:
            return
        with open_site_state(site) as state:
            wanted = self.needed.records(state, [row[1] for row in rows])
        for file in warc_files(site):
            self.records += copy_records(file.path, wanted, archive_of(self.folder) / f"{site.name}-{file.name}")
        self.sites += 1
        self._list(rows)
        if has_objects(site):
            with Description.of(site) as description, gzip.open(self._objects, "ab") as out:
                ids = dict.fromkeys(one.id for row in rows for one in description.on_page(row[2]))
                out.writelines(text.encode() for text in description.statements(ids))

    def _list(self, rows: list[tuple[int, int, str, str, str, float]]) -> None:
        with (self.folder / PAGES).open("a", encoding="utf-8", errors="replace") as file:
            for key, _, url, title, time, relevance in rows:
                one = self.chosen[key]
                line = {"url": url, "ts": time[:19] + "Z", "title": title or url, "relevance": relevance}
                line |= {"role": one.role, "because": one.because}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                self.pages += 1
                if one.role == "page" and relevance > self._best[0]:
                    self._best = (relevance, url)

    def pack(self, target: Path) -> JSON:
        """Write index and package."""
        write_index(self._entries(), self.folder / INDEX)
        ((of_pages, of_sites),) = self.catalogue.rows("SELECT count(*), count(DISTINCT site) FROM page")
        description = f"{self.pages:,} of {of_pages:,} pages, {self.sites:,} of {of_sites:,} sites of the campaign"
        objects = self._objects if self._objects.exists() else None
        export_wacz(
            self.folder,
            target,
            Package(
                self.campaign.definition.name, description, self._best[1], None, f"siteseer/{__version__}", objects
            ),
        )
        ways = sum(one.role == "way" for one in self.chosen.values())
        return {
            "file": str(target), "pages": self.pages, "on_the_way": ways, "of_pages": of_pages, "sites": self.sites,
            "of_sites": of_sites, "records": self.records, "bytes": target.stat().st_size,
        }  # fmt: skip

    def _entries(self) -> Iterator[Entry]:
        for path in sorted((archive_of(self.folder)).iterdir()):
            yield from entries_of(WarcFile(path.name, path))
