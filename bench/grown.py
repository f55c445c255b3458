"""Demo sites before and after some time has passed: threads answered and begun, pages edited and written, new posts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from siteseer.demo import make_site
from siteseer.demo.forum import Classic as ClassicForum
from siteseer.demo.forum import Modern as ModernForum
from siteseer.demo.forum.forum_site import forum_site
from siteseer.demo.forum.write_forum import write_forum
from siteseer.demo.site import Site
from siteseer.demo.wiki import Classic as ClassicWiki
from siteseer.demo.wiki import Modern as ModernWiki
from siteseer.demo.wiki.wiki_site import wiki_site
from siteseer.demo.wiki.write_wiki import WikiPage, write_wiki

Pair = tuple[Site, Site]


def blog(seed: int, template: str, size: int, grown: int) -> Pair:
    """Return a blog, and the same with newer posts and with new comments on older ones."""
    before = make_site("blog", seed=seed, template=template, size=size)
    return before, make_site("blog", seed=seed, template=template, size=size, grown=grown)


def forum(seed: int, template: str, size: int, grown: int) -> Pair:
    """Return a forum, and the same with newer threads and with as many answers in older ones."""
    whole = write_forum(seed, size + grown)
    now = max(post.date for thread in whole.threads for post in thread.posts)
    several = [thread for thread in whole.threads[:size] if len(thread.posts) > 1]
    answered = {thread.number for thread in random.Random(seed).sample(several, grown)}
    old, new = [], []
    for thread in whole.threads:
        *earlier, last = thread.posts
        if thread.number in answered:
            old.append(replace(thread, posts=tuple(earlier)))
            last = replace(last, date=now + timedelta(minutes=thread.number))
        elif thread.number <= size:
            old.append(thread)
        new.append(replace(thread, posts=(*earlier, last)))
    sites = []
    for threads in (old, new):
        made = replace(whole, threads=tuple(threads))
        skin = ClassicForum(made) if template == "classic" else ModernForum(made)
        sites.append(forum_site(made, skin, seed, template))
    return sites[0], sites[1]


def wiki(seed: int, template: str, size: int, grown: int) -> Pair:
    """Return a wiki, and the same with further pages, with what names them changed, and with as many pages edited."""
    whole = write_wiki(seed, size + grown)
    keys = list(whole.pages)
    now = max(page.revisions[-1].number for page in whole.pages.values())
    long = [key for key in keys[1:size] if len(whole.pages[key].sections) > 1]
    edited = set(random.Random(seed).sample(long, grown))
    old: dict[str, WikiPage] = {}
    new: dict[str, WikiPage] = {}
    for number, (key, page) in enumerate(whole.pages.items()):
        links = tuple(link for link in page.links if keys.index(link) < size)
        if number < size:
            old[key] = replace(page, links=links, sections=page.sections[: -1 if key in edited else None])
        is_changed = number >= size or key in edited or links != page.links
        later = replace(page.revisions[-1], number=now + 3600 * (number + 1))
        new[key] = replace(page, revisions=(*page.revisions, later)) if is_changed else page
    sites = []
    for pages in (old, new):
        made = replace(whole, pages=pages)
        skin = ClassicWiki(made) if template == "classic" else ModernWiki(made)
        sites.append(wiki_site(made, skin, seed, template))
    return sites[0], sites[1]


KINDS: dict[str, Callable[[int, str, int, int], Pair]] = {"blog": blog, "forum": forum, "wiki": wiki}
