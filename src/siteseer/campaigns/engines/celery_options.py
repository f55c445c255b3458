"""Sets up the engine `celery` from the addresses of its broker and storage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.engine_celery import CeleryEngine
from siteseer.errors import UsageError
from siteseer.workers.broker import check, connect


def celery_engine(broker: str, storage: str, lease: float) -> Callable[[CampaignState], CeleryEngine]:
    """Return the engine that gives slices to Celery workers; raise where the broker cannot be reached.

    Without `storage`, checkpoints go into the campaign's own directory, which all workers must be able to see.
    """
    check(connect(broker_address(broker)), broker)

    def make(campaign_state: CampaignState) -> CeleryEngine:
        return CeleryEngine(
            campaign_state, broker, whole_address(storage or str(campaign_state.folder / "storage")), lease
        )

    return make


def broker_address(broker: str) -> str:
    """Return the address of a broker; raise where there is none."""
    if not broker:
        raise UsageError("the engine celery needs a broker: --broker redis://HOST:6379/0, or SITESEER_BROKER")
    return broker


def whole_address(storage: str) -> str:
    """Return the address of a storage in a form that other processes can use.

    >>> whole_address("s3://bucket/kelp"), whole_address("/mnt/../mnt/kelp")
    ('s3://bucket/kelp', '/mnt/kelp')
    """
    return storage if "://" in storage or not storage else str(Path(storage).resolve())
