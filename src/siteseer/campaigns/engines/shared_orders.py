"""Manages the orders and accepted slices that a campaign keeps in shared storage."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from pathlib import Path

from siteseer.archive.storage import Storage, safe_address
from siteseer.campaigns.campaign_ledger import SiteRow
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.checkpoints import ARCHIVE, READS_NOTHING, assemble, pack
from siteseer.campaigns.engines.messages import Order, claim_prefix, order_name, result_name, slice_folder
from siteseer.campaigns.relevance.remote_term_learner import heaviest_terms
from siteseer.campaigns.slice_allocation import SliceTurn
from siteseer.collection.collection import Collection
from siteseer.collection.layout import STATE, folder_name
from siteseer.errors import NotFoundError, SiteseerError, UsageError
from siteseer.model import JSON
from siteseer.workers.fencing_tokens import Checkpoint, FencingTokens, Outstanding

SLICE_SECONDS = 300.0
"""The most that a slice takes."""


class SharedOrders:
    """The stored orders and slices of a campaign that other machines crawl."""

    def __init__(self, campaign_state: CampaignState, tokens: FencingTokens, storage: Storage, lease: float) -> None:
        self.campaign_state, self.ledger, self.tokens, self.storage, self.lease = (
            campaign_state,
            campaign_state.ledger,
            tokens,
            storage,
            lease,
        )
        self._move_in()
        if self.ledger.about("campaign") is None:
            self.ledger.say("campaign", secrets.token_hex(16))
        self.campaign = self.ledger.about("campaign") or ""
        try:
            storage.write(f"{self.campaign}/campaign.toml", campaign_state.text.encode())
        except NotFoundError as error:
            raise UsageError(f"nothing can be written to {storage}: name another place with --storage") from error

    def _move_in(self) -> None:
        """Use this storage from now on, if nothing of the campaign is only in another one."""
        last = self.ledger.about("storage")
        if last not in (None, self.storage.url):
            if self.tokens.outstanding() or self.tokens.unassembled():
                raise UsageError(
                    f"a part of this campaign is still in {safe_address(last or '')}: name that with --storage"
                )
            self.tokens.db.execute("DELETE FROM checkpoints")
        self.ledger.say("storage", self.storage.url)

    def collection(self, host: str) -> Path:
        """Return the directory of a site's collection."""
        return self.campaign_state.folder / "sites" / folder_name(host)

    async def adopt(self, row: SiteRow) -> None:
        """Upload a site that was crawled on this machine before."""
        folder = self.collection(row.host)
        if self.tokens.checkpoints(row.host) or not (folder / STATE).exists():
            return
        Collection.open(folder, "write").close()  # what lies in its journal goes into the file
        token = secrets.token_hex(16)
        stored = slice_folder(self.campaign, row.host, token)
        files = await asyncio.to_thread(pack, self.storage, stored, folder, ())
        self.tokens.add(row.host, Checkpoint(token, tuple(files), 0.0), assembled=True)

    def order(self, row: SiteRow, turn: SliceTurn, letters: list[JSON]) -> Order:
        """Return the order for a slice, with all that a worker must know."""
        place, parts = self.campaign_state.place(row), self.tokens.checkpoints(row.host)
        archive = [
            [part.token, name.removeprefix(ARCHIVE), size]
            for part in parts
            for name, size in part.files
            if name.startswith(ARCHIVE)
        ]
        reads_nothing = self.campaign_state.definition.strategy in READS_NOTHING
        return Order(
            place.host, place.first, place.origin, self.campaign_state.text, turn.requests, turn.least, SLICE_SECONDS,
            self.lease, letters, row.delivered, parts[-1].token if parts else "",
            archive[-1:] if reads_nothing else archive, parts[-1].again if parts else 0.0,
            heaviest_terms(self.campaign_state.term_learner),
        )  # fmt: skip

    def tidy(self, one: Outstanding, before: list[Checkpoint]) -> None:
        """Delete what a slice needs no more: its order and result, and the database that it has replaced."""
        old = [f"{slice_folder(self.campaign, one.host, part.token)}/{STATE}" for part in before]
        with suppress(SiteseerError):
            claims = self.storage.names(claim_prefix(self.campaign, one.token))
            for name in [order_name(self.campaign, one.token), result_name(self.campaign, one.token), *claims, *old]:
                self.storage.delete(name)

    async def gather(self) -> None:
        """Assemble the collections in the campaign's directory from the accepted slices."""
        for host in self.tokens.unassembled():
            parts = self.tokens.checkpoints(host)
            await asyncio.to_thread(assemble, self.storage, self.campaign, host, parts, self.collection(host))
            self.tokens.assembled(host)
        if not self.tokens.outstanding():
            await asyncio.to_thread(self._sweep, self._belonging())

    def _belonging(self) -> set[str]:
        rows = self.ledger.db.execute("SELECT host, token FROM checkpoints").fetchall()
        return {slice_folder(self.campaign, host, token) for host, token in rows}

    def _sweep(self, belonging: set[str]) -> None:
        """Delete the files of refused slices, left by workers that had lost their lease."""
        with suppress(SiteseerError):
            for name in self.storage.names(f"{self.campaign}/"):
                steps = name.split("/")
                if steps[1] in ("orders", "results", "claims") or (
                    steps[1] == "sites" and "/".join(steps[:4]) not in belonging
                ):
                    self.storage.delete(name)
