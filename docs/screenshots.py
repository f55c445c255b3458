"""Makes the pictures of the manual from the real interface: a site is served, crawled and looked at.

    python docs/screenshots.py                 the pictures into docs/pictures
    python docs/screenshots.py --small DIR     and as on a telephone, into DIR

Needs Chromium, the extra `ui`, and pillow to make the files small.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from present.chromium import interface, launched  # noqa: E402
from siteseer.demo import Server, make_site  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
WIDE, SMALL = {"width": 1180, "height": 760}, {"width": 390, "height": 800}


def main() -> None:
    """Take all pictures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--small", type=Path, help="where pictures as on a telephone go")
    options.add_argument("-o", "--output", type=Path, default=PICTURES)
    options.add_argument("--only-designer", action="store_true", help="only the pictures of the designer and of jobs")
    given = options.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Server(make_site("forum", 7, size=20)) as site, launched() as browser:
        library, own = Path(folder) / "library", Path(folder) / "own"
        with interface(library, SITESEER_KNOWLEDGE=str(own)) as running:
            with Server(make_site("estate", 4, template="classic")) as estate:
                design(Camera(browser, running, given.output, WIDE), estate.url, "flats")
                if given.small:
                    given.small.mkdir(parents=True, exist_ok=True)
                    design(Camera(browser, running, given.small, SMALL), estate.url, "small-flats")
            if given.only_designer:
                return
            walk(Camera(browser, running, given.output, WIDE), site.url, begins=True)
            if given.small:
                walk(Camera(browser, running, given.small, SMALL), site.url, begins=False)


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


SHOWN = ("designer", "replaying", "jobs", "new", "live", "result", "read", "ask", "skipped", "compare", "knowledge")
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
