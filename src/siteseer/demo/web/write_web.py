"""Writes a small demo Web from a seed: forty sites that link to each other, and which pages are on the topic.

Ten sites are partly on the topic. Two of those are reached only through two hubs that are about something else: the
first hub leads to the second, the second to a few of their pages, with link texts that say nothing. Words of the
topic also stand in pages, menus and link texts that are not about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from siteseer.demo.prose import Prose, slug

SITES, ON_TOPIC_SITES, HIDDEN_SITES = 40, 10, 2
SECTIONS, PAGES = 4, 26
"""Of each site: lists, and pages in them; with the first page that makes 31."""
SHARE = 0.42
"""Of the pages of a site that is partly on the topic."""
NOISE = 0.25
"""Of the other pages that hold a word of the topic all the same."""
DOORS = 3
"""Pages of each hidden site that the second hub names."""


@dataclass(slots=True)
class WebPage:
    """One page; `links` are URLs without scheme and port, with their link texts."""

    host: str
    path: str
    title: str
    author: str
    date: str
    paragraphs: list[str]
    on_topic: bool = False
    links: list[tuple[str, str]] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Host name and path."""
        return self.host + self.path


@dataclass(slots=True)
class WebSite:
    """One site: its pages by section."""

    host: str
    name: str
    sections: list[str]
    pages: list[WebPage]
    slogan: str
    """Stands at the foot of every page."""
    on_topic: bool = False
    hidden: bool = False
    hub: list[tuple[str, str]] = field(default_factory=list)
    """The links of its page of links, where it has one."""

    def section(self, number: int) -> list[WebPage]:
        """Return the pages of a section."""
        return self.pages[number::SECTIONS]


@dataclass(frozen=True, slots=True)
class SmallWeb:
    """The sites by host name, and what is true of them."""

    topic: Topic
    sites: dict[str, WebSite]
    seeds: tuple[str, ...]
    on_topic: frozenset[str]
    """Addresses (host and path) of the pages that are on the topic."""
    size: int
    """How many pages there are."""


def write_web(seed: int, sites: int = SITES) -> SmallWeb:
    """Write the Web of a seed; the same seed always writes the same.

    >>> web = write_web(1)
    >>> len(web.sites), sum(site.on_topic for site in web.sites.values()), len(web.on_topic) < web.size / 8
    (40, 10, True)
    """
    random, topic = Random(f"web/{seed}"), TOPICS[seed % len(TOPICS)]
    made = [_site(seed, number, number < ON_TOPIC_SITES, topic) for number in range(sites)]
    for site in made[:HIDDEN_SITES]:
        site.hidden = True
    _link(random, made)
    _hubs(random, made)
    names = list(range(sites))
    random.shuffle(names)  # nothing can be told from a site's number
    moved = {f"site{number}.localhost": f"site{names[number]}.localhost" for number in range(sites)}
    _rename(made, moved)
    pages = [page for site in made for page in site.pages]
    seeds = tuple(f"{site.host}/" for site in made[HIDDEN_SITES : HIDDEN_SITES + 2])
    return SmallWeb(
        topic,
        {site.host: site for site in sorted(made, key=lambda site: names.index(int(site.host[4:].partition(".")[0])))},
        seeds,
        frozenset(page.address for page in pages if page.on_topic),
        len(pages) + sum(1 + SECTIONS + bool(site.hub) for site in made),
    )


def _site(seed: int, number: int, on_topic: bool, topic: Topic) -> WebSite:
    prose, random = Prose("web", seed, number), Random(f"web/{seed}/{number}")
    host = f"site{number}.localhost"
    pages = []
    for place in range(PAGES):
        about = on_topic and random.random() < SHARE
        title = _topical_title(prose, random, topic) if about else prose.title()
        paragraphs = [_paragraph(prose, random, topic, 0.75 if about else 0.0) for _ in range(random.randint(2, 5))]
        if about:  # whatever chance says, a page on the topic speaks of it
            paragraphs[0] += (
                f" This is about {topic.keywords[0]} and {random.choice(topic.further)}, says {topic.person}."
            )
        elif random.random() < NOISE:
            noise = random.choice((topic.keywords[0], random.choice(topic.further)))
            paragraphs[-1] += f" It was as {prose.fill('{a}')} as {noise}."
            if random.random() < 0.2:
                title = f"{title}, or {random.choice(topic.keywords)}"
        date = f"2021-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"
        pages.append(WebPage(host, f"/{place}-{slug(title)}.html", title, prose.name(), date, paragraphs, about))
    slogan = prose.sentence()
    if not on_topic and random.random() < 0.2:
        slogan = f"Also here: {random.choice(topic.keywords)}, {prose.fill('{ns} and {ns}')}."
    sections = [prose.fill("{ns}").capitalize() for _ in range(SECTIONS)]
    return WebSite(host, prose.fill("The {a} {n}"), sections, pages, slogan, on_topic)


