"""The forum and the blog that the description's tests speak of."""

from datetime import UTC, datetime, timedelta
from typing import Any

from siteseer.model import Capture, WebObject
from siteseer.page.object_iris import object_iri

THREAD = "http://f.example/t/9#this"
BOARD = "http://f.example/f/2#this"
ARTICLE = "http://b.example/2014/hello#this"


def capture(number: int, *, days: int = 0) -> Capture:
    time = datetime(2014, 3, 2, 10, tzinfo=UTC) + timedelta(days=days)
    record = f"urn:uuid:92283950-ef2f-4d72-b224-{number:012x}"
    return Capture("B-00000.warc.gz", 1000 * number, 5120, time, f"sha256:{number:064x}", record)


def post(number: int, **more: Any) -> WebObject:
    url = "http://f.example/t/9"
    facts = {"thread": THREAD, "author": "ann", "text": f"Text of post {number}.", "because": "forum/post", **more}
    return WebObject("post", f"{url}#p{number}", url, **facts)


FORUM = [
    WebObject("board", BOARD, "http://f.example/f/2", title="Optics"),
    WebObject("thread", THREAD, "http://f.example/t/9", title="Lens choice", parent=BOARD, fields={"num_replies": "1"}),
    post(100, author_url="http://f.example/u/45", published="2014-03-01T10:12:00Z", text="Which lens?"),
    post(101, author="bob", author_url="http://f.example/u/46", text="The 50mm.", parent="http://f.example/t/9#p100"),
    WebObject("user", "http://f.example/u/45#this", "http://f.example/t/9", title="ann", fields={"id": "45"}),
]
BLOG = [
    WebObject(
        "article", ARTICLE, "http://b.example/2014/hello", title="Hello", author="eve",
        author_url="http://b.example/author/eve", published="2014-03-02T08:00:00+01:00", tags=("intro",),
        text="First post about the festival.", because="wordpress/post/body#2",
    ),
    WebObject(
        "comment", object_iri("comment", permalink="http://b.example/2014/hello#comment-7"), "http://b.example/2014/hello",
        author="zoe", published="2014-03-02T09:30:00+01:00", text="Welcome!", parent=ARTICLE, thread=ARTICLE,
    ),
]  # fmt: skip
PAIRS = [(thing, capture(1)) for thing in FORUM] + [(thing, capture(2)) for thing in BLOG]
