"""A task that fails in a real Chromium: its step, its picture, its memory; and no process is left."""

from __future__ import annotations

import io
from collections.abc import Callable

from PIL import Image

from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.wrapper.jobs.job import make_job
from siteseer.wrapper.jobs.job_executor import Executor
from siteseer.wrapper.jobs.job_folder import Jobs
from tests.web.chromium import required
from tests.wrapper.jobs.conftest import left_behind

PAGE = "<body style='background: rgb(255, 0, 0)'><script>document.write('<a href=/zip>Next</a>')</script></body>"


def test_a_failure_has_its_step_and_its_picture(serve: Callable[..., Server], jobs: Jobs, executor: Executor) -> None:
    required()

    def answer(request: SiteRequest) -> SiteResponse:
        return (
            SiteResponse(200, (("Content-Type", "application/zip"),), b"PK") if request.path == "/zip" else html(PAGE)
        )

    server = serve(Site(Truth("red", 0, "", (), frozenset(), frozenset(), 0), answer))
    jobs.submit(make_job("zip", "doc($u)/(//a/{click /})*//p:<p=string(.)>", [server.url], delay=0, retries=0))
    executor.until_idle()
    (task,) = jobs.tasks("zip")
    assert (task["phase"], task["step"], task["url"]) == ("failed", "{click}", f"{server.url}/"), task
    assert "is a download" in task["error"] and task["memory"] > 120 * 2**20
    picture = Image.open(io.BytesIO(jobs.screenshot("zip", 1, 1))).convert("RGB")
    assert picture.getpixel((picture.width // 2, picture.height // 2)) == (255, 0, 0)
    executor.close()
    assert left_behind() == []
