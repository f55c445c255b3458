"""Feeds as evidence: FOREST with feed signifiers, SIGFEED, DESCRIPTION and `article` on post pages of captured blogs.

    python bench/article_feeds.py [NAME...]

Each capture's own feeds lead to its post pages; every post is taken once, from the first feed that names it. Texts are
compared with the true title and text of the post: macro means over pages of 2-gram sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from article_pages import mean_scores, score
from harness import Names, run

from siteseer.extract.article import Hint, articles
from siteseer.extract.article.forest import forest
from siteseer.extract.article.forest.forest_extractor import description
from siteseer.extract.article.forest.signifiers import of_items
from siteseer.extract.article.sigfeed import sigfeed
from siteseer.model import Page
from siteseer.page.feeds import FeedItem, is_feed, read_feed
from siteseer.page.urls import identity

CAPTURES = ("wordpress-2021", "textpattern", "serendipity-2k11")
WANTED = {"FOREST (feeds)": 0.90, "SIGFEED": 0.84}
MOST_PAGES = 60
Channel = list[tuple[Page, FeedItem, str]]


def channels(name: str) -> list[Channel]:
    """Return the feeds of a capture: post pages with their items and their true texts."""
    from tests.real.captures import capture

    site: Any = capture(name)
    origin = site.truth["origin"]
    posts = {
        identity(origin + text["page"]): f"{text['title']}\n{text['text']}"
        for text in site.truth["texts"]
        if text["kind"] == "post"
    }
    found, seen = [], set[str]()
    for page in sorted(
        (one for one in site.pages.values() if one.status == 200 and is_feed(one)), key=lambda one: len(one.url)
    ):
        feed = read_feed(page)
        items = {identity(item.link): item for item in feed.items} if feed else {}
        new = [key for key in items if key in posts and key not in seen and key in site.pages]
        if len(new) >= 2 and len(seen) < MOST_PAGES:
            seen.update(new)
            found.append([(site.pages[key], items[key], posts[key]) for key in new])
    return found


def by_forest(channel: Channel) -> list[str]:
    found = forest([page for page, _, _ in channel], of_items([item for _, item, _ in channel]))
    return [one.text if one else "" for one in found]


def by_tf_idf(channel: Channel) -> list[str]:
    return [one.text if one else "" for one in forest([page for page, _, _ in channel])]


def by_sigfeed(channel: Channel) -> list[str]:
    items = [item for _, item, _ in channel]
    return [found.text if (found := sigfeed(page, item, items)) else "" for page, item, _ in channel]


def by_description(channel: Channel) -> list[str]:
    return [description(item) for _, item, _ in channel]


def by_article(channel: Channel) -> list[str]:
    found = articles([page for page, _, _ in channel], [Hint(item=item) for _, item, _ in channel])
    return [f"{one.title}\n{one.text}" for one in found]


METHODS: dict[str, Callable[[Channel], list[str]]] = {
    "FOREST (feeds)": by_forest,
    "FOREST (tf-idf)": by_tf_idf,
    "SIGFEED": by_sigfeed,
    "DESCRIPTION": by_description,
    "article": by_article,
}


def main(names: Names = CAPTURES, /) -> None:
    for name in names:
        found = channels(name)
        print(f"\n{name}, {sum(map(len, found))} posts of {len(found)} feeds       P       R       F1")
        for method, function in METHODS.items():
            rows = []
            for channel in found:
                rows += [score(text, gold) for text, (_, _, gold) in zip(function(channel), channel, strict=True)]
            means = mean_scores(rows)
            wanted = WANTED.get(method)
            note = f"wanted {wanted:.2f}: {'reached' if means[2] >= wanted else 'MISSED'}" if wanted else ""
            print(f"  {method:18}" + "  ".join(f"{value:.4f}" for value in means) + f"  {note}", flush=True)


if __name__ == "__main__":
    run(main)
