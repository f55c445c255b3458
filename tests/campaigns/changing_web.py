"""A site with articles that can be turned to a later day: one article is new, one is gone, one is edited."""

from __future__ import annotations

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.site import document, html
from siteseer.demo.truth import Truth

SENTENCES = (
    "The harbour board met the divers on the pier, and Ada Norwell told them about kelp and tides.",
    "Nobody on the island remembers a winter in which kelp grew so slowly near the old jetty.",
    "In the evening Ada Norwell read her letter aloud: the harvest would have to wait for spring.",
    "Boats came in with nets full of weed, and the market women laughed at the price of kelp.",
)


class ChangingSite:
    """Articles 1 to 3 on the first day; on the second 1 is edited, 2 gone and 4 new, 3 is as it was."""

    def __init__(self) -> None:
        self.day = 1

    def site(self) -> Site:
        """What a server serves."""
        return Site(Truth("changing", 0, "modern", (), frozenset(), frozenset(), 4), self.answer)

    def answer(self, request: SiteRequest) -> SiteResponse:
        """Answer as of the day."""
        numbers = (1, 2, 3) if self.day == 1 else (1, 3, 4)
        if request.path == "/style.css":
            return document("body { color: black }", "text/css")
        if request.path == "/":
            items = "".join(f'<li><a href="/kelp-{number}.html">Kelp story {number}</a>' for number in numbers)
            return html(f"<title>Kelp</title><h1>Kelp</h1><ul>{items}</ul>")
        number = request.path.removeprefix("/kelp-").removesuffix(".html")
        if not number.isdigit() or int(number) not in numbers:
            return html("<h1>Not found</h1>", 404)
        return html(self._article(int(number)))

    def _article(self, number: int) -> str:
        turned = SENTENCES[number % 4 :] + SENTENCES[: number % 4]
        text = "".join(f"<p>{sentence} This was day {number} of the story.</p>" for sentence in turned)
        if self.day == 2 and number == 1:
            text = "".join(f"<p>{sentence.replace('kelp', 'weed')} A storm broke the pier.</p>" for sentence in turned)
        head = f'<title>Kelp story {number}</title><link rel="stylesheet" href="/style.css">'
        by = f'<p>By <span class="author">Ada Norwell</span>, <time datetime="2020-0{number}-05">x</time></p>'
        return f"{head}<article><h1>Kelp story {number}</h1>{by}{text}</article>"
