"""The engine `celery` as it is asked for: addresses in, what makes it for a campaign out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from siteseer.errors import UsageError
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.cluster.broker import check, connect
from siteseer.jobs.cluster.crawlers import Cluster


def celery_engine(broker: str, storage: str, lease: float) -> Callable[[Dossier], Cluster]:
    """Return what gives the slices of a campaign to workers; complain where the broker cannot be reached.

    Without `storage` checkpoints go into the campaign's own directory, which all workers must then see.
    """
    check(connect(named(broker)), broker)

    def make(dossier: Dossier) -> Cluster:
        return Cluster(dossier, broker, whole_address(storage or str(dossier.folder / "storage")), lease)

    return make


def named(broker: str) -> str:
    """Return the address of a broker; complain where there is none."""
    if not broker:
        raise UsageError("the engine celery needs a broker: --broker redis://HOST:6379/0, or SITESEER_BROKER")
    return broker


def whole_address(storage: str) -> str:
    """Return the address of a storage as other processes can use it.

    >>> whole_address("s3://bucket/kelp"), whole_address("/mnt/../mnt/kelp")
    ('s3://bucket/kelp', '/mnt/kelp')
    """
    return storage if "://" in storage or not storage else str(Path(storage).resolve())