def _topical_title(prose: Prose, random: Random, topic: Topic) -> str:
    if random.random() < 0.35:
        return prose.title()
    return prose.fill(
        random.choice(("{a} news of WORD", "WORD: the {n} of {p}", "what WORD did to {p}", "WORD, {d} {v}"))
    ).replace("WORD", random.choice((*topic.keywords, *topic.further)))


def _paragraph(prose: Prose, random: Random, topic: Topic, share: float) -> str:
    sentences = []
    for _ in range(random.randint(3, 6)):
        sentence = prose.sentence()
        if random.random() < share:
            word = random.choice((*topic.keywords, *topic.further, topic.person, topic.body, topic.alias))
            sentence = f"{sentence[:-1]} because of {word}."
        sentences.append(sentence)
    return " ".join(sentences)


def _link(random: Random, sites: list[WebSite]) -> None:
    """Let pages point to others: those on the topic mostly to such, the others anywhere but to hidden sites."""
    open_pages = [page for site in sites if not site.hidden for page in site.pages]
    topical = [page for page in open_pages if page.on_topic]
    for site in sites:
        own = [page for page in site.pages if page.on_topic]
        for page in site.pages:
            pool = [*random.sample(open_pages, 3), *random.sample(site.pages, 2)]
            if page.on_topic:
                pool += [*random.sample(topical, 2), *random.sample(own, min(2, len(own)))]
            for other in dict.fromkeys(one.address for one in pool if one is not page):
                title = next(one.title for one in pool if one.address == other)
                page.links.append((other, title if random.random() < 0.7 else "see here"))


def _hubs(random: Random, sites: list[WebSite]) -> None:
    """Make the two hubs, and the one way to the first."""
    first, second = sites[-1], sites[-2]
    hidden = [page for site in sites if site.hidden for page in site.pages if page.on_topic]
    ordinary = [random.choice(site.pages) for site in sites if not site.on_topic]
    doors = [page for site in sites if site.hidden for page in [one for one in hidden if one.host == site.host][:DOORS]]
    listed = [*random.sample(ordinary, min(20, len(ordinary))), *doors]
    random.shuffle(listed)
    second.hub = [(page.address, f"address {number}") for number, page in enumerate(listed, 1)]
    first.hub = [
        (page.address, f"address {number}")
        for number, page in enumerate(random.sample(ordinary, min(9, len(ordinary))), 1)
    ]
    first.hub.insert(random.randrange(len(first.hub)), (f"{second.host}/links.html", "more addresses"))
    for site in sites[HIDDEN_SITES:ON_TOPIC_SITES]:
        for page in random.sample([one for one in site.pages if one.on_topic], 2):
            page.links.append((f"{first.host}/links.html", "a page of links"))


def _rename(sites: list[WebSite], moved: dict[str, str]) -> None:
    def renamed(links: list[tuple[str, str]]) -> list[tuple[str, str]]:
        found = []
        for address, text in links:
            host, slash, path = address.partition("/")
            found.append((moved[host] + slash + path, text))
        return found

    for site in sites:
        site.host, site.hub = moved[site.host], renamed(site.hub)
        for page in site.pages:
            page.host, page.links = moved[page.host], renamed(page.links)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: `keywords` are told to the campaign, `further` only stand in the pages."""

    name: str
    keywords: tuple[str, ...]
    further: tuple[str, ...]
    person: str
    body: str
    alias: str


TOPICS = (
    Topic(
        "the kelp harvest", ("kelp", "seaweed", "kelp harvest"),
        ("frond", "holdfast", "alginate", "dredging", "quota", "spores", "stipe", "kelpline"),
        "Maren Ostby", "Seaweed Inspectorate", "the Inspectorate",
    ),
    Topic(
        "the reservoir protest", ("reservoir", "dam", "dam protest"),
        ("spillway", "turbine", "eviction", "injunction", "sluice", "megawatt", "sitdown", "floodline"),
        "Teodor Hruska", "Valley Defence League", "the League",
    ),
    Topic(
        "the comet of the decade", ("comet", "perihelion", "comet tail"),
        ("coma", "nucleus", "magnitude", "ephemeris", "telescope", "dust", "outburst", "skywatch"),
        "Ines Calvao", "Observers Circle", "the Circle",
    ),
    Topic(
        "the tram strike", ("tram", "strike", "tram strike"),
        ("picket", "depot", "arbitration", "timetable", "wages", "ballot", "walkout", "stoppage"),
        "Gus Verhoeven", "Carmen's Union", "the Union",
    ),
    Topic(
        "the beetle in the spruces", ("bark beetle", "spruce", "infestation"),
        ("larvae", "pheromone", "felling", "foresters", "galleries", "drought", "clearcut", "sawlogs"),
        "Liesl Adler", "Forest Health Office", "the Office",
    ),
)  # fmt: skip
