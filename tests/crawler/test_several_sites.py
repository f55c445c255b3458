"""Archives and collections that hold several sites: the objects of each are those that it has alone."""

import io
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from siteseer.batch.describe import describe_archives
from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.collection.exit_codes import exit_code
from siteseer.crawler.run import crawl
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import JSON
from siteseer.page.urls import site_of
from siteseer.settings import CrawlOptions

Text = tuple[str, str, str | None]


def texts(collection: Path) -> dict[str, list[Text]]:
    """Return kind, text and author of all objects, by site."""
    found: dict[str, list[Text]] = {}
    with Description.of(collection) as description:
        for one in description.objects():
            found.setdefault(site_of(one["url"]), []).append((one["kind"], one.get("text", ""), one.get("author")))
    return {site: sorted(rows, key=str) for site, rows in found.items()}


def described(tmp_path: Path, name: str, sources: Sequence[Path]) -> tuple[JSON, dict[str, list[Text]]]:
    result = describe_archives(sources, tmp_path / name, KnowledgeBase.shipped())
    return result, texts(tmp_path / name)


def write_pages(path: Path, pages: Sequence[tuple[str, str]]) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, html in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            record = writer.create_warc_record(url, "response", payload=io.BytesIO(html.encode()), http_headers=head)
            writer.write_record(record)
    return path


def notes(origin: str, folder: str = "/", count: int = 30) -> list[tuple[str, str]]:
    """Return the pages of a home-made site: a note a page, with author, date and a text of its own."""
    picks = random.Random(origin)
    words = ["".join(picks.choices(("ka", "lo", "mi", "ster", "un", "ve", "ral", "to"), k=3)) for _ in range(400)]
    pages = []
    for number in range(count):
        own = ". ".join(" ".join(picks.choices(words, k=9)) for _ in range(picks.randint(5, 9)))
        name, author = picks.choice(words), picks.choice(("Ann Vale", "Ben Oak", "Cora Finch"))
        html = (
            f"<html><head><title>{name} {number}</title></head><body><div class=top><a href=/>Home</a></div>"
            f"<div class=note><h2>About {name} {number}</h2><span class=by>{author}</span> "
            f"<span class=at>2021-03-{number % 27 + 1:02} 10:0{number % 10}</span><div class=body><p>{own}.</p></div>"
            "</div><div class=foot>All notes</div></body></html>"
        )
        pages.append((f"{origin}{folder}note{number}.html", html))
    return pages


def board(origin: str, folder: str = "/", topics: int = 8) -> list[tuple[str, str]]:
    """Return the pages of a phpBB board, and pages of its host that nobody recognises."""
    page = '<body id="phpbb" class="section-{}"><div id="page-body">{}</div>'
    at = f"{origin}{folder}"
    texts = [re.search("<p>.*</p>", html)[0] for _, html in notes(f"{origin}/board", count=3 * topics)]  # type: ignore[index]
    links = "".join(
        f'<li><dl><a class=topictitle href="./viewtopic.php?t={n}">Topic {n}</a></dl>' for n in range(topics)
    )
    forum = '<ul class="topiclist forums"><li><a class=forumtitle href="./viewforum.php?f=1">Talk</a></ul>'
    pages = [
        (at, page.format("index", forum)),
        (f"{at}viewforum.php?f=1", page.format("viewforum", f'<ul class="topiclist topics">{links}</ul>')),
    ]
    for topic in range(topics):
        posts = "".join(
            f'<div id=p{3 * topic + n} class=post><dl class=postprofile><dt><a class=username href="#">Eve {n}</a></dl>'
            f"<div class=postbody><div class=content>{text}</div></div></div>"
            for n, text in enumerate(texts[3 * topic : 3 * topic + 3])
        )
        inside = f'<h2 class=topic-title><a href="./viewtopic.php?t={topic}">Topic {topic}</a></h2>{posts}'
        pages.append((f"{at}viewtopic.php?t={topic}", page.format("viewtopic", inside)))
    return pages


