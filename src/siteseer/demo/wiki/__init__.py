"""The demo wiki: pages, old revisions, differences, index, recent changes, media."""

from __future__ import annotations

from siteseer.demo.site import Site
from siteseer.demo.wiki.wiki_site import Skin, wiki_site
from siteseer.demo.wiki.wiki_templates import Classic, Modern
from siteseer.demo.wiki.write_wiki import write_wiki

DEFAULT_SIZE = 50


def make_wiki(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a wiki of `size` pages."""
    wiki = write_wiki(seed, size)
    skin: Skin = Classic(wiki) if template == "classic" else Modern(wiki)
    return wiki_site(wiki, skin, seed, template)
