"""Reads and writes the messages between a campaign and its workers: orders and results, as JSON in shared storage.

The message in the queue only says where the order is stored. Every message is validated when it is read: others may be
able to write to a queue or a bucket.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from typing import Any

from siteseer.archive.warc_writer import OUR_NAME
from siteseer.campaigns.campaign_ledger import Report
from siteseer.collection.layout import folder_name
from siteseer.errors import UsageError
from siteseer.model import JSON

TOKEN = re.compile(r"[0-9a-f]{32}")
LONGEST_URL = 4_000


@dataclass(frozen=True, slots=True)
class Message:
    """A message in the queue."""

    storage: str
    campaign: str
    token: str


@dataclass(frozen=True, slots=True)
class Order:
    """The order to crawl a slice."""

    host: str
    first: str
    origin: dict[str, JSON]
    definition: str
    requests: int
    least: float
    seconds: float
    """The most that the slice may take."""
    lease: float
    letters: list[JSON]
    delivered: int
    """The last row of the site's outbox that the campaign knows."""
    state: str
    """The token under which the site's database lies; empty at the beginning."""
    archive: list[list[JSON]]
    """Token, name and length of the WARC files that there are: the last one, or all where the strategy reads them."""
    again: float
    words: dict[str, float]
    """What the term learner has learned."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a slice."""

    worker: str
    report: dict[str, JSON]
    outbox: list[list[JSON]]
    files: list[list[JSON]]
    again: float
    lessons: dict[str, JSON]
    failure: str = ""
    """Why there is nothing else in this result."""

    def as_report(self) -> Report:
        """Return the result as a report for the ledger."""
        made: Report = _shaped(Report, self.report)
        return made


def read_message(given: Any) -> Message:
    """Return a message; raise where it is not valid."""
    message: Message = _shaped(Message, given)
    if not TOKEN.fullmatch(message.token) or not TOKEN.fullmatch(message.campaign):
        raise UsageError("a message in the queue has no token of ours")
    return message


def read_order(text: bytes) -> Order:
    """Return an order; raise where it is not valid or names paths outside the campaign."""
    order: Order = _shaped(Order, _loaded(text))
    names = [name for _, name, _ in order.archive]
    if not all(OUR_NAME.fullmatch(str(name)) and "/" not in name for name in names):
        raise UsageError(f"the order for {order.host!r} names files that are not ours")
    if order.state and not TOKEN.fullmatch(order.state):
        raise UsageError(f"the order for {order.host!r} has no token of ours")
    if max(len(order.host), len(order.first)) > LONGEST_URL or not 0 < order.lease <= 3600 or order.requests < 1:
        raise UsageError(f"the order for {order.host[:80]!r} cannot be carried out")
    return order


def read_result(text: bytes) -> Result:
    """Return a result; raise where it is not valid."""
    result: Result = _shaped(Result, _loaded(text))
    if not result.failure:
        result.as_report()
    return result


def message_json(one: Order | Result) -> bytes:
    """Return an order or result as JSON."""
    return json.dumps(asdict(one), ensure_ascii=False).encode("utf-8", "replace")


def slice_folder(campaign: str, host: str, token: str) -> str:
    """Return the folder of a slice's files in the storage."""
    return f"{campaign}/sites/{folder_name(host)}/{token}"


def order_name(campaign: str, token: str) -> str:
    """Return the name of an order's file, which exists for as long as the slice is wanted."""
    return f"{campaign}/orders/{token}.json"


def claim_prefix(campaign: str, token: str) -> str:
    """Return the prefix of the files by which workers claim an order."""
    return f"{campaign}/claims/{token}."


def result_name(campaign: str, token: str) -> str:
    """Return the name of a result's file."""
    return f"{campaign}/results/{token}.json"


def _loaded(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("a file in shared storage that should be JSON is not") from error


def _shaped(kind: Any, given: Any) -> Any:
    """Return a value of this kind; each field must be there and of its type."""
    plain: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "list": list, "dict": dict}
    wanted = {one.name: plain[str(one.type).partition("[")[0]] for one in fields(kind)}
    if not isinstance(given, dict) or wanted.keys() != given.keys():
        raise UsageError(f"what came is no {kind.__name__.lower()} of this version of Siteseer")
    for name, types in wanted.items():
        if not isinstance(given[name], types) or isinstance(given[name], bool):
            raise UsageError(f"{name!r} of what came is no {types}")
    return kind(**given)
