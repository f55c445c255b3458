"""The demo forum: boards, threads over pages, posts with quotes and signatures, members."""

from __future__ import annotations

from siteseer.demo.forum.classic import Classic
from siteseer.demo.forum.forum_site import Skin, forum_site
from siteseer.demo.forum.modern import Modern
from siteseer.demo.forum.write_forum import write_forum
from siteseer.demo.site import Site

DEFAULT_SIZE = 40


def make_forum(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a forum of `size` threads."""
    forum = write_forum(seed, size)
    skin: Skin = Classic(forum) if template == "classic" else Modern(forum)
    return forum_site(forum, skin, seed, template)
