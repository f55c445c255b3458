"""Learns the vocabulary of a topic from a small reference crawl, for a person to accept, change or reject.

Reference: ARCOMEM's intelligent crawl definition (Faheem's thesis, section 4.1). Pages that the definition finds
relevant, and the example pages, are compared with the rest: words and phrases by how much more often relevant pages
hold them, names by their capitals, hashtags, and the sites that relevant pages link to.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path

from siteseer.campaigns.relevance.definition import Definition, Learned
from siteseer.campaigns.relevance.relevance import RelevanceScorer, is_mostly_links
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.campaigns.vocabulary.cjk_terms import letter_runs, likely_words
from siteseer.campaigns.vocabulary.example_similarity import similar_to_examples
from siteseer.collection.collection import Collection
from siteseer.collection.layout import state_path
from siteseer.crawler.capture_writer import kept_pages
from siteseer.errors import UsageError
from siteseer.extract.function_words import FUNCTION_WORDS
from siteseer.model import Page
from siteseer.page.text import text as text_of
from siteseer.page.urls import host_of
from siteseer.page.whole_number import whole_number

RELEVANT = 0.5
MOST_TERMS, MOST_SITES = 40, 15
FEWEST_PAGES = 3
"""Relevant pages that must hold a term before it is proposed."""
MOST_COMPARED = 2_000
"""Pages of a reference crawl that are compared with the examples."""
SURE = 0.7
RUN = "run"
"""Letters of scripts that do not part their words: some of them are words."""
MARKS = ("accept", "reject", "?")
_NAME = re.compile(
    r"(?<![.!?:] )(?<!^)\b[A-Z][\w'’-]{1,30}(?: (?:[A-Z][\w'’-]{1,30}|of|de|von|van|the))* [A-Z][\w'’-]{1,30}"
)
_TAG = re.compile(r"(?<!\w)#(\w{2,50})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A term that the reference crawl found."""

    kind: str
    """`word`, `phrase`, `name`, `hashtag` or `site`."""
    text: str
    weight: float
    pages: int
    """Relevant pages that hold it."""
    rest: int
    """Other pages that do."""
    mark: str = "?"


def read_reference(folder: Path, definition: Definition, examples: Iterable[Page] = ()) -> list[Proposal]:
    """Return the terms that the pages of a reference crawl propose, the surest of each kind first."""
    given = list(examples)
    alike = _alike(folder, given) if given else set()
    tally = _Tally(definition)
    for page in given:
        tally.add(page, True)
    for page, degree in _crawled(folder, given):
        tally.add(page, degree >= RELEVANT or page.url in alike)
    return tally.proposals()


def _crawled(folder: Path, examples: Iterable[Page]) -> Iterator[tuple[Page, float]]:
    """Return the pages of a reference crawl with their degrees, without the examples."""
    given = {page.url for page in examples}
    for site in sorted((folder / "sites").glob("*")):
        if not state_path(site).exists():
            continue
        with Collection.open(site) as opened:
            state = opened.state
            degrees = dict(state.rows("SELECT c.url, r.degree FROM relevance r JOIN captures c ON c.id = r.capture"))
            for page in kept_pages(state, 1):
                if page.url not in given:
                    yield page, degrees.get(page.url, 0.0)


def _alike(folder: Path, examples: Sequence[Page]) -> set[str]:
    """Return the URLs of pages that resemble the examples."""
    others = {page.url: _words(page) for page, _ in islice(_crawled(folder, examples), MOST_COMPARED)}
    return similar_to_examples([_words(page) for page in examples], others)


def _words(page: Page) -> set[str]:
    """Return the words of a page that are no function words."""
    return set(words_of(text_of(page))) - FUNCTION_WORDS


