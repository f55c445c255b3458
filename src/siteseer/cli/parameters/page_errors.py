"""Reads the pages that a command names one by one: what cannot be read is said, and the rest is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from siteseer.cli.terminal import print_error
from siteseer.errors import FetchError, UsageError
from siteseer.fetch.page_source import FetchPage, page_fetcher, parse_headers, read_page
from siteseer.model import Page
from siteseer.settings import Politeness


def polite_fetcher(given: Mapping[str, Any]) -> FetchPage:
    """Return what fetches the pages of a command as politely as its options say."""
    known = {one.name for one in fields(Politeness)}
    return page_fetcher(Politeness(**{name: value for name, value in given.items() if name in known}))


class NamedPages:
    """The pages that a command names; `exit_code` says afterwards whether all could be read."""

    def __init__(self, fetch: FetchPage | None, url: str | None = None, headers: Iterable[str] = ()) -> None:
        self._fetch, self._url, self._headers = fetch, url, list(headers)
        parse_headers(self._headers)
        self.exit_code = 0

    def read(self, names: Iterable[str]) -> Iterator[tuple[str, Page]]:
        """Yield every page that can be read, with its name."""
        for name in names:
            try:
                yield name, read_page(name, self._url, self._headers, self._fetch)
            except (FetchError, UsageError) as error:
                self.complain(str(error), error.exit_code)

    def complain(self, sentence: str, code: int) -> None:
        """Say that a page cannot be read; of several reasons the highest exit code counts."""
        print_error(sentence)
        self.exit_code = max(self.exit_code, code)
