"""What the campaign keeps in shared storage: orders, and the parts of which its sites' collections are made."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from pathlib import Path

from siteseer.archive.shelf import Shelf, shown
from siteseer.crawl.state import State
from siteseer.errors import NotFoundError, SiteseerError, UsageError
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.campaign.ledger import SiteRow, folder_name
from siteseer.jobs.campaign.tokens import Checkpoint, Outstanding, Tokens
from siteseer.jobs.campaign.turns import Turn
from siteseer.jobs.cluster.checkpoint import ARCHIVE, READS_NOTHING, STATE, assemble, pack
from siteseer.jobs.cluster.order import Order, claim_prefix, order_name, result_name, slice_folder
from siteseer.jobs.cluster.pupil import heaviest
from siteseer.model import JSON

SLICE_SECONDS = 300.0
"""The most that a slice takes."""


class Papers:
    """The stored side of a campaign that others crawl."""

    def __init__(self, dossier: Dossier, tokens: Tokens, shelf: Shelf, lease: float) -> None:
        self.dossier, self.ledger, self.tokens, self.shelf, self.lease = dossier, dossier.ledger, tokens, shelf, lease
        self._move_in()
        if self.ledger.about("campaign") is None:
            self.ledger.say("campaign", secrets.token_hex(16))
        self.campaign = self.ledger.about("campaign") or ""
        try:
            shelf.write(f"{self.campaign}/campaign.toml", dossier.text.encode())
        except NotFoundError as error:
            raise UsageError(f"nothing can be written to {shelf}: name another place with --storage") from error

    def _move_in(self) -> None:
        """Use this storage from now on, if nothing of the campaign is only in another one."""
        last = self.ledger.about("storage")
        if last not in (None, self.shelf.url):
            if self.tokens.outstanding() or self.tokens.unassembled():
                raise UsageError(f"a part of this campaign is still in {shown(last or '')}: name that with --storage")
            self.tokens.db.execute("DELETE FROM checkpoints")
        self.ledger.say("storage", self.shelf.url)

    def collection(self, host: str) -> Path:
        """Return the directory of a site's collection."""
        return self.dossier.folder / "sites" / folder_name(host)

    async def adopt(self, row: SiteRow) -> None:
        """Put a site that was crawled here before into the storage."""
        folder = self.collection(row.host)
        if self.tokens.checkpoints(row.host) or not (folder / STATE).exists():
            return
        State(folder).close()  # what lies in its journal goes into the file
        token = secrets.token_hex(16)
        stored = slice_folder(self.campaign, row.host, token)
        files = await asyncio.to_thread(pack, self.shelf, stored, folder, ())
        self.tokens.add(row.host, Checkpoint(token, tuple(files), 0.0), assembled=True)

    def order(self, row: SiteRow, turn: Turn, letters: list[JSON]) -> Order:
        """Return what a worker must know for a slice."""
        place, parts = self.dossier.place(row), self.tokens.checkpoints(row.host)
        archive = [
            [part.token, name.removeprefix(ARCHIVE), size]
            for part in parts
            for name, size in part.files
            if name.startswith(ARCHIVE)
        ]
        reads_nothing = self.dossier.definition.strategy in READS_NOTHING
        return Order(
            place.host, place.first, place.origin, self.dossier.text, turn.requests, turn.least, SLICE_SECONDS,
            self.lease, letters, row.delivered, parts[-1].token if parts else "",
            archive[-1:] if reads_nothing else archive, parts[-1].again if parts else 0.0,
            heaviest(self.dossier.apprentice),
        )  # fmt: skip

    def tidy(self, one: Outstanding, before: list[Checkpoint]) -> None:
        """Take away what a slice needs no more: its order and result, and the database that it has replaced."""
        old = [f"{slice_folder(self.campaign, one.host, part.token)}/{STATE}" for part in before]
        with suppress(SiteseerError):
            claims = self.shelf.names(claim_prefix(self.campaign, one.token))
            for name in [order_name(self.campaign, one.token), result_name(self.campaign, one.token), *claims, *old]:
                self.shelf.delete(name)

    async def gather(self) -> None:
        """Make the collections in the campaign's directory of what was accepted."""
        for host in self.tokens.unassembled():
            parts = self.tokens.checkpoints(host)
            await asyncio.to_thread(assemble, self.shelf, self.campaign, host, parts, self.collection(host))
            self.tokens.assembled(host)
        if not self.tokens.outstanding():
            await asyncio.to_thread(self._sweep, self._belonging())

    def _belonging(self) -> set[str]:
        rows = self.ledger.db.execute("SELECT host, token FROM checkpoints").fetchall()
        return {slice_folder(self.campaign, host, token) for host, token in rows}

    def _sweep(self, belonging: set[str]) -> None:
        """Delete what was refused: files that a worker left which had lost its lease."""
        with suppress(SiteseerError):
            for name in self.shelf.names(f"{self.campaign}/"):
                steps = name.split("/")
                if steps[1] in ("orders", "results", "claims") or (
                    steps[1] == "sites" and "/".join(steps[:4]) not in belonging
                ):
                    self.shelf.delete(name)
