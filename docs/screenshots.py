"""Makes the pictures of the manual from the real interface: a site is served, crawled and looked at.

    python docs/screenshots.py                 the pictures into docs/pictures
    python docs/screenshots.py --small DIR     and as on a telephone, into DIR

Needs Chromium, the extra `ui`, and pillow to make the files small.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.chromium import interface, launched  # noqa: E402
from siteseer.deepweb.run import understand  # noqa: E402
from siteseer.demo import Server, make_site  # noqa: E402
from siteseer.demo.ontology import make_ontology  # noqa: E402
from siteseer.demo.web import definition_text, make_web, write_web  # noqa: E402
from siteseer.collection.rdf.rdf_reader import read_facts  # noqa: E402
from siteseer.settings import CrawlOptions  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
WIDE, SMALL = {"width": 1180, "height": 760}, {"width": 390, "height": 800}


def main() -> None:
    """Take all pictures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", type=Path, help="where pictures as on a telephone go")
    options.add_argument("-o", "--output", type=Path, default=PICTURES)
    options.add_argument(
        "--only",
        choices=("designer", "form", "campaign"),
        help="only the pictures of the designer and jobs, of a form, or of a campaign",
    )
    given = options.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Server(make_site("forum", 7, size=20)) as site, launched() as browser:
        library, own = Path(folder) / "library", Path(folder) / "own"
        sizes = [(given.output, WIDE)]
        if given.small:
            given.small.mkdir(parents=True, exist_ok=True)
            sizes.append((given.small, SMALL))
        if given.only in (None, "form"):
            understand_shop(library / "bookshop")
        with interface(library, SITESEER_KNOWLEDGE=str(own)) as running:
            cameras = [Camera(browser, running, *each) for each in sizes]
            for camera in cameras if given.only in (None, "form") else ():
                understood(camera)
            for camera in cameras if given.only in (None, "campaign") else ():
                campaign(camera, library / ("reservoir" if camera.is_manual else "small-reservoir"))
            with Server(make_site("estate", 4, template="classic")) as estate:
                for camera in cameras if given.only in (None, "designer") else ():
                    design(camera, estate.url, "flats" if camera.is_manual else "small-flats")
            for camera in cameras if not given.only else ():
                camera.go("/")
                walk(camera, site.url, begins=camera.is_manual)


def understand_shop(collection: Path) -> None:
    """Let the search form of the demo shop be understood, beside the browser's loop."""
    with Server(make_site("shop", 4)) as shop, ThreadPoolExecutor(1) as beside:
        ontology = collection.parent.parent / "books.ttl"
        ontology.write_text(make_ontology("shop", 4).turtle, encoding="utf-8")
        options = CrawlOptions((shop.url,), collection, "understand", delay=0.0, robots="ignore", assets="none")
        beside.submit(understand, options, list(read_facts(ontology))).result()


