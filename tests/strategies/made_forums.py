"""Forums of software that exists nowhere else, one for each seed: what surrounds the threads is drawn at random.

Each has boards of several pages and threads of several pages. Around them stand other names of the same pages: links to
the last post, permalinks, other orders, print views, lists of somebody's posts, with or without the texts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from random import Random

from tests.strategies.learned.unknown_sites import PEOPLE, Strange, Writer, parts, slug


@dataclass(frozen=True)
class Features:
    """What a forum offers beside its threads."""

    address: str = "query"
    """How threads are addressed: `query`, `path`, `file` or `offset`."""
    last: str = "none"
    """Where links to the last post lead: to the page (`none` such links, `page`), or `other` names of it."""
    permalink: str = "none"
    """Where the number of a post leads: likewise."""
    by_author: str = "none"
    """Whether there are lists of somebody's posts: `none`, `titles` or `texts`."""
    length: str = "usual"
    """How long posts are: `short`, `usual` or `mixed`."""
    pager: str = "numbers"
    """How a thread leads on: `numbers` or `next`."""
    print_view: bool = False
    orders: bool = False
    beside: bool = False
    """Whether threads have links to the one before and after them, of another name."""
    jumps: bool = True
    """Whether lists of threads have links to their further pages."""
    repeats_first: bool = False
    """Whether the first post stands on all pages of its thread."""
    quotes: bool = False
    recent: bool = False
    long_threads: bool = False


CHOICES: dict[str, tuple[str, ...]] = {
    "address": ("query", "path", "file", "offset"),
    "last": ("none", "page", "other"),
    "permalink": ("none", "page", "other"),
    "by_author": ("none", "titles", "texts"),
    "length": ("short", "usual", "mixed"),
    "pager": ("numbers", "next"),
}


def features_of(seed: int) -> Features:
    """Draw the features of a forum."""
    chance = Random(f"features {seed}")
    drawn = {one.name: chance.choice(CHOICES.get(one.name, (False, True))) for one in fields(Features)}
    return Features(**drawn)  # type: ignore[arg-type]


def made_forum(seed: int = 0, boards: int = 4, threads: int = 24, offers: Features | None = None) -> Strange:
    """Make a forum; posts per page are 5, threads per page 8."""
    return _Forum(seed, boards, threads, offers or features_of(seed)).site()


