"""A page in, what its microformats and microdata say of the article out: author and dates.

References: hAtom and h-entry (microformats.org), schema.org microdata.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from siteseer.extract.values import date_texts, one_line
from siteseer.model import Page
from siteseer.page.tree import cached, tree

LONGEST_NAME = 100


def _named(*names: str) -> str:
    return " or ".join(f"contains(concat(' ',normalize-space(@class),' '),' {name} ')" for name in names)


_AUTHOR: Any = etree.XPath(
    f"(//*[@itemprop='author']//*[@itemprop='name'] | //*[{_named('hentry', 'h-entry')}]//*[{_named('p-author', 'fn')}]"
    " | //*[@itemprop='author'] | //a[@rel='author'])[1]"
)
_PUBLISHED: Any = etree.XPath(f"(//*[@itemprop='datePublished'] | //*[{_named('dt-published', 'published')}])[1]")
_MODIFIED: Any = etree.XPath(f"(//*[@itemprop='dateModified'] | //*[{_named('dt-updated', 'updated')}])[1]")

_AUTHOR_WORDS = (b"p-author", b"hentry", b'itemprop="author', b"itemprop='author", b"itemprop=author", b'rel="author')
_PUBLISHED_WORDS, _MODIFIED_WORDS = (b"datePublished", b"published"), (b"dateModified", b"updated")


@dataclass(frozen=True, slots=True)
class Marked:
    """What the mark-up says; empty where it says nothing."""

    author: str = ""
    published: str = ""
    modified: str = ""


@cached
def marked_up(page: Page) -> Marked:
    """Return what microformats and microdata say.

    >>> body = b"<div class=hentry><b class='author vcard fn'>Ann</b><time class=published datetime=2020-05-01>"
    >>> marked_up(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    Marked(author='Ann', published='2020-05-01', modified='')
    """
    found = []
    for find, words in ((_AUTHOR, _AUTHOR_WORDS), (_PUBLISHED, _PUBLISHED_WORDS), (_MODIFIED, _MODIFIED_WORDS)):
        is_there = any(
            word in page.body for word in words
        )  # looking through the bytes is quicker than through the tree
        found.append(next(iter(find(tree(page))), None) if is_there else None)
    author, published, modified = found
    name = (author.get("content") or one_line(author))[:LONGEST_NAME] if author is not None else ""
    return Marked(name, _date(published), _date(modified))


def _date(element: html.HtmlElement | None) -> str:
    return next(iter(date_texts(element)), "")[:LONGEST_NAME] if element is not None else ""
