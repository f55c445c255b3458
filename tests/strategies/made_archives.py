"""Three more sites of software that exists nowhere else: questions with answers, a knowledge base, newsletters.

Like `unknown_sites.py`: other URLs and markup, each with the clutter that is usual around such content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.strategies.learned.unknown_sites import PEOPLE, Strange, Writer, parts, slug

Address = Callable[[int], str]


def numbers(address: Address, at: int, count: int) -> str:
    """Return links to the pages of a list, which are numbered from 1."""
    shown = (f"<a href='{address(k)}'>{k}</a>" if k != at else f"<b>{k}</b>" for k in range(1, count + 1))
    return f"<nav>{' '.join(shown)}</nav>" if count > 1 else ""


def paged(base: str, name: str = "page") -> Address:
    """Return how the pages of a list are addressed."""
    return lambda number: base + (f"{'&' if '?' in base else '?'}{name}={number}" if number > 1 else "")


# ── questions with answers and remarks, by tag, in four orders ────────────────────────────────────────────────────


def questions(seed: int = 4, number: int = 140) -> Strange:
    """Make a site of questions: 15 a page of the list, 6 answers a page."""
    writer, pages, texts, needed = Writer(seed), {}, [], 0
    tags = sorted({writer.title().split()[0].lower() for _ in range(14)})
    menu = (
        "<header><a href=/>Home</a> <a href=/questions>Questions</a> <a href=/tags>Tags</a> <a href=/people>People</a> "
        "<a href=/questions/ask>Ask</a> <a href=/account/login?back=/>Log in</a><form action=/search><input name=q>"
        "</form></header>"
    )
    asked = []
    for n in range(number):
        title = writer.title() + " " + writer.title().lower()
        asked.append(
            {
                "id": 4000 + 37 * n,
                "at": f"/questions/{4000 + 37 * n}/{slug(title)}",
                "title": title + "?",
                "tags": writer.random.sample(tags, writer.random.choice((1, 2, 3))),
                "by": writer.person(),
                "text": writer.text(40, 120),
                "answers": [
                    (
                        writer.person(),
                        writer.text(20, 110),
                        [writer.text(5, 16) for _ in range(writer.random.randint(0, 3))],
                    )
                    for _ in range(writer.random.choice((0, 1, 1, 2, 3, 5, 9, 14)))
                ],
            }
        )

    def frame(title: str, main: str, side: Sequence[dict] = ()) -> str:
        links = "".join(f"<li><a href=/q/{one['id']}>{one['title']}</a>" for one in side)
        main = f"<main><h1>{title}</h1>{main}</main>"
        return f"<!doctype html><title>{title}</title>{menu}{main}<aside><ul>{links}</ul></aside>"

    def row(one: dict) -> str:
        marks = " ".join(f"<a href=/questions/tagged/{tag} rel=tag>{tag}</a>" for tag in one["tags"])
        return (
            f"<div class=row><b>{len(one['answers'])} answers</b><h3><a href={one['at']}>{one['title']}</a></h3>"
            f"<p>{one['text'][:120]}...</p>{marks} <a href=/people/{PEOPLE.index(one['by']) + 1}>{one['by']}</a></div>"
        )

    def listing(base: str, title: str, found: list[dict], size: int = 15) -> int:
        sheets = parts(found, size)
        for at, sheet in enumerate(sheets, 1):
            address = paged(base)
            tabs = " ".join(f"<a href=/questions?sort={by}>{by}</a>" for by in ("votes", "active", "unanswered"))
            pages[address(at)] = frame(title, tabs + "".join(map(row, sheet)) + numbers(address, at, len(sheets)))
        return len(sheets)

    newest = asked[::-1]
    needed += listing("/questions", "All questions", newest)
    listing("/questions?sort=votes", "All questions", sorted(asked, key=lambda one: one["title"]))
    listing("/questions?sort=active", "All questions", sorted(asked, key=lambda one: one["text"]))
    listing("/questions?sort=unanswered", "All questions", [one for one in newest if not one["answers"]])
    for tag in tags:
        listing(f"/questions/tagged/{tag}", f"Tagged {tag}", [one for one in newest if tag in one["tags"]])
        pages[f"/tags/{tag}/info"] = frame(tag, f"<p>Questions about {tag}.</p><a href=/questions/tagged/{tag}>all</a>")
    pages["/tags"] = frame(
        "Tags",
        "".join(f"<a href=/questions/tagged/{tag}>{tag}</a> <a href=/tags/{tag}/info>about</a> " for tag in tags),
    )
    for one in asked:
        texts += [one["title"], one["text"]]
        texts += [text for _, answer, remarks in one["answers"] for text in (answer, *remarks)]
        sheets = parts(one["answers"], 6)
        needed += len(sheets)
        related = writer.random.sample(asked, 5)
        for order in ("", "oldest"):
            for at, sheet in enumerate(parts(one["answers"][::-1] if order else one["answers"], 6), 1):
                sign = f"{one['at']}?answers={order}" if order else one["at"]
                address = paged(sign)
                body = f"<div class=post><p>{one['text']}</p>{_tools(one['id'])} {one['by']}</div>"
                for who, answer, remarks in sheet:
                    mark = one["id"] * 100 + one["answers"].index((who, answer, remarks))
                    below = "".join(f"<li>{text}" for text in remarks)
                    body += (
                        f"<div class=post id=a{mark}><p>{answer}</p>{_tools(mark)} "
                        f"<a href=/people/{PEOPLE.index(who) + 1}>{who}</a> "
                        f"<a href=/a/{mark}>share</a><ul>{below}</ul></div>"
                    )
                    if not order:
                        pages[f"/a/{mark}"] = f"-> {address(at)}"
                tabs = (
                    f"<a href={one['at']}>best</a> <a href={one['at']}?answers=oldest>oldest</a>"
                    if len(one["answers"]) > 1
                    else ""
                )
                pages[address(at)] = frame(one["title"], tabs + body + numbers(address, at, len(sheets)), related)
        pages[f"/q/{one['id']}"] = f"-> {one['at']}"
    for n, person in enumerate(PEOPLE, 1):
        mine = [one for one in newest if one["by"] == person]
        theirs = [one for one in newest if any(who == person for who, _, _ in one["answers"])]
        tabs = f"<a href=/people/{n}?tab=questions>questions</a> <a href=/people/{n}?tab=answers>answers</a>"
        pages[f"/people/{n}"] = frame(person, f"<p>{person}, {17 * n} points</p>{tabs}")
        for tab, found in (("questions", mine), ("answers", theirs)):
            rows = "".join(f"<li><a href={one['at']}>{one['title']}</a>" for one in found[:30])
            pages[f"/people/{n}?tab={tab}"] = frame(person, f"{tabs}<ul>{rows}</ul>")
    pages["/people"] = frame("People", "".join(f"<a href=/people/{n}>{who}</a> " for n, who in enumerate(PEOPLE, 1)))
    pages["/"] = frame("Top questions", "".join(map(row, asked[40:60])))
    pages["/account/login?back=/"] = frame("Log in", "<form method=post><input name=name><input type=password></form>")

    def answer(path: str) -> str | None:
        if path.startswith(("/posts/", "/questions/ask")):
            return frame("Log in", "<p>You must log in to do this.</p><form method=post><input type=password></form>")
        found = pages.get(path)
        return pages.get(found[3:]) if found and found.startswith("-> ") else found

    return Strange(answer, texts, needed)


def _tools(post: int) -> str:
    return (
        f"<a href=/posts/{post}/edit>edit</a> <a href=/posts/{post}/flag>flag</a> <a href=/posts/{post}/vote/up>+1</a>"
    )


# ── a knowledge base: sections within sections, articles, terms ───────────────────────────────────────────────────


def knowledge_base(seed: int = 5, sections: int = 6) -> Strange:
    """Make a knowledge base: sections, each with some below it, articles of one or more parts, a glossary."""
    writer, pages, texts, needed = Writer(seed), {}, [], 1
    menu = "".join(f"<a href=/{name}>{name or 'Help'}</a> " for name in ("", "glossary", "popular", "contact"))
    every: list[tuple[str, str]] = []
    written: list[tuple[str, str, str, str, list[str]]] = []

    def frame(title: str, main: str, trail: str = "") -> str:
        stuck = f"<p>Still stuck? <a href=/contact?from={slug(title)}>Ask us</a>"
        head = f"<!doctype html><title>{title} - Help</title><div id=top>{menu}</div>"
        return f"{head}<p class=trail>{trail}</p><h1>{title}</h1>{main}{stuck}"

    def section(address: str, title: str, trail: str, depth: int) -> int:
        here = f"{trail} &gt; <a href={address}>{title}</a>"
        below, rows, count = "", [], 0
        for _ in range(writer.random.randint(2, 3) if depth else 0):
            name = writer.title()
            count += section(f"{address}/{slug(name)}", name, here, depth - 1)
            below += f"<li class=sub><a href={address}/{slug(name)}>{name}</a>"
        for _ in range(writer.random.randint(5, 27)):
            name, leaf = writer.title(), f"/article/{700 + len(written)}"
            paragraphs = [writer.text(25, 80) for _ in range(writer.random.randint(1, 4))]
            written.append((leaf, name, here, address, paragraphs))
            every.append((leaf, name))
            rows.append(f"<li><a href={leaf}/{slug(name)}>{name}</a> <small>{writer.random.randint(1, 9)} min</small>")
        sheets = parts(rows, 12)
        for at, sheet in enumerate(sheets, 1):
            onward = paged(address, "p")
            pages[onward(at)] = frame(
                title, f"<ul>{below}{''.join(sheet)}</ul>{numbers(onward, at, len(sheets))}", here
            )
        return count + len(sheets) + len(rows)

    tops = [writer.title() for _ in range(sections)]
    for name in tops:
        needed += section(f"/section/{slug(name)}", name, "<a href=/>Help</a>", 1)
    for leaf, name, here, _, paragraphs in written:
        texts += [name, *paragraphs]
        related = " ".join(
            f"<li><a href={one}/{slug(title)}>{title}</a>" for one, title in writer.random.sample(every, 4)
        )
        tools = (
            f"<a href={leaf}/print>print</a> <a href={leaf}/helpful?yes=1>yes</a> <a href={leaf}/helpful?yes=0>no</a>"
        )
        body = "".join(f"<p>{one}</p>" for one in paragraphs)
        pages[f"{leaf}/{slug(name)}"] = frame(name, f"{body}<p>Was this helpful? {tools}</p><ul>{related}</ul>", here)
        pages[f"{leaf}/print"] = f"<title>{name}</title><h1>{name}</h1>{body}"
        for yes in (0, 1):
            pages[f"{leaf}/helpful?yes={yes}"] = frame("Thank you", "<p>Thank you for telling us.</p>")
    terms = sorted({writer.title() for _ in range(60)})
    for term in terms:
        text = writer.text(15, 30)
        texts.append(text)
        pages[f"/glossary/{slug(term)}"] = frame(term, f"<p>{text}</p><a href=/glossary>all terms</a>")
    pages["/glossary"] = frame("Glossary", "".join(f"<li><a href=/glossary/{slug(term)}>{term}</a>" for term in terms))
    needed += 1 + len(terms)
    pages["/popular"] = frame(
        "Popular", "".join(f"<li><a href={one}/{slug(title)}>{title}</a>" for one, title in every[:90:6])
    )
    pages["/"] = frame("Help", "".join(f"<h2><a href=/section/{slug(name)}>{name}</a></h2>" for name in tops))

    def answer(path: str) -> str | None:
        if path.startswith("/contact"):
            return frame("Ask us", "<form method=post><input name=mail><textarea name=words></textarea></form>")
        return pages.get(path)

    return Strange(answer, texts, needed)


# ── newsletters: issues by year, stories of each ──────────────────────────────────────────────────────────────────


def newsletters(seed: int = 6, issues: int = 60) -> Strange:
    """Make an archive of newsletters: an issue shows short notes in full, and the beginnings of stories."""
    writer, pages, texts, needed = Writer(seed), {}, [], 1
    topics = sorted({writer.title().split()[0].lower() for _ in range(7)})
    years = [2016 + n // 15 for n in range(issues)]
    on: dict[str, list[str]] = {topic: [] for topic in topics}

    def frame(title: str, main: str) -> str:
        links = "".join(f"<a href=/archive/{year}.html>{year}</a> " for year in sorted(set(years)))
        more = "<a href=/subscribe.html>Subscribe</a> <a href=/topics.html>Topics</a> <a href=/index.html>Home</a>"
        return f"<title>{title}</title><table><tr><td>{links}{more}<td><h2>{title}</h2>{main}</table><hr>The editors"

    rows: dict[int, list[str]] = {}
    for n, year in enumerate(years):
        number, name = n + 1, writer.title()
        here, main = f"/issues/{year}-{number:03}.html", ""
        for k in range(writer.random.randint(2, 4)):
            title, body = writer.title(), [writer.text(30, 90) for _ in range(3)]
            texts += [title, *body]
            story, topic = f"/stories/{year}/{number:03}-{k + 1}-{slug(title)}.html", writer.random.choice(topics)
            main += f"<h3><a href={story}>{title}</a></h3><p>{body[0][:150]} <a href={story}>read on</a></p>"
            around = f"<a href={here}>Issue {number}</a> <a href=/topics/{topic}.html>{topic}</a> "
            around += f"<a href=/send.php?story={number}-{k + 1}>send</a>"
            pages[story] = frame(
                title, f"<i>By {writer.person()}</i>{''.join(f'<p>{one}</p>' for one in body)}{around}"
            )
            pages[f"/text.php?story={number}-{k + 1}"] = f"<pre>{title} {' '.join(body)}</pre>"
            main += f"<a href='/text.php?story={number}-{k + 1}'>plain text</a>"
            on[topic].append(f"<li><a href={story}>{title}</a> (issue {number})")
            needed += 1
        for _ in range(writer.random.randint(2, 6)):
            note = writer.text(12, 30)
            texts.append(note)
            main += f"<p><b>Note.</b> {note}</p>"
        around = "".join(
            f"<a href=/issues/{years[k]}-{k + 1:03}.html>{word}</a> "
            for k, word in ((n - 1, "previous"), (n + 1, "next"))
            if 0 <= k < issues
        )
        pages[here] = frame(f"Issue {number}: {name}", main + around + f"<a href=/mail.php?issue={number}>as mail</a>")
        pages[f"/mail.php?issue={number}"] = f"<title>{name}</title><center><h1>{name}</h1>{main}</center>"
        rows.setdefault(year, []).append(
            f"<li><a href={here}>Issue {number}</a>: {name} (<a href=/mail.php?issue={number}>mail</a>)"
        )
        needed += 1
    for year, listed in rows.items():
        pages[f"/archive/{year}.html"] = frame(f"Issues of {year}", f"<ul>{''.join(listed)}</ul>")
    needed += len(rows)
    for topic, listed in on.items():
        pages[f"/topics/{topic}.html"] = frame(topic, f"<ul>{''.join(listed)}</ul>")
    pages["/topics.html"] = frame(
        "Topics", "".join(f"<li><a href=/topics/{topic}.html>{topic}</a>" for topic in topics)
    )
    pages["/subscribe.html"] = frame("Subscribe", "<form method=post><input name=mail></form>")
    pages["/"] = pages["/index.html"] = frame("The newsletter", "".join(rows[years[-1]][-3:]))

    def answer(path: str) -> str | None:
        if path.startswith("/send.php"):
            return frame("Send", "<form method=post><input name=to></form>")
        return pages.get(path)

    return Strange(answer, texts, needed)


ARCHIVES: dict[str, Callable[[int], Strange]] = {
    "questions": questions,
    "knowledge-base": knowledge_base,
    "newsletters": newsletters,
}
