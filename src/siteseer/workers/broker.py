"""Connects to the broker (Redis): the queue through which slices go to workers, and the store of leases.

Redis holds nothing else: a broker that forgets everything delays a campaign, and costs it no page. Messages are JSON;
whatever else lies in the queue is not looked at.
"""

from __future__ import annotations

from typing import Any

from siteseer.archive.storage import safe_address
from siteseer.errors import MissingExtraError, UnreachableError, UsageError

QUEUE = "siteseer"
TASK = "siteseer.slice"
ADDRESS = "redis://:PASSWORD@HOST:6379/0"
PATIENCE = 5.0
"""Seconds that the broker may take to answer."""
VISIBILITY = 3_600
"""Seconds after which a message that nobody acknowledged is handed out again: far more than a slice takes."""


class BrokerError(UnreachableError):
    """The broker does not answer."""


def connect(url: str) -> Any:
    """Return a client of the broker; nothing is sent yet."""
    if not url.startswith(("redis://", "rediss://")):
        raise UsageError(f"{safe_address(url)!r} is no broker: leases are kept in Redis, write redis://HOST:6379/0")
    try:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ModuleNotFoundError as error:
        raise MissingExtraError("cluster", "the engine celery needs celery and redis") from error
    try:
        return Redis.from_url(
            url, decode_responses=True, encoding_errors="replace", socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0),
        )  # fmt: skip
    except ValueError as error:
        raise UsageError(f"{safe_address(url)!r} is no address of a broker: write redis://HOST:6379/0") from error


def broker_failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that are raised where the broker does not answer."""
    from kombu.exceptions import OperationalError
    from redis.exceptions import RedisError

    return RedisError, OperationalError, OSError


def check(client: Any, url: str) -> None:
    """Raise where the broker cannot be reached, or refuses us."""
    from redis.exceptions import AuthenticationError, RedisError

    try:
        client.ping()
    except AuthenticationError as error:
        raise UsageError(f"the broker {safe_address(url)} wants another password, or one at all: {ADDRESS}") from error
    except RedisError as error:
        raise BrokerError(
            f"the broker {safe_address(url)} does not answer; start it, or name another with --broker"
        ) from error


def make_app(url: str) -> Any:
    """Return the Celery application of a broker."""
    try:
        from celery import Celery
    except ModuleNotFoundError as error:
        raise MissingExtraError("cluster", "the engine celery needs celery and redis") from error
    app = Celery("siteseer", broker=url, set_as_current=False)
    app.conf.update(
        task_serializer="json", accept_content=["json"], task_ignore_result=True, task_default_queue=QUEUE,
        task_acks_late=True, worker_prefetch_multiplier=1, worker_enable_remote_control=False,
        worker_hijack_root_logger=False, worker_redirect_stdouts=False, worker_log_color=False,
        broker_connection_retry_on_startup=True, broker_connection_max_retries=None,
        broker_connection_timeout=PATIENCE, task_publish_retry=False,
        broker_transport_options={
            "visibility_timeout": VISIBILITY, "socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE,
        },
    )  # fmt: skip
    return app
