"""A weighed page in, what each of its links promises out.

Reference: Hersovici et al., The shark-search algorithm, WWW 1998: a link's promise joins its anchor, the text around it
and what it inherits from the page; a page off the topic passes on a share of what it inherited itself, so that relevant
pages behind a few others are still found. Differs: what stands together with a link (its container) counts as text
around it; words of the URL count as anchor; promises are joined as independent hints (noisy-or).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from siteseer.decide.focused.weighing import Scales, WeighedBlock, WeighedPage, hash_of
from siteseer.page.urls import host_of

PASSED_ON = 0.5
"""The share of a page's relevance, or of what it inherited, that its links inherit."""
PASSED_BY_HUBS = 0.9
"""Lists of many sites pass on more: they are not about what they lead to."""
MANY_SITES = 8
RELEVANT = 0.2
"""From this degree on a page's own relevance is passed on, below it what it inherited."""
ANCHOR, AROUND, INHERITED, LISTED = 0.9, 0.5, 0.4, 1.0
"""How far each hint is trusted; what a link inherits counts in full in a list of many sites."""
LARGEST_CONTAINER, MOST_LINKS = 300, 3
"""Words, and links: what stands in a larger container is not about one of its links."""
SIBLINGS = 0.8
"""How far links are trusted that stand beside links which kept their promise."""
DOUBT = 1.0
"""As if so many siblings had brought nothing."""
TITLE = 3
"""Words; a link text of so many is the title of what it leads to."""


@dataclass(slots=True)
class _Together:
    """What the blocks of a container hold."""

    found: dict[int, int] = field(default_factory=dict)
    words: int = 0
    hints: float = 0.0
    links: int = 0


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

    `inherited` is what the page inherited, `promised` what all that link to it made of it.
    """
    best: dict[str, Promise] = {}
    groups: dict[tuple[str, str], int] = {}
    host, hubs, around = host_of(page_url), _hubs(page_url, weighed.blocks), _containers(weighed.blocks)
    usual = PASSED_ON * (weighed.degree if weighed.degree >= RELEVANT else inherited)
    usually = _because_of_page(0.0, usual)
    for one in weighed.blocks:
        if not one.block.links:
            continue
        context, is_hub = _context(one, around, scales), one.block.place in hubs
        passed = max(usual, PASSED_BY_HUBS * max(inherited, promised)) if is_hub else usual
        from_page = either((AROUND * context, (LISTED if is_hub else INHERITED) * passed))
        source, place = f"{one.block.author}@{host}" if one.block.author else host, one.block.place
        said_by_page = usually if not context and passed == usual else _because_of_page(context, passed)
        passed = round(passed, 4)
        for url, anchor in one.block.links:
            label, named, hints = scales.label(url, anchor)
            score = round(one.time * (1.0 - (1.0 - ANCHOR * label) * (1.0 - from_page)), 4)
            known = best.get(url)
            if known is None or score > known.score:
                kind = "topic" if label or context else "else" if _is_telling(anchor) else "nothing"
                group = groups.get((place, kind))
                if group is None:
                    group = groups[place, kind] = hash_of(f"{page_url if is_hub else host} {place} {kind}")
                because = _because(named, hints, said_by_page)
                best[url] = Promise(url, score, because, source, group, passed, is_hub)
    return list(best.values())


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


def _hubs(page_url: str, blocks: Sequence[WeighedBlock]) -> set[str]:
    """Return the places of a page that list many other sites."""
    hosts: dict[str, set[str]] = {}
    for one in blocks:
        if one.block.links and not one.is_template:
            hosts.setdefault(one.block.place, set()).update(host_of(url) for url, _ in one.block.links)
    own = host_of(page_url)
    return {place for place, found in hosts.items() if len(found - {own}) >= MANY_SITES}


def _containers(blocks: Sequence[WeighedBlock]) -> dict[int, _Together]:
    """Return what was found in the blocks of each container whose links it tells of."""
    found = {one.block.container: _Together() for one in blocks if one.block.links and not one.is_template}
    for one in blocks:
        here = found.get(one.block.container)
        if here is None:
            continue
        here.words += one.words
        here.hints += one.hints
        here.links += len(one.block.links)
        for number, count in one.found.items():
            here.found[number] = here.found.get(number, 0) + count
    return found


def _context(one: WeighedBlock, around: Mapping[int, _Together], scales: Scales) -> float:
    """Return the degree of the text around a link; a template says the same of everything, so it says nothing."""
    if one.is_template:
        return 0.0
    here = around[one.block.container]
    is_about = here.words <= LARGEST_CONTAINER and here.links <= MOST_LINKS
    beside = scales.degree(here.found, here.words, here.hints) if is_about else 0.0
    return max(scales.degree(one.found, one.words, one.hints), 0.8 * beside)


def _is_telling(anchor: str) -> bool:
    """Say whether the text of a link tells something of its target, as titles do and `more` does not."""
    return anchor.count(" ") >= TITLE - 1


def _because(named: str, hints: float, said_by_page: str) -> str:
    if not named and hints < 0.05:
        return said_by_page or "nothing speaks for it"
    parts = f"the link says {named}" if named else "", "it uses words of relevant pages" if hints >= 0.05 else ""
    return "; ".join(filter(None, (*parts, said_by_page)))


def _because_of_page(context: float, passed: float) -> str:
    around = f"the text around it is relevant to {context:.0%}" if context >= 0.05 else ""
    return "; ".join(filter(None, (around, f"it inherits {passed:.0%}" if passed >= 0.02 else "")))
