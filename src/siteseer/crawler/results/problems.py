"""What a crawl lost, was refused or left in doubt: a list of problems, and the exit code that follows from it.

Each function of `FINDERS` looks for one kind of problem in the database, the counts and the options of a crawl. To add
one, write a function, add it to `FINDERS`, and give its reason an exit code in `EXIT_CODES`: 0 where it is only said.
A problem is found anew each time, so that it disappears when a later run has solved it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from siteseer.crawl.events import CUT_SHORT, HOST_STOPPED, OWN_ERROR, READ_IN_PART
from siteseer.crawl.failures import CLOSED, DEAD, NOT_HELD, Failure, asked_pages, failures
from siteseer.crawl.frontier import url_key
from siteseer.crawl.left_out_pagers import left_out_pagers
from siteseer.crawl.not_shown import OFF, not_shown, without_content
from siteseer.crawl.seed_results import SeedResult, seed_results
from siteseer.crawl.state import State
from siteseer.crawl.unsearched_forms import unsearched_forms
from siteseer.crawl.wall_report import WALL, wall_advice, wall_sentence
from siteseer.decide.searched import FORM_ASKED
from siteseer.errors import StoreError
from siteseer.model import JSON
from siteseer.navigation.economical.account import BEYOND_BUDGET
from siteseer.page.urls import host_of

EXIT_CODES = {
    "seed-missing": 1,
    "seed-unreachable": 9,
    "seed-refused": 1,
    "seed-moved": 1,
    "login-needed": 1,
    "nothing-kept": 1,
    "many-failed": 9,
    "some-failed": 0,
    "closed-pages": 0,
    "private-address": 0,
    "assets-failed": 0,
    "not-in-archive": 0,
    "cut-short": 0,
    "own-error": 1,
    "undelivered": StoreError.exit_code,
    "browser-missing": 9,
    "browser-doubtful": 0,
    "browser-off": 0,
    "page-not-shown": 0,
    "wall": 18,
    "rate-limited": 18,
    "pager-left-out": 0,
    "budget-used-up": 0,
    "search-form": 0,
    "search-limit": 0,
    "read-in-part": 0,
    "no-objects": 1,
    "site-without-objects": 1,
    "site-left": 0,
}
"""The exit code of a crawl that has a problem, by its reason; 0: it is said, and the crawl counts as done."""
STOPPED_CODES = {None: 0, "limit": 0, "depth": 0, "interrupt": 11, "size": 14, "time": 15, "rate": 18, "error": 1}
CUT_OFF = 13
MOST_FAILED = 0.05
"""A crawl is done where no larger share of its pages failed."""
MOST_NAMED = 5
"""So many pages with forms are named in a command."""
UNDELIVERED = "undelivered objects"
"""Under this name the database keeps why a store elsewhere could not be brought up to date."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that a person must know about the result of a crawl."""

    reason: str
    count: int
    sentence: str
    next: str = ""
    """What to do, as one sentence."""


@dataclass(frozen=True, slots=True)
class CrawlFacts:
    """What is known of a crawl when it ends; the problems are found in it."""

    state: State
    crawl: int
    counts: Counter[str]
    options: JSON
    """The options of the crawl as the database keeps them."""
    stopped_by: str | None = None

    def notes(self, event: str) -> list[tuple[str, str, JSON]]:
        """Return URL, reason and details of the notes of an event."""
        rows = self.state.rows(
            "SELECT url, because, details FROM notes WHERE crawl = ? AND event = ? ORDER BY row", (self.crawl, event)
        )
        return [(url, because, json.loads(details)) for url, because, details in rows]

    def seed_results(self) -> list[SeedResult]:
        """Return what became of each seed."""
        return list(seed_results(self.state, self.crawl, self.options.get("seeds", ())))

    @property
    def walls(self) -> dict[str, JSON]:
        """The hosts that refused everything when the crawl was stopped, and how."""
        return {name: row for name, row in self.state.recall(self.crawl, WALL) if row is not None}

    def number(self, query: str, *values: Any) -> int:
        """Return the number that a query counts in this crawl; its first parameter is the crawl's number."""
        return int(next(iter(self.state.rows(query, (self.crawl, *values))))[0])


Finder = Callable[[CrawlFacts], Iterable[Problem]]