class _Tally:
    """Counts in how many relevant and other pages each term stands."""

    def __init__(self, definition: Definition) -> None:
        self.known = {" ".join(words_of(one.text)) for one in definition.terms}
        self.known |= {" ".join(words_of(name)) for one in definition.entities for name in (one.name, *one.aliases)}
        self.known |= {word for name in self.known for word in name.split()}
        self.hosts = {host_of(seed) for seed in definition.all_seeds}
        self.pages = [0, 0]
        self.terms: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = Counter(), Counter()
        self.schemes: Counter[str] = Counter()
        """For each host, by how many more pages its links begin with https than with http."""
        self._scorer = RelevanceScorer(definition)

    def add(self, page: Page, is_relevant: bool) -> None:
        """Count the terms of a page."""
        place = 0 if is_relevant else 1
        self.pages[place] += 1
        weighed = self._scorer.score(page)
        found: set[tuple[str, str]] = set()
        linked: set[tuple[str, str]] = set()
        for one in weighed.blocks:
            if not one.is_template:
                linked.update(_sites(one.links, host_of(page.url)))
                if not is_mostly_links(one):
                    found.update(_terms(one.text))
        found.update(("site", host) for host, _ in linked)
        self.terms[place].update(found)
        for host, scheme in linked:
            self.schemes[host] += 1 if scheme == "https" else -1

    def proposals(self) -> list[Proposal]:
        """Return what is clearly more frequent on relevant pages."""
        relevant, rest = self.pages
        if relevant < FEWEST_PAGES:
            raise UsageError(
                f"only {relevant} of {relevant + rest} pages are relevant: there is nothing to learn from; "
                "give more keywords, better seeds, or a larger --limit"
            )
        found: dict[str, list[Proposal]] = {}
        for (kind, text), count in self.terms[0].items():
            if count < FEWEST_PAGES or text in self.known or text in self.hosts:
                continue
            beside = self.terms[1][kind, text]
            odds = math.log((count + 0.5) / (relevant + 1) * (rest + 1) / (beside + 0.5))
            sure = odds - math.sqrt(1 / (count + 0.5) + 1 / (beside + 0.5)) if rest else math.log(count)
            if sure > SURE or (kind == "site" and odds > 0):
                weight = round(min(1.0, 0.3 + 0.3 * (sure - SURE)), 2) if kind != "site" else 1.0
                said = f"https://{text}/" if kind == "site" and self.schemes[text] > 0 else text
                found.setdefault(kind, []).append(Proposal(kind, said, max(weight, 0.1), count, beside))
        chosen: list[Proposal] = []
        found["word"] = [*found.get("word", ()), *self._words(found.pop(RUN, []))]
        names = {one.text for one in found.get("name", ())}
        found["phrase"] = [one for one in found.get("phrase", ()) if one.text not in names]
        for kind, proposals in found.items():
            order = sorted(proposals, key=lambda one: (-one.weight * math.log1p(one.pages), one.text))
            chosen += order[: MOST_SITES if kind == "site" else MOST_TERMS]
        return chosen

    def _words(self, runs: list[Proposal]) -> list[Proposal]:
        """Return what are likely words of scripts that do not part them, and new."""
        likely = likely_words({one.text: one.pages for one in runs})
        known = {"".join(name.split()) for name in self.known}
        return [
            replace(one, kind="word")
            for one in runs
            if one.text in likely and not any(name in one.text or one.text in name for name in known)
        ]


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """Return the words, pairs of words, names and hashtags of a text."""
    words = words_of(text[:20_000])
    for word in words:
        if len(word) > 2 and word not in FUNCTION_WORDS and not word.isdigit():
            yield "word", word
    for run in letter_runs(text):
        yield RUN, run
    for first, second in pairwise(words):
        if (
            len(first) > 2
            and len(second) > 2
            and not {first, second} & FUNCTION_WORDS
            and not (first + second).isdigit()
        ):
            yield "phrase", f"{first} {second}"
    for name in _NAME.findall(text[:20_000]):
        yield "name", " ".join(words_of(name))
    for tag in _TAG.findall(text[:20_000]):
        yield "hashtag", tag.casefold()


def _sites(links: Iterable[tuple[str, str]], own: str) -> Iterator[tuple[str, str]]:
    """Return the other hosts that links lead to, with the scheme of each link."""
    for url, _ in links:
        if (host := host_of(url)) != own:
            yield host, url.partition(":")[0]


