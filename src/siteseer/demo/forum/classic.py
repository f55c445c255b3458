"""The `classic` template of the demo forum: nested tables, query URLs with session ids, permalinks to the same page."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

from datetime import datetime
from html import escape
from urllib.parse import quote

from siteseer.demo.forum.forum_site import MEMBERS_PER_PAGE, POSTS_PER_PAGE, THREADS_PER_PAGE, Address, pages_of
from siteseer.demo.forum.write_forum import Forum, Member, Post, Thread
from siteseer.demo.site import SiteRequest

STYLE = """body{background:#fff;font:11px Verdana,Arial,sans-serif;color:#000;margin:8px}a{color:#006699}.bodyline{border:1px solid #98aab1;width:100%}
.forumline{background:#fff;border:2px solid #006699;width:100%}td{font-size:11px}th{background:#006699;color:#ffa34f;padding:5px}td.row1{background:#efefef;padding:6px}
td.row2{background:#dee3e7;padding:6px}.maintitle{font:bold 20px "Trebuchet MS";color:#000}.postdetails{font-size:10px}.quote{background:#fafafa;
border:1px solid #d1d7dc;padding:4px}.postbody{font-size:12px;line-height:18px}.copyright{font-size:10px;color:#444}"""
SCRIPTS = {
    "/": "index", "/index.php": "index", "/viewforum.php": "board", "/viewtopic.php": "thread", "/posting.php": "quote",
    "/printview.php": "print", "/memberlist.php": "members", "/profile.php": "member", "/login.php": "login",
    "/rss.php": "feed", "/atom.php": "feed",
}  # fmt: skip
SIZES = {"board": THREADS_PER_PAGE, "thread": POSTS_PER_PAGE, "print": POSTS_PER_PAGE, "members": MEMBERS_PER_PAGE}
NAMES = {"board": "f", "thread": "t", "print": "t", "member": "u", "quote": "p"}


def when(moment: datetime) -> str:
    """Write a moment as the template shows it."""
    return f"{moment:%a %b %d, %Y %-I:%M} {moment:%p}".replace("AM", "am").replace("PM", "pm")


class Classic:
    """The template `classic` of the forum."""

    has_session_urls = True
    redirects_posts = False

    def __init__(self, forum: Forum) -> None:
        self.forum = forum

    def href(self, address: Address) -> str:
        """Write an address as path and query."""
        view, number = address.view, address.number
        if view == "index":
            return "/"
        if view == "post":
            return f"/viewtopic.php?p={number}"
        if view == "login":
            return f"/login.php?redirect={quote(address.extra, safe='')}"
        script = next(path for path, name in SCRIPTS.items() if name == view)
        parts = ["mode=quote"] if view == "quote" else []
        parts += [f"{NAMES[view]}={number}"] if view in NAMES else []
        parts += [f"start={(address.page - 1) * SIZES[view]}"] if address.page > 1 else []
        if address.extra:
            parts.append(f"postorder={address.extra}" if view == "thread" else f"sort={address.extra}")
        return script + ("?" + "&".join(parts) if parts else "")

    def read(self, request: SiteRequest) -> Address | None:
        """Read what was asked for."""
        view = SCRIPTS.get(request.path)
        if view is None:
            return None
        query = request.query
        if view == "thread" and "p" in query:
            return Address("post", _number(query["p"]))
        start = _number(query.get("start", "0"))
        page = 1 + start // SIZES.get(view, 1)
        extra = query.get("postorder", query.get("sort", request.path[1:-4] if view == "feed" else ""))
        return Address(view, _number(query.get(NAMES.get(view, ""), "0")), page, extra)

    def _link(self, address: Address, text: str, css: str = "nav") -> str:
        return f'<a class="{css}" href="{escape(self.href(address))}">{text}</a>'

    def index(self) -> str:
        """Draw the list of boards."""
        rows = []
        for number, name in enumerate(self.forum.boards, 1):
            threads = self.forum.board(number)
            last = max((thread.posts[-1] for thread in threads), key=lambda post: post.date, default=None)
            final = (
                f"{when(last.date)}<br />{self._member(last.author)} {self._link(Address('post', last.number), '&raquo;')}"
                if last
                else "none"
            )
            rows.append(
                f'<tr><td class="row1">{self._link(Address("board", number), name, "forumlink")}</td><td class="row2" align="center">'
                f'{len(threads)}</td><td class="row2" align="center">{final}</td></tr>'
            )
        return self._frame("Index", self._table(("Forum", "Topics", "Last Post"), "".join(rows)), "/")

    def _table(self, heads: tuple[str, ...], rows: str) -> str:
        cells = "".join(f"<th>{head}</th>" for head in heads)
        return f'<table class="forumline" cellpadding="2" cellspacing="1" border="0"><tr>{cells}</tr>{rows}</table>'

    def board(self, number: int, address: Address, threads: list[Thread], pages: int) -> str:
        """Draw a page of a board."""
        rows = "".join(
            f'<tr><td class="row1">{self._link(Address("thread", thread.number), escape(thread.title), "topictitle")} {self._jumps(thread)}</td>'
            f'<td class="row2">{len(thread.posts) - 1}</td><td class="row1">{self._member(thread.posts[0].author)}</td><td class="row2">{thread.views}'
            f'</td><td class="row1">{when(thread.posts[-1].date)} {self._link(Address("post", thread.posts[-1].number), "&raquo;")}</td></tr>'
            for thread in threads
        )
        heads = ("Topics", "Replies", "Author", "Views", "Last Post")
        orders = " | ".join(
            self._link(Address("board", number, 1, sort), f"by {sort}") for sort in ("title", "replies", "views")
        )
        content = f"{self._table(heads, rows)}<div>Sort {orders}</div>{self._pages(address, pages)}"
        return self._frame(self.forum.boards[number - 1], content, self.href(Address("board", number)))

    def _jumps(self, thread: Thread) -> str:
        pages = pages_of(len(thread.posts), POSTS_PER_PAGE)
        return "".join(
            f"[{self._link(Address('thread', thread.number, page), str(page))}]" for page in range(2, pages + 1)
        )

    def thread(self, thread: Thread, page: int, posts: tuple[Post, ...], origin: str) -> str:
        """Draw a page of a thread."""
        rows = "".join(self._rows(post, thread) for post in posts)
        tools = " | ".join((
            self._link(Address("print", thread.number, page), "Printable version"),
            self._link(Address("thread", thread.number, page, "desc"), "Newest first"),
        ))  # fmt: skip
        content = (
            f'<span class="maintitle">{escape(thread.title)}</span><br />{self._link(Address("index"), "Forum index")} -&gt; '
            f"{self._link(Address('board', thread.board), self.forum.boards[thread.board - 1])}{self._table(('Author', 'Message'), rows)}"
            f"{self._pages(Address('thread', thread.number, page), pages_of(len(thread.posts), POSTS_PER_PAGE))}<div>{tools}</div>"
        )
        return self._frame(f"View topic - {thread.title}", content, self.href(Address("thread", thread.number)))

    def _member(self, member: Member) -> str:
        return self._link(Address("member", member.number), escape(member.name), "name")

    def _rows(self, post: Post, thread: Thread) -> str:
        quoted, signature = "", ""
        if post.quoted:
            quoted = (
                f'<table width="90%" align="center"><tr><td><b>{escape(post.quoted.author.name)} wrote:</b></td></tr><tr><td class="quote">'
                f"{post.quoted.passage.html('br')}</td></tr></table>"
            )
        if post.author.signature:
            signature = f'<span class="gensmall"><br />_________________<br />{escape(post.author.signature)}</span>'
        return (
            f'<tr><td width="150" valign="top" class="row1"><a name="p{post.number}"></a><span class="name"><b>{escape(post.author.name)}</b></span><br />'
            f'<span class="postdetails">Joined: {post.author.joined:%d %b %Y}</span></td><td class="row1" valign="top"><table width="100%"><tr><td>'
            f'<span class="postdetails">{self._link(Address("post", post.number), "[#]")} Posted: {when(post.date)} &nbsp; Post subject: Re: '
            f'{escape(thread.title)}</span></td><td align="right">{self._link(Address("quote", post.number), "Quote")}</td></tr><tr><td colspan="2"><hr />'
            f'{quoted}<span class="postbody">{post.passage.html("br")}</span>{signature}</td></tr></table></td></tr>'
            f'<tr><td class="row2">{self._link(Address("index"), "Back to top")}</td><td class="row2">{self._link(Address("member", post.author.number), "Profile")}</td></tr>'
        )

    def _pages(self, address: Address, pages: int) -> str:
        if pages < 2:
            return ""
        numbers = [
            f"<b>{page}</b>"
            if page == address.page
            else self._link(Address(address.view, address.number, page, address.extra), str(page))
            for page in range(1, pages + 1)
        ]
        return f'<div align="right" class="gensmall">Goto page {", ".join(numbers)}</div>'

    def plain(self, thread: Thread, posts: tuple[Post, ...]) -> str:
        """Draw the print view of a page."""
        rows = "".join(
            f"<b>{escape(post.author.name)}</b> - {when(post.date)}<br>{post.passage.html('br')}<hr>" for post in posts
        )
        return f"<html><head><meta charset=utf-8><title>{escape(thread.title)}</title></head><body><h2>{escape(thread.title)}</h2>{rows}</body></html>"

    def members(self, members: tuple[Member, ...], page: int, pages: int) -> str:
        """Draw a page of the list of members."""
        rows = "".join(
            f'<tr><td class="row1">{self._member(member)}</td><td class="row2">{member.joined:%d %b %Y}</td></tr>'
            for member in members
        )
        content = self._table(("Username", "Joined"), rows) + self._pages(Address("members", 0, page), pages)
        return self._frame("Memberlist", content, "/memberlist.php")

    def member(self, member: Member, posts: list[Post]) -> str:
        """Draw a member's profile with the latest posts."""
        rows = "".join(
            f'<tr><td class="row1">{self._link(Address("post", post.number), escape(self.forum.threads[post.thread - 1].title))}</td>'
            f'<td class="row2">{when(post.date)}</td></tr>'
            for post in posts
        )
        return self._frame(
            f"Viewing profile :: {member.name}",
            self._table(("Topic", "Posted"), rows),
            self.href(Address("member", member.number)),
        )

    def message(self, title: str, content: str) -> str:
        """Draw a page that only says something."""
        return self._frame(
            title,
            self._table(("Information",), f'<tr><td class="row1" align="center"><br />{content}<br /><br /></td></tr>'),
            "/",
        )

    def _frame(self, title: str, content: str, here: str) -> str:
        menu = " &nbsp; ".join((
            self._link(Address("index"), "Forum index", "mainmenu"),
            self._link(Address("members"), "Memberlist", "mainmenu"),
            self._link(Address("login", extra=here), "Log in", "mainmenu"),
        ))  # fmt: skip
        return (
            f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html dir="ltr"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
            f'<title>{escape(self.forum.title)} :: {escape(title)}</title><style type="text/css">{STYLE}</style><link rel="alternate" type="application/rss+xml" href="/rss.php">'
            f'<link rel="alternate" type="application/atom+xml" href="/atom.php"></head><body><table class="bodyline" cellpadding="10"><tr><td><table width="100%"><tr>'
            f'<td><span class="maintitle">{escape(self.forum.title)}</span></td><td align="right">{menu}</td></tr></table>{content}<div align="center" class="copyright">'
            f'Powered by <a href="http://software.example.org/">Siteseer demo</a></div></td></tr></table></body></html>'
        )


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 10 else 0
