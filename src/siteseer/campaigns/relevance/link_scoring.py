"""Scores the links of a page by the expected relevance of their targets (shark-search).

Reference: Hersovici et al., The shark-search algorithm, WWW 1998: a link's score joins its anchor, the text around it
and what it inherits from the page; a page off the topic passes on a share of what it inherited itself, so that relevant
pages behind a few others are still found. Differs: what stands together with a link (its container) counts as text
around it; words of the URL count as anchor; scores are joined as independent hints (noisy-or).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from siteseer.campaigns.relevance.relevance import RelevanceScorer, ScoredPage, is_mostly_links
from siteseer.campaigns.relevance.relevance_blocks import Block, block_of_skipped_links
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import host_of, origin_of

PASSED_ON = 0.5
"""The share of a page's relevance, or of what it inherited, that its links inherit."""
PASSED_BY_HUBS = 0.9
"""Lists of many sites pass on more: they are not about what they lead to."""
MANY_SITES = 8
SEVERAL_SITES, FEW_WORDS = 4, 12
"""A page that says no more than so many words for each link to one of several sites is a list of them, too."""
RELEVANT = 0.2
"""From this degree on a page's own relevance is passed on, below it what it inherited."""
ANCHOR, AROUND, INHERITED, LISTED = 0.9, 0.5, 0.4, 1.0
"""How far each hint is trusted; what a link inherits counts in full in a list of many sites."""
LARGEST_CONTAINER, MOST_LINKS = 300, 3
"""Words, and links: what stands in a larger container is not about one of its links."""
_NOTHING = "nothing speaks for it"


@dataclass(slots=True)
class _Together:
    """The matches in the blocks of a container."""

    found: dict[int, int] = field(default_factory=dict)
    words: int = 0
    hints: float = 0.0
    links: int = 0

    def without(self, one: Block, hints: float) -> _Together:
        """Return what the other blocks hold; `hints` are those of this one."""
        left = {number: count - one.found.get(number, 0) for number, count in self.found.items()}
        found = {number: count for number, count in left.items() if count > 0}
        return _Together(found, self.words - one.words, max(0.0, self.hints - hints), self.links)


@dataclass(slots=True)
class LinkScore:
    """One page's score for one URL; not frozen, as hundreds are made for every page."""

    url: str
    score: float
    because: str
    source: str
    """Who says so: the author of the text around the link, or the site."""
    group: int
    """Links in the same place of a site's pages that say as much of the topic have one number."""
    inherited: float
    from_hub: bool = False
    """Whether it stands in a list of many sites."""


def score_links(
    page_url: str, weighed: ScoredPage, scorer: RelevanceScorer, inherited: float, promised: float = 0.0
) -> list[LinkScore]:
    """Return a page's scores for the URLs that it links to, the best for each URL.

    Links of a template are left out where another page of the site has scored them as high with the same words.
    `inherited` is the score that the page inherited, `promised` the joint score of all links to it.
    """
    best: dict[str, LinkScore] = {}
    host, hubs, around = host_of(page_url), _hubs(page_url, weighed.blocks), _containers(weighed.blocks, scorer)
    usual = PASSED_ON * (weighed.degree if weighed.degree >= RELEVANT else inherited)
    usually, usually_passed = _because_of_page(0.0, usual), round(usual, 4)
    repeated: list[tuple[Block, str]] = []
    again = [block_of_skipped_links(one) for one in weighed.resting if one[0].inherited < usual]
    for block in weighed.blocks + again if again else weighed.blocks:
        if not block.links:
            continue
        place, is_hub = block.place, bool(hubs) and block.place in hubs
        if block.is_template and not is_hub and (inherits := scorer.inherited_score(block)) >= usual:
            if block.run is not None and not block.object:
                block.run.fall_silent(scorer.template.mark, inherits, scorer.term_learner.edition)
            continue
        context = 0.0 if block.is_template else _context(block, around[block.container], scorer)
        passed = max(usual, PASSED_BY_HUBS * max(inherited, promised)) if is_hub else usual
        missing = (1.0 - AROUND * context) * (1.0 - (LISTED if is_hub else INHERITED) * passed)
        source = f"{block.author}@{host}" if block.author else host
        if block.is_template:
            repeated.append((block, source))
        said_by_page = usually if not context and passed == usual else _because_of_page(context, passed)
        passed = usually_passed if passed == usual else round(passed, 4)
        for link in block.links:
            label = scorer.label(link)
            score = int(1e4 * block.time * (1.0 - (1.0 - ANCHOR * label.degree) * missing) + 0.5) / 1e4
            known = best.get(link[0])
            if known is None or score > known.score:
                kind = "topic" if label.degree or context else "else" if label.is_telling else "nothing"
                group = _group(page_url if is_hub else host, place, kind)
                because = f"{label.because}; {said_by_page}" if label.because and said_by_page else label.because
                best[link[0]] = LinkScore(
                    link[0], score, because or said_by_page or _NOTHING, source, group, passed, is_hub
                )
    for block, source in repeated:
        if all(best[url].source == source for url, _ in block.links):
            scorer.keep_inherited_score(block, usual)
    return list(best.values())


