"""The public functions: each verb once on a demo site, in a thread and where an event loop runs already."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import siteseer
from siteseer.demo import Server, make_site
from siteseer.errors import UsageError

QUICK = {"delay": 0.0, "concurrency": 1, "assets": "none", "browser": "never", "limit": 40}
FACTS = '<http://e.org/{0}1> <http://e.org/title> "Great Expectations" .\n'
CAMPAIGN = """name = "x"
seeds = ["{url}"]
keywords = ["garden"]
[politeness]
delay = 0.0
[budget]
requests = 5
"""


def in_thread(verb: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(verb).result()


def in_event_loop(verb: Callable[[], Any]) -> Any:
    async def cell() -> Any:
        return verb()

    return asyncio.run(cell())


@dataclass
class Material:
    """A served site, and a collection of it."""

    url: str
    folder: Path

    @property
    def collection(self) -> Path:
        return self.folder / "blog"

    @property
    def page(self) -> str:
        """A page with a post."""
        return str(next(one["url"] for one in siteseer.objects(self.collection, kind="post")))

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    with Server(make_site("blog", 4, size=12)) as server:
        made = Material(server.url, tmp_path_factory.mktemp("api"))
        siteseer.crawl(made.url, made.collection, **{**QUICK, "limit": None})
        yield made


def describe(m: Material, out: Path) -> None:
    assert sum(siteseer.describe(m.collection, out)["objects"].values()) > 0


def query(m: Material, out: Path) -> None:
    answer = siteseer.query(m.collection, "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3")
    assert len(answer["results"]["bindings"]) == 3
    assert siteseer.query(m.collection, "ASK { ?s ?p ?o }")["boolean"] is True
    assert siteseer.query(m.collection, "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1")["turtle"]


def objects(m: Material, out: Path) -> None:
    posts = siteseer.objects(m.collection, kind="post", limit=2)
    assert [one["kind"] for one in posts] == ["post", "post"]
    assert json.dumps(posts)


def crawl(m: Material, out: Path) -> None:
    assert siteseer.crawl(m.url, out, **QUICK)["requests"] > 0


def revisit(m: Material, out: Path) -> None:
    siteseer.crawl(m.url, out, **{**QUICK, "limit": None})
    assert siteseer.revisit(out, budget=5, delay=0.0, concurrency=1)["requests"] <= 5


def open_(m: Material, out: Path) -> None:
    assert siteseer.open(m.collection).figures()["requests"] > 0


def detect(m: Material, out: Path) -> None:
    assert set(siteseer.detect(m.page)) >= {"application", "level", "evidence"}


def article(m: Material, out: Path) -> None:
    (row,) = siteseer.article(m.page)
    assert row["text"]


def timestamp(m: Material, out: Path) -> None:
    assert siteseer.timestamp(m.page)["published"]


def changes(m: Material, out: Path) -> None:
    assert siteseer.changes(m.page, m.page)["verdict"]
    same = siteseer.changes(m.collection, m.collection)
    assert (same["new"], same["gone"], same["changes"]) == (0, 0, []) and same["same"] > 0


def form(m: Material, out: Path) -> None:
    page = m.file(
        f"{out.name}.html", "<form action=/s role=search><input type=search name=q><button>Search</button></form>"
    )
    (found,) = siteseer.form(page, "http://e.org/")
    assert found["type"] == "search" and found["fields"][0]["name"] == "q"


def induce(m: Material, out: Path) -> None:
    first = m.file(f"{out.name}1.html", "<div class=b><h1>Sea</h1><p class=price>12 EUR</p></div>")
    second = m.file(f"{out.name}2.html", "<div class=b><h1>Hill</h1><p class=price>9 EUR</p></div>")
    found = siteseer.induce([first, second], ["title=Sea", "price=12 EUR"])
    assert set(found["attributes"]) == {"title", "price"} and "price" in found["wrapper"]


def run_wrapper(m: Material, out: Path) -> None:
    found = siteseer.run_wrapper("doc($site)//a:<link=string(.)>", {"site": m.url}, browser="never", delay=0.0)
    assert found["pages"] == 1 and found["records"]


def align(m: Material, out: Path) -> None:
    left, right = (m.file(f"{out.name}{side}.nt", FACTS.format(side)) for side in "ab")
    (match,) = [one for one in siteseer.align(left, right) if one["kind"] == "instance"]
    assert (match["left"], match["right"]) == ("http://e.org/a1", "http://e.org/b1")


def compare(m: Material, out: Path) -> None:
    result = siteseer.compare(m.url, out, strategies=["blind", "auto"], **QUICK)
    assert result["strategies"]["auto"]["requests"] > 0 and (out / "compare.html").is_file()
    again = siteseer.compare(output=out / "again", collections=[out / "blind", out / "auto"])
    assert again["strategies"]["auto"]["coverage"] == result["strategies"]["auto"]["coverage"]


def audit(m: Material, out: Path) -> None:
    assert siteseer.audit(m.collection, sample=2)["sentences"]


def verify(m: Material, out: Path) -> None:
    assert not siteseer.verify(m.collection)["problems"]


def repair(m: Material, out: Path) -> None:
    copy = Path(shutil.copytree(m.collection, out))
    (copy / "indexes" / "index.cdxj").unlink()
    assert not siteseer.repair(copy)["problems"] and (copy / "indexes" / "index.cdxj").is_file()


def export(m: Material, out: Path) -> None:
    assert Path(siteseer.export(m.collection, out.with_suffix(".wacz"))).stat().st_size > 0
    lines = Path(siteseer.export(m.collection, out.with_suffix(".jsonl"), "jsonl")).read_text().splitlines()
    assert len(lines) == len(siteseer.objects(m.collection))


def campaign(m: Material, out: Path) -> None:
    definition = m.file(f"{out.name}.toml", CAMPAIGN.format(url=m.url))
    assert siteseer.campaign(definition, out)["requests"] > 0


CALLS = {
    "crawl": crawl, "revisit": revisit, "compare": compare, "audit": audit, "campaign": campaign, "detect": detect,
    "article": article, "timestamp": timestamp, "changes": changes, "form": form, "describe": describe, "open": open_,
    "objects": objects, "query": query, "verify": verify, "repair": repair, "export": export, "induce": induce,
    "run_wrapper": run_wrapper, "align": align,
}  # fmt: skip


@pytest.mark.parametrize("where", [in_thread, in_event_loop], ids=lambda where: where.__name__)
@pytest.mark.parametrize("verb", sorted(siteseer.__all__))
def test_verb(verb: str, where: Callable[..., Any], material: Material) -> None:
    where(lambda: CALLS[verb](material, material.folder / f"{verb}-{where.__name__}"))


def test_the_manual(material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of docs/python.md, one after the other in one notebook."""
    manual = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
    cells = re.findall(r"^```python\n(.*?)^```", manual, re.MULTILINE | re.DOTALL)
    assert len(cells) >= 2
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}

    async def notebook() -> None:
        for cell in cells:
            exec(cell.replace("http://forum.example/", material.url).replace("delay=1.0", "delay=0.0"), names)

    asyncio.run(notebook())
    assert names["posts"] and Path("board.wacz").is_file()


