"""Composes induced expressions into the text of a wrapper in OXPath.

Attributes are optional predicates (`[? ...]`), so that a record that lacks one is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from siteseer.wrapper.induction.candidates.substring import WHOLE
from siteseer.wrapper.induction.induce_attributes import Attribute
from siteseer.wrapper.induction.induce_records import Records
from siteseer.wrapper.induction.shortlist import Ranked

PAGES = 30
"""Next links followed at most; the bound that the designer of the thesis sets."""
ADDRESS = "@href"
"""How a next link is read that leads to an address; one without turns the page where it stands."""


def compose(
    url: str, found: Records | Mapping[str, Attribute], following: Ranked | None = None, record: str = "record"
) -> str:
    """Return a wrapper that starts at a URL, follows the next link, and extracts records or one record a page.

    >>> from siteseer.wrapper.induction.induce_records import induce_records
    >>> from siteseer.wrapper.induction.marked_examples import Mark
    >>> page = b"<ul><li><b>A</b><li><b>B</b></ul>"
    >>> print(compose("http://e.org/", induce_records([page], [Mark(0, "row", "//li[1]")], [Mark(0, "n", "A")])))
    doc('http://e.org/')//li:<record>
      [? .//b//text():<n=normalize-space(.)>]
    """
    is_list = isinstance(found, Records)
    attributes = found.attributes if isinstance(found, Records) else found
    where = found.expressions[0].xpath if isinstance(found, Records) else "/html"
    start = f"doc('{quote(url, safe=':/?#[]@!$&()*+,;=%~')}')"
    turn = "nextclick" if following and following.value == ADDRESS else "clkwithchange"
    more = f"/({following.xpath}/{{{turn} /}})*{{0,{PAGES}}}" if following else ""
    lines = [f"[? {_marked(one)}]" for one in attributes.values()]
    name = label(record) if is_list or record != "record" else "page"
    return "\n  ".join([f"{start}{more}{where}:<{name}>", *lines])


def _marked(one: Attribute) -> str:
    path = one.best.xpath if len(one.best.parts) == 1 else f"({one.best.xpath})"
    return f"{path}:<{label(one.name)}={taken(one.best.xpath, one.best.value)}>"


def taken(xpath: str, value: str) -> str:
    """Return the expression with which a wrapper reads a value; relative URLs are made absolute.

    >>> taken(".//a/@href", "normalize-space(.)"), taken(".//a", "normalize-space(.)")
    ('qualify-url(.)', 'normalize-space(.)')
    """
    return "qualify-url(.)" if xpath.endswith(("/@href", "/@src")) and value == WHOLE else value


def label(name: str) -> str:
    """Return a name in a form that a marker may have.

    >>> label("2nd price (€)")
    '_2nd_price'
    """
    word = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-") or "value"
    return word if re.match(r"[A-Za-z_]", word) else f"_{word}"
