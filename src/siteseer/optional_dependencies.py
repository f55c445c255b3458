"""Says which extra a command needs when a module is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from siteseer.errors import MissingExtraError


@contextmanager
def needs(extra: str, why: str) -> Iterator[None]:
    """Turn a module that is not installed into a sentence that names the extra.

    >>> with needs("parquet", "tables need pyarrow"):
    ...     import no_such_module
    Traceback (most recent call last):
        ...
    siteseer.errors.MissingExtraError: tables need pyarrow; install it with: pip install 'siteseer[parquet]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "siteseer":
            raise
        raise MissingExtraError(extra, why) from error
