"""Finds the problems of a crawl (lost, refused or doubtful pages), and the exit code that follows from them.

Each function of `FINDERS` looks for one kind of problem in the database, the counts and the options of a crawl. To add
one, write a function, add it to `FINDERS`, and give its reason an exit code in `EXIT_CODES`: 0 where it is only said.
A problem is found anew each time, so that it disappears when a later run has solved it.
"""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from siteseer.archive.repair_warc import damage_of
from siteseer.archive.warc_sources import warc_files
from siteseer.collection.events import CUT_SHORT, HOST_STOPPED, OWN_ERROR, READ_IN_PART, UNVERIFIED
from siteseer.collection.exit_codes import EXIT_CODES
from siteseer.collection.state import State
from siteseer.crawler.capture_writer import SCRIPTS
from siteseer.crawler.hosts.wall_report import WALL, wall_advice, wall_sentence
from siteseer.crawler.rendering.unrendered_pages import OFF, unrendered_pages, without_content
from siteseer.crawler.results.failed_urls import CLOSED, DEAD, Failure, asked_pages, failures
from siteseer.crawler.results.missing_list_pages import missing_list_pages
from siteseer.crawler.results.pages_alike import pages_alike
from siteseer.crawler.results.seed_results import SeedResult, is_bare, seed_results
from siteseer.crawler.results.unsearched_forms import unsearched_forms
from siteseer.errors import SiteseerError
from siteseer.fetch.replay import NOT_HELD
from siteseer.model import JSON
from siteseer.page.urls import host_of, url_key
from siteseer.page.word_hashes import word_count
from siteseer.strategies.form_search.sent_searches import FORM_ASKED
from siteseer.strategies.learned.online_learner.class_report import BEYOND_BUDGET

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
    is_whole: bool = False
    """Whether the last known outcomes of all crawls count, not only those of this one."""

    def failures(self) -> list[Failure]:
        """Return the URLs that failed, without the data of scripts that a wall refused: the wall is said."""
        walls = self.walls
        found = failures(self.state, None if self.is_whole else self.crawl)
        return [one for one in found if one.family != SCRIPTS or host_of(one.url) not in walls]

    def asked_pages(self) -> int:
        """Return how many pages were asked for."""
        return asked_pages(self.state, None if self.is_whole else self.crawl)

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
    "not-held": ("seed-missing", "The seed {name} is not in the archive.", "Check the address."),
    "forbidden": ("login-needed", "The seed {name} is not open to everyone ({because}).", LOGIN),
    "login": ("login-needed", "The seed {name} shows a login form instead of its content.", LOGIN),
    "empty": (
        "seed-empty",
        "The seed {name} is empty: its answer ({because}) shows nothing and leads nowhere.",
        "Look at it in a browser, and check the address.",
    ),
    "unreachable": (
        "seed-unreachable",
        "The seed {name} could not be fetched: {because}.",
        "Run the same command again later: it tries the seed again.",
    ),
    "untrusted": (
        "seed-untrusted",
        "The seed {name} was not asked for: {because}.",
        "Ask the site to mend its certificate; --tls lenient without header, cookies and login archives it as it is.",
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


def bare_seeds(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which seeds show a few words and lead nowhere: that may be the whole site, or what keeps crawlers out."""
    bare = [
        (one.url, one.page)
        for one in facts.seed_results()
        if one.ending == "good" and one.page is not None and is_bare(one.page)
    ]
    if bare:
        url, page = bare[0]
        count = word_count(page)
        what = "1 word" if count == 1 else f"{count:,} words"
        yield Problem(
            "seed-bare",
            len(bare),
            f"The seed {url} shows {what} and no link that leads further.",
            "If a browser shows more, the site keeps crawlers out: try --browser always.",
        )


def failed_pages(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pages could not be fetched, apart from dead links."""
    seeds = {url_key(url) for result in facts.seed_results() for url in (result.seed, result.url)}
    lost = [one for one in facts.failures() if one.is_lost and one.key not in seeds]
    if lost:
        asked = max(facts.asked_pages(), len(lost))
        yield Problem(
            "many-failed" if len(lost) > MOST_FAILED * asked else "some-failed",
            len(lost),
            f"{len(lost):,} of {asked:,} addresses ({100 * len(lost) / asked:.1f} %) could not be fetched"
            f"{_usual(lost)}.",
            f"reports/failed.jsonl lists {_them(lost)}; the same command tries {_them(lost)} again.",
        )


def closed_pages(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pages are not open to everyone."""
    found = [one for one in facts.failures() if one.status in CLOSED and not one.is_asset]
    count = len(found) - sum(result.ending == "forbidden" for result in facts.seed_results())
    if count > 0:
        yield Problem(
            "closed-pages",
            count,
            f"{_pages(count)} {_were(count)} refused{_usual(found)}.",
            f"reports/failed.jsonl lists {_them(found)}; a login may open such pages (--profile NAME).",
        )


def closed_parts(facts: CrawlFacts) -> Iterator[Problem]:
    """Say what several pages show in place of content."""
    if facts.walls:
        return
    found = pages_alike(facts.state, facts.crawl)
    if found:
        count = sum(one.count for one in found)
        first = found[0]
        yield Problem(
            "pages-alike",
            count,
            f"{first.count:,} addresses, the first {first.url}, show {first.shows} in place of pages of their own.",
            "If a person sees more there, the site keeps crawlers out: try --profile NAME or --browser always.",
        )


def private_addresses(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many addresses were left alone because they lie in a private network."""
    seeds = {url_key(result.url) for result in facts.seed_results()}
    found = [one for one in facts.failures() if one.is_private and one.key not in seeds]
    if found:
        what = "1 address lies" if len(found) == 1 else f"{len(found):,} addresses lie"
        yield Problem(
            "private-address",
            len(found),
            f"{what} in a private network and {_were(len(found))} not asked for, the first {found[0].url}.",
            "If these belong to the site, use --allow-private.",
        )


def refused_certificates(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many addresses were left alone because the certificates of their hosts cannot be verified."""
    seeds = {url_key(result.url) for result in facts.seed_results()}
    found = [one for one in facts.failures() if one.is_untrusted and one.key not in seeds]
    if found:
        what = "1 address was" if len(found) == 1 else f"{len(found):,} addresses were"
        sentence = f"{what} not asked for because of the certificate of the host, the first {found[0].url}."
        yield Problem("certificate-refused", len(found), sentence, "reports/failed.jsonl says why.")


def unverified_certificates(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which hosts were archived although nobody vouches for them."""
    hosts = {details["host"]: because for _, because, details in facts.notes(UNVERIFIED)}
    if hosts:
        first, because = next(iter(hosts.items()))
        others = f" and of {len(hosts) - 1:,} other hosts" if len(hosts) > 2 else ""
        others = " and of 1 other host" if len(hosts) == 2 else others
        yield Problem(
            "certificate-unverified",
            len(hosts),
            f"The certificate of {first}{others} cannot be verified ({because}). What came from there is archived, "
            "but may come from somebody else.",
            "The metadata records in the archive say so; --tls strict refuses such hosts.",
        )


def failed_assets(facts: CrawlFacts) -> Iterator[Problem]:
    """Say how many pictures, style sheets and scripts are missing, apart from dead links."""
    found = [
        one
        for one in facts.failures()
        if one.is_asset and one.status not in DEAD and not (one.is_private or one.is_untrusted or one.is_waiting)
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
    seeds = {url_key(result.url) for result in facts.seed_results()}
    count = sum(one.because.startswith(NOT_HELD) and one.key not in seeds for one in facts.failures())
    if count:
        what = "address is" if count == 1 else "addresses are"
        yield Problem("not-in-archive", count, f"{count:,} linked {what} not in the archive.")


def damaged_archive(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which parts of an archive that is crawled cannot be read."""
    archive = facts.options.get("offline")
    if not archive or not Path(archive).exists():
        return
    damaged = [f"{file.name} at offset {offset}" for file in warc_files(Path(archive)) for offset, _ in damage_of(file)]
    if damaged:
        what = "1 part" if len(damaged) == 1 else f"{len(damaged):,} parts"
        yield Problem(
            "archive-damaged",
            len(damaged),
            f"{what} of the archive cannot be read, the first {damaged[0]}; what is there is missing.",
            f"siteseer verify {shlex.quote(str(archive))} names every such part.",
        )


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
    pages = unrendered_pages(facts.state, facts.crawl)
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
        reason = "many-not-shown" if len(failed) > MOST_FAILED * facts.counts["pages"] else "page-not-shown"
        yield Problem(reason, len(failed), f"{what}. The first is {url}: {because}.")


def pagers(facts: CrawlFacts) -> Iterator[Problem]:
    """Say which further pages of lists were left out."""
    if found := missing_list_pages(facts.state, facts.crawl):
        what = "further page of a list" if len(found) == 1 else "further pages of lists"
        yield Problem(
            "pager-left-out",
            len(found),
            f"{len(found):,} {what} {_were(len(found))} left out, the first {found[0].url} ({found[0].because}).",
            f"siteseer audit {_place(facts)} says whether they lead to anything that is missing.",
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
            f"siteseer audit {_place(facts)} says what they hold; --strategy blind follows everything.",
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
            f"siteseer form probe {' '.join(pages[:MOST_NAMED])} -o {_place(facts, '-records')} "
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


def fruitless_searches(facts: CrawlFacts) -> Iterator[Problem]:
    """Say that no form listed a record, where forms were sent."""
    last = {details["form"]: details for _, _, details in facts.notes(FORM_ASKED)}
    sent = sum(details["searches"] for details in last.values())
    if sent and not any(details["records"] for details in last.values()):
        page = next(iter(last)).rpartition(" ")[0]
        yield Problem(
            "search-without-records",
            len(last),
            f"{sent:,} searches with the form of {page} listed no record: no word was known that finds any.",
            f"siteseer form probe {page} --set FIELD=WORD searches for a word that you know; siteseer form {page} "
            "names the fields.",
        )


FINDERS: tuple[Finder, ...] = (
    walls, seeds, stopped_hosts, nothing_kept, bare_seeds, failed_pages, own_errors, pages_read_in_part, undelivered,
    closed_pages, closed_parts, private_addresses, refused_certificates, unverified_certificates, failed_assets,
    not_in_archive, damaged_archive, cut_short, not_shown_pages, failed_to_show, pagers, used_up_budget,
    search_forms, search_limits, fruitless_searches,
)  # fmt: skip


LASTING: tuple[Finder, ...] = (
    failed_pages, undelivered, closed_pages, private_addresses, failed_assets, not_in_archive
)  # fmt: skip
"""These say what the collection lacks until a later crawl has a better outcome of the same URL."""


def find_problems(facts: CrawlFacts) -> list[JSON]:
    """Return the problems of a crawl, the gravest first, as the summary has them."""
    return _listed(facts, FINDERS)


def find_lasting_problems(state: State) -> list[JSON]:
    """Return what a collection still lacks after all its crawls, by the last known outcome of each URL."""
    return _listed(CrawlFacts(state, 0, Counter(), {}, is_whole=True), LASTING)


def _listed(facts: CrawlFacts, finders: Sequence[Finder]) -> list[JSON]:
    found = [problem for find in finders for problem in _found(facts, find)]
    return [asdict(problem) for problem in sorted(found, key=lambda problem: -EXIT_CODES[problem.reason])]


def _found(facts: CrawlFacts, find: Finder) -> list[Problem]:
    """Return what one finder finds; an error of ours is a problem itself, and none of the crawl's."""
    try:
        return list(find(facts))
    except (SiteseerError, sqlite3.Error):
        raise
    except Exception as error:
        because = f"{type(error).__name__}: {error}"[:300]
        sentence = f"An error in Siteseer kept it from looking for {find.__name__.replace('_', ' ')} ({because})."
        return [
            Problem("own-error", 1, sentence, "Please report this; what was archived is complete and in the index.")
        ]


def _place(facts: CrawlFacts, ending: str = "") -> str:
    """Return the directory of the collection as a command names it."""
    return shlex.quote(f"{facts.state.collection}{ending}")


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
