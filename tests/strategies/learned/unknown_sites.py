"""Three sites of software that exists nowhere else: other URLs and markup, and the usual clutter around the content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from urllib.parse import unquote

from siteseer.model import Page

HOST = "http://strange.test"
SYLLABLES = "ka ro mi ten sul va der on pri fa lo gen tur bes ni cha wen dor il um sta re po gli".split()
PEOPLE = "Ada Bertil Chidi Dora Emre Fang Goran Hana Ivo Jana Kofi Lena".split()


class Writer:
    """Writes words, titles and paragraphs, always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.words = ["".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(3000)]

    def title(self) -> str:
        return " ".join(self.random.choices(self.words, k=self.random.randint(2, 5))).capitalize()

    def text(self, least: int = 30, most: int = 140) -> str:
        return " ".join(self.random.choices(self.words, k=self.random.randint(least, most))).capitalize() + "."

    def person(self) -> str:
        return self.random.choice(PEOPLE)


@dataclass
class Strange:
    """A site: what it answers, the true texts, and how many requests a crawler that follows links needs for them."""

    answer: Callable[[str], str | None]
    texts: list[str]
    oracle: int

    def fetch(self, url: str) -> Page:
        body = self.answer(unquote(url.removeprefix(HOST)) or "/")
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        return Page(url, 200 if body else 404, headers, (body or "<h1>No such page</h1>").encode())


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def parts(things: list, size: int) -> list[list]:
    return [things[first : first + size] for first in range(0, len(things), size)] or [[]]


# ── a forum of tables, every address a number and a title ─────────────────────────────────────────────────────────


