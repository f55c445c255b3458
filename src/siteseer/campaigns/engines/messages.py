"""What is said between the campaign and its workers: orders and results, as JSON files in shared storage.

The message in the queue only says where the order lies. Everything that comes in is checked: a queue and a bucket may
be written by others.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from typing import Any

from siteseer.archive.warc import OUR_NAME
from siteseer.errors import UsageError
from siteseer.jobs.campaign.ledger import Report, folder_name
from siteseer.model import JSON

TOKEN = re.compile(r"[0-9a-f]{32}")
LONGEST_URL = 4_000


@dataclass(frozen=True, slots=True)
class Message:
    """What lies in the queue."""

    storage: str
    campaign: str
    token: str


@dataclass(frozen=True, slots=True)
class Order:
    """A slice to be crawled."""

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
    """What the apprentice has learned."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a slice left."""

    worker: str
    report: dict[str, JSON]
    outbox: list[list[JSON]]
    files: list[list[JSON]]
    again: float
    lessons: dict[str, JSON]
    failure: str = ""
    """Why there is nothing else in this result."""

    def as_report(self) -> Report:
        """Return the report for the ledger."""
        made: Report = _shaped(Report, self.report)
        return made


def read_message(given: Any) -> Message:
    """Return a message; complain where it is not one of ours."""
    message: Message = _shaped(Message, given)
    if not TOKEN.fullmatch(message.token) or not TOKEN.fullmatch(message.campaign):
        raise UsageError("a message in the queue has no token of ours")
    return message


def read_order(text: bytes) -> Order:
    """Return an order; complain where it could lead astray."""
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
    """Return a result; complain where it is none."""
    result: Result = _shaped(Result, _loaded(text))
    if not result.failure:
        result.as_report()
    return result


def written(one: Order | Result) -> bytes:
    """Return an order or result as it is stored."""
    return json.dumps(asdict(one), ensure_ascii=False).encode("utf-8", "replace")


def slice_folder(campaign: str, host: str, token: str) -> str:
    """Return where the files of a slice lie."""
    return f"{campaign}/sites/{folder_name(host)}/{token}"


def order_name(campaign: str, token: str) -> str:
    """Return where an order lies for as long as it is wanted."""
    return f"{campaign}/orders/{token}.json"


def claim_prefix(campaign: str, token: str) -> str:
    """Return how the names of files begin in which workers write that they begin with an order."""
    return f"{campaign}/claims/{token}."


def result_name(campaign: str, token: str) -> str:
    """Return where the result of an order lies."""
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
