"""Sites whose pages repeat each other: lists show how texts begin, threads show mails that have pages of their own."""

from __future__ import annotations

from tests.strategies.learned.unknown_sites import Strange, Writer, parts

MONTHS = "January February March April May June July August September October November December".split()


def blog(seed: int, posts: int = 150) -> Strange:
    """A blog whose lists show the first paragraph of each post, which is all that half of the posts have."""
    writer = Writer(seed)
    texts, pages, shown, months = [], {}, [], {}
    for number in range(posts):
        title, more = writer.title(), 0 if writer.random.random() < 0.55 else writer.random.randint(1, 2)
        paragraphs = [writer.text(15, 40), *(writer.text(8, 30) for _ in range(more))]
        month = f"{2024 - number // 14}/{12 - number % 14 * 12 // 14:02}"
        address = f"/{month}/{writer.random.randint(1, 28):02}/{title.lower().replace(' ', '-')}/"
        texts += paragraphs
        pages[address] = f"<h1>{title}</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs)
        link = f"<p><a href='{address}'>Read more</a></p>" if more else ""
        shown.append((f"<h2><a href='{address}'>{title}</a></h2><p>{paragraphs[0]}</p>{link}", address, title))
        months.setdefault(month, []).append(shown[-1])
    lists = {"/": [row for row, _, _ in shown]}
    lists["/archives"] = [f"<p><a href='{address}'>{title}</a></p>" for _, address, title in shown]
    lists |= {
        f"/archives/{month}": [f"<p><a href='{address}'>{title}</a></p>" for _, address, title in found]
        for month, found in months.items()
    }
    beside = "".join(f"<li><a href='/archives/{month}'>{month}</a></li>" for month in months)
    for path, rows in lists.items():
        sheets = parts(rows, 10)
        for at, sheet in enumerate(sheets, 1):
            base = path.rstrip("/")
            pager = " ".join(f"<a href='{base}/page/{n}/'>{n}</a>" for n in range(1, len(sheets) + 1) if n != at)
            pages[path if at == 1 else f"{base}/page/{at}/"] = f"{''.join(sheet)}<nav>{pager}</nav>"

    def answer(path: str) -> str | None:
        body = pages.get(path)
        head = "<title>Notes</title><a href='/'>Home</a> <a href='/archives'>Archives</a>"
        return body and f"{head}{body}<ul>{beside}</ul>"

    return Strange(answer, texts, 1 + posts + posts // 10)


def archive(seed: int, threads: int = 70) -> Strange:
    """A mail archive: threads show their mails whole; each mail also has a page with a heading and a longer date."""
    writer, texts, pages, listed = Writer(seed), [], {}, []
    for number in range(threads):
        title, address, shown = f"{writer.title()} {writer.title()}", f"/thread/{700 + 3 * number}/", ""
        for place in range(writer.random.choice((2, 2, 3))):
            person, said = writer.person(), [writer.text(6, 16)]
            day, own = (
                f"{writer.random.randint(1, 28)} {writer.random.choice(MONTHS)}",
                f"/letter/{number * 10 + place}/",
            )
            text = "".join(f"<p>{one}</p>" for one in said)
            texts += said
            shown += f"<div class=mail><h4>{person}</h4><div class=day>{day}</div>{text}<a href='{own}'>link</a></div>"
            heading = f"Re: {title}" if place else title
            date = f"<div class=date>{day} {2010 + number // 9}</div>"
            pages[own] = f"<h1>{heading}</h1><h4>{person}</h4>{date}{text}<a href='{address}'>thread</a>"
        pages[address] = f"<h3>{title}</h3>{shown}"
        listed.append(f"<p><a href='{address}'>{title}</a></p>")
    sheets = parts(listed, 10)
    for at, sheet in enumerate(sheets, 1):
        pager = " ".join(f"<a href='/all/{n}'>{n}</a>" for n in range(1, len(sheets) + 1) if n != at)
        pages["/" if at == 1 else f"/all/{at}"] = f"{''.join(sheet)}<nav>{pager}</nav>"

    def answer(path: str) -> str | None:
        body = pages.get(path)
        return (
            body and f"<title>Letters</title><a href='/'>All</a>{body}<div>Powered by a small archive of letters</div>"
        )

    return Strange(answer, texts, threads + len(sheets))