def forum(seed: int = 1, boards: int = 6, threads: int = 22, orders: bool = True) -> Strange:
    writer, pages, texts, needed, message = Writer(seed), {}, [], 1, 1000
    names = [f"/b/{3 + 4 * n}-{slug(writer.title())}" for n in range(boards)]
    menu = (
        "<center><a href=/>Front</a> | <a href=/find>Find</a> | <a href=/who?sort=name>People"
        "</a> | <a href=/enter>Enter</a> | <a href=/today>Today</a>"
        "</center>"
    )
    recent: list[str] = []
    people = {name: [] for name in PEOPLE}
    for number, board in enumerate(names):
        listed = []
        for n in range(threads):
            title = writer.title()
            address = f"{board}/{100 * number + n + 40}-{slug(title)}"
            posts = [(writer.person(), writer.text()) for _ in range(writer.random.choice((1, 2, 3, 4, 6, 14, 23)))]
            texts += [title, *(text for _, text in posts)]
            sheets = parts(posts, 8)
            needed += len(sheets)
            for at, sheet in enumerate(sheets, 1):
                rows = ""
                for person, text in sheet:
                    message += 1
                    people[person].append(f"<td><a href=/goto.cgi?msg={message}>{title}</a>")
                    pages[f"/goto.cgi?msg={message}"] = f"{address}.{at}.html" if at > 1 else f"{address}.html"
                    rows += (
                        f"<tr id=m{message}><td bgcolor=#eee><a href=/u/{person.lower()}>{person}"
                        f"</a><br>{writer.random.randint(5, 900)} messages<td><font size=2>{text}"
                        f"</font><br><a href=/write?to={message}>answer</a> "
                        f"<a href=/write?to={message}&with=words>answer with words"
                        f"</a> <a href=/alarm?m={message}>alarm</a> "
                        f"<a href=/goto.cgi?msg={message}#m{message}>#{message}"
                        "</a>"
                    )
                pager = " ".join(f"<a href={address}.{k}.html>{k}</a>" for k in range(2, len(sheets) + 1))
                pager = f"<a href={address}.html>1</a> {pager}" if len(sheets) > 1 else ""
                extra = (
                    f"<a href={address}.paper.html>for paper</a> <a href=/write?board={number}>new subject"
                    f"</a> <a href={address}.html?next>following subject</a>"
                )
                page = (
                    f"<title>{title}</title>{menu}<a href={board}/>board</a><h3>{title}"
                    f"</h3><table>{rows}</table>{pager} {extra}"
                )
                pages[f"{address}.{at}.html" if at > 1 else f"{address}.html"] = page
                pages[f"{address}.1.html"] = pages[f"{address}.html"]
            pages[f"{address}.paper.html"] = f"<h3>{title}</h3>" + "".join(f"<p>{who}: {text}" for who, text in posts)
            last = (
                f"<td>{len(posts)}<td><a href=/goto.cgi?msg={message}>last"
                f"</a> by <a href=/u/{posts[-1][0].lower()}>{posts[-1][0]}"
                "</a>"
            )
            jumps = "".join(f" <a href={address}.{k}.html>{k}</a>" for k in range(2, len(sheets) + 1))
            listed.append(f"<tr><td><a href={address}.html>{title}</a>{jumps}{last}")
            recent.append(listed[-1])
        for order in ("", "?by=answers", "?by=reads", "?by=title") if orders else ("",):
            sheets = parts(listed[::-1] if order else listed, 10)
            needed += 0 if order else len(sheets)
            for at, sheet in enumerate(sheets, 1):
                pager = " ".join(f"<a href={board}/{k}/{order}>{k}</a>" for k in range(1, len(sheets) + 1))
                heads = " ".join(f"<th><a href={board}/?by={by}>{by}</a>" for by in ("answers", "reads", "title"))
                body = (
                    f"<title>board</title>{menu}<table><tr>{heads}{''.join(sheet)}"
                    f"</table>{pager} <a href=/write?board={number}>new subject"
                    "</a>"
                )
                pages[f"{board}/{at}/{order}"] = body
                if at == 1:
                    pages[f"{board}/{order}"] = body
    pages["/"] = (
        f"<title>Forum</title>{menu}<table>"
        + "".join(f"<tr><td><a href={name}/>{name[3:]}</a><td>{threads} subjects" for name in names)
        + "</table>"
    )
    pages["/today"] = f"{menu}<table>{''.join(recent[-20:])}</table>"
    pages["/find"] = f"{menu}<form action=/find><input name=words></form>"
    pages["/enter"] = f"{menu}<form method=post><input name=name><input type=password name=key></form>"
    for sort in ("name", "messages"):
        rows = "".join(f"<tr><td><a href=/u/{person.lower()}>{person}</a>" for person in PEOPLE)
        pages[f"/who?sort={sort}"] = f"{menu}<table>{rows}</table><a href=/who?sort=messages>by messages</a>"
    for person, rows in people.items():
        for at, sheet in enumerate(parts(rows, 30), 1):
            more = f"<a href=/u/{person.lower()}/{at + 1}>more</a>" if 30 * at < len(rows) else ""
            body = (
                f"<title>{person}</title>{menu}{person}, {len(rows)} messages"
                f"<table><tr>{'<tr>'.join(sheet)}</table>{more}"
            )
            pages[f"/u/{person.lower()}/{at}"] = body
            if at == 1:
                pages[f"/u/{person.lower()}"] = body

    def answer(path: str) -> str | None:
        if path.startswith("/goto.cgi"):
            return pages.get(pages.get(path, ""))
        if path.endswith("?next"):
            addresses = [one for one in pages if one.endswith(".html") and one.count(".") == 1]
            here = addresses.index(path.removesuffix("?next"))
            return pages[addresses[(here + 1) % len(addresses)]]
        if path.startswith(("/write", "/alarm")):
            return f"{menu}<h3>Only for those who have entered</h3><form method=post><input name=name></form>"
        return pages.get(path)

    return Strange(answer, texts, needed)


# ── a blog without dates in its addresses, its archive by month ───────────────────────────────────────────────────


