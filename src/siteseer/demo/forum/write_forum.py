"""Writes a demo forum's boards, threads, posts and members from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from siteseer.demo.prose import Passage, Prose

BEGINNING = datetime(2018, 9, 3, 6, 0, tzinfo=UTC)
YEARS = timedelta(days=5 * 365)
BOARDS = ("Announcements", "Boats and harbours", "Workshop talk", "Gardens and orchards", "The tea room")
LENGTHS = (1, 2, 3, 4, 5, 7, 9, 10, 11, 13, 18, 26)


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with an account."""

    number: int
    name: str
    signature: str
    joined: datetime


@dataclass(frozen=True, slots=True)
class Post:
    """One message; `quoted` is the message that it answers."""

    number: int
    thread: int
    author: Member
    date: datetime
    passage: Passage
    quoted: Post | None = None


@dataclass(frozen=True, slots=True)
class Thread:
    """A discussion, oldest post first."""

    number: int
    board: int
    title: str
    views: int
    posts: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class Forum:
    """The whole forum."""

    title: str
    boards: tuple[str, ...]
    threads: tuple[Thread, ...]
    members: tuple[Member, ...]

    def board(self, number: int, sort: str = "") -> list[Thread]:
        """Return the threads of a board (numbered from 1), last answered first, or in another order."""
        keys = {
            "title": lambda thread: (thread.title, thread.number),
            "replies": lambda thread: (-len(thread.posts), thread.number),
            "views": lambda thread: (-thread.views, thread.number),
        }
        chosen = [thread for thread in self.threads if thread.board == number]
        return sorted(chosen, key=keys.get(sort, lambda thread: (-thread.posts[-1].date.timestamp(), thread.number)))

    def by_member(self, number: int) -> list[Post]:
        """Return what a member wrote, newest first."""
        posts = [post for thread in self.threads for post in thread.posts if post.author.number == number]
        return sorted(posts, key=lambda post: post.date, reverse=True)


def write_forum(seed: int, size: int) -> Forum:
    """Write a forum of `size` threads over five years."""
    prose = Prose("forum", seed)
    members = _write_members(seed, 12 + size // 4)
    threads: list[Thread] = []
    count = 0
    for number in range(1, size + 1):
        threads.append(_write_thread(seed, number, size, count, members))
        count += len(threads[-1].posts)
    return Forum(
        f"{prose.random.choice(('The', 'Our'))} {prose.fill('{n} forum of {p}')}", BOARDS, tuple(threads), members
    )


def _write_members(seed: int, amount: int) -> tuple[Member, ...]:
    members: dict[str, Member] = {}
    number = 0
    while len(members) < amount:
        number += 1
        prose = Prose("member", seed, number)
        name = prose.random.choice(
            (prose.fill("{a}_{n}"), prose.fill("{g}{number}"), prose.fill("{n}{number}"), prose.name())
        )
        signature = prose.fill("{p} sailors: never trust a {a} {n}") if prose.random.random() < 0.4 else ""
        joined = BEGINNING - timedelta(days=prose.random.randint(1, 700))
        members.setdefault(name.lower(), Member(len(members) + 1, name, signature, joined))
    return tuple(members.values())


def _write_thread(seed: int, number: int, size: int, count: int, members: tuple[Member, ...]) -> Thread:
    prose = Prose("thread", seed, number)
    board = (number - 1) % len(BOARDS) + 1
    title = prose.title()
    date = BEGINNING + YEARS / size * (number - 1 + prose.random.random())
    posts: list[Post] = []
    for index in range(prose.random.choice(LENGTHS)):
        passage = prose.remark(0.15) if index else prose.passage(1, 4, 0.3)
        quoted = prose.random.choice(posts) if index and prose.random.random() < 0.3 else None
        author = prose.random.choice(members)
        posts.append(Post(count + index + 1, number, author, date.replace(microsecond=0), passage, quoted))
        date += timedelta(minutes=prose.random.randint(3, 1800))
    return Thread(number, board, title, prose.random.randint(20, 4000), tuple(posts))
