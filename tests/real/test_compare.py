"""Comparisons on real software: against wget, and against the truth of a capture; counted a second time by score.py."""

from __future__ import annotations

import json
import lzma
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from siteseer.cli.main import run
from siteseer.crawler.run import crawl
from siteseer.measure.compare import compare_collections
from siteseer.settings import CrawlOptions
from tests.real.captures import score_module
from tests.real.replays import SITES, needs_captures, replayed

pytestmark = needs_captures
needs_wget = pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")


def wget(url: str, folder: Path) -> Path:
    """Crawl a site as the seeds' baseline does; return the WARC."""
    folder.mkdir(parents=True)
    command = ["wget", "--recursive", "--level=inf", "--no-verbose", "--delete-after", "--execute=robots=off",
               "--tries=1", "--warc-file=wget", f"{url}/"]  # fmt: skip
    subprocess.run(command, cwd=folder, check=False, capture_output=True)
    return folder / "wget.warc.gz"


def seen_by_score(folder: Path) -> set[Any]:
    """Return the 2-grams of all archived pages, as score.py reads and splits them."""
    found: set[Any] = set()
    for _, grams, _ in score_module().archived(str(folder)):
        found |= grams
    return found


@needs_wget
def test_coverage_of_wget_is_what_score_counts(tmp_path: Path) -> None:
    prove_coverage("textpattern", tmp_path)


def prove_coverage(name: str, folder: Path) -> dict[str, Any]:
    """Crawl a capture with wget and with us; our coverage must be what an independent count says."""
    with replayed(name, folder / "requests.jsonl") as url:
        warc = wget(url, folder / "wget")
        options = CrawlOptions((f"{url}/",), folder / "aware", "aware", delay=0.0, concurrency=8, assets="none")
        crawl(options)
    result = compare_collections([warc, folder / "aware"]).as_json()
    theirs, ours = seen_by_score(folder / "wget"), seen_by_score(folder / "aware" / "archive")
    row = result["strategies"]["aware"]
    assert len(theirs) > 1_000
    assert row["coverage"] == pytest.approx(len(theirs & ours) / len(theirs), abs=1e-5)
    assert row["covered_by"]["wget.warc.gz"] == pytest.approx(len(theirs & ours) / len(ours), abs=1e-5)
    assert row["two_grams"] == len(ours)
    assert result["strategies"]["wget.warc.gz"]["two_grams"] == len(theirs)
    return dict(result)


@pytest.mark.large
def test_aware_against_blind_on_wordpress_2021(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with replayed("wordpress-2021", tmp_path / "requests.jsonl") as url:
        code = run(["compare", f"{url}/", "-o", str(tmp_path / "out"), "--delay", "0", "--concurrency", "8", "--assets",
                    "none", "--json"])  # fmt: skip
    assert code == 0
    rows = json.loads(capsys.readouterr().out)["strategies"]
    assert list(rows) == ["blind", "aware"]
    assert rows["aware"]["requests"] < rows["blind"]["requests"] / 10
    assert rows["aware"]["coverage"] > 0.98
    truth = json.loads(lzma.decompress((SITES / "wordpress-2021.truth.json.xz").read_bytes()))
    score = score_module()
    content = set().union(*(score.grams(score.URL.sub(" ", text["text"])) for text in truth["texts"]))
    blind = seen_by_score(tmp_path / "out" / "blind" / "archive") & content
    aware = seen_by_score(tmp_path / "out" / "aware" / "archive") & content
    assert len(blind & aware) / len(blind) >= 0.98
    assert (tmp_path / "out" / "compare.html").is_file() and (tmp_path / "out" / "compare.svg").is_file()