def with_marks(proposals: Iterable[Proposal], earlier: Iterable[Proposal], learned: Learned) -> list[Proposal]:
    """Return proposals with the marks a person gave them before; decided terms stay, proposed again or not.

    >>> with_marks([Proposal("word", "frond", 0.5, 9, 0)], [Proposal("word", "frond", 0.4, 3, 0, "reject")], Learned())
    [Proposal(kind='word', text='frond', weight=0.4, pages=9, rest=0, mark='reject')]
    """
    decided = {_address(one.text): one for one in _accepted(learned)}
    decided |= {_address(one.text): one for one in earlier if one.mark != "?"}
    chosen = []
    for one in proposals:
        said = decided.pop(_address(one.text), None)
        chosen.append(replace(one, weight=said.weight, mark=said.mark) if said is not None else one)
    return [*chosen, *decided.values()]


def _address(text: str) -> str:
    """Return a term, or a site without the scheme that its links had: that may change from crawl to crawl."""
    return text.partition("://")[2].removesuffix("/") or text


def _accepted(learned: Learned) -> Iterator[Proposal]:
    """Return what a definition has learned as proposals that are accepted."""
    for term in learned.terms:
        yield Proposal("phrase" if " " in term.text else "word", term.text, term.weight, 0, 0, "accept")
    for url in learned.sites:
        yield Proposal("site", host_of(url) if url == f"http://{host_of(url)}/" else url, 1.0, 0, 0, "accept")


# ── the file that a person edits ──────────────────────────────────────────────────────────────────────────────────

HEADER = "# mark\tkind\tterm\tweight\trelevant pages\tother pages\n" + (
    "# Write accept or reject in place of the ?; weights go from 0 to 1.\n"
)


def write_proposals(proposals: Iterable[Proposal]) -> str:
    """Return proposals as the lines of a file.

    >>> print(write_proposals([Proposal("word", "frond", 0.5, 9, 0)]).splitlines()[-1].expandtabs(8))
    ?       word    frond   0.5     9       0
    """
    rows = (
        "\t".join((one.mark, one.kind, _CONTROL.sub(" ", one.text), str(one.weight), str(one.pages), str(one.rest)))
        for one in proposals
    )
    return HEADER + "".join(f"{row}\n" for row in rows)


def read_proposals(text: str, name: str) -> list[Proposal]:
    """Read the lines back; error messages call the file `name`."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [*line.split("\t"), "0", "0"]
        mark, place = cells[0].strip().lower(), f"{name}, line {number}"
        if mark not in MARKS or len(cells) < 6 or cells[1] not in ("word", "phrase", "name", "hashtag", "site"):
            raise UsageError(f"{place}: a line is a mark ({', '.join(MARKS)}), kind, term and weight, parted by tabs")
        try:
            weight = float(cells[3])
        except ValueError:
            weight = -1.0
        if not 0 <= weight <= 1:
            raise UsageError(f"{place}: the weight {cells[3]!r} is no number from 0 to 1")
        pages, rest = (whole_number(cell.strip()) or 0 for cell in cells[4:6])
        found.append(Proposal(cells[1], cells[2].strip(), weight, pages, rest, mark))
    return found


def complete_definition(text: str, accepted: Iterable[Proposal]) -> str:
    """Return the text of a definition with the accepted terms as its table `learned`; an older one is replaced."""
    terms = {one.text: one.weight for one in accepted if one.kind != "site"}
    sites = [one.text if "://" in one.text else f"http://{one.text}/" for one in accepted if one.kind == "site"]
    lines = ["# what the reference crawl found and a person accepted", "[learned]"]
    lines += [f"terms.{json.dumps(term, ensure_ascii=False)} = {weight}" for term, weight in terms.items()]
    lines += [f"sites = {json.dumps(sites)}"] if sites else []
    return _without_learned(text).rstrip() + "\n\n" + "\n".join(lines) + "\n"


def _without_learned(text: str) -> str:
    kept, is_learned = [], False
    for line in text.splitlines():
        if re.match(r"\s*\[", line[:200]):
            is_learned = bool(re.match(r"\s*\[learned[\].]", line[:200]))
        if not is_learned and not line.startswith("# what the reference crawl found"):
            kept.append(line)
    return "\n".join(kept)
