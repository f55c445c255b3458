"""Runs a Celery worker process: it executes slices from the queue, renews its leases and sends heartbeats.

Workers come and go as they like. A worker that is asked to end (SIGTERM, Ctrl-C) saves a checkpoint of its sites and
gives them back; when one is killed, other workers take its sites over.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from siteseer.archive.storage import safe_address
from siteseer.campaigns.campaign_process import allow_many_files
from siteseer.campaigns.engines.slice_executor import SliceExecutor
from siteseer.workers.broker import TASK, BrokerError, broker_failures, check, connect, make_app
from siteseer.workers.lease import Leases
from siteseer.workers.registry import WorkerCard, sign_in, sign_out

BEAT = 0.2
LONGEST_LIST = 4_000
SIGN_IN = 1.0
"""Seconds between two signs of life."""


def run_worker(broker: str, sites: int, storage: str, name: str, say: Callable[[str], None]) -> int:
    """Execute slices until asked to end; return the exit code."""
    client, app = connect(broker), make_app(broker)
    from siteseer.workers import redis_transport

    redis_transport.register_transport()
    logging.getLogger("celery").setLevel(logging.CRITICAL)  # what people need to know is said below
    logging.getLogger("kombu").setLevel(logging.CRITICAL)
    logging.getLogger("celery.worker.consumer.consumer").addFilter(_is_news)
    allow_many_files()
    _wait_for(client, broker, say)
    name = name or f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(2)}"
    executor = SliceExecutor(name, Leases(client), storage, say)
    pulse = WorkerHeartbeat(client, executor, sites, safe_address(broker), say)
    app.task(name=TASK)(executor.perform)
    from celery.exceptions import SecurityWarning
    from celery.signals import worker_ready, worker_shutting_down

    warnings.simplefilter("ignore", SecurityWarning)  # it warns of pickled messages, which are not accepted

    def close(**_: Any) -> None:
        executor.is_closing = True

    def ready(**_: Any) -> None:
        pulse.start()
        say(f"worker {name} is ready for {sites} {'site' if sites == 1 else 'sites'} at a time")

    worker_shutting_down.connect(close, weak=False)
    worker_ready.connect(ready, weak=False)
    worker = app.Worker(
        pool="threads", concurrency=sites, hostname=name, loglevel="CRITICAL", quiet=True,
        without_gossip=True, without_mingle=True, without_heartbeat=True,
    )  # fmt: skip
    worker.start()
    pulse.end()
    executor.close()
    say(f"worker {name} ended after {executor.slices} slices, {executor.pages} pages")
    return 0 if executor.is_closing else int(worker.exitcode or 0)  # Celery calls Ctrl-C a failure


def _is_news(record: logging.LogRecord) -> bool:
    """Say whether people need to know: that the broker is away is said in one sentence, without a traceback."""
    return not str(record.msg).startswith("Couldn't ack")


def _wait_for(client: Any, broker: str, say: Callable[[str], None]) -> None:
    """Wait until the broker answers."""
    told = False
    while True:
        try:
            return check(client, broker)
        except BrokerError:
            if not told:
                say(f"the broker {safe_address(broker)} does not answer; waiting for it")
            told = True
            time.sleep(1.0)


class WorkerHeartbeat(threading.Thread):
    """Renews leases, registers the worker, and learns which campaigns want their sites back."""

    def __init__(
        self, client: Any, executor: SliceExecutor, places: int, broker: str, say: Callable[[str], None]
    ) -> None:
        super().__init__(daemon=True)
        self.client, self.executor, self.places, self.broker, self.say = client, executor, places, broker, say
        self._since, self._ended, self._is_away = time.time(), threading.Event(), False

    def run(self) -> None:
        """Send heartbeats until stopped."""
        last = float("-inf")
        while not self._ended.wait(BEAT):
            self.executor.leases.renew()
            if time.monotonic() - last >= SIGN_IN:
                last = time.monotonic()
                self._sign_in()

    def end(self) -> None:
        """Stop, and remove the worker from the registry."""
        self._ended.set()
        if self.is_alive():
            self.join()
        with suppress(*broker_failures()):
            sign_out(self.client, self.executor.name)

    def _sign_in(self) -> None:
        one = self.executor
        sites = " ".join(sorted(one.sites.copy().values()))[:LONGEST_LIST]
        try:
            sign_in(
                self.client,
                WorkerCard(one.name, socket.gethostname(), sites, self._since, time.time(), one.slices, one.pages,
                     one.requests, 0 if one.is_closing else self.places),
            )  # fmt: skip
            campaigns = set(one.campaigns.copy().values())
            one.told_to_stop = {name for name in campaigns if self.client.exists(f"siteseer:stop:{name}")}
        except broker_failures():
            if not self._is_away:
                self.say(f"the broker {self.broker} does not answer; waiting for it")
            self._is_away = True
        else:
            if self._is_away:
                self.say(f"the broker {self.broker} answers again")
            self._is_away = False
