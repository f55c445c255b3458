"""Searches and marks the lines of a proposal file, line by line, however many pages it names."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from siteseer.campaigns.selection.proposal import SAME, ProposedPage, read_proposal
from siteseer.collection.layout import LOCK
from siteseer.errors import UsageError
from siteseer.page.urls import host_of

_MARKING = Lock()


@dataclass(frozen=True, slots=True)
class ProposalFilter:
    """A filter for the lines of a proposal; empty fields do not matter."""

    kind: str = ""
    """`site` or `page`."""
    site: str = ""
    """The host of the site whose pages are looked for."""
    words: str = ""
    """Stand in address, title or reasons, without regard to case."""
    mark: str = ""
    """`accept`, `reject` or `?`, as it counts: a page without a mark has that of its site."""


@dataclass(frozen=True, slots=True)
class Line:
    """A site or page of a proposal, with its line number."""

    proposed: ProposedPage
    site: str
    """The host of its site."""
    counts_as: str
    """The mark that counts for it."""


def deciding_mark(one: ProposedPage, of_site: str) -> str:
    """Return the mark that counts for a page: its own, else that of its site. Accepting a site does not accept
    duplicates.

    >>> page = ProposedPage("page", 0.5, "http://e.org/", "", "relevance 0.5")
    >>> deciding_mark(page, "accept"), deciding_mark(page, "?")
    ('accept', '?')
    """
    is_copy = one.reasons.startswith(SAME)
    return one.mark if one.mark != "?" or (is_copy and of_site == "accept") else of_site


def read_lines(path: Path) -> Iterator[Line]:
    """Read a proposal, each line with its site and the mark that counts, in whatever order a spreadsheet put them."""
    return with_site_marks(read_proposal(path), {one.address: one.mark for one in read_proposal(path, "site")})


def with_site_marks(proposed: Iterable[ProposedPage], sites: Mapping[str, str]) -> Iterator[Line]:
    """Yield sites and pages with their site and the mark that counts; `sites` are all hosts with their marks.

    >>> page = ProposedPage("page", 0.5, "http://e.org/", "", "relevance 0.5")
    >>> [(line.site, line.counts_as) for line in with_site_marks([page], {"e.org": "accept"})]
    [('e.org', 'accept')]
    """
    above = ""
    for one in proposed:
        if one.kind == "site":
            above = one.address
            yield Line(one, above, one.mark)
        else:
            site = host if (host := host_of(one.address)) in sites else above
            yield Line(one, site, deciding_mark(one, sites.get(site, "?")))


def filter_lines(path: Path, sought: ProposalFilter, limit: int, offset: int = 0) -> tuple[int, list[Line]]:
    """Return how many lines match the filter, and some of them."""
    count, found = 0, list[Line]()
    is_sought = _test(sought)
    for line in read_lines(path):
        if is_sought(line):
            if offset <= count < offset + limit:
                found.append(line)
            count += 1
    return count, found


def mark_lines(path: Path, marks: Mapping[str, str]) -> int:
    """Mark sites and pages by their URLs; return how many marks changed. URLs outside the proposal are refused."""
    unknown = set(marks)

    def marked(line: Line) -> str | None:
        unknown.discard(line.proposed.address)
        return marks.get(line.proposed.address)

    with _writing(path):
        return _rewrite(path, marked, lambda: _refuse(unknown))


def mark_found(path: Path, sought: ProposalFilter, mark: str) -> int:
    """Mark everything that matches the filter; return how many marks changed."""
    is_sought = _test(sought)
    with _writing(path):
        return _rewrite(path, lambda line: mark if is_sought(line) else None)


def _test(sought: ProposalFilter) -> Callable[[Line], bool]:
    words = sought.words.casefold().split()

    def test(line: Line) -> bool:
        one = line.proposed
        if sought.kind and one.kind != sought.kind:
            return False
        if (sought.site and line.site != sought.site) or (sought.mark and line.counts_as != sought.mark):
            return False
        said = f"{one.address} {one.title} {one.reasons}".casefold() if words else ""
        return all(word in said for word in words)

    return test


def _refuse(unknown: set[str]) -> None:
    if unknown:
        raise UsageError(f"nobody proposed {min(unknown)[:200]!r}")


def _rewrite(path: Path, marked: Callable[[Line], str | None], check: Callable[[], None] = lambda: None) -> int:
    """Write the file again with other marks, as a whole or not at all; everything else stays as it is written."""
    changed, made = 0, path.with_name(f".{path.name}.new")
    met = read_lines(path)
    with path.open(encoding="utf-8-sig") as old, made.open("w", encoding="utf-8") as new:
        for text in old:
            line = None if text.startswith("#") or not text.strip() else next(met)
            mark = line and marked(line)
            if line is not None and mark and mark != line.proposed.mark:
                changed += 1
                text = mark + "\t" + text.partition("\t")[2]
            new.write(text)
    try:
        check()
        if changed:
            made.replace(path)
    finally:
        made.unlink(missing_ok=True)
    return changed


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Hold the file against those who propose again: their new file would forget these marks."""
    if not path.is_file():
        raise UsageError("nothing is proposed yet: analyse the campaign first")
    lock = path.parent / LOCK
    lock.parent.mkdir(exist_ok=True)
    with _MARKING, lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError("the campaign is being worked on; mark when that is over") from None
        yield
