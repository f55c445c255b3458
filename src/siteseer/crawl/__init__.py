"""The crawl: frontier, pace, loop, run. `siteseer.crawl(url, output)` crawls."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    """A folder that is also the verb of the same name."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Crawl; see `siteseer.present.verbs.crawl`."""
        return import_module("siteseer.present.verbs").crawl(*given, **named)


sys.modules[__name__].__class__ = _Verb
