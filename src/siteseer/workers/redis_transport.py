"""Reads Celery's queue from Redis so that an invalid message does not end the worker.

Whoever may write to the broker could otherwise end every worker with one word.
"""

from __future__ import annotations

from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis


class Channel(redis.Channel):  # type: ignore[misc,no-any-unimported,unused-ignore]
    """Reads the queue."""

    def _brpop_read(self, **options: Any) -> Any:
        """Hand on the next message; what cannot be read is gone."""
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call,unused-ignore]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Empty from error


class Transport(redis.Transport):  # type: ignore[misc,no-any-unimported,unused-ignore]
    """The transport of workers."""

    Channel = Channel


def register_transport() -> None:
    """Use this transport for redis: and rediss: addresses in this process."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
