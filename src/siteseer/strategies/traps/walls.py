"""Recognises walls: whether a host has begun to refuse all requests.

Three signs make an answer suspicious: its status (403, 429, ...), the markup of its page (`page/interstitials`), and
the same text as the pages of other URLs before it. One suspicious answer proves nothing: an admin area refuses, empty
lists are all alike. After a run of them without any other answer, a page that the host has shown before is requested
again. Only when that is refused too, or shows what the run shows, there is a wall.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from siteseer.model import Page
from siteseer.page.interstitials import (
    MOST_BYTES,
    Interstitial,
    interstitial,
    is_challenge,
    is_login,
    is_same_page,
    same_text_key,
    to_compare,
)

Sign = Literal["status", "markup", "wording", "sameness", "redirect"]

REFUSALS = frozenset((401, 403, 406, 418, 429, 444, 451, 999))
"""Statuses with which a host refuses; 503 belongs to a host in trouble unless its page is a challenge."""
POINTS: dict[Sign, int] = {"status": 4, "markup": 4, "wording": 4, "sameness": 3, "redirect": 3}
ENOUGH = 12
"""Three refusals, or five pages alike (the first of them is not suspicious yet), are reason to ask a known page."""
MOST_PATIENCE = 16
"""So many times as much is needed at most, on sites whose reply links refuse or whose permalinks redirect."""
RECENT = 8
"""Pages and redirects that the next one is compared with: as many as may be under way at once."""


@dataclass(frozen=True, slots=True)
class WallEvidence:
    """Why an answer may come from a wall."""

    sign: Sign
    url: str
    page: Page | None
    found: Interstitial | None = None
    target: str = ""
    """Where a redirect leads, its own address left out."""
    data: Page | None = None
    """The refusal that the page's scripts got when they asked for its content."""

    @property
    def is_content(self) -> bool:
        """Whether the page counts as a page after all where there is no wall."""
        return self.sign in ("wording", "sameness", "redirect")

    @property
    def may_be_solved(self) -> bool:
        """Whether a browser may get past it: it has scripts."""
        if self.found is not None:
            return self.found.is_scripted
        return self.page is not None and b"<script" in self.page.body.lower()