def seeds(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which seeds gave nothing, those of one kind together."""
    groups: dict[str, list[SeedResult]] = {}
    for result in facts.seed_results():
        if result.ending in SEED_SENTENCES:
            groups.setdefault(result.ending, []).append(result)
    for ending, results in groups.items():
        reason, sentence, advice = SEED_SENTENCES[ending]
        first = results[0]
        name = first.seed if first.url == first.seed else f"{first.seed}, which leads to {first.url},"
        said = sentence.format(name=name, url=first.url, host=host_of(first.url), because=first.because)
        others = len(results) - 1
        more = f" The same is true of {others:,} other {'seed' if others == 1 else 'seeds'}." if others else ""
        yield Problem(reason, len(results), said + more, advice.format(url=first.url))


LOGIN = "Log in with siteseer login {url} --profile NAME, then crawl with --profile NAME."
SEED_SENTENCES = {
    "missing": ("seed-missing", "The seed {name} does not exist ({because}).", "Check the address."),
    "forbidden": ("login-needed", "The seed {name} is not open to everyone ({because}).", LOGIN),
    "login": ("login-needed", "The seed {name} shows a login form instead of its content.", LOGIN),
    "unreachable": (
        "seed-unreachable",
        "The seed {name} could not be fetched: {because}.",
        "Run the same command again later: it tries the seed again.",
    ),
    "robots": (
        "seed-refused",
        "robots.txt of {host} asks crawlers to leave the seed {name} alone.",
        "If you may crawl it all the same, use --robots ignore.",
    ),
    "excluded": ("seed-refused", "The seed {name} was left out: {because}.", "Change the options of the crawl."),
    "moved": (
        "seed-moved",
        "The seed {name} has moved out of the crawl's scope.",
        "Crawl {url} instead, or widen the crawl with --scope.",
    ),
}


def nothing_kept(facts: CrawlFacts) -> Iterator[Problem]:
    """Say that no page was kept, where nothing else says why."""
    results = facts.seed_results()
    endings = {result.ending for result in results}
    is_said = any(ending in SEED_SENTENCES for ending in endings) or "waiting" in endings or facts.notes(HOST_STOPPED)
    has_kept = facts.counts["pages"] or any(result.is_document for result in results)
    if results and not has_kept and not is_said:
        yield Problem(
            "nothing-kept",
            1,
            "No page was kept.",
            "See reports/failed.jsonl and reports/skipped.jsonl for what became of each address.",
        )


def failed_pages(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pages could not be fetched, apart from dead links."""
    seeds = {url_key(url) for result in facts.seed_results() for url in (result.seed, result.url)}
    lost = [one for one in failures(facts.state, facts.crawl) if one.is_lost and one.key not in seeds]
    if lost:
        asked = max(asked_pages(facts.state, facts.crawl), len(lost))
        yield Problem(
            "many-failed" if len(lost) > MOST_FAILED * asked else "some-failed",
            len(lost),
            f"{len(lost):,} of {asked:,} addresses ({100 * len(lost) / asked:.1f} %) could not be fetched"
            f"{_usual(lost)}.",
            f"reports/failed.jsonl lists {_them(lost)}; the same command tries {_them(lost)} again.",
        )


def closed_pages(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pages are not open to everyone."""
    found = [one for one in failures(facts.state, facts.crawl) if one.status in CLOSED and not one.is_asset]
    count = len(found) - sum(result.ending == "forbidden" for result in facts.seed_results())
    if count > 0:
        yield Problem(
            "closed-pages",
            count,
            f"{_pages(count)} {_were(count)} refused{_usual(found)}.",
            f"reports/failed.jsonl lists {_them(found)}; a login may open such pages (--profile NAME).",
        )


def private_addresses(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many addresses were left alone because they lie in a private network."""
    seeds = {url_key(result.url) for result in facts.seed_results()}
    found = [one for one in failures(facts.state, facts.crawl) if one.is_private and one.key not in seeds]
    if found:
        what = "1 address lies" if len(found) == 1 else f"{len(found):,} addresses lie"
        yield Problem(
            "private-address",
            len(found),
            f"{what} in a private network and {_were(len(found))} not asked for, the first {found[0].url}.",
            "If these belong to the site, use --allow-private.",
        )


def failed_assets(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pictures, style sheets and scripts are missing, apart from dead links."""
    found = [
        one
        for one in failures(facts.state, facts.crawl)
        if one.is_asset and one.status not in DEAD and not one.is_private
    ]
    if found:
        count = len(found)
        what = "picture, style sheet or script" if count == 1 else "pictures, style sheets or scripts"
        yield Problem(
            "assets-failed", count, f"{count:,} {what} could not be fetched{_usual(found)}.",
            f"reports/failed.jsonl lists {_them(found)}.",
        )  # fmt: skip


def not_in_archive(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many addresses an archive that is crawled does not hold."""
    count = sum(one.because.startswith(NOT_HELD) for one in failures(facts.state, facts.crawl))
    if count:
        what = "address is" if count == 1 else "addresses are"
        yield Problem("not-in-archive", count, f"{count:,} linked {what} not in the archive.")


def cut_short(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which answers did not come whole."""
    if found := facts.notes(CUT_SHORT):
        url, because, _ = found[0]
        sentence = f"{_pages(len(found))} {_were(len(found))} not kept whole, the first {url} ({because})."
        yield Problem("cut-short", len(found), sentence)


def walls(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which hosts refused everything from some request on."""
    delay, browser = facts.options.get("delay") or 0.0, facts.options.get("browser") or "auto"
    for name, row in facts.walls.items():
        waiting = facts.number("SELECT count(*) FROM urls WHERE crawl = ? AND host = ? AND status = 0", name)
        pages = facts.state.rows(
            "SELECT url FROM captures WHERE crawl = ? AND status = 200 AND title IS NOT NULL GROUP BY key",
            (facts.crawl,),
        )
        kept = sum(host_of(url) == name for (url,) in pages)
        yield Problem("wall", max(1, waiting), wall_sentence(row, kept), wall_advice(row, delay, browser))


def stopped_hosts(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which hosts refuse to give more, and why."""
    for _, because, details in facts.notes(HOST_STOPPED):
        if details["host"] in facts.walls:
            continue
        waiting = facts.number("SELECT count(*) FROM urls WHERE crawl = ? AND host = ? AND status = 0", details["host"])
        if waiting:
            kept = facts.counts["pages"]
            yield Problem(
                "rate-limited",
                waiting,
                f"{because} {_pages(kept)} {_were(kept)} kept before that.",
                "Run the same command later: it goes on where it stopped. Ask more slowly, for example with --delay 5.",
            )


def own_errors(facts: CrawlFacts) -> Iterator[Problem]:
    """Say that an error of Siteseer cost pages, or what they lead to."""
    found = facts.notes(OWN_ERROR)
    if found:
        url, because, _ = found[0]
        yield Problem(
            "own-error",
            len(found),
            f"An error in Siteseer kept it from using {_pages(len(found))}, the first {url} ({because}).",
            "Please report this with the crawl's log in the folder logs; the same command tries these pages again.",
        )


def pages_read_in_part(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which pages are too large or too intricate to be read wholly: links and text may be missing."""
    if found := facts.notes(READ_IN_PART):
        url, because, _ = found[0]
        yield Problem(
            "read-in-part",
            len(found),
            f"Only a part of {_pages(len(found))} was read for links and text, the first {url}: {because}. "
            "The archive holds all bytes.",
        )


def undelivered(facts: CrawlFacts) -> Iterator[Problem]:
    """Say what a store elsewhere did not take."""
    if sentence := facts.state.about(UNDELIVERED):
        yield not_delivered([sentence])


def not_delivered(sentences: Sequence[str]) -> Problem:
    """Return the problem of stores elsewhere that did not take what is kept here."""
    return Problem(
        "undelivered",
        len(sentences),
        f"Not delivered: {'; '.join(sentences)}. Everything is kept here.",
        "Run the same command again, or siteseer store push.",
    )


def not_shown_pages(facts: CrawlFacts) -> Iterator[Problem]:
    """Say what content is missing, or may be, because no browser showed the pages."""
    pages = not_shown(facts.state, facts.crawl)
    empty = without_content(pages, facts.counts["pages"])
    doubtful = [page for page in pages if page not in empty]
    is_off = bool(pages) and pages[0].missing == OFF
    how = f"{pages[0].missing[:1].upper()}{pages[0].missing[1:]}." if pages else ""
    if empty:
        why = f"{OFF} keeps them from running" if is_off else "there was no browser to run them"
        yield Problem(
            "browser-off" if is_off else "browser-missing",
            len(empty),
            f"The content of {_pages(len(empty))} is made by scripts, and {why}; what came is kept. "
            f"The first is {empty[0].url}: {empty[0].because}.",
            "Use --browser auto." if is_off else f"{how} Then run the same command again: it goes on with these pages.",
        )
    if doubtful and not is_off:
        yield Problem(
            "browser-doubtful",
            len(doubtful),
            f"A browser may show more of {_pages(len(doubtful))}. "
            f"The first is {doubtful[0].url}: {doubtful[0].because}.",
            f"{how} Then run the same command again: it looks at these pages.",
        )


def failed_to_show(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which empty pages the browser could not show."""
    failed = [(url, because) for url, because, how in facts.notes("not_rendered") if how.get("answer") == "needed"]
    if failed:
        url, because = failed[0]
        what = f"The browser could not show {_pages(len(failed))}, whose content is missing"
        yield Problem("page-not-shown", len(failed), f"{what}. The first is {url}: {because}.")


def pagers(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which further pages of lists were left out."""
    if found := left_out_pagers(facts.state, facts.crawl):
        what = "further page of a list" if len(found) == 1 else "further pages of lists"
        yield Problem(
            "pager-left-out",
            len(found),
            f"{len(found):,} {what} {_were(len(found))} left out, the first {found[0].url} ({found[0].because}).",
            f"siteseer audit {facts.state.collection.name} says whether they lead to anything that is missing.",
        )


def used_up_budget(facts: CrawlFacts) -> Iterator[Problem]:
    """Say that the learner left addresses that may hold content, because too many requests had brought too little."""
    rows = facts.state.rows(
        f"SELECT count(*), max(because) FROM urls WHERE crawl = ? AND status = 4 AND rule LIKE '%{BEYOND_BUDGET}'",
        (facts.crawl,),
    )
    count, because = next(iter(rows))
    if count:
        what = (
            "1 address that may hold content was" if count == 1 else f"{count:,} addresses that may hold content were"
        )
        yield Problem(
            "budget-used-up",
            count,
            f"{what} left out ({because}).",
            f"siteseer audit {facts.state.collection.name} says what they hold; --strategy blind follows everything.",
        )


def search_forms(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which search forms lead to content that no link reaches; a crawl that was stopped cannot know."""
    has_software = any(name.startswith("application ") for name in facts.counts)
    if facts.stopped_by is not None or has_software:
        return
    options = facts.options
    found = unsearched_forms(facts.state, facts.crawl, options.get("strategy", ""), options.get("seeds", ()))
    if found:
        pages = list(dict.fromkeys(form.page for form in found))
        others = f" So have {len(pages) - 1:,} other pages." if len(pages) > 2 else ""
        others = f" So has {pages[1]}." if len(pages) == 2 else others
        yield Problem(
            "search-form",
            len(found),
            f"{pages[0]} has a search form with content behind it: {found[0].because}.{others}",
            f"siteseer form probe {' '.join(pages[:MOST_NAMED])} -o {facts.state.collection.name}-records "
            "searches and archives what is found.",
        )


def search_limits(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which forms were sent as often as a form is sent at most."""
    last = {details["form"]: details for _, _, details in facts.notes(FORM_ASKED)}
    cut = [details for details in last.values() if details["is_cut"]]
    if cut:
        first = cut[0]
        yield Problem(
            "search-limit",
            len(cut),
            f"The form of {first['form'].rpartition(' ')[0]} was sent {first['searches']:,} times, which is the most; "
            f"{first['records']:,} records were listed, and there may be more.",
            "Search for a part at a time with --set FIELD=VALUE, into directories of their own.",
        )


FINDERS: tuple[Finder, ...] = (
    walls, seeds, stopped_hosts, nothing_kept, failed_pages, own_errors, pages_read_in_part, undelivered,
    closed_pages, private_addresses, failed_assets, not_in_archive, cut_short, not_shown_pages, failed_to_show, pagers,
    used_up_budget,
    search_forms, search_limits,
)  # fmt: skip


def find_problems(facts: CrawlFacts) -> list[JSON]:
    """Return the problems of a crawl, the gravest first, as the summary has them."""
    found = [problem for find in FINDERS for problem in find(facts)]
    return [asdict(problem) for problem in sorted(found, key=lambda problem: -EXIT_CODES[problem.reason])]


def exit_code(summary: JSON) -> int:
    """Return the exit code of a command that ends with the summary of a crawl: the highest that its parts ask for.

    >>> exit_code({"stopped_by": "limit", "problems": [{"reason": "seed-unreachable"}, {"reason": "seed-missing"}]})
    9
    """
    stopped = CUT_OFF if summary.get("at_once") else STOPPED_CODES.get(summary["stopped_by"], 1)
    return max([stopped, *(EXIT_CODES[one["reason"]] for one in summary.get("problems", ()))])


def _usual(failures: Sequence[Failure]) -> str:
    """Return the end of a sentence about failures: why most of them failed."""
    (usual, count), *others = Counter(failure.reason.rstrip(".") for failure in failures).most_common()
    return f"; {count:,} of them: {usual}" if others else f": {usual}"


def _them(failures: Sequence[Failure]) -> str:
    return "it" if len(failures) == 1 else "them"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count:,} pages"
