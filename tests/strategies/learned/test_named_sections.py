"""Parts and pages of a site that are named like functions of software: /api/, /guide/search.html."""

import random
from collections.abc import Callable
from itertools import product

from tests.crawler.small_site import Answer, SmallSite

PARTS = "guide cookbook reference api".split()
NAMED = ("search", "upload", "password")
PAGES = 12
SYLLABLES = "bal kor mit sen tul vop dra gem an er is on".split()
WORDS = ["".join(three) for three in product(SYLLABLES, repeat=3)]


def addresses() -> list[str]:
    """Return the pages that hold content."""
    names = [f"step-{number}" for number in range(PAGES)]
    return [f"/{part}/{name}.html" for part in PARTS for name in (*names, *(NAMED if part == "guide" else ()))]


def manual(path: str, headers: dict[str, str]) -> Answer:
    """Serve a manual: one link leads to each part, and the pages of a part lead to each other."""
    part = path.split("/")[1]
    menu = "".join(f'<a href="/{one}/step-0.html">{one}</a> ' for one in PARTS)
    if path == "/":
        return 200, {}, f"<title>Manual</title><nav>{menu}</nav><p>Welcome to the manual of all our boats.".encode()
    if path == "/login":
        return 200, {}, b"<title>Log in</title><form method=post><input name=u><input type=password name=p></form>"
    if path not in addresses():
        return 404, {}, b"no such page"
    rng = random.Random(path)
    text = "".join(f"<p>{' '.join(rng.choices(WORDS, k=60))}." for _ in range(3))
    side = "".join(f'<li><a href="{one}">{one[1:-5]}</a>' for one in addresses() if one.startswith(f"/{part}/"))
    said = f"<title>{path}</title><nav>{menu}<a href=/login>Log in</a></nav><ul>{side}</ul><h1>{path}</h1>{text}"
    return 200, {}, said.encode()


def test_what_is_named_like_a_function_is_found(run_crawl: Callable) -> None:
    with SmallSite(manual) as site:
        summary = run_crawl(site.url, strategy="auto", browser="never")
        asked = set(site.paths())
    assert summary["finished"]
    assert sorted(set(addresses()) - asked) == []
    assert "/login" not in asked, "a form to log in is no page beside others"