class HostWatch:
    """Watches the answers of one host.

    >>> watch = HostWatch()
    >>> for number in range(3):
    ...     watch.suspect(watch.refusal(Page(f"http://e.org/{number}", 403)))
    >>> watch.is_due
    True
    >>> watch.hear_good(None); watch.is_due
    False
    """

    def __init__(self) -> None:
        self.run: list[WallEvidence] = []
        self.is_on_probation = False
        """Whether the host refused everything a while ago: then one suspicious answer is enough."""
        self._known: set[int | str] = set()
        """What the host showed, and where it led, when it refused everything."""
        self._patience = 1
        self._recent: deque[Page] = deque(maxlen=RECENT)
        self._targets: deque[str] = deque(maxlen=RECENT)
        self._harmless: set[int | str] = set()

    # ── one answer ────────────────────────────────────────────────────────────────────────────────────────────────

    def refusal(self, page: Page) -> WallEvidence | None:
        """Say whether status or markup of an answer are signs of a wall."""
        if len(page.body) > MOST_BYTES:
            return None
        found = interstitial(page)
        if is_challenge(page):
            return WallEvidence("markup", page.url, page, found)
        if page.status in REFUSALS:
            return WallEvidence("status", page.url, page, found)
        if found is not None and page.status < 300 and same_text_key(page) not in self._harmless:
            return WallEvidence("wording", page.url, page, found)
        return None

    def repetition(self, page: Page, data: Page | None = None) -> WallEvidence | None:
        """Say whether a page has the same text as one of the last pages, under another URL.

        `data` is the refusal that its scripts got, where the page is empty for want of data.
        """
        shown = [*self._recent, *(one.page for one in self.run if one.page is not None)]
        is_known = bool(self._known) and same_text_key(page) in self._known
        if not is_known and not any(one.url != page.url and is_same_page(one, page) for one in shown):
            return None
        if same_text_key(page) in self._harmless:
            return None
        return WallEvidence("sameness", page.url, page, interstitial(data) if data is not None else None, data=data)

    def redirection(self, url: str, target: str) -> WallEvidence | None:
        """Say whether a redirect leads where those of other URLs before it led."""
        key = without_address(target, url)
        if key in self._harmless or (key not in self._targets and key not in self._known):
            self._targets.append(key)
            return None
        return WallEvidence("redirect", url, None, target=key)

    # ── the run ───────────────────────────────────────────────────────────────────────────────────────────────────

    def begin_probation(self, known: Iterable[int | str] = ()) -> None:
        """Remember what the host showed when it refused everything: the next answer decides whether it still does."""
        self.is_on_probation = True
        self._known |= set(known) | self.keys

    @property
    def keys(self) -> set[int | str]:
        """What the run shows, and where it leads."""
        shown = {same_text_key(one.page) for one in self.run if one.is_content and one.page is not None}
        return {one.target for one in self.run if one.target} | {key for key in shown if key is not None}

    def suspect(self, suspicion: WallEvidence | None) -> None:
        """Add a suspicious answer to the run."""
        if suspicion is not None:
            self.run.append(suspicion)

    def hear_good(self, page: Page | None) -> None:
        """Take an ordinary answer: it ends the run."""
        self.run.clear()
        self.is_on_probation = False
        if page is not None and same_text_key(page) is not None:
            self._recent.append(to_compare(page))

    @property
    def is_suspicious(self) -> bool:
        """Whether only one request at a time is sent to the host."""
        return self.is_on_probation or bool(self.run)

    @property
    def is_due(self) -> bool:
        """Whether it is time to request a known page again."""
        return self._missing <= 0

    @property
    def pauses(self) -> int:
        """How often the pause before the next request is to be doubled, at least one; 0: it may follow at once."""
        refusals = -(-self._missing // POINTS["status"])
        return max(0, 2 - max(0, refusals)) if self.run else 0

    @property
    def _missing(self) -> int:
        """How many points are missing until a known page is asked for."""
        points = sum(POINTS[one.sign] for one in self.run)
        return (1 if self.is_on_probation else ENOUGH * self._patience) - points

    def is_refused(self, page: Page) -> bool:
        """Say whether the answer for a known page is that of the wall."""
        if self.refusal(page) is not None:
            return True
        return any(one.page is not None and is_same_page(one.page, page) for one in self.run)

    def is_redirected(self, url: str, target: str) -> bool:
        """Say whether the answer for a known page leads where the run's redirects lead."""
        return without_address(target, url) in {one.target for one in self.run if one.target}

    def leads_to(self, url: str) -> bool:
        """Say whether redirects of the run lead to a URL: that it is shown proves nothing."""
        targets = {one.target for one in self.run if one.target}
        return any(url == target or ("*" in target and url.startswith(target.partition("*")[0])) for target in targets)

    def is_of_wall(self, page: Page) -> bool:
        """Say whether a page that was taken for an ordinary one is what the run shows."""
        return any(one.page is not None and is_same_page(one.page, page) for one in self.run)

    def acquit(self) -> None:
        """Clear the run: a known page is still shown, so there is no wall, and twice as many suspicious answers are
        needed next.
        """
        self._harmless |= self.keys
        self._patience = min(2 * self._patience, MOST_PATIENCE)
        self.run.clear()
        self.is_on_probation = False

    @property
    def convicts_without_control(self) -> bool:
        """Say whether a run is a wall where the host has never shown a page."""
        refused = sum(one.sign == "status" for one in self.run)
        return refused >= 3 or any(one.found is not None and one.found.kind != "refusal" for one in self.run)


def looks_refused(page: Page) -> bool:
    """Say whether status or markup of an answer are those of a wall.

    >>> looks_refused(Page("http://e.org/data.json", 403)), looks_refused(Page("http://e.org/data.json"))
    (True, False)
    """
    return page.status in REFUSALS or (len(page.body) <= MOST_BYTES and is_challenge(page))


def kind_of(run: list[WallEvidence]) -> str:
    """Say in a word what the answers of a wall are: challenge, captcha, consent, login, refusal or sameness."""
    for one in run:
        if one.found is not None and one.found.kind != "refusal":
            return one.found.kind
        seen = one.data or one.page
        if (seen is not None and (seen.status == 401 or is_login(seen))) or "login" in one.target.lower():
            return "login"
    return "refusal" if any(one.sign == "status" or one.data is not None for one in run) else "sameness"


def without_address(target: str, url: str) -> str:
    """Return the target of a redirect without the address that it came from.

    >>> without_address("http://e.org/login?next=%2Fa%2F1", "http://e.org/a/1")
    'http://e.org/login?next=*'
    """
    path = url.partition("://")[2].partition("/")[2]
    said = unquote(unquote(target))
    for own in sorted({url, unquote(url), f"/{path}", unquote(f"/{path}")}, key=len, reverse=True):
        if len(own) > 1 and own in said.partition("?")[2]:
            start, mark, rest = said.partition("?")
            return start + mark + rest.replace(own, "*")
    return said