@lru_cache(maxsize=10_000)
def _group(where: str, place: str, kind: str) -> int:
    return hash_of(f"{where} {place} {kind}")


def _hubs(page_url: str, blocks: Sequence[Block]) -> set[str]:
    """Return the places of a page that list many other sites, or several where the page says little besides."""
    others: dict[str, set[str]] = {}
    own, here = host_of(page_url), origin_of(page_url) + "/"
    alike = Counter([one.key for one in blocks if one.leads_anew])
    for one in blocks:
        if one.links and (not one.is_template or alike.get(one.key) == 1):  # `Website` beside posts makes no list
            for url, _ in one.links:
                if not url.startswith(here):
                    others.setdefault(one.place, set()).add(url)
    found = set[str]()
    for place, urls in others.items():
        sites = len({host_of(url) for url in urls} - {own})
        if sites >= MANY_SITES or (sites >= SEVERAL_SITES and _prose(blocks) <= FEW_WORDS * len(urls)):
            found.add(place)
    return found


def _prose(blocks: Iterable[Block]) -> int:
    """Return how many words a page says itself, not by its links."""
    return sum(one.words for one in blocks if not one.is_template and not (one.links and is_mostly_links(one)))


def _containers(blocks: Sequence[Block], scorer: RelevanceScorer) -> dict[int, _Together]:
    """Return what was found in the blocks of each container whose links it tells of, its template left aside."""
    own = [one for one in blocks if not one.is_template]
    found = {one.container: _Together() for one in own if one.links}
    for one in own:
        here = found.get(one.container)
        if here is None:
            continue
        here.words += one.words
        here.hints += scorer.term_learner.evidence(one.read)
        here.links += len(one.links)
        for number, count in one.found.items():
            here.found[number] = here.found.get(number, 0) + count
    return found


def _context(one: Block, around: _Together, scorer: RelevanceScorer) -> float:
    """Return the degree of the text around a link; a template says the same of everything, so it says nothing.

    What stands beside a link in a row of links are names of other targets: they say nothing of it.
    """
    hints = scorer.term_learner.evidence(one.read)
    own = scorer.degree(one.found, one.words, hints)
    if own and len(one.links) > 1 and is_mostly_links(one):
        own, around = 0.0, around.without(one, hints)
    is_about = around.words <= LARGEST_CONTAINER and around.links <= MOST_LINKS
    beside = scorer.degree(around.found, around.words, around.hints) if is_about else 0.0
    return max(own, 0.8 * beside)


def _because_of_page(context: float, passed: float) -> str:
    around = f"the text around it is relevant to {context:.0%}" if context >= 0.05 else ""
    return "; ".join(filter(None, (around, f"it inherits {passed:.0%}" if passed >= 0.02 else "")))
