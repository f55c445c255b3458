"""The designer in a real browser, by what a person sees: from the address of a list to a table that is made daily."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from siteseer.demo import Server, make_site
from siteseer.wrapper.jobs.alerts import Alerts
from siteseer.wrapper.jobs.job import make_job
from siteseer.wrapper.jobs.job_folder import Jobs
from tests.web.chromium import Interface, interface
from tests.web.evil import evil_site

PROPERTIES = 23
"""Three pages: ten, ten and three."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("designer")
    with interface(folder / "library", SITESEER_KNOWLEDGE=str(folder / "own")) as started:
        yield started
    assert processes_of(started) == []


def processes_of(running: Interface) -> list[str]:
    """Return the browsers that the interface has started and that still run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            said = entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if f"siteseer-browser-{running.process}-" in said:
            found.append(said[:200])
    return found


def asked(running: Interface, path: str) -> Any:
    with urlopen(running.at(path), timeout=60) as answer:
        return json.load(answer)


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).last.click()


def opened(page: Any, running: Interface, url: str) -> Any:
    """Open a page in the designer; return what stands in its frame."""
    page.goto(running.at("/designer"))
    page.wait_for_function("window.did_handshake")  # until then nobody hears what is pressed
    page.get_by_label("Address of the page").fill(url)
    press(page, "Open")
    expect(page.get_by_role("status").first).to_contain_text("Click on one record")
    return page.frame_locator("iframe")


def take(page: Any, what: Any, name: str, proposed: str) -> None:
    """Click on something in a record and give it a name."""
    what.click()
    asking = page.get_by_role("dialog")
    expect(asking.get_by_label("Name")).to_have_value(proposed)
    asking.get_by_label("Name").fill(name)
    asking.get_by_role("button", name="Take it").click()
    expect(asking).to_be_hidden()


def test_the_five_minute_task(page, running):
    with Server(make_site("estate", 4, template="classic", size=PROPERTIES)) as site:
        wanted = [text for text in site.site.truth.texts if "Lettings" in text.tags]
        hint = page.get_by_role("status").first
        inside = opened(page, running, f"{site.url}/results?sale_type_id=2")

        inside.get_by_role("link", name=wanted[0].title).click()
        expect(hint).to_contain_text("Now click on the same thing in another record")
        inside.get_by_role("link", name=wanted[1].title).click()
        expect(hint).to_contain_text("Is every record outlined in green")
        first = page.locator(".choice").first
        expect(first).to_contain_text("10 on this page")
        expect(first).to_have_attribute("aria-pressed", "true")
        expect(inside.locator("[data-siteseer-as=record]")).to_have_count(10)
        press(page, "Go on")

        with_price = next(at for at, text in enumerate(wanted) if {"Price", "Postcode"} <= dict(text.fields).keys())
        record = inside.locator("[data-siteseer-as=record]").nth(with_price)
        take(page, inside.get_by_role("link", name=wanted[0].title), "street", "title")
        expect(page.get_by_text("in 10 of 10")).to_be_visible()
        take(page, record.get_by_text("per month"), "price", "price")
        priced = sum("Price" in dict(text.fields) for text in wanted[:10])
        expect(page.get_by_text(f"in {priced} of 10")).to_be_visible()
        take(page, record.get_by_text(dict(wanted[with_price].fields)["Postcode"]), "postcode", "orange")
        expect(page.locator(".part")).to_have_count(3)
        press(page, "That is all")

        expect(hint).to_contain_text("Does “NEXT” lead to the next page?")
        inside.get_by_role("link", name="NEXT").last.click()
        expect(hint).to_contain_text("“NEXT” will be followed from page to page")
        press(page, "Go on")

        press(page, "Replay the first page")
        expect(page.get_by_text("10 records so far, pages: 1")).to_be_visible()
        expect(page.locator(".results tbody tr")).to_have_count(10)
        page.locator(".guide").get_by_role("button", name="Next page", exact=True).last.click()
        expect(page.get_by_text("20 records so far, pages: 2")).to_be_visible()
        expect(inside.get_by_role("link", name=wanted[10].title)).to_be_visible()
        press(page, "All pages")
        expect(page.get_by_text(f"{PROPERTIES} records, that is all; pages: 3")).to_be_visible()
        assert page.locator(".results tbody tr").last.locator("td").first.inner_text() == wanted[-1].title
        press(page, "Go on")

        page.get_by_label("Name of the job").fill("flats")
        page.get_by_label("Run it again").click()
        page.get_by_role("option", name="every day").click()
        page.get_by_label("At (hour:minute)").fill("05:30")
        page.get_by_label("Seconds between pages").fill("0")
        press(page, "Save")
        page.get_by_role("link", name="See the job").click()
        expect(page.locator(".pill")).to_have_text("finished")
        expect(page.get_by_text("At 05:30 every day")).to_be_visible()
        expect(page.locator(".panel", has_text="Runs").get_by_role("cell", name=str(PROPERTIES)).first).to_be_visible()

        found = asked(running, "/api/jobs/flats/runs/1/records?format=json")["record"]
        assert found == [
            {"street": [text.title]}
            | {name.lower(): [value] for name, value in text.fields if name in ("Price", "Postcode")}
            for text in wanted
        ]
        assert asked(running, "/api/jobs/flats")["schedule"] == {"at": ["05:30"], "days": []}
        assert asked(running, "/api/jobs/flats")["due"] is not None


def test_an_alert_shows_its_repair_and_what_failed_is_told(page, running):
    """Goes on with the job of the task above."""
    with closing(Jobs(running.library)) as jobs:
        repaired = jobs.job("flats").wrapper.replace(":<record>", "[h2]:<record>")
        run = jobs.database.rows("SELECT id FROM runs WHERE job = 'flats'")[0]["id"]
        Alerts(jobs).sound("flats", run, ["There are fewer records on a page than before."], repaired, "")
        page.goto(running.at("/jobs"))
        page.get_by_role("row", name="flats").get_by_text("1 alert").wait_for()
        page.get_by_role("link", name="flats").click()
        expect(page.get_by_text("There are fewer records on a page than before.")).to_be_visible()
        press(page, "Use the repaired wrapper")
        expect(page.get_by_role("heading", name="This run was unlike those before it")).to_be_hidden()
        assert jobs.job("flats").wrapper == repaired and jobs.get("flats")["alerts"] == 0

        page.get_by_label("Run it again").click()
        page.get_by_role("option", name="every few hours").click()
        page.get_by_label("Every so many hours").fill("8")
        press(page, "Change")
        expect(page.get_by_text("Every 8 hours")).to_be_visible()

        missing = "doc('http://127.0.0.1:9/')//h2:<title=string(.)>"
        jobs.submit(make_job("broken", missing, browser="never", retries=0))
        page.goto(running.at("/jobs/broken"))
        expect(page.locator(".pill")).to_have_text("failed")
        expect(page.get_by_role("heading", name="What went wrong")).to_be_visible()
        expect(page.get_by_text("doc('http://127.0.0.1:9/')").first).to_be_visible()
        press(page, "Delete")
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        page.wait_for_url("**/jobs")
        expect(page.get_by_role("link", name="flats")).to_be_visible()
        assert [one["name"] for one in jobs.all()] == ["flats"]


def test_a_form_is_filled_in_first_and_the_text_may_be_changed(page, running):
    with Server(make_site("estate", 4, template="modern", size=12)) as site:
        hint = page.get_by_role("status").first
        inside = opened(page, running, site.url)
        press(page, "First do something on the page")
        expect(hint).to_contain_text("Use the page as you always do")
        inside.get_by_role("combobox").first.click()
        page.get_by_role("dialog").get_by_label("Choice").click()
        page.get_by_role("option", name="Lettings").click()
        press(page, "Choose it")
        expect(page.get_by_role("listitem").filter(has_text="entered “Lettings”")).to_be_visible()
        expect(inside.get_by_role("combobox").first).to_have_value("Lettings")
        inside.get_by_role("button", name="Search").click()
        expect(page.get_by_role("listitem").filter(has_text="clicked on “Search”")).to_be_visible()
        press(page, "The list is there")

        press(page, "Find the records for me")
        expect(page.get_by_text("10 records on this page")).to_be_visible()
        expect(inside.locator("[data-siteseer-as=record]")).to_have_count(10)
        text = page.locator(".cm-content")
        expect(text).to_contain_text("{'Lettings' /}")

        broken = "doc('http://e.org/')//h2:<title=string(.)"
        text.fill(broken)
        expect(page.get_by_role("alert").filter(has_text="^")).to_contain_text("line 1, column")
        text.fill(f"doc('{site.url}')//h2:<title=string(.)>")
        expect(page.get_by_text("You have changed the text")).to_be_visible()
        expect(inside.locator("h2[data-siteseer-as]")).to_have_count(10)
        expect(inside.locator("[data-siteseer-as]")).to_have_count(10)
        press(page, "Back to what I clicked")
        expect(text).to_contain_text("{'Lettings' /}")

        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("You have changed the text")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(inside.locator("[data-siteseer-as]")).to_have_count(0)
        expect(page.get_by_role("listitem").filter(has_text="clicked")).to_have_count(1)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("listitem").filter(has_text="clicked")).to_have_count(0)
        expect(inside.get_by_role("button", name="Search")).to_be_visible()
        expect(inside.get_by_role("combobox").first).to_have_value("Lettings")
    assert processes_of(running) != []  # they end with the interface


def test_a_hostile_page_is_seen_and_marked_without_running_anything(context: Any, running: Interface) -> None:
    events: list[str] = []
    tab = context.new_page()
    tab.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
    tab.on("console", lambda message: events.append("a script ran") if message.text == "pwned" else None)
    tab.on("popup", lambda popup: events.append("a window opened"))
    with Server(evil_site()) as site:
        tab.on("request", lambda request: events.append(request.url) if _is_elsewhere(request.url, running) else None)
        tab.goto(running.link)
        inside = opened(tab, running, site.url)
        expect(inside.get_by_text("Row 3")).to_be_visible()
        assert tab.locator("iframe").get_attribute("sandbox") == "allow-scripts"
        frame = next(one for one in tab.frames if "/snapshot?" in one.url)

        # the page looks as it does there, with pictures and styles that our own server hands on
        assert inside.locator("#pic").evaluate("one => [one.complete, one.naturalWidth]") == [True, 3]
        assert inside.locator("body").evaluate("one => getComputedStyle(one).color") == "rgb(1, 2, 3)"
        assert inside.locator("script").count() == 1  # ours
        assert inside.locator("iframe, object, embed, video, form[action], [onclick], link, base").count() == 0
        assert {one.get_attribute("href") for one in inside.locator("a[href]").all()} <= {"#"}
        refused = (
            "() => { const one = document.createElement('script'); one.textContent = 'console.info(/pwned/.source)';"
        )
        frame.evaluate(refused + " document.body.append(one); }")
        assert (
            frame.evaluate("() => { try { return Boolean(parent.document) } catch { return 'refused' } }") == "refused"
        )
        assert frame.evaluate("() => fetch(location.href).then(() => 'read', () => 'refused')") == "refused"

        # clicks mark and lead nowhere; numbers that the page made up are not ours
        inside.get_by_role("link", name="link 0").click()
        inside.get_by_role("link", name="link 1").click()
        expect(inside.locator("li[data-siteseer-as=record]")).to_have_count(4)
        assert inside.locator("[data-siteseer='999']").count() == 0
        inside.locator("input").first.click()
        tab.get_by_role("button", name="Undo").click()
        assert tab.url == running.at("/designer") and "/snapshot?" in frame.url
    tab.close()
    assert events == []


def _is_elsewhere(url: str, running: Interface) -> bool:
    return not url.startswith((running.base, "http://localhost:", "data:", "about:", "blob:"))
