"""A package installed beside Siteseer: whatever it adds by entry points is found by its name and used."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from siteseer import plugins
from siteseer.demo import Server, make_site
from siteseer.errors import UsageError

PACKAGE = """
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from siteseer.archive.storage_places import FolderStorage
from siteseer.extract.article import Article
from siteseer.interfaces import Exchange
from siteseer.model import Annotation, Follow
from siteseer.strategies.blind_strategy import make as make_blind


def home_only(context):
    strategy = make_blind(context)
    strategy.decide = lambda outcome, why: []
    return strategy


def first_words(pairs, items, knowledge):
    return [Article(named.page.url, "First words", "owls at night", "first-words") for named, _ in pairs]


class Shouting:
    version = "1"

    def analyse(self, thing):
        return [Annotation("entity", "Owl", 1.0)]


def shouting(context):
    return Shouting()


class Titles:
    media_type = "text/plain; charset=utf-8"

    def pieces(self, chosen):
        for found in chosen.objects():
            yield f"{found.get('title')}\\n".encode()


class FromMemory:
    async def fetch(self, request, sent=None):
        if sent is not None:
            sent.set()
        is_page = request.url.endswith("/")
        body = b"<title>Owls</title><p>Owls hunt at night, and this page was never sent." if is_page else b""
        return Exchange(
            url=request.url, started=datetime.now(UTC), milliseconds=0, ip="",
            request_head=f"GET {request.url} HTTP/1.1\\r\\n\\r\\n".encode(), request_body=b"",
            status=200 if is_page else 404, reason="", headers=(("Content-Type", "text/html"),),
            body=BytesIO(body), body_length=len(body),
        )

    async def close(self):
        pass


def from_memory(options, seeds):
    return FromMemory()


def shelf(url):
    return FolderStorage(Path("/" + url.partition(":///")[2]))
"""
ENTRY_POINTS = """[siteseer.strategies]
home-only = owls:home_only
[siteseer.extractors]
first-words = owls:first_words
[siteseer.analysers]
shouting = owls:shouting
[siteseer.object_formats]
titles = owls:Titles
[siteseer.stores]
shelf = owls:shelf
[siteseer.fetchers]
memory = owls:from_memory
"""
USE = """
import sys
from pathlib import Path
import siteseer
from siteseer.archive.storage import Storage
from siteseer.interfaces import AnalyserContext
from siteseer.model import WebObject
from siteseer.plugins import analyser_factory, installed_strategies, object_formats

url, folder = sys.argv[1], Path(sys.argv[2])
usual = {"delay": 0.0, "assets": "none", "browser": "never"}
assert installed_strategies() == ["home-only"]
home = siteseer.crawl(url, folder / "home", strategy="home-only", archive_to=f"shelf://{folder}/shelf", **usual)
assert home["pages"] == 1, home
kept = siteseer.crawl("http://owls.example/", folder / "memory", fetcher="memory", **usual)
assert kept["pages"] == 1 and kept["finished"], kept
stored = Storage(f"shelf://{folder}/shelf").names()
assert any(name.endswith(".warc.gz") for name in stored), stored
(row,) = siteseer.article(folder / "page.html", method="first-words")
assert (row["text"], row["method"]) == ("owls at night", "first-words")
(found,) = analyser_factory("shouting")(AnalyserContext("", {})).analyse(WebObject("post", "urn:x", url))
assert found.label == "Owl"
assert object_formats()[-1] == "titles"
siteseer.crawl(url, folder / "blog", **usual)
siteseer.export(folder / "blog", folder / "objects.titles", "titles")
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the package."""
    folder = tmp_path_factory.mktemp("plugins")
    wheel = folder / "owls-1.0-py3-none-any.whl"
    files = {
        "owls.py": PACKAGE,
        "owls-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: owls\nVersion: 1.0\n",
        "owls-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "owls-1.0.dist-info/entry_points.txt": ENTRY_POINTS,
    }
    with zipfile.ZipFile(wheel, "w") as package:
        for name, text in files.items():
            package.writestr(name, text)
        package.writestr("owls-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in files))
    uv = Path(sys.prefix) / "bin" / "uv"
    pip = [str(uv), "pip"] if uv.exists() else [sys.executable, "-m", "pip"]
    command = [*pip, "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder / "site"), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_each_kind_of_extension_of_an_installed_package_is_used(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>Owls</title><p>Owls are birds.</p>")
    with Server(make_site("blog", 4, size=3)) as server:
        command = [sys.executable, "-c", USE, server.url, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(installed)})
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "objects.titles").read_text().splitlines()) >= 3


@pytest.mark.parametrize("table", ["STRATEGIES", "EXTRACTORS", "ANALYSERS", "OBJECT_FORMATS", "STORES", "FETCHERS"])
def test_every_row_of_a_table_leads_somewhere_and_is_in_the_manual(table: str) -> None:
    rows: dict[str, str] = getattr(plugins, table)
    assert rows and all(callable(plugins._load(place)) for place in rows.values())
    assert f"`{table}`" in (Path(__file__).parents[1] / "docs" / "extend.md").read_text()


def test_a_name_that_nobody_offers_is_said_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="no extractor 'magic'; choose one of auto, forest"):
        plugins.extractor("magic")
    assert plugins.store_factory("magic") is None
