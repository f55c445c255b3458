"""The demo shop: books behind search forms, and forms that a crawler must leave alone."""

from __future__ import annotations

from siteseer.demo.shop.shop_site import shop_site
from siteseer.demo.shop.shop_templates import Classic, Modern
from siteseer.demo.shop.write_shop import write_shop
from siteseer.demo.site import Site

DEFAULT_SIZE = 120


def make_shop(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make a shop of `size` books."""
    return shop_site(write_shop(seed, size), Classic() if template == "classic" else Modern(), seed, template)
