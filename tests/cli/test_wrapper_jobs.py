"""`siteseer wrapper submit` and related commands, as a person types them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.cli.main import run
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html

WRAPPER = "doc($u)//li:<item>[? b:<name=string(.)>][? i:<price=string(.)>]"


@pytest.fixture
def site(serve: Callable[..., Server]) -> Server:
    def answer(request: SiteRequest) -> SiteResponse:
        time.sleep(0.5 if request.path == "/slow" else 0)
        return html("<ul>" + "".join(f"<li><b>N{at}</b> <i>{at}</i>" for at in range(5)) + "</ul>")

    return serve(Site(Truth("list", 0, "", (), frozenset(), frozenset(), 0), answer))


def slow(site: Server) -> int:
    """Return how often the slow page was asked for."""
    return sum(entry.path == "/slow" for entry in site.log)


def siteseer(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    code = run([str(one) for one in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_from_submission_to_records(tmp_path: Path, site: Server, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "items.oxpath").write_text(WRAPPER)
    (tmp_path / "starts.txt").write_text(f"# two pages\n{site.url}/1\n{site.url}/2\n")
    here = ("--in", tmp_path)
    quick = ("--starts", tmp_path / "starts.txt", "--browser", "never", "--delay", 0)
    code, out, err = siteseer(capsys, "wrapper", "submit", tmp_path / "items.oxpath", *quick, *here, "--json")
    assert code == 0 and json.loads(out)["run"]["records"] == 10 and "10 records from 2 pages" in err
    code, out, _ = siteseer(capsys, "wrapper", "records", "items", "--format", "csv", *here)
    assert (code, out.splitlines()[:2], len(out.splitlines())) == (0, ["name,price", "N0,0"], 11)
    assert siteseer(capsys, "wrapper", "run-due", "items", *here)[0] == 0
    code, out, _ = siteseer(capsys, "wrapper", "list", "items", *here, "--json")
    assert [json.loads(line)["number"] for line in out.splitlines()] == [2, 1]
    assert "finished" in siteseer(capsys, "wrapper", "list", *here)[1]
    assert siteseer(capsys, "wrapper", "watch", "items", *here)[0] == 0
    assert "is due 20" in siteseer(capsys, "wrapper", "schedule", "items", "--every", "6h", *here)[2]
    assert "no schedule" in siteseer(capsys, "wrapper", "schedule", "items", "--never", *here)[2]
    assert siteseer(capsys, "wrapper", "alerts", "items", *here)[:2] == (0, "")
    assert siteseer(capsys, "wrapper", "stop", "items", *here)[0] == 2
    assert siteseer(capsys, "wrapper", "delete", "items", *here)[0] == 0
    assert siteseer(capsys, "wrapper", "list", "items", *here)[0] == 2


def test_what_is_wrong_has_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = ("--name", "x", "--in", tmp_path)
    code, _, err = siteseer(capsys, "wrapper", "submit", "doc('e.org')//a/{clik}", *here)
    assert code == 4 and err.rstrip().endswith("^")
    assert siteseer(capsys, "wrapper", "submit", WRAPPER, *here)[0] == 2
    assert siteseer(capsys, "wrapper", "submit", WRAPPER, "--in", tmp_path)[0] == 2
    assert siteseer(capsys, "wrapper", "submit", WRAPPER, "--starts", tmp_path / "none", *here)[0] == 4
    assert siteseer(capsys, "wrapper", "submit", WRAPPER, "--start", "e.org", "--every", "soon", *here)[0] == 2
    assert siteseer(capsys, "wrapper", "list", "--in", tmp_path / "none")[0] == 2
    assert siteseer(capsys, "wrapper", "schedule", "x", "--in", tmp_path)[0] == 2
    nobody = ("--start", "http://127.0.0.1:9/", "--browser", "never", "--retries", 0)
    code, _, err = siteseer(capsys, "wrapper", "submit", WRAPPER, *nobody, *here)
    assert code == 9 and "task 1" in err and "Traceback" not in err


def test_the_first_interruption_saves_and_another_command_goes_on(tmp_path: Path, site: Server) -> None:
    command = [sys.executable, "-m", "siteseer", "wrapper"]
    here = ["--in", str(tmp_path)]
    starts = [one for _ in range(6) for one in ("--start", f"{site.url}/slow")]
    submit = [*command, "submit", WRAPPER, "--name", "slow", *starts, "--browser", "never", "--delay", "0", *here]
    process = subprocess.Popen(submit, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "2 of 6 tasks done" in line:
            break
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 11
    process.stderr.close()
    time.sleep(1)  # the page that was on its way is logged when it has been sent
    before = slow(site)
    done = subprocess.run([*command, "run-due", *here, "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"]["records"] == 30 and slow(site) - before <= 4
