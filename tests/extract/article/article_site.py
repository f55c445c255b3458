"""A small news site: pages of one template with menus, comments, captions and related links around the article."""

from __future__ import annotations

from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)
TOPICS = ("rivers", "kites", "bridges", "owls", "lanterns", "gardens")


def story(topic: str) -> list[str]:
    return [
        f"People have looked at {topic} for as long as there have been people, and they still do in every season.",
        f"In the old town the {topic} are counted each spring, since nobody knows where the {topic} go in winter.",
        f"The council said on Monday that it would pay for the {topic}, but it did not say how much, or when.",
    ]


def page(topic: str, comments: int = 3) -> Page:
    paragraphs = "".join(f"<p>{text}</p>" for text in story(topic))
    answers = "".join(
        f"<li class=comment><p>I like the {topic} of the other town more, number {n}, and I said so before.</p></li>"
        for n in range(comments)
    )
    body = f"""<!doctype html><html><head><title>All about {topic} | The Paper</title>
    <script type="application/ld+json">{{"@type": "NewsArticle", "author": {{"name": "Ann Example"}},
    "datePublished": "2020-05-01T10:00:00Z"}}</script></head><body>
    <ul class=menu><li><a href=/>Home</a></li><li><a href=/s>Sport</a></li><li><a href=/w>Weather</a></li></ul>
    <div class=page><h1>All about {topic}</h1><div class=share><a href=#>Share</a> <a href=#>Print</a></div>
    <div class=article-body>{paragraphs}<figure><img src=/p.jpg><figcaption>A photo of {topic}</figcaption></figure>
    </div>
    <div class=related><h3>Related</h3><a href=/1>Why {topic} matter</a></div>
    <div id=comments><ol>{answers}</ol></div></div>
    <div class=footer>Copyright The Paper. All rights reserved. Terms of use and privacy policy.</div></body></html>"""
    return Page(f"http://paper.example.org/{topic}", 200, HTML, body.encode())


def site() -> list[Page]:
    return [page(topic) for topic in TOPICS]
