"""`siteseer worker`: crawls sites for campaigns that run on other machines."""

from __future__ import annotations

from typing import Annotated

import typer

from siteseer.cli.campaign.campaign import BROKER, STORAGE
from siteseer.cli.terminal import print_message
from siteseer.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("worker")(worker)


def worker(
    engine: Annotated[str, typer.Option(help="celery.")] = "celery",
    broker: Annotated[str, typer.Option(envvar=BROKER, help="redis://HOST:6379/0.")] = "",
    sites: Annotated[int, typer.Option(min=1, max=1000, help="Sites to crawl at a time.")] = 1,
    storage: Annotated[str, typer.Option(envvar=STORAGE, help="Take only orders that lie here.")] = "",
    name: Annotated[str, typer.Option(help="What the dashboard calls this worker.")] = "",
) -> int:
    """Crawl sites for campaigns that run with --engine celery, until SIGTERM or Ctrl-C."""
    if engine != "celery":
        raise UsageError(f"there are no workers of an engine {engine!r}; use celery")
    from siteseer.campaigns.engines.celery_options import broker_address, whole_address
    from siteseer.campaigns.engines.celery_worker import run_worker
    from siteseer.cli.garbage_collection import collect_seldom

    collect_seldom()
    return run_worker(broker_address(broker), sites, whole_address(storage), name, print_message)
