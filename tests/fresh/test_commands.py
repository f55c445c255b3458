"""Every command in a core install: it works, or says in one sentence which extra it needs; never a traceback."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from siteseer.cli.main import build
from siteseer.demo import Server, make_site
from tests.fresh.core_install import CoreInstall, clean

RUNNER = """
import contextlib, io, json, sys
from siteseer.cli import main

built = main.build()
main.build = lambda: built
for line in sys.stdin:
    said, told = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
        try:
            code = main.run(json.loads(line))
        except BaseException as error:
            code = repr(error)
    print(json.dumps([code, *(one.buffer.getvalue().decode() for one in (said, told))]), flush=True)
"""
"""Runs many commands in one process: starting Python for each would take longer than all of them."""

WORKS = 0
BROKER = "redis://127.0.0.1:1/0"
WRAPPER = 'doc("{url}")//article:<post>[.//h2:<title=string(.)>]'
COMMANDS: tuple[tuple[int | str, str], ...] = (
    (WORKS, "crawl {url} -o blog --delay 0"),
    (WORKS, "crawl {url} -o other --delay 0 --limit 8 --strategy blind --assets none"),
    ("browser", "crawl {url} -o x --browser always"),
    ("cluster", "crawl {url} -o x --archive-to s3://bucket/x"),
    (WORKS, "objects blog"),
    (WORKS, "objects blog --format jsonl"),
    (WORKS, "query blog SELECT*{{?a?b?c}}LIMIT+2"),
    (WORKS, "export blog --wacz blog.wacz"),
    (WORKS, "export blog --format jsonl -o blog.jsonl"),
    (WORKS, "export blog --format ttl -o blog.ttl"),
    ("parquet", "export blog --format parquet -o blog.parquet"),
    ("cluster", "export blog --wacz s3://bucket/x.wacz"),
    (WORKS, "verify blog"),
    (WORKS, "audit blog --sample 2"),
    (WORKS, "detect page.html {url}"),
    (WORKS, "article page.html"),
    (WORKS, "timestamp page.html {url}"),
    (WORKS, "changes page.html page.html"),
    (WORKS, "changes blog other"),
    (WORKS, "feed read {url}feed/"),
    (WORKS, "revisit blog --budget 1"),
    (WORKS, "form form.html"),
    (WORKS, "form probe {shop} -o shop --delay 0 --limit 5"),
    (WORKS, "describe blog.wacz -o described"),
    (WORKS, "compare --collections blog other -o compared"),
    (WORKS, "learn {url} -o learned --delay 0 --sample 5"),
    (WORKS, "align blog.ttl blog.ttl"),
    (WORKS, "kb list"),
    (WORKS, "kb show wordpress"),
    (WORKS, "kb test wordpress"),
    (WORKS, "kb export wordpress --format browsertrix"),
    (WORKS, "wrapper check w.oxp"),
    (WORKS, "wrapper run w.oxp --browser never"),
    ("browser", "wrapper run w.oxp"),
    ("browser", "wrapper submit w.oxp --name w"),
    (WORKS, "wrapper submit w.oxp --name w --browser never"),
    (WORKS, "wrapper list"),
    (WORKS, "wrapper records w"),
    ("browser", "login {url} --profile x"),
    (WORKS, "campaign check campaign.toml"),
    (WORKS, "campaign run campaign.toml -o campaign"),
    (WORKS, "campaign analyse campaign"),
    (WORKS, "campaign report campaign"),
    ("nlp", "campaign analyse campaign --with spacy"),
    ("cluster", f"campaign run campaign.toml -o x --engine celery --broker {BROKER}"),
    ("cluster", f"worker --engine celery --broker {BROKER}"),
    ("cluster", "schedule list schedules.toml"),
    ("cluster", "schedule run schedules.toml"),
    ("cluster", f"schedule beat schedules.toml --broker {BROKER}"),
    ("cluster", f"schedule worker --broker {BROKER}"),
    (WORKS, "store use blog"),
    ("cluster", "store pull s3://bucket/x pulled"),
    ("ui", "ui . --port 0"),
    (WORKS, "demo ontology shop"),
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder with the files that the commands name, and the addresses of two sites."""
    folder = tmp_path_factory.mktemp("commands")
    with Server(make_site("blog", size=8)) as blog, Server(make_site("shop", size=8)) as shop:
        names = {"url": f"{blog.url}/", "shop": f"{shop.url}/"}
        files = {
            "page.html": "<title>Boats</title><article><h1>Boats</h1>" + "<p>Boats and ropes.</p>" * 20 + "</article>",
            "form.html": '<form action="/find"><input name="q"><button>Search</button></form>',
            "w.oxp": WRAPPER.format(**names),
            "campaign.toml": f'name = "boats"\nseeds = ["{names["url"]}"]\nkeywords = ["boats"]\n'
            '[budget]\nrequests = 5\n[politeness]\ndelay = 0.0\n[sites]\nfollow = "seeds"\n',
            "schedules.toml": '[blog]\nrun = "revisit blog --budget 1"\nevery = "6h"\n',
        }
        for name, text in files.items():
            (folder / name).write_text(text)
        yield folder, names


def run_all(core: CoreInstall, commands: list[list[str]], folder: Path) -> list[tuple[object, str, str]]:
    """Run commands one after the other; return exit code, stdout and stderr of each."""
    lines = "".join(json.dumps(words) + "\n" for words in commands)
    done = subprocess.run(
        [str(core.python), "-c", RUNNER], input=lines, capture_output=True, text=True, timeout=500, cwd=folder,
        env=clean({"SITESEER_KNOWLEDGE": str(folder / "knowledge"), "COLUMNS": "200"}),
    )  # fmt: skip
    assert done.stderr == "", done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_every_command_works_or_names_the_extra(core: CoreInstall, places: tuple[Path, dict[str, str]]) -> None:
    folder, names = places
    commands = [[word.format(**names).replace("+", " ") for word in line.split()] for _, line in COMMANDS]
    wrong = []
    for (wanted, _), words, (code, said, told) in zip(COMMANDS, commands, run_all(core, commands, folder), strict=True):
        works = code == 0 and bool(said or told or "-o" in words)
        names_extra = code == 2 and told.strip().endswith(f"pip install 'siteseer[{wanted}]'")
        if not (works if wanted == WORKS else names_extra):
            wrong.append((words, code, told))
    assert not wrong


def test_every_command_has_help(core: CoreInstall, tmp_path: Path) -> None:
    commands = [[*path, "--help"] for path in _paths(typer.main.get_command(build()), ())]
    assert len(commands) > 50
    answers = run_all(core, commands, tmp_path)
    assert [
        words for words, (code, said, _) in zip(commands, answers, strict=True) if code or "Usage" not in said
    ] == []


def _paths(command: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from _paths(inner, (*path, name))