class _Forum:
    def __init__(self, seed: int, boards: int, threads: int, offers: Features) -> None:
        self.offers, self.writer, self.pages, self.texts, self.needed = offers, Writer(seed), {}, [], 1
        self.boards, self.threads, self.message = boards, threads, 500
        self.by: dict[str, list[str]] = {person: [] for person in PEOPLE}
        self.recent: list[str] = []
        self.number = 100

    def site(self) -> Strange:
        menu = "".join(
            f'<a href="{path}">{name}</a> | '
            for path, name in (("/", "Index"), ("/login", "Login"), ("/members", "Members"), ("/faq", "FAQ"))
        )
        self.menu = menu + ('<a href="/recent">Recent</a>' if self.offers.recent else "")
        rows = ""
        for board in range(1, self.boards + 1):
            name = self.writer.title()
            rows += f'<tr><td><a href="{self.board(board)}">{name}</a><td>{self.threads} threads'
            self.make_board(board, name)
        self.pages["/"] = self.frame("Forum", f"<table>{rows}</table>")
        self.pages["/login"] = self.frame("Login", "<form method=post><input name=name><input type=password></form>")
        self.pages["/faq"] = self.frame("FAQ", "<p>How to ask, how to answer, and what not to do on this forum.</p>")
        people = "".join(f'<tr><td><a href="/user/{n}">{person}</a>' for n, person in enumerate(PEOPLE))
        self.pages["/members"] = self.frame("Members", f"<table>{people}</table>")
        self.make_people()
        for at, sheet in enumerate(parts(self.recent[::-1][:60], 10) if self.offers.recent else ()):
            self.pages["/recent" + (f"?page={at + 1}" if at else "")] = self.frame(
                "Recent", f"<table>{''.join(sheet)}</table><a href=/recent?page={at + 2}>next</a>"
            )
        return Strange(self.answer, self.texts, self.needed)

    def answer(self, path: str) -> str | None:
        if path.startswith(("/reply", "/report")):
            return self.frame("Reply", "<p>You must be logged in to do that.</p><form method=post></form>")
        found = self.pages.get(path)
        return self.pages.get(found[3:]) if found and found.startswith("-> ") else found

    def frame(self, title: str, main: str) -> str:
        return f"<!doctype html><title>{title}</title><div class=menu>{self.menu}</div><h1>{title}</h1>{main}"

    def board(self, number: int, at: int = 0, order: str = "") -> str:
        by = f"by={order}" if order else ""
        if self.offers.address == "query":
            return f"/board.php?b={number}" + (f"&page={at + 1}" if at else "") + (f"&{by}" if by else "")
        if self.offers.address == "file":
            return f"/board{number}" + (f"-{at + 1}" if at else "") + ".html" + (f"?{by}" if by else "")
        return f"/board/{number}/" + (f"{at + 1}/" if at else "") + (f"?{by}" if by else "")

    def thread(self, number: int, title: str, at: int = 0) -> str:
        if self.offers.address == "query":
            return f"/thread.php?t={number}" + (f"&page={at + 1}" if at else "")
        if self.offers.address == "file":
            return f"/thread{number}" + (f"-{at + 1}" if at else "") + ".html"
        if self.offers.address == "offset":
            return f"/thread/{number}" + (f"/{5 * at}" if at else "")
        return f"/thread/{number}-{slug(title)}/" + (f"page{at + 1}/" if at else "")

    def make_board(self, board: int, name: str) -> None:
        listed = [self.make_thread(board) for _ in range(self.threads)]
        for order in ("", "title", "answers") if self.offers.orders else ("",):
            sheets = parts(listed[:: -1 if order == "title" else 1], 8)
            self.needed += 0 if order else len(sheets)
            for at, sheet in enumerate(sheets):
                heads = "".join(f'<th><a href="{self.board(board, 0, by)}">{by}</a>' for by in ("title", "answers"))
                heads = heads if self.offers.orders else ""
                pager = self.pager(lambda k, order=order: self.board(board, k, order), at, len(sheets))
                body = f"<table><tr>{heads}{''.join(sheet)}</table>{pager}<a href=/reply?board={board}>new thread</a>"
                self.pages[self.board(board, at, order)] = self.frame(name, body)

    def pager(self, address: object, at: int, count: int) -> str:
        if self.offers.pager == "next":
            return f'<a href="{address(at + 1)}">next</a>' if at + 1 < count else ""  # type: ignore[operator]
        shown = (f'<a href="{address(k)}">{k + 1}</a>' if k != at else f"<b>{k + 1}</b>" for k in range(count))  # type: ignore[operator]
        return "<p>" + " ".join(shown) if count > 1 else ""

    def make_thread(self, board: int) -> str:
        writer, offers = self.writer, self.offers
        self.number += 1
        number, title = self.number, writer.title()
        lengths = (4, 9, 14, 23) if offers.long_threads else (1, 1, 2, 3, 4, 5, 6, 12)
        sizes = {"short": (5, 20), "usual": (25, 90), "mixed": writer.random.choice(((4, 9), (40, 120)))}
        posts: list[tuple[str, str, int]] = []
        for _ in range(writer.random.choice(lengths)):
            self.message += 1
            text = writer.text(*sizes[offers.length])
            self.texts.append(text)
            posts.append((writer.person(), text, self.message))
        self.texts.append(title)
        sheets = parts(posts, 5)
        self.needed += len(sheets)
        for at, sheet in enumerate(sheets):
            shown = [posts[0], *sheet] if offers.repeats_first and at else sheet
            rows = "".join(self.post(number, title, at, one, posts) for one in shown)
            pager = self.pager(lambda k: self.thread(number, title, k), at, len(sheets))
            tools = f'<a href="/print/{number}">print</a> ' if offers.print_view else ""
            if offers.beside:
                tools += f'<a href="/thread/{number}/older">older</a> <a href="/thread/{number}/newer">newer</a>'
            where = f'<a href="{self.board(board)}">back</a>'
            page = self.thread(number, title, at)
            self.pages[page] = self.frame(title, f"{where}<table>{rows}</table>{pager} {tools}")
            for _, _, message in sheet:
                self.pages[f"/post/{message}"] = f"-> {page}"
        if offers.print_view:
            self.pages[f"/print/{number}"] = f"<h1>{title}</h1>" + "".join(
                f"<p>{who}: {text}" for who, text, _ in posts
            )
        if offers.beside:
            self.pages[f"/thread/{number - 1}/newer"] = f"-> {self.thread(number, title)}"
            self.pages[f"/thread/{number + 1}/older"] = f"-> {self.thread(number, title)}"
        final = self.thread(number, title, len(sheets) - 1)
        self.pages[f"/last/{number}"] = f"-> {final}"
        last = {"page": f'<a href="{final}#p{posts[-1][2]}">last</a>', "other": f'<a href="/last/{number}">last</a>'}
        jumps = "".join(f' <a href="{self.thread(number, title, k)}">{k + 1}</a>' for k in range(1, len(sheets)))
        row = f'<tr><td><a href="{self.thread(number, title)}">{title}</a>{jumps if offers.jumps else ""}'
        row += f"<td>{len(posts) - 1}<td>{last.get(offers.last, '')} by {posts[-1][0]}"
        self.recent.append(row)
        return row

    def post(self, number: int, title: str, at: int, post: tuple[str, str, int], posts: list) -> str:
        who, text, message = post
        place = f"{self.thread(number, title, at)}#p{message}"
        links = {"page": f'<a href="{place}">#{message}</a>', "other": f'<a href="/post/{message}">#{message}</a>'}
        quoted = ""
        if self.offers.quotes and message % 3 == 0 and message > posts[0][2]:
            quoted = f"<blockquote>{posts[message - posts[0][2] - 1][1]}</blockquote>"
        row = (
            f"<tr id=p{message}><td><a href=/user/{PEOPLE.index(who)}>{who}</a><td>{quoted}<div class=text>{text}</div>"
            f"{links.get(self.offers.permalink, '')} <a href=/reply?to={message}>reply</a>"
            f" <a href=/report?post={message}>report</a>"
        )
        if self.offers.by_author == "texts":
            self.by[who].append(f'<tr><td><a href="{place}">{title}</a><div>{text}</div>')
        elif self.offers.by_author == "titles":
            self.by[who].append(f'<tr><td><a href="{place}">{title}</a>')
        return row

    def make_people(self) -> None:
        for n, person in enumerate(PEOPLE):
            posts = self.by[person]
            more = f'<a href="/user/{n}/posts">{len(posts)} posts</a>' if posts else ""
            self.pages[f"/user/{n}"] = self.frame(person, f"<p>{person} {more}")
            sheets = parts(posts, 15)
            for at, sheet in enumerate(sheets if posts else ()):
                pager = self.pager(lambda k, n=n: f"/user/{n}/posts" + (f"?page={k + 1}" if k else ""), at, len(sheets))
                path = f"/user/{n}/posts" + (f"?page={at + 1}" if at else "")
                self.pages[path] = self.frame(person, f"<table>{''.join(sheet)}</table>{pager}")