class Camera:
    """A browser window and the folder for its pictures."""

    def __init__(self, browser: Any, running: Any, folder: Path, size: dict[str, int]) -> None:
        self.page = browser.new_context(viewport=size).new_page()
        self.page.set_default_timeout(60_000)
        self.running, self.folder, self.is_manual = running, folder, size is WIDE
        self.page.goto(running.link)

    def go(self, path: str) -> None:
        """Open a view."""
        self.page.goto(self.running.at(path))
        self.page.get_by_role("heading", level=1).wait_for()

    def click(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def shoot(self, name: str) -> None:
        """Take a picture."""
        if self.is_manual and name not in SHOWN:
            return
        self.page.wait_for_timeout(1200)
        path = self.folder / f"{name}.png"
        self.page.screenshot(path=path)
        shrink(path)
        print(f"{path} {path.stat().st_size:,} bytes")


SHOWN = (
    "form",
    "form-columns",
    "designer",
    "replaying",
    "jobs",
    "new",
    "live",
    "result",
    "read",
    "ask",
    "skipped",
    "compare",
    "knowledge",
    "campaign",
    "campaign-progress",
    "campaign-report",
    "campaign-selection",
)
"""The pictures of the manual; the others are only taken with --small."""


def walk(camera: Camera, url: str, begins: bool) -> None:
    """Go through the views as a person does."""
    page = camera.page
    page.get_by_label("Address of the site").fill(url)
    camera.click("What is it?")
    camera.shoot("new")
    if begins:
        page.get_by_text("More options").click()
        page.get_by_label("Name of the collection").fill("harbour")
        page.get_by_label("Seconds between requests").fill("0")
        camera.click("Start")
        page.wait_for_url("**/live")
        page.wait_for_timeout(4000)
    else:
        camera.go("/live")
    camera.shoot("live")
    while page.locator(".pill", has_text="finished").count() < 2:
        page.wait_for_timeout(500)
    camera.go("/c/harbour-intelligent/result")
    camera.shoot("result")
    camera.go("/c/harbour-intelligent/read")
    page.locator(".thing").nth(1).get_by_role("button", name="Archived page").click()
    page.frame_locator("iframe").locator("#siteseer-here").wait_for()
    camera.shoot("read")
    camera.go("/c/harbour-intelligent/read?pages=true")
    camera.shoot("pages")
    camera.go("/c/harbour-intelligent/ask")
    camera.click("Posts per month")
    page.locator(".answer th", has_text="month").wait_for()
    page.get_by_role("tab", name="Chart").click()
    camera.shoot("ask")
    camera.go("/c/harbour-intelligent/skipped")
    camera.shoot("skipped")
    camera.go("/compare")
    page.get_by_label("Collections").click()
    for name in ("harbour-baseline", "harbour-intelligent"):
        page.get_by_role("option", name=name).click()
    page.keyboard.press("Escape")
    camera.click("Compare")
    page.locator("table").wait_for()
    camera.shoot("compare")
    camera.go("/knowledge?type=phpbb")
    camera.shoot("types")
    page.get_by_role("tab", name="Try a pattern").click()
    page.get_by_label("Address of a page").fill(url)
    page.get_by_label("Take the page from").click()
    page.get_by_role("option", name="harbour-intelligent").click()
    page.get_by_label("Expression").fill("h3.node-title/a/@href")
    camera.click("Try")
    page.frame_locator("iframe").locator("body").wait_for()
    camera.shoot("knowledge")
    page.get_by_role("tab", name="Edit").click()
    camera.click("Check")
    camera.shoot("edit")


def campaign(camera: Camera, folder: Path) -> None:
    """Define a campaign on the demo web, let it learn, and run it."""
    page, web = camera.page, write_web(1)
    with Server(make_web(1, web)) as server:
        folder.mkdir(parents=True)
        (folder / "campaign.toml").write_text(definition_text(web, server.port, 240), encoding="utf-8")
        camera.go(f"/campaigns/{folder.name}")
        camera.shoot("campaign")
        camera.click("Reference crawl")
        page.get_by_role("status").filter(has_text="terms proposed").wait_for()
        page.get_by_role("tab", name="Terms").click()
        camera.shoot("campaign-terms")
        page.get_by_role("tab", name="Progress").click()
        camera.click("Go on")
        page.get_by_role("status").filter(has_text="stopped").wait_for()
        camera.go(f"/campaigns/{folder.name}")
        page.get_by_role("tab", name="Progress").click()
        camera.shoot("campaign-progress")
    page.get_by_role("tab", name="Report").click()
    camera.click("Analyse")
    page.get_by_role("button", name="Analyse again").wait_for()
    page.get_by_role("heading", name="Terms over time").wait_for()
    camera.go(f"/campaigns/{folder.name}?tab=report")
    page.get_by_role("heading", name="Terms over time").wait_for()
    page.locator(".terms-chart").evaluate("one => one.scrollIntoView({block: 'end'})")
    camera.shoot("campaign-report")
    camera.go(f"/campaigns/{folder.name}?tab=selection")
    page.locator(".proposal .line").first.wait_for()
    for site in page.locator(".proposal .line a").all_inner_texts()[:2]:
        page.get_by_label(f"Your word on {site}", exact=True).get_by_role("button", name="accept").click()
    page.evaluate("scrollTo(0, 0)")
    camera.shoot("campaign-selection")
    camera.go(page.locator(".proposal .line a").first.get_attribute("href"))
    page.locator(".proposal .line button.plain-link").first.click()
    page.frame_locator("aside iframe").locator("body").wait_for()
    camera.shoot("campaign-pages")


def understood(camera: Camera) -> None:
    """Look at a form that was understood, tab by tab."""
    page = camera.page
    camera.go("/c/bookshop/form")
    page.get_by_role("button", name="Confirm Author", exact=True).click()
    page.locator(".pill", has_text="confirmed").first.wait_for()
    page.locator(".q-notification").wait_for(state="detached")
    camera.shoot("form")
    for tab in ("Columns", "Records", "Enrichment"):
        page.get_by_role("tab", name=tab).click()
        camera.shoot(f"form-{tab.lower()}")


def design(camera: Camera, url: str, name: str) -> None:
    """Go through the designer as a person does: two records, two attributes, the next link, replay, save."""
    page, inside = camera.page, camera.page.frame_locator("iframe.live")
    camera.go("/designer")
    page.get_by_label("Address of the page").fill(f"{url}/results?sale_type_id=2")
    camera.click("Open")
    inside.locator("h2 a").first.click()
    page.get_by_text("Now click on the same thing").wait_for()
    inside.locator("h2 a").nth(1).click()
    page.get_by_text("Is every record outlined").wait_for()
    camera.shoot("designer")
    page.get_by_role("button", name="Go on").click()
    for what, count in (("h2 a", "in 10 of 10"), (".prop_price", "in 9 of 10")):
        inside.locator(what).first.click()
        camera.click("Take it")
        page.get_by_text(count).wait_for()
    camera.shoot("attributes")
    camera.click("That is all")
    camera.click("Yes, follow it")
    camera.click("Replay the first page")
    page.get_by_text("10 records so far, pages: 1").wait_for()
    camera.shoot("replaying")
    camera.click("Stop")
    page.get_by_label("Name of the job").fill(name)
    page.get_by_label("Seconds between pages").fill("0")
    camera.shoot("saving")
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.get_by_role("link", name="See the job").click()
    page.locator(".pill", has_text="finished").wait_for()
    camera.shoot("jobs")


def shrink(path: Path) -> None:
    """Keep 96 colours: the picture is a fifth as large and looks the same."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main()
