"""A format of objects of an installed package: the command line, the REST service and the web interface offer it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from siteseer.demo import Server, make_site
from tests.web.chromium import Interface, crawl_beside, interface

MANUAL = (Path(__file__).parents[2] / "docs" / "extend.md").read_text()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a package with the class and the entry point of the manual, as an installer leaves it."""
    folder = tmp_path_factory.mktemp("site-packages")
    (code,) = re.findall(r"^```python\n(.*?)^```", MANUAL, re.MULTILINE | re.DOTALL)
    ((group, row),) = re.findall(r'^\[project\.entry-points\."(.*?)"\]\n(.*?)\n```', MANUAL, re.MULTILINE | re.DOTALL)
    (folder / "my_package").mkdir()
    (folder / "my_package" / "__init__.py").touch()
    (folder / "my_package" / "my_module.py").write_text(code)
    metadata = folder / "my_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{row.replace(chr(34), '')}\n")
    return str(folder)


@pytest.fixture(scope="module")
def running(installed: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("library") / "collections"
    with Server(make_site("blog", 4, size=8)) as server:
        crawl_beside(server.url, folder / "blog", browser="never", assets="none")
    with interface(folder, PYTHONPATH=installed) as started:
        yield started


@pytest.fixture(scope="module")
def expected(running: Interface, installed: str) -> bytes:
    """What `siteseer objects` prints in the format."""
    return command(installed, "objects", str(running.library / "blog"), "--format", "titles")


def command(installed: str, *arguments: str) -> bytes:
    environment = {**os.environ, "PYTHONPATH": installed}
    done = subprocess.run([sys.executable, "-m", "siteseer", *arguments], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_the_command_line_exports_it(running: Interface, installed: str, expected: bytes, tmp_path: Path) -> None:
    assert expected.count(b"\n") > 8
    command(installed, "export", str(running.library / "blog"), "--format", "titles", "-o", str(tmp_path / "t.titles"))
    assert (tmp_path / "t.titles").read_bytes() == expected


def test_the_service_exports_it_and_names_it_in_its_document(running: Interface, expected: bytes) -> None:
    def call(path: str) -> Any:
        return urlopen(Request(running.at(path), headers={"Authorization": f"Bearer {running.token}"}))

    with call("/api/collections/blog/export?format=titles&limit=0") as answer:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.read() == expected
    with call("/api/openapi.json") as answer:
        assert b"parquet, titles" in answer.read()


def test_the_web_interface_offers_it_as_a_download(
    chromium: Any, running: Interface, expected: bytes, tmp_path: Path
) -> None:
    page = chromium.new_context(accept_downloads=True).new_page()
    page.goto(running.link)
    page.goto(running.at("/c/blog/read"))
    page.locator(".thing").first.wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="TITLES", exact=True).click()
    waiting.value.save_as(tmp_path / "titles")
    assert (tmp_path / "titles").read_bytes() == expected
    assert waiting.value.suggested_filename.endswith(".titles")
