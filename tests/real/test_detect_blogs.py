"""Saved pages: a Movable Type blog is recognised and read; news pages and other software are not claimed."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise, recognise_in_full
from siteseer.model import Page

LABELLED = Path(__file__).parents[2] / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = pytest.mark.skipif(not LABELLED.is_file(), reason=f"needs the labelled pages at {LABELLED}")

WIKIS_AND_BLOGS = ("mediawiki", "drupal", "joomla", "blogger", "movabletype", "typepad", "ghost", "mastodon")
NEWS = re.compile(r"(^|/)(l3s_gn1|newspaper424|big9)/raw/.+\.html?$")
OTHER_SOFTWARE = re.compile(r"(^|/)sites/(wordpress|phpbb3|ptforum|ragezone)[^/]*/.+")
MOVABLE_TYPE = re.compile(r"(^|/)sites/movabletype[^/]*/pages/([0-9]{6}|[0-9]{4}_[0-9]{2}|cat_[a-z_]+)\.html$")
GENERATOR = re.compile(rb"<meta[^>]{0,200}generator[^>]{0,200}>", re.IGNORECASE)
TRACES = {
    "movabletype": rb"movable ?type|mt-comments|mt-tb\.cgi|mt-static|mtcmt",
    "drupal": rb"drupal",
    "joomla": rb"joomla|com_content",
    "blogger": rb"blogger|blogspot",
    "typepad": rb"typepad",
    "mediawiki": rb"mediawiki",
    "ghost": rb"ghost",
    "mastodon": rb"mastodon",
}


@pytest.fixture(scope="module")
def saved() -> dict[str, bytes]:
    wanted = (NEWS, OTHER_SOFTWARE, MOVABLE_TYPE)
    with tarfile.open(LABELLED) as tar:
        return {
            member.name: file.read()
            for member in tar
            if member.isfile() and any(one.search(member.name) for one in wanted) and (file := tar.extractfile(member))
        }


def as_page(name: str, body: bytes) -> Page:
    url = f"http://blog.example.org/{Path(name).name}"
    return Page(url, headers=(("Content-Type", "text/html"),), body=GENERATOR.sub(b"", body))


def test_a_movable_type_blog_is_recognised_without_its_generator(saved: dict[str, bytes]) -> None:
    names = [name for name in saved if MOVABLE_TYPE.search(name)]
    right = [n for n in names if recognise(as_page(n, saved[n]), KnowledgeBase.shipped()).application == "movabletype"]
    assert len(names) > 700
    assert len(right) >= 0.98 * len(names)


def test_its_entries_and_comments_are_read(saved: dict[str, bytes]) -> None:
    names = [name for name in saved if re.search(r"movabletype[^/]*/pages/[0-9]{6}\.html$", name) and saved[name]]
    right = [name for name in names if is_read(as_page(name, saved[name]), saved[name].count(b'class="comments-post"'))]
    assert len(names) > 600
    assert len(right) >= 0.99 * len(names), "broken HTML inside an entry may swallow what follows it"


def is_read(page: Page, comment_count: int) -> bool:
    seen = recognise_in_full(page, KnowledgeBase.shipped())
    if seen.level is None or seen.level.id != "post":
        return False
    first, *comments = extract(page, seen.level, seen.application)
    has_all = all(one.kind == "comment" and one.author and one.published and one.text for one in comments)
    return bool(first.kind == "post" and first.title and first.published) and has_all and len(comments) == comment_count


def test_news_pages_are_claimed_only_where_they_name_the_software(saved: dict[str, bytes]) -> None:
    names = [name for name in saved if NEWS.search(name)]
    found = {name: recognise(as_page(name, saved[name]), KnowledgeBase.shipped()).application for name in names}
    claimed = [name for name in names if found[name] in WIKIS_AND_BLOGS]
    wrong = [name for name in claimed if not re.search(TRACES[found[name] or ""], saved[name], re.IGNORECASE)]
    assert len(names) > 500
    assert len(wrong) <= 0.005 * len(names)


def test_other_software_is_not_claimed(saved: dict[str, bytes]) -> None:
    names = sorted(name for name in saved if OTHER_SOFTWARE.search(name))[::7]
    found = [recognise(as_page(name, saved[name]), KnowledgeBase.shipped()).application for name in names]
    assert len(names) > 100
    assert [name for name, one in zip(names, found, strict=True) if one in WIKIS_AND_BLOGS] == []