def blog(seed: int = 2, posts: int = 130) -> Strange:
    writer, pages, texts, needed = Writer(seed), {}, [], 1
    months = [f"{name}-{year}" for year in (2019, 2020) for name in ("january", "april", "may", "june", "october")]
    subjects = "tea bread stone river lamp garden".split()
    written = []
    for n in range(posts):
        title, text = writer.title(), " ".join(writer.text(40, 90) for _ in range(3))
        said = [(writer.person(), writer.text(12, 50)) for _ in range(writer.random.choice((0, 0, 1, 2, 5)))]
        written.append(
            (
                title,
                f"/read/{slug(title)}",
                text,
                months[n * len(months) // posts],
                writer.random.sample(subjects, 2),
                writer.person(),
                said,
            )
        )
        texts += [title, text, *(one for _, one in said)]
    side = "".join(f"<li><a href=/when/{m}>{m}</a>" for m in months) + "".join(
        f"<li><a href=/on/{s}>{s}</a>" for s in subjects
    )
    side += "<li><a href=/recent.atom>feed</a><li><a href=/desk/enter>desk</a><li><a href=/about-me>About me</a>"

    def frame(main: str, title: str = "Inkwell") -> str:
        return (
            f"<!doctype html><title>{title}</title><div class=w><div class=m>{main}</div><ul class=s>{side}</ul></div>"
        )

    def teaser(post: tuple) -> str:
        title, address, text, month, on, person, said = post
        marks = " ".join(f"<a href=/on/{one}>{one}</a>" for one in on)
        return (
            f"<section><h2><a href={address}>{title}</a></h2><i>{month} by "
            f"<a href=/by/{person.lower()}>{person}</a></i><p>{text[:160]} ..."
            f"</p>{marks} <a href={address}#said>{len(said)} said</a></section>"
        )

    def listing(base: str, found: list, first: str, size: int = 8) -> int:
        sheets = parts(found, size)
        for at, sheet in enumerate(sheets, 1):
            onward = f"<a href={base}/{at + 1}>earlier</a>" if at < len(sheets) else ""
            back = f"<a href={base}/{at - 1}>later</a>" if at > 1 else ""
            pages[f"{base}/{at}"] = frame("".join(map(teaser, sheet)) + back + onward)
        pages[first] = pages[f"{base}/1"]
        return len(sheets)

    newest = written[::-1]
    needed += listing("/older", newest, "/") - 1 + posts + 1
    for month in months:
        listing(f"/when/{month}", [post for post in newest if post[3] == month], f"/when/{month}")
    for subject in subjects:
        listing(f"/on/{subject}", [post for post in newest if subject in post[4]], f"/on/{subject}")
    for person in PEOPLE:
        listing(f"/by/{person.lower()}", [post for post in newest if post[5] == person], f"/by/{person.lower()}")
    for n, (title, address, text, month, on, person, said) in enumerate(written):
        around = "".join(f"<a href={written[k][1]}>{written[k][0]}</a> " for k in (n - 1, n + 1) if 0 <= k < posts)
        marks = " ".join(f"<a href=/on/{one}>{one}</a>" for one in on)
        comments = "".join(f"<dt><a name=c{k}></a>{who}<dd>{one}" for k, (who, one) in enumerate(said))
        tools = (
            f"<a href={address}?look=plain>plain</a> <a href={address}/send>send to a friend"
            f"</a> <a rel=nofollow href={address}?say#form>say something"
            "</a>"
        )
        body = (
            f"<h1>{title}</h1><i>{month} by <a href=/by/{person.lower()}>{person}"
            f"</a></i><p>{text}</p>{marks}<dl id=said>{comments}</dl>{around}{tools}"
        )
        pages[address] = pages[address + "?say"] = frame(body, title)
        pages[address + "?look=plain"] = f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"
        pages[address + "/send"] = frame(f"<h1>Send</h1><form method=post><input name=to></form> {title}")
    about = writer.text(60, 90)
    texts.append(about)
    pages["/about-me"] = frame(f"<h1>About me</h1><p>{about}</p>")
    pages["/desk/enter"] = frame("<form method=post><input type=password name=p></form>")
    return Strange(pages.get, texts, needed)


# ── a wiki with shelves for its pages ─────────────────────────────────────────────────────────────────────────────


def wiki(seed: int = 3, leaves: int = 160) -> Strange:
    writer, pages, texts = Writer(seed), {}, []
    titles = sorted({writer.title().replace(" ", "_") for _ in range(leaves)})
    shelves = [f"Shelf:{writer.title().split()[0]}" for _ in range(9)]
    on = {title: writer.random.sample(shelves, writer.random.choice((1, 1, 2))) for title in titles}
    menu = (
        "<td width=150><a href=/leaf.cgi/Front>Front</a><br><a href=/leaf.cgi/!everything>Everything"
        "</a><br><a href=/leaf.cgi/!latest?days=30>Latest</a><br>"
        "<a href=/leaf.cgi/!chance>Any leaf</a><br><a href=/leaf.cgi/!enter>Enter"
        "</a>"
    )

    def frame(title: str, main: str, tools: bool = True) -> str:
        address = f"/leaf.cgi/{title}"
        bar = (
            (
                f"<a href={address};change>change</a> <a href={address};past>past"
                f"</a> <a href={address};pointing>pointing here</a> <a href={address};bare>bare"
                "</a>"
            )
            if tools
            else ""
        )
        return f"<title>{title}</title><table><tr>{menu}<td><h2>{title.replace('_', ' ')}</h2>{bar}<hr>{main}</table>"

    for n, title in enumerate(titles):
        linked = [*writer.random.sample(titles, 3), titles[(n + 1) % len(titles)]]
        text = " ".join(writer.text(40, 100) for _ in range(3))
        texts.append(text)
        refs = " ".join(f"<a href=/leaf.cgi/{one}>{one.replace('_', ' ')}</a>" for one in linked)
        stands = " ".join(f"<a href=/leaf.cgi/{one}>{one}</a>" for one in on[title])
        missing = f"<a href=/leaf.cgi/{writer.title().replace(' ', '_')};change>?</a>"
        pages[title] = frame(title, f"<p>{text}</p><p>{refs} {missing}</p><small>Stands on {stands}</small>")
        changes = "".join(
            (
                f"<li><a href=/leaf.cgi/{title};past={k}>state {k}</a> "
                f"<a href=/leaf.cgi/{title};past={k},{k + 1}>compare"
                "</a>"
            )
            for k in range(1, 5)
        )
        pages[f"{title};past"] = frame(title, f"<ul>{changes}</ul>")
        for k in range(1, 5):
            pages[f"{title};past={k}"] = frame(title, f"<p>{text[: len(text) * k // 5]}</p> <i>state {k}</i>")
            pages[f"{title};past={k},{k + 1}"] = frame(
                title, f"<pre>- {text[: len(text) * k // 5]}\n+ {text[:400]}</pre>"
            )
        pages[f"{title};bare"] = f"<p>{text}</p>"
        pages[f"{title};pointing"] = frame(title, " ".join(f"<li><a href=/leaf.cgi/{one}>{one}</a>" for one in linked))
    for shelf in shelves:
        listed = [title for title in titles if shelf in on[title]]
        for at, sheet in enumerate(parts(listed, 20)):
            rows = "".join(f"<li><a href=/leaf.cgi/{one}>{one.replace('_', ' ')}</a>" for one in sheet)
            more = (
                f"<a href=/leaf.cgi/{shelf}?from={20 * at + 20}>further leaves</a>"
                if 20 * at + 20 < len(listed)
                else ""
            )
            pages[f"{shelf}?from={20 * at}" if at else shelf] = frame(shelf, f"<ul>{rows}</ul>{more}")
    sheets = parts(titles, 50)
    for at, sheet in enumerate(sheets):
        rows = "".join(f"<li><a href=/leaf.cgi/{one}>{one.replace('_', ' ')}</a>" for one in sheet)
        more = f"<a href=/leaf.cgi/!everything?start={at + 1}>next</a>" if at + 1 < len(sheets) else ""
        pages[f"!everything?start={at}" if at else "!everything"] = frame("Everything", f"<ul>{rows}</ul>{more}", False)
    for days in (1, 7, 30, 90):
        rows = "".join(
            (
                f"<li><a href=/leaf.cgi/{one}>{one}</a> <a href=/leaf.cgi/{one};past=3,4>what"
                f"</a> by <a href=/leaf.cgi/!who/{writer.person()}>x</a>"
            )
            for one in titles[:days]
        )
        others = " ".join(f"<a href=/leaf.cgi/!latest?days={other}>{other} days</a>" for other in (1, 7, 30, 90))
        pages[f"!latest?days={days}"] = frame("Latest", f"{others}<ul>{rows}</ul>", False)
    for person in PEOPLE:
        pages[f"!who/{person}"] = frame("Who", f"{person} has changed leaves", False)
    front = writer.text(40, 60)
    texts.append(front)
    pages["Front"] = frame(
        "Front", f"<p>{front}</p>" + "".join(f"<li><a href=/leaf.cgi/{one}>{one}</a>" for one in shelves)
    )

    def answer(path: str) -> str | None:
        name = path.removeprefix("/leaf.cgi/") if path != "/" else "Front"
        if name.endswith(";change") or name == "!enter":
            return frame(name, "<form method=post><textarea name=words></textarea></form>", False)
        return pages[titles[len(path) % len(titles)]] if name == "!chance" else pages.get(name)

    return Strange(answer, texts, 1 + len(sheets) + len(titles))


SITES: dict[str, Callable[[], Strange]] = {"forum": forum, "blog": blog, "wiki": wiki}
