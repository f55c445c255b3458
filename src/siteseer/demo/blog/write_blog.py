"""Writes a demo blog's posts, comments and pages from a seed; a grown blog has additions only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from siteseer.demo.prose import Passage, Prose, slug

BEGINNING = datetime(2019, 3, 4, 7, 0, tzinfo=UTC)
YEARS = timedelta(days=4 * 365)
CATEGORIES = ("Workshop", "Kitchen", "Travels", "Garden", "Letters", "Local history")
TAGS = tuple(
    """repairs harvest maps weather boats railways recipes neighbours tools books winter markets music birds
    painting letters walking machines stories seeds wood wool""".split()
)
STATIC = ("About", "Contact", "House rules", "Imprint")


@dataclass(frozen=True, slots=True)
class Comment:
    """A reader's remark."""

    number: int
    author: str
    date: datetime
    passage: Passage


@dataclass(frozen=True, slots=True)
class Post:
    """An entry of the blog."""

    number: int
    title: str
    slug: str
    author: str
    date: datetime
    passage: Passage
    category: str
    tags: tuple[str, ...]
    comments: tuple[Comment, ...]

    @property
    def changed(self) -> datetime:
        """When the page of the post last changed."""
        return self.comments[-1].date if self.comments else self.date

    @property
    def excerpt(self) -> str:
        """The first sentences."""
        return " ".join(self.passage.text.split()[:30]) + " …"


@dataclass(frozen=True, slots=True)
class StaticPage:
    """A page that stands outside the stream."""

    key: str
    title: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Blog:
    """The whole blog, newest post first."""

    title: str
    motto: str
    authors: tuple[str, ...]
    posts: tuple[Post, ...]
    pages: tuple[StaticPage, ...]

    def chosen(self, view: str, key: str) -> tuple[Post, ...]:
        """Return the posts of a listing: `home`, `category`, `tag`, `author`, `month` or `day`."""
        tests: dict[str, Callable[[Post], bool]] = {
            "home": lambda post: True,
            "category": lambda post: slug(post.category) == key,
            "tag": lambda post: key in post.tags,
            "author": lambda post: slug(post.author) == key,
            "month": lambda post: f"{post.date:%Y-%m}" == key,
            "day": lambda post: f"{post.date:%Y-%m-%d}" == key,
        }
        return tuple(post for post in self.posts if tests[view](post))

    def months(self) -> tuple[str, ...]:
        """Return the months that have posts, newest first."""
        return tuple(dict.fromkeys(f"{post.date:%Y-%m}" for post in self.posts))

    def tags(self) -> tuple[str, ...]:
        """Return the tags in use."""
        used = {tag for post in self.posts for tag in post.tags}
        return tuple(tag for tag in TAGS if tag in used)

    def latest_comments(self) -> tuple[tuple[Post, Comment], ...]:
        """Return the five newest comments with their posts."""
        pairs = [(post, comment) for post in self.posts for comment in post.comments]
        return tuple(sorted(pairs, key=lambda pair: pair[1].date, reverse=True)[:5])


def write_blog(seed: int, size: int, grown: int = 0) -> Blog:
    """Write a blog of `size` posts over four years, and `grown` newer ones with new comments on older posts."""
    prose = Prose("blog", seed)
    authors = tuple(dict.fromkeys(prose.name() for _ in range(4)))
    step = YEARS / size
    now = BEGINNING + step * (size + grown)
    late = _late_comments(seed, size, grown, step)
    posts = [_write_post(seed, number, authors, step, now, late) for number in range(size + grown)]
    pages = tuple(
        StaticPage(slug(title), title, Prose("static", seed, title).passage(2, 4, links=0.3)) for title in STATIC
    )
    return Blog(prose.title(), prose.sentence(), authors, tuple(reversed(posts)), pages)


def _late_comments(seed: int, size: int, grown: int, step: timedelta) -> dict[int, list[tuple[datetime, int]]]:
    """Return, for every period of growth, whom readers came back to comment on."""
    late: dict[int, list[tuple[datetime, int]]] = {}
    for period in range(grown):
        random = Prose("late", seed, period).random
        for visit in range(3):
            when = BEGINNING + step * (size + period + random.random())
            late.setdefault(random.randrange(size + period), []).append((when, 10 * period + visit))
    return late


def _write_post(
    seed: int,
    number: int,
    authors: tuple[str, ...],
    step: timedelta,
    now: datetime,
    late: dict[int, list[tuple[datetime, int]]],
) -> Post:
    prose = Prose("post", seed, number)
    date = BEGINNING + step * number + timedelta(seconds=int(prose.random.random() * 0.7 * step.total_seconds()))
    title = prose.title()
    passage = prose.passage(2, 6, links=0.25)
    amount = prose.random.choice((0, 0, 0, 1, 2, 2, 3, 4, 5, 7, 14, 23))
    moments = [(when, f"late-{key}") for when, key in late.get(number, ())]
    moment = date
    for index in range(amount):
        moment += timedelta(minutes=prose.random.randint(7, 2500))
        moments.append((moment, f"own-{index}"))
    comments = tuple(
        _write_comment(seed, number, index, when, key)
        for index, (when, key) in enumerate(sorted(pair for pair in moments if date < pair[0] < now))
    )
    category = prose.random.choice(CATEGORIES)
    return Post(
        number + 1, title, f"{slug(title)}-{number + 1}", prose.random.choice(authors), date, passage, category,
        prose.pick(TAGS, 1, 4), comments,
    )  # fmt: skip


def _write_comment(seed: int, post: int, index: int, when: datetime, key: str) -> Comment:
    prose = Prose("comment", seed, post, key)
    return Comment((post + 1) * 1000 + index + 1, prose.name(), when.replace(microsecond=0), prose.remark())
