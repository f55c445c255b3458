"""Runs wrappers in a worker process: reads orders and reports progress as lines of JSON.

The process ends, with its browser, when its standard input is closed: then nobody is left to give orders.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from queue import Queue
from typing import Any

from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.wrapper.jobs.worker_processes import Report, end_worker


def main() -> None:
    """Execute orders until there are no more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)  # whatever else writes to the standard output does not disturb
    speaking = threading.Lock()

    def report(**said: Any) -> None:
        with speaking:
            out.write(json.dumps(said) + "\n")
            out.flush()

    signal.signal(signal.SIGTERM, lambda *_: end_worker())
    orders: Queue[str] = Queue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        _carry_out(json.loads(orders.get()), report)


def _listen(orders: Queue[str]) -> None:
    for line in sys.stdin:
        orders.put(line)
    end_worker()


def _perform(order: JSON, report: Report) -> None:
    from siteseer.wrapper.jobs.run_task import run_task

    run_task(order, report)


def _repair(order: JSON, report: Report) -> None:
    from siteseer.wrapper.repair.repair_wrapper import repair

    repair(order, report)


WORK: dict[str, Callable[[JSON, Report], None]] = {"perform": _perform, "repair": _repair}


def _carry_out(order: JSON, report: Report) -> None:
    try:
        WORK[order.pop("do")](order, report)
    except SiteseerError as error:
        report(failed=str(error), temporary=False)
    except RecursionError:
        report(failed="the page is nested too deeply", temporary=False)
    except MemoryError:
        report(failed="the page needs more memory than there is", temporary=False)
    except Exception as error:  # a defect of ours: said, and the next task is done
        report(failed=f"{type(error).__name__}: {error}"[:300], temporary=False)


if __name__ == "__main__":
    main()
