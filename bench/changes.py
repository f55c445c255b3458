"""Verdicts on pairs of pages with known changes, and the time that two pages of 200 KB take.

    python bench/changes.py [--pages 12] [--seed 1] [--rounds 1] [--wrong]

Two sets: pages of the demo sites, edited; and pages made in many languages without telling names (`change_pages`), of
which some languages and some kinds of markup were held out while developing.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from change_languages import HELD_OUT, OPEN
from change_pages import CHANGES, HELD_OUT_STYLES, OPEN_STYLES, made_pairs
from harness import run
from lxml import html

from siteseer.change.diff import compare
from siteseer.demo import make_site
from siteseer.demo.site import Site, SiteRequest
from siteseer.model import Page

WANTED, WANTED_MS = 0.98, 300
EXPECTED = {
    "advert": {"noise"},
    "counter": {"noise", "same"},
    "comment": {"comments"},
    "edited": {"edited"},
    "template": {"template"},
}
SITES = ("blog", "forum", "wiki", "shop")
TYPE = (("Content-Type", "text/html; charset=utf-8"),)
REMARKS = {("blog", "classic"): "kommentar", ("blog", "modern"): "remark", ("forum", "modern"): "message"}


def page_of(site: Site, path: str) -> Page:
    body = site.respond(SiteRequest("GET", path, {"host": "e.org"})).body
    return Page(f"http://e.org{path}", 200, TYPE, body, datetime(2024, 1, 1, tzinfo=UTC))


def pairs(pages: int, seed: int = 5) -> Iterator[tuple[str, str, Page, Page]]:
    """Yield the kind of site, the edit, and the page before and after."""
    chance = random.Random(seed)
    for kind in SITES:
        sites = {template: make_site(kind, seed=seed, template=template, size=60) for template in ("classic", "modern")}
        for template, site in sites.items():
            chosen = [
                n for n, t in enumerate(site.truth.texts) if t.kind in ("post", "page", "record") and t.page == t.thread
            ]
            firsts = {site.truth.texts[n].page: n for n in reversed(chosen)}
            for number in list(firsts.values())[:pages]:
                text = site.truth.texts[number]
                page = page_of(site, text.page)
                for name, before, after in edited(page, text.text, chance):
                    yield f"{kind} {template}", name, before, after
                if both := commented(page, REMARKS.get((kind, template), "")):
                    yield f"{kind} {template}", "comment", *both
                if kind != "forum" and template == "classic":
                    other = page_of(sites["modern"], sites["modern"].truth.texts[number].page)
                    yield kind, "template", page, Page(page.url, 200, TYPE, other.body, page.fetched_at)


def edited(page: Page, text: str, chance: random.Random) -> Iterator[tuple[str, Page, Page]]:
    adverts = [
        f'<div class="{name}"><a href="http://ads{n}.example.net/c?{n}"><img src="http://ads.example.net/{n}.png"> Buy {word} today, '
        f"only {n} crowns, delivered to your door tomorrow.</a></div>"
        for n, (name, word) in enumerate(
            (("ad-slot", "kettles"), ("ad-slot", "boots"), ("banner", "tea"), ("banner", "lamps")), 3
        )
    ]
    for mark, pair in (("</body>", adverts[:2]), ("</p>", adverts[2:]), ("</div>", adverts[:2])):
        if mark.encode() in page.body:
            yield "advert", with_insert(page, mark, pair[0]), with_insert(page, mark, pair[1])
    first = chance.randrange(100, 9000)
    for words in ("<p class=stats>Read {} times</p>", "<span>{} visitors online</span>"):
        yield (
            "counter",
            with_insert(page, "</div>", words.format(first)),
            with_insert(page, "</div>", words.format(first + 7)),
        )
    sentences = [one for one in re.split(r"(?<=[.!?])\s", text) if len(one.split()) > 6 and one.encode() in page.body]
    if not sentences:
        return
    sentence = chance.choice(sentences)
    words_of = sentence.split()
    words_of[len(words_of) // 2] = "elsewhere"
    for new in (" ".join(words_of), "", f"{sentence} Nobody had expected the flood to return in the same week."):
        yield "edited", page, replaced(page, sentence, new)


def with_insert(page: Page, mark: str, text: str) -> Page:
    head, found, tail = page.body.decode().rpartition(mark)
    return Page(
        page.url,
        200,
        TYPE,
        (head + (text + found if mark != "</p>" else found + text) + tail).encode(),
        page.fetched_at,
    )


def replaced(page: Page, old: str, new: str) -> Page:
    return Page(page.url, 200, TYPE, page.body.replace(old.encode(), new.encode(), 1), page.fetched_at)


def commented(page: Page, name: str) -> tuple[Page, Page] | None:
    """Return the page without its last remark, and as it is."""
    root = html.fromstring(page.body)
    remarks = root.find_class(name) if name else []
    if not remarks or (name == "message" and len(remarks) < 2):
        return None
    remarks[-1].drop_tree()
    return Page(page.url, 200, TYPE, html.tostring(root, encoding="utf-8"), page.fetched_at), page


def large_pair() -> tuple[Page, Page]:
    """Return two captures of 200 KB: a long thread, edited in several places."""
    chance = random.Random(1)
    words = "river boat water hill stone bread lamp wind door field horse paper glass".split()
    items = [
        f'<div class="post" id="p{n}"><a href="/u/{n}">user{n}</a> <span class=date>{n % 28 + 1} May 2015</span><p>'
        + " ".join(chance.choice(words) for _ in range(45)) + "</p></div>"
        for n in range(560)
    ]  # fmt: skip
    new = [one.replace("river", "valley", 1) if n % 40 == 0 else one for n, one in enumerate(items)] + items[:3]
    made = [f"<html><body><h1>Thread</h1>{''.join(part)}</body></html>".encode() for part in (items, new)]
    return Page("http://e.org/t", 200, TYPE, made[0]), Page("http://e.org/t", 200, TYPE, made[1])


def show_demo(pages: int) -> tuple[int, int]:
    """Print the verdicts on pages of the demo sites; return how many are right, and how many there are."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    for site, name, before, after in pairs(pages):
        verdict = compare(before, after).verdict
        total[name] += 1
        right[name] += verdict in EXPECTED[name]
        if verdict not in EXPECTED[name]:
            wrong[(site, name, verdict)] += 1
    print(f"{'demo sites':28} {'pairs':>6} {'right':>7}")
    for name in EXPECTED:
        print(f"{name:28} {total[name]:6} {right[name] / max(1, total[name]):7.3f}")
    for (site, name, verdict), count in wrong.most_common():
        print(f"   wrong: {site:14} {name:9} taken for {verdict:9} {count}")
    return right.total(), total.total()


