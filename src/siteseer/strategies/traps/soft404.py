"""Recognises soft 404s: pages of a site that answers every URL with a page instead of an error.

Suspicion is cheap and comes first: pages of one section under several paths with the same structure and text. Only
then one URL of their directory that cannot exist is requested. Where its answer is like the suspects, every page of the
site that is like it counts as missing. Words that repeat the page's own URL, and numbers, do not count. All state
follows from rows of the crawl's memory, so that an interrupted crawl continues as it would have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from siteseer.interfaces import Memory, Scope, Verdict
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Remember, Skip, Submit
from siteseer.page.links import targets
from siteseer.page.text import text
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of
from siteseer.strategies.traps.content_traps import kind_of
from siteseer.strategies.traps.repeated_pages import PageFingerprint, content_and_structure, digest, packed, unpacked

PROBE = "probe"
"""The family of requests for addresses that cannot exist."""
RULE = "soft 404"
SAYS = "the page is like the site's answer to an address that cannot exist"
BECAUSE = "found only on a page that is like the site's answer to an address that cannot exist"
MOST_SIGHTS = 12
"""So many pages of one size that all say something else are no error pages."""
MOST_PROBES = 5
"""So many addresses that cannot exist are asked for at one site."""
DEAD = 20
"""So many soft 404s, and no other page, are enough of a section."""
MOST_SIZES = 50_000
_SUFFIX = re.compile(r"\.[a-z]{1,5}$")


class Soft404:
    """Recognises that a site answers URLs that do not exist with pages."""

    def __init__(self, random_seed: int = 0, owner: str = "blind") -> None:
        self.random_seed = random_seed
        self._memory = f"soft404-{owner}"
        self._rows = 0
        self._sizes: dict[tuple[str, int], list[PageFingerprint] | None] = {}
        self._suspects: dict[str, PageFingerprint] = {}
        """What is alike in each section that was found suspicious."""
        self._probes: Counter[str] = Counter()
        self._answers: dict[str, list[tuple[PageFingerprint, bool]]] = {}
        """How each site answers what cannot exist, and whether it repeats the address."""
        self._soft: Counter[str] = Counter()
        self._alive: set[str] = set()

    def restore(self, memory: Memory | None) -> None:
        """Restore what was stored."""
        for _, row in memory.recall(self._memory) if memory is not None else ():
            self._take(row)

    # ── for strategies ────────────────────────────────────────────────────────────────────────────────────────────

    def look(self, page: Page, why: Follow | Submit) -> tuple[bool, list[Action]]:
        """Say whether a page is a soft 404, and return what to store, note and perhaps request."""
        path = page.url.partition("?")[0]
        is_front = path.rstrip("/") == origin_of(path)  # whatever else is a copy of it, the front page exists
        if is_front or why.depth == 0 or page.status >= 300 or not is_html(page):
            return False, []
        where, sight = section(path), None
        if answers := self._answers.get(origin_of(path)):
            sight = content_and_structure(page)
            if any(sight.is_like(answer, may_echo) for answer, may_echo in answers):
                return True, [self._remember(["soft", where]), Note(f"{RULE}: {SAYS}", event="soft_404")]
        return False, self._suspect(page, path, where, sight)

    def hear(self, outcome: Outcome, why: Follow | Submit) -> list[Action]:
        """Take the outcome of a request for a URL that cannot exist."""
        where, page = section(why.url), outcome.page
        suspect = self._suspects.get(where)
        if suspect is None or page is None or page.status >= 300 or not is_html(page):
            return []
        sight = content_and_structure(page)
        may_echo = digest(_nonsense(self.random_seed, where)) in sight.echoed
        if not suspect.is_like(sight, may_echo):
            return []
        because = f"{suspect.times} pages below {where} are like the answer to an address that cannot exist"
        return [
            self._remember(["answer", where, packed(sight), may_echo]),
            Note(f"{RULE}: {because}", event="soft_404", details={"section": where}),
        ]

    def verdict(self, url: str) -> Verdict:
        """Say whether a URL may lead to a page that exists."""
        if self._soft and self._soft[where := section(url.partition("?")[0])] >= DEAD and where not in self._alive:
            return Verdict(False, f"{DEAD} pages below {where} do not exist, and none does", RULE)
        return Verdict(True, "nothing speaks against it")

    # ── suspicion ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _suspect(self, page: Page, path: str, where: str, sight: PageFingerprint | None) -> list[Action]:
        """Compare a page with those of the same size; ask for what cannot exist where they say the same."""
        site, size = origin_of(path), page.body.count(b"<")
        if site not in self._answers and (where in self._suspects or self._probes[site] >= MOST_PROBES):
            return []
        if (where, size) not in self._sizes:
            return [self._remember(["size", where, size])]
        sights = self._sizes[where, size]
        if sights is None or any(path in one.paths for one in sights) or not text(page).strip():
            return []
        sight = sight or content_and_structure(page)
        number = next((number for number, one in enumerate(sights) if one.is_like(sight)), None)
        if number is None:
            return [self._remember(["sight", where, size, path, packed(sight)])]
        if sights[number].is_suspicious:
            return []
        asked, is_exact = self._probes[site], sight.exact == sights[number].exact
        actions: list[Action] = [self._remember(["again", where, size, number, path, is_exact])]
        if self._probes[site] > asked:
            because = "does the site say so when there is no such page?"
            actions.append(
                Follow(impossible_url(path, where, self.random_seed)[0], because, PROBE, 1.0, None, page.url)
            )
        return actions

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _remember(self, row: JSON) -> Remember:
        self._take(row)
        return Remember(self._memory, str(self._rows), row)

    def _take(self, row: JSON) -> None:
        """Apply a row: all state follows from the sequence of rows."""
        self._rows += 1
        kind, where = row[0], row[1]
        if kind == "soft":
            self._soft[where] += 1
        elif kind == "answer":
            self._answered(origin_of(where), unpacked(row[2]), row[3])
        elif kind == "size":
            if len(self._sizes) >= MOST_SIZES:
                self._sizes.clear()
            self._sizes[where, row[2]] = []
            self._live(where)
        elif (sights := self._sizes.get((where, row[2]))) is not None:
            self._compared(row, where, sights)

    def _compared(self, row: JSON, where: str, sights: list[PageFingerprint]) -> None:
        if row[0] == "sight":
            sights.append(unpacked(row[4], row[3]))
            self._live(where)
            if len(sights) >= MOST_SIGHTS:
                self._sizes[where, row[2]] = None
            return
        suspect = sights[row[3]]
        suspect.times += 1
        (suspect.paths if row[5] else suspect.kinds).add(row[4] if row[5] else kind_of(row[4]))
        site = origin_of(where)
        if suspect.is_suspicious and where not in self._suspects and self._probes[site] < MOST_PROBES:
            self._suspects[where] = suspect
            self._probes[site] += 1

    def _answered(self, site: str, answer: PageFingerprint, may_echo: bool) -> None:
        """Know how a site answers what cannot exist, and which of its sections have shown anything else."""
        self._answers.setdefault(site, []).append((answer, may_echo))
        sizes = {place: sights for place, sights in self._sizes.items() if origin_of(place[0]) == site}
        soft = {place[1] for place, sights in sizes.items() if any(one.is_like(answer) for one in sights or ())}
        for (where, size), sights in sizes.items():
            if size not in soft or sights is None or not all(one.is_like(answer) for one in sights):
                self._alive.add(where)

    def _live(self, where: str) -> None:
        """Know that a section has pages that say something else, on a site that answers everything."""
        if self._answers.get(origin_of(where)):
            self._alive.add(where)


def skip_links(page: Page, scope: Scope | None, depth: int) -> Iterator[Skip]:
    """Skip the links of a page that does not exist; another page may still lead there."""
    for url in targets(page):
        if scope is None or scope.verdict(url, depth).allowed:
            yield Skip(url, BECAUSE, RULE)


def section(path: str) -> str:
    """Return the origin with the first folder of a path.

    >>> section("http://e.org/a/b/c.html"), section("http://e.org/a/"), section("http://e.org/a.html")
    ('http://e.org/a/', 'http://e.org/', 'http://e.org/')
    """
    origin = origin_of(path)
    folder, slash, rest = path[len(origin) :].lstrip("/").partition("/")
    return f"{origin}/{folder}/" if slash and rest else f"{origin}/"


def impossible_url(path: str, where: str, random_seed: int = 0) -> tuple[str, str]:
    """Return a URL beside another one, and of its form, that cannot exist; and the word that nobody has used."""
    end = "/" if path.endswith("/") else next(iter(_SUFFIX.findall(path)), "")
    word = _nonsense(random_seed, where)
    return path.rstrip("/").rpartition("/")[0] + "/" + word + end, word


def impossible_address(url: str, random_seed: int = 0) -> tuple[str, str]:
    """Return an address like a given one, query and all, that cannot exist, and the word that nobody has used.

    >>> impossible_address("http://e.org/wiki.php?do=show&id=green_tea")[0].partition("id=")[0]
    'http://e.org/wiki.php?do=show&'
    """
    path, _, query = url.partition("?")
    address, word = impossible_url(path, place_of(url), random_seed)
    if not query:
        return address, word
    longest = max(query.split("&"), key=lambda part: len(part.partition("=")[2]))
    return f"{path}?{query.replace(longest, longest.partition('=')[0] + '=' + word, 1)}", word


def place_of(url: str) -> str:
    """Return the part of a site whose addresses are answered alike: a folder, or a program with its parameters."""
    return kind_of(url) if "?" in url else section(url)


def _nonsense(random_seed: int, where: str) -> str:
    """Return a word of letters that nobody has used."""
    return "".join(chr(97 + number % 26) for number in sha256(f"{random_seed} {where}".encode()).digest()[:20])
