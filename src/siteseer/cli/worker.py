"""`siteseer worker`: crawl sites of campaigns that run elsewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from siteseer.errors import UsageError
from siteseer.present.cli.campaign import BROKER, STORAGE
from siteseer.present.cli.say import tell


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
    from siteseer.crawl.rubbish import collect_seldom
    from siteseer.jobs.cluster.engine import named, whole_address
    from siteseer.jobs.cluster.worker import run_worker

    collect_seldom()
    return run_worker(named(broker), sites, whole_address(storage), name, tell)
