"""The engine `celery`: gives slices to workers on other machines, and accepts each result once or not at all.

Only accepted results belong to the archive. A slice without a result, whose lease expired longer ago than its worker
may continue, is given to another worker under another fencing token.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from siteseer.archive.storage import Storage
from siteseer.campaigns.campaign_ledger import SET_ASIDE, WAITING, SiteRow
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.messages import Result, message_json, order_name, read_result, result_name
from siteseer.campaigns.engines.shared_orders import SharedOrders
from siteseer.campaigns.relevance.remote_term_learner import train_from_notes
from siteseer.campaigns.slice_allocation import SliceTurn
from siteseer.errors import NotFoundError, SiteseerError, StoreError
from siteseer.workers.broker import QUEUE, TASK, broker_failures, check, connect, make_app
from siteseer.workers.fencing_tokens import Checkpoint, FencingTokens, Outstanding
from siteseer.workers.lease import GIVEN_UP, key_of
from siteseer.workers.registry import WorkerCard, registered_workers

MOST_FAILURES = 5
"""So many slices of a site in a row that came to nothing: it is set aside."""
T = TypeVar("T")
LOOKS = 4
"""Looks after a slice in the time of a lease."""


class CeleryEngine:
    """Gives slices to Celery workers."""

    def __init__(self, campaign_state: CampaignState, broker: str, storage: str, lease: float) -> None:
        self.campaign_state, self.ledger, self.broker, self.lease = campaign_state, campaign_state.ledger, broker, lease
        self.client, self.app = connect(broker), make_app(broker)
        self.tokens, self.storage = FencingTokens(campaign_state.ledger), Storage(storage)
        self.workers: list[WorkerCard] = []
        self._noticed: dict[str, asyncio.Event] = {}
        self._is_away = self._lacks_storage = self._is_stopping = False
        self._leaving = asyncio.Event()
        self._tidying: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Check that broker and storage can be reached, and listen."""
        check(self.client, self.broker)
        self.shared_orders = SharedOrders(self.campaign_state, self.tokens, self.storage, self.lease)
        self.tokens.forgive()
        self.campaign = self.shared_orders.campaign
        self.client.delete(f"siteseer:stop:{self.campaign}")
        self.workers = registered_workers(self.client)
        self._listener = asyncio.create_task(self._listen())

    @property
    def places(self) -> int:
        """How many slices the workers have room for."""
        return min(self.campaign_state.definition.sites.at_once, sum(card.places for card in self.workers))

    @property
    def note(self) -> str:
        """Say what is missing: the broker, or workers."""
        if self._is_away or self._lacks_storage:
            return f"the {'broker' if self._is_away else 'storage'} does not answer: waiting for it"
        return "" if self.workers else "no worker is there: siteseer worker --engine celery --broker URL starts one"

    def left_over(self) -> list[tuple[SiteRow, SliceTurn]]:
        """Return the slices that continued while the campaign was stopped."""
        rows = {row.host: row for row in self.ledger.sites()}
        return [
            (rows[host], SliceTurn(host, one.requests, one.least)) for host, one in self.tokens.outstanding().items()
        ]

    async def perform(self, row: SiteRow, turn: SliceTurn) -> None:
        """Give a slice to a worker, wait for its result, and record it."""
        one = self.tokens.outstanding().get(row.host)
        if one is None:
            taken, letters = self.ledger.letters(row.host)
            one = Outstanding(row.host, secrets.token_hex(16), turn.requests, turn.least, taken)
            self.tokens.issue(one)
            await self._stored(self.shared_orders.adopt, row)
            order = message_json(self.shared_orders.order(row, turn, letters))
            await self._stored(asyncio.to_thread, self.storage.write, order_name(self.campaign, one.token), order)
            await self._send(one.token)
        event = self._noticed.setdefault(one.token, asyncio.Event())
        try:
            result = await self._result(one, event)
        finally:
            del self._noticed[one.token]
        if result is not None:
            self._take(one, result)
        elif not self._leaving.is_set():
            self._given_up(one, "its worker was lost")

    def stop(self, at_once: bool) -> None:
        """Ask workers for the sites back; with `at_once` the workers keep them for the next run."""
        self._is_stopping = True
        for event in self._noticed.values():
            event.set()
        if at_once:
            self._leaving.set()
        with suppress(*broker_failures()):
            self.client.set(f"siteseer:stop:{self.campaign}", "1", ex=600)

    async def close(self) -> None:
        """Assemble the collections from the accepted results."""
        if hasattr(self, "_listener"):
            self._listener.cancel()
            await asyncio.gather(*self._tidying)
            await self.shared_orders.gather()
        self.client.close()

    # ── one slice ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _stored(self, deed: Callable[..., Awaitable[T]], *given: Any) -> T:
        """Do something with the storage; where it does not answer, wait for it."""
        while True:
            try:
                done = await deed(*given)
            except StoreError:
                if self._is_stopping:
                    raise
                self._lacks_storage = True
                await asyncio.sleep(1.0)
            else:
                self._lacks_storage = False
                return done

    async def _send(self, token: str) -> None:
        message = {"storage": self.storage.url, "campaign": self.campaign, "token": token}
        while not self._is_stopping:
            try:
                await asyncio.to_thread(self.app.send_task, TASK, args=[message], task_id=token, queue=QUEUE)
                return
            except broker_failures():
                self._is_away = True
                await asyncio.sleep(1.0)

    async def _result(self, one: Outstanding, event: asyncio.Event) -> Result | None:
        """Wait for the result of a slice; None where it will not come, or where nobody waits any longer."""
        gone: float | None = None
        while not self._leaving.is_set():
            found: Result | None = await self._stored(asyncio.to_thread, self._look, one.token)
            if found is not None:
                return found
            is_gone = await asyncio.to_thread(self._is_gone, one)
            gone = (gone or time.monotonic()) if is_gone else None
            if gone is not None and (self._is_stopping or time.monotonic() - gone > GIVEN_UP * self.lease):
                found = await self._stored(asyncio.to_thread, self._look, one.token)
                return found
            event.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), min(self.lease / LOOKS, 2.0))
        return None

    def _look(self, token: str) -> Result | None:
        try:
            return read_result(self.storage.read(result_name(self.campaign, token)))
        except NotFoundError:
            return None

    def _is_gone(self, one: Outstanding) -> bool:
        """Say whether no worker has the slice, nor will have: it has no lease and is not in the queue."""
        try:
            holder = self.client.get(key_of(one.host)) or ""
            if holder.startswith(one.token):
                return False
            return self._is_stopping or not any(one.token in text for text in self.client.lrange(QUEUE, 0, -1))
        except broker_failures():
            return False  # nobody knows

    def _take(self, one: Outstanding, result: Result) -> None:
        if result.failure:
            self._given_up(one, result.failure)
            return
        before = self.tokens.checkpoints(one.host)
        files = tuple((str(name), int(size)) for name, size in result.files)
        part = Checkpoint(one.token, files, result.again)
        outbox = [(int(number), content) for number, content in result.outbox]
        try:
            self.ledger.end(one.host, one.taken, result.as_report(), outbox, lambda: self.tokens.accept(one.host, part))
            train_from_notes(self.campaign_state.term_learner, result.lessons)
        except (TypeError, ValueError, KeyError) as error:
            self._given_up(one, f"its result cannot be read ({error})"[:200])
            return
        self._tidy(one, before[-1:])

    def _given_up(self, one: Outstanding, reason: str) -> None:
        count = self.tokens.failed(one.host)
        if count < MOST_FAILURES or self._is_stopping:
            self.tokens.refuse(one, WAITING, "")
        else:
            self.tokens.refuse(one, SET_ASIDE, f"{count} slices in a row came to nothing: {reason}")
        self._tidy(one, [])

    def _tidy(self, one: Outstanding, before: list[Checkpoint]) -> None:
        """Delete what is not needed any more, without waiting for it."""
        task = asyncio.create_task(asyncio.to_thread(self.shared_orders.tidy, one, before))
        self._tidying.add(task)
        task.add_done_callback(self._tidying.discard)

    # ── hearing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _listen(self) -> None:
        """Listen for results, and for workers that come and go."""
        seen = float("-inf")
        while True:
            try:
                told: Any = await asyncio.to_thread(self.client.blpop, [f"siteseer:done:{self.campaign}"], 1)
                if told and told[1] in self._noticed:
                    self._noticed[told[1]].set()
                if time.monotonic() - seen >= 1.0:
                    self.workers = await asyncio.to_thread(registered_workers, self.client)
                    for card in self.workers:
                        self.ledger.saw(card.row())
                    seen = time.monotonic()
                self._is_away = False
            except broker_failures():
                self._is_away, self.workers = True, []
                await asyncio.sleep(0.5)
            except SiteseerError:
                await asyncio.sleep(0.5)
