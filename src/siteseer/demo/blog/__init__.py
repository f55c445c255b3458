"""The demo blog: posts, comments, categories, tags, months, feeds; it can grow."""

from __future__ import annotations

from siteseer.demo.blog.blog_site import Skin, blog_site
from siteseer.demo.blog.classic import Classic
from siteseer.demo.blog.modern import Modern
from siteseer.demo.blog.write_blog import write_blog
from siteseer.demo.site import Site

DEFAULT_SIZE = 60


def make_blog(seed: int, template: str, size: int = DEFAULT_SIZE, grown: int = 0) -> Site:
    """Make a blog of `size` posts; with `grown`, the same blog after so many more posts."""
    blog = write_blog(seed, size, grown)
    skin: Skin = Classic(blog) if template == "classic" else Modern(blog)
    return blog_site(blog, skin, seed, template)