@pytest.fixture
def crawled(serve: Callable, run_crawl: Callable, tmp_path: Path) -> Callable[..., Path]:
    """Crawl a demo site blindly, and return its archive."""

    def blindly(name: str, kind: str, **options: object) -> Path:
        run_crawl(serve(kind, **options).url, strategy="blind", folder=name)
        return tmp_path / name / "archive"

    return blindly


@pytest.mark.parametrize(
    "pair",
    [(("forum", {"seed": 6}), ("blog", {"seed": 3})), (("forum", {"seed": 6}), ("forum", {"seed": 9}))],
    ids=["two-kinds", "two-forums"],
)
def test_each_demo_site_gives_what_it_gives_alone(crawled: Callable, tmp_path: Path, pair: tuple) -> None:
    archives = [crawled(f"site{number}", kind, **options) for number, (kind, options) in enumerate(pair)]
    alone: dict[str, list[Text]] = {}
    for number, archive in enumerate(archives):
        alone.update(described(tmp_path, f"alone{number}", [archive])[1])
    result, together = described(tmp_path, "together", archives)
    assert len(alone) == 2 and all(len(rows) > 20 for rows in alone.values())
    assert together == alone
    assert {site["site"]: sum(site["objects"].values()) for site in result["sites"]} == {
        site: len(rows) for site, rows in alone.items()
    }
    assert exit_code({"stopped_by": None, **result}) == 0


def test_an_unknown_site_beside_known_software_is_learned(tmp_path: Path) -> None:
    forum = write_pages(tmp_path / "forum.warc.gz", board("http://board.example"))
    home = write_pages(tmp_path / "home.warc.gz", notes("http://home.example"))
    known, unknown = described(tmp_path, "a", [forum])[1], described(tmp_path, "b", [home])[1]
    assert len(known["board.example"]) > 24 and len(unknown["home.example"]) == 30
    result, together = described(tmp_path, "c", [forum, home])
    assert together == known | unknown
    outcomes = {site["site"]: site["outcome"] for site in result["sites"]}
    assert outcomes == {"home.example": "learned", "board.example": "recognised"} and result["problems"] == []


def test_pages_outside_the_folder_of_known_software_are_learned(tmp_path: Path) -> None:
    pages = [*board("http://one.example", "/board/"), *notes("http://one.example", "/notes/")]
    result, found = described(tmp_path, "out", [write_pages(tmp_path / "a.warc.gz", pages)])
    alone, _ = described(
        tmp_path, "board", [write_pages(tmp_path / "b.warc.gz", board("http://one.example", "/board/"))]
    )
    assert len(found["one.example"]) == sum(alone["objects"].values()) + 30
    (site,) = result["sites"]
    assert site["outcome"] == "recognised" and "Pages outside /board/ were learned" in site["because"]


def test_hosts_that_are_one_site_and_those_that_are_not(tmp_path: Path) -> None:
    pages = notes("http://home.example")
    moved = [(url.replace("http://", "https://www."), html) for url, html in pages[15:]]
    other = [(url.replace("home.example", "home.example:8080"), html) for url, html in notes("http://home.example")]
    path = write_pages(tmp_path / "all.warc.gz", [*pages[:15], *moved, *other])
    result, found = described(tmp_path, "out", [path])
    assert {site: len(rows) for site, rows in found.items()} == {"home.example": 30, "home.example:8080": 30}
    assert [site["pages"] for site in result["sites"]] == [30, 30]


