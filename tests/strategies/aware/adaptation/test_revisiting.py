"""A blog that changed its template between two visits: revisit repairs the actions for what is new or changed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from siteseer.collection.state import State
from tests.crawler.small_site import Answer, SmallSite
from tests.strategies.aware.adaptation.small_blog import KNOWLEDGE, ORIGIN, POSTS, pages

EARLIER = POSTS - 6
DISCUSSED = EARLIER - 1
"""A known post that gets another comment."""
LINK = re.compile(rb"<h2 class=[\w-]+><a href='(/entry/[^']+)'>[^<]*</a></h2>")
FEED = "<rss version='2.0' xmlns:slash='http://purl.org/rss/1.0/modules/slash/'><channel>{}</channel></rss>"
ITEM = "<item><title>{0}</title><link>{1}/entry/{0}-story.html</link><slash:comments>{2}</slash:comments></item>"


class Blog:
    """Serves the posts up to one of them in a template, and a feed of all with their counts of comments."""

    def __init__(self) -> None:
        self.sites = {template: pages(template) for template in ("old", "new")}
        self.template, self.last, self.url = "old", EARLIER, ""
        self.asked: list[str] = []

    def answer(self, path: str, headers: dict[str, str]) -> Answer:
        self.asked.append(path)
        if path == "/feed.xml":
            count = {DISCUSSED: 1 + (self.last > EARLIER)}
            items = "".join(ITEM.format(post, self.url, count.get(post, 1)) for post in range(1, self.last + 1))
            return 200, {"Content-Type": "application/rss+xml"}, FEED.format(items).encode()
        page = self.sites[self.template].get(ORIGIN + path)
        if page is None or self._is_later(path):
            return 404, {}, b"nothing here"
        return 200, {}, LINK.sub(lambda link: b"" if self._is_later(link[1].decode()) else link[0], page.body)

    def _is_later(self, path: str) -> bool:
        return path.startswith("/entry/") and int(path.split("/")[2].split("-")[0]) > self.last


def siteseer(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "siteseer", *arguments, "--delay", "0", "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def posts(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the posts of a collection by page, each as it was found last."""
    state = State(folder, create=False)
    try:
        rows = [
            json.loads(text)
            for (text,) in state.rows("SELECT object FROM objects WHERE kind = 'post' ORDER BY rowid", ())
        ]
    finally:
        state.close()
    return {one["url"]: one for one in rows}


def test_a_new_template_is_adapted_to_on_a_revisit(tmp_path: Path) -> None:
    blog, knowledge, folder = Blog(), tmp_path / "weblog.xml", tmp_path / "collection"
    knowledge.write_bytes(KNOWLEDGE)
    with SmallSite(blog.answer) as site:
        blog.url = site.url
        chosen = ("--strategy", "aware", "--knowledge", "none", "--knowledge", str(knowledge))
        first = siteseer("crawl", f"{site.url}/", f"{site.url}/feed.xml", "-o", str(folder), *chosen)
        blog.template, blog.last = "new", POSTS
        blog.asked.clear()
        again = siteseer("revisit", str(folder))
    wanted = {f"/entry/{post}-story.html" for post in (DISCUSSED, *range(EARLIER + 1, POSTS + 1))}
    assert wanted <= set(blog.asked) and len(blog.asked) <= 1.3 * len(wanted) + 1
    assert first["adapted_actions"] == 0 and again["adapted_actions"] > 0
    assert again["objects"]["post"] == len(wanted)
    found = posts(folder)
    for path in wanted:
        post, told = found[site.url + path], blog.sites["new"][ORIGIN + path].body.decode()
        for field, element in (("title", "h2 class=storytitle"), ("author", "em class=who"), ("text", "p")):
            assert f"<{element}>{post[field]}</" in told
    assert (folder / "siteseer" / "knowledge" / "weblog.xml").is_file()