def show_made(
    title: str, languages: Sequence[str], styles: Sequence[str], *, seed: int, rounds: int, show_wrong: bool
) -> tuple[int, int]:
    """Print the verdicts on made pages, by what changed; return how many are right, and how many there are."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for code, style, layout, name, before, after in made_pairs(languages, styles, seed, rounds):
        found = compare(before, after)
        total[name] += 1
        right[name] += found.verdict in CHANGES[name][1]
        if found.verdict not in CHANGES[name][1]:
            wrong[f"{name} taken for {found.verdict}"] += 1
            if show_wrong:
                print(f"   {code} {style} {layout}: {name} taken for {found.verdict}: {found.because[:100]}")
    print(f"\n{title:28} {'pairs':>6} {'right':>7}")
    for name in CHANGES:
        print(f"{name:28} {total[name]:6} {right[name] / max(1, total[name]):7.3f}")
    for what, count in wrong.most_common():
        print(f"   wrong: {what} {count}")
    print(f"{'all of these':28} {total.total():6} {right.total() / total.total():7.3f}", flush=True)
    return right.total(), total.total()


def show_time() -> None:
    """Print how long the comparison of two large pages takes."""
    before, after = large_pair()
    times = []
    for _ in range(5):
        pair = [Page(one.url, 200, TYPE, one.body) for one in (before, after)]
        start = time.process_time()
        compare(*pair)
        times.append((time.process_time() - start) * 1000)
    print(
        f"two pages of {len(before.body) // 1000} KB: {min(times):.0f} ms best, {sorted(times)[2]:.0f} ms median of CPU time   wanted under {WANTED_MS}"
    )


def main(
    pages: Annotated[int, "pages of each demo site"] = 12,
    seed: int = 1,
    rounds: Annotated[int, "pages of each language and markup"] = 1,
    wrong: Annotated[bool, "print every wrong verdict"] = False,
    open: Annotated[bool, "leave out what is held out while developing"] = False,
) -> None:
    made = partial(show_made, seed=seed, rounds=rounds, show_wrong=wrong)
    counts = [show_demo(pages), made("open", OPEN, tuple(OPEN_STYLES))]
    if not open:
        counts.append(made("markup held out", OPEN, tuple(HELD_OUT_STYLES)))
        counts.append(made("languages held out", HELD_OUT, (*OPEN_STYLES, *HELD_OUT_STYLES)))
    right, total = (sum(column) for column in zip(*counts, strict=True))
    print(f"\n{'all':28} {total:6} {right / total:7.3f}   wanted {WANTED}")
    show_time()


if __name__ == "__main__":
    run(main)
