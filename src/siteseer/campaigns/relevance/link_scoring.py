"""A weighed page in, what each of its links promises out.

Reference: Hersovici et al., The shark-search algorithm, WWW 1998: a link's promise joins its anchor, the text around it
and what it inherits from the page; a page off the topic passes on a share of what it inherited itself, so that relevant
pages behind a few others are still found. Differs: what stands together with a link (its container) counts as text
around it; words of the URL count as anchor; promises are joined as independent hints (noisy-or).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from siteseer.decide.focused.blocks import Block, awake
from siteseer.decide.focused.runs import hash_of
from siteseer.decide.focused.weighing import Scales, WeighedPage, is_mostly_links
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
SIBLINGS = 0.8
"""How far links are trusted that stand beside links which kept their promise."""
_NOTHING = "nothing speaks for it"
DOUBT = 1.0
"""As if so many siblings had brought nothing."""
PATIENCE, AS_PROMISED = 2.0, 0.5
"""As if so many siblings had brought what was promised, and from which degree on a page is that."""


@dataclass(slots=True)
class _Together:
    """What the blocks of a container hold."""

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
class Promise:
    """What one page says of one URL; not frozen, as hundreds are made for every page."""

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


def promises(
    page_url: str, weighed: WeighedPage, scales: Scales, inherited: float, promised: float = 0.0
) -> list[Promise]:
    """Return what a page says of each URL that it links to, the best where it does so several times.

    What a template says is left out where another page of the site has said as much with the same words.
    `inherited` is what the page inherited, `promised` what all that link to it made of it.
    """
    best: dict[str, Promise] = {}
    host, hubs, around = host_of(page_url), _hubs(page_url, weighed.blocks), _containers(weighed.blocks, scales)
    usual = PASSED_ON * (weighed.degree if weighed.degree >= RELEVANT else inherited)
    usually, usually_passed = _because_of_page(0.0, usual), round(usual, 4)
    repeated: list[tuple[Block, str]] = []
    again = [awake(one) for one in weighed.resting if one[0].inherited < usual]
    for block in weighed.blocks + again if again else weighed.blocks:
        if not block.links:
            continue
        place, is_hub = block.place, bool(hubs) and block.place in hubs
        if block.is_template and not is_hub and (inherits := scales.told(block)) >= usual:
            if block.run is not None and not block.object:
                block.run.fall_silent(scales.template.mark, inherits, scales.apprentice.edition)
            continue
        context = 0.0 if block.is_template else _context(block, around[block.container], scales)
        passed = max(usual, PASSED_BY_HUBS * max(inherited, promised)) if is_hub else usual
        missing = (1.0 - AROUND * context) * (1.0 - (LISTED if is_hub else INHERITED) * passed)
        source = f"{block.author}@{host}" if block.author else host
        if block.is_template:
            repeated.append((block, source))
        said_by_page = usually if not context and passed == usual else _because_of_page(context, passed)
        passed = usually_passed if passed == usual else round(passed, 4)
        for link in block.links:
            label = scales.label(link)
            score = int(1e4 * block.time * (1.0 - (1.0 - ANCHOR * label.degree) * missing) + 0.5) / 1e4
            known = best.get(link[0])
            if known is None or score > known.score:
                kind = "topic" if label.degree or context else "else" if label.is_telling else "nothing"
                group = _group(page_url if is_hub else host, place, kind)
                because = f"{label.because}; {said_by_page}" if label.because and said_by_page else label.because
                best[link[0]] = Promise(
                    link[0], score, because or said_by_page or _NOTHING, source, group, passed, is_hub
                )
    for block, source in repeated:
        if all(best[url].source == source for url, _ in block.links):
            scales.tell(block, usual)
    return list(best.values())


@lru_cache(maxsize=10_000)
def _group(where: str, place: str, kind: str) -> int:
    return hash_of(f"{where} {place} {kind}")


def either(hints: Iterable[float]) -> float:
    """Join independent hints: the chance that at least one of them is right.

    >>> either([0.5, 0.5])
    0.75
    """
    none = 1.0
    for hint in hints:
        none *= 1.0 - hint
    return 1.0 - none


def joined(scores: Sequence[float], social: float, siblings: float = 0.0) -> float:
    """Join what distinct sources say of a URL: the best counts in full, each further one by the social weight.

    >>> joined([0.5, 0.5], social=0.0), joined([0.5, 0.5], social=1.0)
    (0.5, 0.75)
    """
    ordered = sorted(scores, reverse=True)
    return either((*ordered[:1], *(social * score for score in ordered[1:]), siblings))


def kept_promise(degrees: float, count: int) -> float:
    """Return what the links of a group promise when so many of them brought pages of these degrees altogether.

    >>> kept_promise(1.8, 2) > kept_promise(0.9, 1) > kept_promise(0.9, 4)
    True
    """
    return SIBLINGS * degrees / (count + DOUBT)


def belief(degrees: float, count: int) -> float:
    """Return how far links of a group are believed when so many of them brought pages of these degrees altogether.

    Rows of tags, names of authors and `older` beside good pages are promised much again and again, and bring nothing.

    >>> belief(0.0, 0), belief(1.8, 2), belief(0.0, 2)
    (1.0, 1.0, 0.5)
    """
    return min(1.0, (PATIENCE + degrees / AS_PROMISED) / (PATIENCE + count))


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


def _containers(blocks: Sequence[Block], scales: Scales) -> dict[int, _Together]:
    """Return what was found in the blocks of each container whose links it tells of, its template left aside."""
    own = [one for one in blocks if not one.is_template]
    found = {one.container: _Together() for one in own if one.links}
    for one in own:
        here = found.get(one.container)
        if here is None:
            continue
        here.words += one.words
        here.hints += scales.apprentice.evidence(one.read)
        here.links += len(one.links)
        for number, count in one.found.items():
            here.found[number] = here.found.get(number, 0) + count
    return found


def _context(one: Block, around: _Together, scales: Scales) -> float:
    """Return the degree of the text around a link; a template says the same of everything, so it says nothing.

    What stands beside a link in a row of links are names of other targets: they say nothing of it.
    """
    hints = scales.apprentice.evidence(one.read)
    own = scales.degree(one.found, one.words, hints)
    if own and len(one.links) > 1 and is_mostly_links(one):
        own, around = 0.0, around.without(one, hints)
    is_about = around.words <= LARGEST_CONTAINER and around.links <= MOST_LINKS
    beside = scales.degree(around.found, around.words, around.hints) if is_about else 0.0
    return max(own, 0.8 * beside)


def _because_of_page(context: float, passed: float) -> str:
    around = f"the text around it is relevant to {context:.0%}" if context >= 0.05 else ""
    return "; ".join(filter(None, (around, f"it inherits {passed:.0%}" if passed >= 0.02 else "")))
