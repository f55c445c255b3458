"""Writes a demo wiki's pages with their old revisions and media from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from siteseer.demo.prose import Passage, Prose, slug

BEGINNING = datetime(2017, 2, 1, 9, 0, tzinfo=UTC)
YEARS = timedelta(days=6 * 365)
NAMESPACES = ("harbour", "garden", "kitchen", "people", "machines")


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of a page."""

    number: int
    """Seconds since 1970, as wikis name their revisions."""
    author: str
    summary: str
    passage: Passage

    @property
    def date(self) -> datetime:
        """When it was saved."""
        return datetime.fromtimestamp(self.number, UTC)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a text, of the current revision."""

    heading: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A page: what it says now, what it links to, and how it got there (oldest revision first)."""

    key: str
    title: str
    sections: tuple[Section, ...]
    links: tuple[str, ...]
    """Keys of the pages that it refers to."""
    media: str
    revisions: tuple[Revision, ...]

    @property
    def text(self) -> str:
        """Everything that the current page says, its title apart."""
        return "\n".join(f"{section.heading}\n{section.passage.text}".strip() for section in self.sections)


@dataclass(frozen=True, slots=True)
class Wiki:
    """The whole wiki; the first page is where one enters."""

    title: str
    pages: dict[str, WikiPage]

    def changes(self) -> list[tuple[WikiPage, Revision]]:
        """Return the last change of every page, newest first."""
        pairs = [(page, page.revisions[-1]) for page in self.pages.values()]
        return sorted(pairs, key=lambda pair: (-pair[1].number, pair[0].key))

    def backlinks(self, key: str) -> list[WikiPage]:
        """Return the pages that refer to a page."""
        return [page for page in self.pages.values() if key in page.links]


def write_wiki(seed: int, size: int) -> Wiki:
    """Write a wiki of `size` pages, every one of which can be reached from the first."""
    prose = Prose("wiki", seed)
    titles = {"start": "Welcome"}
    while len(titles) < size:
        title = prose.title()
        titles.setdefault(f"{prose.random.choice(NAMESPACES)}:{slug(title).replace('-', '_')}", title)
    keys = list(titles)
    links: dict[str, list[str]] = {key: [] for key in keys}
    for number, key in enumerate(keys[1:], 1):
        links[keys[prose.random.randrange((number + 3) // 4)]].append(key)
        links[key].extend(other for other in prose.pick(keys, 0, 3) if other != key)
    pages = {key: _write_page(seed, key, title, tuple(dict.fromkeys(links[key]))) for key, title in titles.items()}
    return Wiki(prose.fill("The {p} handbook"), pages)


def _write_page(seed: int, key: str, title: str, links: tuple[str, ...]) -> WikiPage:
    prose = Prose("wikipage", seed, key)
    sections = [Section("", prose.passage(1, 2, 0.2))]
    sections += [Section(prose.title(), prose.passage(1, 3, 0.25)) for _ in range(prose.random.randint(1, 4))]
    moment = BEGINNING + YEARS * prose.random.random()
    revisions = []
    for _ in range(prose.random.randint(1, 4)):
        moment += timedelta(hours=prose.random.randint(2, 900), seconds=prose.random.randint(0, 3599))
        revisions.append(
            Revision(int(moment.timestamp()), prose.name(), prose.fill("{v} the {n}"), prose.passage(1, 2))
        )
    media = f"{slug(title).replace('-', '_')}.svg" if prose.random.random() < 0.4 else ""
    return WikiPage(key, title, tuple(sections), links, media, tuple(revisions))
