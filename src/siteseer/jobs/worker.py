"""The process in which wrappers are run: orders come in as lines of JSON, and what happens goes out as lines of JSON.

It ends, with its browser, when nobody is left to give orders: the standard input is closed then, however that came.
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
from siteseer.jobs.processes import VARIABLE, sweep
from siteseer.model import JSON

Tell = Callable[..., None]


def main() -> None:
    """Carry out orders until there are no more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)  # whatever else writes to the standard output does not disturb
    speaking = threading.Lock()

    def tell(**said: Any) -> None:
        with speaking:
            out.write(json.dumps(said) + "\n")
            out.flush()

    signal.signal(signal.SIGTERM, lambda *_: leave())
    orders: Queue[str] = Queue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        _carry_out(json.loads(orders.get()), tell)


def _listen(orders: Queue[str]) -> None:
    for line in sys.stdin:
        orders.put(line)
    leave()


def leave() -> None:
    """End at once, with the browser: whoever gave orders has gone, or says so."""
    sweep(os.environ.get(VARIABLE, "none"))
    os._exit(0)


def _perform(order: JSON, tell: Tell) -> None:
    from siteseer.jobs.perform import perform

    perform(order, tell)


def _repair(order: JSON, tell: Tell) -> None:
    from siteseer.jobs.repair import repair

    repair(order, tell)


WORK: dict[str, Callable[[JSON, Tell], None]] = {"perform": _perform, "repair": _repair}


def _carry_out(order: JSON, tell: Tell) -> None:
    try:
        WORK[order.pop("do")](order, tell)
    except SiteseerError as error:
        tell(failed=str(error), temporary=False)
    except RecursionError:
        tell(failed="the page is nested too deeply", temporary=False)
    except MemoryError:
        tell(failed="the page needs more memory than there is", temporary=False)
    except Exception as error:  # a defect of ours: said, and the next task is done
        tell(failed=f"{type(error).__name__}: {error}"[:300], temporary=False)


if __name__ == "__main__":
    main()