def test_a_stray_page_of_another_host_is_left_and_said(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pages = [*notes("http://home.example"), ("http://elsewhere.example/x", "<title>X</title><p>Some words of a page.")]
    path = write_pages(tmp_path / "a.warc.gz", pages)
    assert run(["describe", str(path), "-o", str(tmp_path / "out"), "--json"]) == 0
    said = capsys.readouterr()
    result = json.loads(said.out)
    stray = result["sites"][1]
    assert (stray["site"], stray["outcome"]) == ("elsewhere.example", "left")
    assert "1 page, too few to learn from" in stray["because"]
    assert [problem["reason"] for problem in result["problems"]] == ["site-left"]
    assert "elsewhere.example (1 page)" in said.err
    assert run(["describe", str(path), "-o", str(tmp_path / "again")]) == 0
    screen = capsys.readouterr().out
    assert "home.example: learned, 30 posts from 30 pages" in screen or "home.example: learned, 30 pages" in screen
    assert "elsewhere.example: left, nothing from 1 page" in screen


def test_a_site_without_objects_is_no_success(tmp_path: Path) -> None:
    empty = [(f"http://links.example/{n}", f"<title>{n}</title><a href=/{n + 1}>on</a>") for n in range(12)]
    path = write_pages(tmp_path / "a.warc.gz", [*notes("http://home.example"), *empty])
    result, _ = described(tmp_path, "out", [path])
    assert [problem["reason"] for problem in result["problems"]] == ["site-without-objects"]
    assert exit_code({"stopped_by": None, **result}) == 1
    result, _ = described(tmp_path, "out2", [write_pages(tmp_path / "b.warc.gz", empty)])
    assert [problem["reason"] for problem in result["problems"]] == ["no-objects"]
    assert exit_code({"stopped_by": None, **result}) == 1


def with_index(pages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    origin = pages[0][0].rpartition("/")[0]
    links = "".join(f"<li><a href={url}>{url.rpartition('/')[2]}</a>" for url, _ in pages)
    return [(f"{origin}/", f"<title>All notes</title><ul>{links}</ul>"), *pages]


def crawl_offline(tmp_path: Path, name: str, seeds: tuple[str, ...], archive: Path) -> dict[str, list[Text]]:
    crawl(CrawlOptions(seeds, tmp_path / name, "auto", offline=archive, delay=0.0, assets="none", robots="ignore"))
    return texts(tmp_path / name)


def other_notes() -> list[tuple[str, str]]:
    """Return the pages of a site whose template is another: a table row for each value."""
    pages = []
    for url, html in notes("http://other.example", count=24):
        html = html.replace("<h2>", "<table><tr><td><b>").replace("</h2>", "</b></td></tr>").replace("class=", "id=")
        pages.append((url, html.replace("<div id=body>", "<tr><td>").replace("</p></div>", "</p></td></tr></table>")))
    return pages


def test_a_crawl_of_two_unknown_sites_finds_what_each_has_alone(tmp_path: Path) -> None:
    pages = [*with_index(notes("http://home.example")), *with_index(other_notes())]
    archive = write_pages(tmp_path / "all.warc.gz", pages)
    seeds = ("http://home.example/", "http://other.example/")
    alone = [crawl_offline(tmp_path, f"alone{number}", (seed,), archive) for number, seed in enumerate(seeds)]
    assert len(alone[0]["home.example"]) >= 25 and len(alone[1]["other.example"]) >= 20
    assert crawl_offline(tmp_path, "together", seeds, archive) == alone[0] | alone[1]


def test_a_crawl_of_a_known_and_an_unknown_site_finds_what_each_has_alone(tmp_path: Path) -> None:
    odd = [
        (url, html.replace("<a href=/>", "<a href=/viewforum.php>")) for url, html in notes("http://board.example/x")
    ]
    forum = board("http://board.example")
    links = "".join(f"<a href={url}>more</a>" for url, _ in odd)
    forum[0] = (forum[0][0], forum[0][1] + links)
    archive = write_pages(tmp_path / "all.warc.gz", [*forum, *odd, *with_index(notes("http://home.example"))])
    seeds = ("http://board.example/", "http://home.example/")
    alone = [crawl_offline(tmp_path, f"alone{number}", (seed,), archive) for number, seed in enumerate(seeds)]
    assert len(alone[0]["board.example"]) > 24 and len(alone[1]["home.example"]) == 30
    assert crawl_offline(tmp_path, "together", seeds, archive) == alone[0] | alone[1]