def test_errors_come_out_of_a_running_event_loop_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no_such_option"):
        in_event_loop(lambda: siteseer.crawl("http://127.0.0.1:1/", tmp_path, no_such_option=1))


def test_verbs_are_listed() -> None:
    assert set(siteseer.__all__) <= set(dir(siteseer))
    assert set(siteseer.__all__) == set(siteseer._MODULE_OF) == set(CALLS)
    for verb in siteseer.__all__:
        assert getattr(siteseer, verb).__doc__


def test_importing_loads_nothing() -> None:
    code = "import sys, siteseer; print(sorted(name for name in sys.modules if name.startswith('siteseer')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "['siteseer', 'siteseer.version']"


def test_help_loads_neither_archives_nor_event_loops() -> None:
    """They take longer than all the rest of `siteseer --help`."""
    code = (
        "import sys; from siteseer.cli.main import run; run(['--help']); "
        "print([name for name in ('asyncio', 'siteseer.archive', 'siteseer.interfaces') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[]"


def test_wrong_calls(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        siteseer.crawl("http://127.0.0.1:1/", tmp_path, no_such_option=1)
    with pytest.raises(UsageError):
        siteseer.revisit(tmp_path, strategy="blind")
    with pytest.raises(UsageError):
        siteseer.objects(tmp_path, colour="blue")
    with pytest.raises(UsageError):
        siteseer.run_wrapper("doc('http://127.0.0.1:9/')//a:<x>", colour="blue")
    with pytest.raises(UsageError):
        siteseer.align("a.nt", "b.nt", colour="blue")
    with pytest.raises(UsageError):
        siteseer.open(tmp_path)
    with pytest.raises(AttributeError):
        _ = siteseer.no_such_verb
