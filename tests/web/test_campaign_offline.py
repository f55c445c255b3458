"""The offline half of a campaign over the service: analysed, reported on, marked, packed, deleted."""

from __future__ import annotations

import fcntl
import io
import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from siteseer.campaigns.run_campaign import run_campaign
from siteseer.campaigns.selection.proposal import ProposedPage, write_proposal
from siteseer.demo import Server
from siteseer.errors import UsageError
from siteseer.web.api.app import make_app
from siteseer.web.service.campaign_library import CampaignLibrary
from siteseer.web.service.library import Library
from tests.web.api.test_api_jobs import EXAMPLES, PROMISED
from tests.web.test_campaigns import HEADERS, TEXT, TOKEN, topical, wait


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign as its crawl left it."""
    folder = tmp_path_factory.mktemp("library") / "kelp"
    folder.mkdir()
    with Server(topical()) as server:
        text = TEXT.replace("http://e.org/", f"http://a.localhost:{server.port}/")
        (folder / "campaign.toml").write_text(text + "[politeness]\ndelay = 0\n[budget]\nrequests = 16\n")
        run_campaign(folder / "campaign.toml", folder)
    return folder


@pytest.fixture
def library(crawled: Path, tmp_path: Path) -> Path:
    shutil.copytree(crawled, tmp_path / "library" / "kelp")
    return tmp_path / "library"


@pytest.fixture
def client(library: Path) -> Iterator[TestClient]:
    app = make_app(Library(library), TOKEN, hosts=["testserver"])
    with TestClient(app, headers=HEADERS) as made:
        yield made


def test_from_the_analysis_over_marks_to_the_package(client: TestClient, library: Path) -> None:
    at, over = "/api/campaigns/kelp", ("stopped", "finished", "failed")
    for path in ("report", "proposal", "selection", "proposal/tally", "selection/file"):
        assert client.get(f"{at}/{path}").status_code == 404
    assert client.post(f"{at}/select", json={"threshold": 0.5}).status_code == 404
    shutil.copytree(library / "kelp", library / "earlier")
    assert client.post(f"{at}/analyse", json={"before": "elsewhere"}).status_code == 404
    started = client.post(f"{at}/analyse", json={"before": "earlier"})
    assert (started.status_code, started.json()["phase"]) == (202, "analysing")
    assert client.delete(at).status_code == 422 and (library / "kelp").is_dir()
    now = wait(client, "kelp", *over)
    assert now["phase"] != "failed" and now["report"] and now["proposal"] and now["selection"] is None
    _report(client, at)

    pages = client.get(f"{at}/proposal", params={"kind": "page"}).json()
    assert pages["count"] == now["pages"] and all(one["reasons"] for one in pages["proposed"])
    best, poor = (sorted(pages["proposed"], key=lambda one: one["degree"])[place] for place in (-1, 0))
    assert (library / "kelp" / "sites" / best["collection"]).is_dir()
    assert client.get(f"{at}/proposal/tally").json()["pages"] == 0
    refused = client.post(f"{at}/select", json={})
    assert refused.status_code == 422 and "nothing is accepted" in refused.json()["error"]
    words = [{"address": poor["address"], "mark": "accept"}, {"address": best["address"], "mark": "reject"}]
    assert client.patch(f"{at}/proposal", json={"marks": words}).json() == {"changed": 2}
    assert client.patch(f"{at}/proposal", json={"marks": [{"address": "x", "mark": "?"}]}).status_code == 422
    tally = client.get(f"{at}/proposal/tally", params={"threshold": 0.5}).json()
    assert (tally["accepted"], tally["rejected"]) == (1, 1) and tally["bytes"] > 1_000

    assert client.post(f"{at}/select", json={"threshold": 0.5}).status_code == 202
    assert wait(client, "kelp", *over)["phase"] != "failed"
    made = client.get(f"{at}/selection/file")
    assert made.headers["content-disposition"] == 'attachment; filename="kelp.wacz"'
    with zipfile.ZipFile(io.BytesIO(made.content)) as package:
        taken = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()[1:]]
    assert poor["address"] in {one["url"] for one in taken} and best["address"] not in {one["url"] for one in taken}
    assert sum(one["role"] == "page" for one in taken) == tally["pages"]
    assert sum(one["role"] == "way" for one in taken) == tally["on_the_way"]
    held = client.get(f"{at}/selection").json()
    assert held["bytes"] == len(made.content) and held["is_current"] and f"{len(taken)} of" in held["description"]
    all_ = {"mark": "?", "kind": "page", "words": best["address"], "having": "reject"}
    assert client.post(f"{at}/proposal/mark", json=all_).json() == {"changed": 1}
    assert not client.get(f"{at}/selection").json()["is_current"]
    assert f"accept\tpage\t{poor['degree']:g}\t{poor['address']}" in client.get(f"{at}/proposal/file").text

    assert client.delete(at).json() == {"deleted": "kelp"}
    assert client.get(at).status_code == 404 and not [*library.glob("*kelp*"), *library.glob(".*")]


def _report(client: TestClient, at: str) -> None:
    told = client.get(f"{at}/report").json()
    assert told["totals"]["pages"] > 5 and told["crawls"] and {"report.html", "changes.jsonl"} <= set(told["files"])
    assert {one["clock"] for one in told["terms"]} == {"published", "captured"}
    page = client.get(f"{at}/report/report.html")
    assert (
        page.headers["content-disposition"].startswith("attachment")
        and "sandbox" in page.headers["content-security-policy"]
    )
    for name in ("..%2Fsummary.json", "absent.csv", "%2Fetc%2Fpasswd"):
        assert client.get(f"{at}/report/{name}").status_code in (404, 405)
    changes = client.get(f"{at}/changes", params={"change": "new"}).json()
    assert changes == {"count": 0, "changes": []}, "it is compared with its own copy"


def test_what_changes_needs_the_token(client: TestClient) -> None:
    calls = ("post", "analyse"), ("post", "select"), ("patch", "proposal"), ("post", "proposal/mark"), ("delete", "")
    for method, path in calls:
        answer = client.request(method, f"/api/campaigns/kelp/{path}".rstrip("/"), headers={"Authorization": "no"})
        assert answer.status_code == 401


def test_nothing_that_somebody_works_on_is_deleted(library: Path) -> None:
    campaigns = CampaignLibrary(Library(library))
    site = next((library / "kelp" / "sites").iterdir())
    for folder in (library / "kelp", site):
        with (folder / "siteseer" / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pytest.raises(UsageError, match="stop"):
                campaigns.delete("kelp")
    with pytest.raises(UsageError, match="folder above"):
        CampaignLibrary(Library(library / "kelp")).delete("kelp")
    assert site.is_dir()
    (library / ".kelp.deleted").mkdir()
    campaigns.delete("kelp")
    assert list(library.iterdir()) == []


def test_what_has_not_run_is_not_analysed_and_broken_files_get_one_sentence(client: TestClient, library: Path) -> None:
    client.post("/api/campaigns", json={"name": "new", "definition": TEXT})
    refused = client.post("/api/campaigns/new/analyse")
    assert refused.status_code == 422 and "no page yet" in refused.json()["error"]
    folder = library / "new"
    (folder / "reports" / "analysis").mkdir(parents=True)
    (folder / "reports" / "analysis" / "report.json").write_text("{")
    (folder / "reports" / "analysis" / "changes.jsonl").write_text("[" * 5_000)
    (folder / "selection.wacz").write_bytes(b"no archive")
    (folder / "proposal.tsv").write_text("maybe\tpage\n")
    for path, status in (("report", 409), ("changes", 409), ("selection", 409), ("proposal", 422)):
        answer = client.get(f"/api/campaigns/new/{path}")
        assert answer.status_code == status and answer.json()["error"].count("\n") == 0, path


def test_an_analysis_is_stopped_and_tells_how_far_it_is(library: Path) -> None:
    campaigns = CampaignLibrary(Library(library))
    campaigns.analyse("kelp")
    campaigns.stop("kelp")
    campaigns._runs["kelp"].wait(60)
    now = campaigns.state("kelp")
    assert now["phase"] in ("stopped", "finished") and "error" not in now
    other, folder = CampaignLibrary(Library(library)), library / "kelp" / "siteseer"
    (folder / "progress.txt").write_text("3 of 40 sites surveyed")
    assert "progress" not in other.state("kelp"), "what was killed says nothing"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        now = other.state("kelp")
        assert (now["phase"], now["progress"]) == ("elsewhere", "3 of 40 sites surveyed")


CALLS = ("report", "changes", "proposal", "selection")
"""What reads and marks: the rest starts processes."""


@pytest.mark.large
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_call_is_answered_as_the_document_promises(tmp_path: Path, mode: GenerationMode) -> None:
    folder = tmp_path / "known"
    (folder / "reports" / "analysis").mkdir(parents=True)
    (folder / "campaign.toml").write_text(TEXT)
    (folder / "reports" / "analysis" / "report.json").write_text('{"totals": {}}')
    (folder / "reports" / "analysis" / "changes.jsonl").write_text('{"change": "new", "url": "http://e.org/"}\n')
    lines = ProposedPage("site", 0.5, "e.org", "", "r"), ProposedPage("page", 0.5, "http://e.org/", "Kelp", "r")
    write_proposal(folder / "proposal.tsv", lines)
    app = make_app(Library(tmp_path), TOKEN, hosts=["testserver"])
    found = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    known = [one.ok() for one in found.get_all_operations()]
    wanted = tuple(f"/api/campaigns/{{name}}/{call}" for call in CALLS)
    operations = [one for one in known if one.path.startswith(wanted)]
    assert len(operations) == 10
    answers: Counter[int] = Counter()
    for operation in operations:
        _send_many(operation, mode, answers)
    assert answers.total() > 5 * EXAMPLES and answers[200] if mode is GenerationMode.POSITIVE else answers[422], answers


def _send_many(operation: Any, mode: GenerationMode, answers: Counter[int]) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, phases=[Phase.generate], derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if "name" in (case.path_parameters or {}) and answers.total() % 4:
            case.path_parameters["name"] = "known"
        case.headers = {**(case.headers or {}), **HEADERS}
        answer = case.call()
        answers[answer.status_code] += 1
        case.validate_response(answer, checks=PROMISED)

    with suppress(Unsatisfiable):
        send()
