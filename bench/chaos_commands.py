"""The commands that `chaos` disturbs: what each starts from, how it is called, and what it leaves.

Each case has a folder of its own: `c` is the collection (or the campaign), and whatever else a command needs lies beside.
All of them talk to small demo sites that one server process serves; knowledge and configuration are the bench's own.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import pkgutil
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from damage import cut
from harness import ROOT

import siteseer
from siteseer.archive.archived_pages import pages
from siteseer.archive.cdxj import Entry
from siteseer.cli.main import run as siteseer_command
from siteseer.collection.checks.state_checks import snapshot
from siteseer.demo import Server, make_site
from siteseer.errors import SiteseerError

SITESEER = (sys.executable, "-P", "-m", "siteseer")
QUIETLY = ("--delay", "0", "--concurrency", "1")
NO_BROWSER = ("--browser", "never")
KNOWLEDGE = ROOT / "tests" / "integrations" / "demo-forum.xml"
WRAPPER = (
    "doc($u)//h3.node-title/a/{click /}//div.topic-title/a/{click /}//article.message:<post>"
    "[? .//a.username:<author=string(.)>][? .//div.message-body:<text=string(.)>]"
)
LONGEST = 300
PRELOADED = (
    "collection",
    "crawler",
    "strategies",
    "extract",
    "knowledge",
    "verbs",
    "batch",
    "deepweb",
    "wrapper.oxpath",
)
Contents = dict[str, dict[str, Any]]
"""By the name of a collection or package: its captures (URL and digest), archived pages, and objects."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@dataclass
class World:
    """Sites, environment and the collections from which commands start."""

    root: Path
    urls: dict[str, str] = field(default_factory=dict)
    bases: dict[str, Path] = field(default_factory=dict)
    server: subprocess.Popen[str] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The environment of all commands: nothing of the user's is read or written."""
        home = str(self.root / "home")
        own = {"HOME": home, "XDG_CONFIG_HOME": home, "SITESEER_KNOWLEDGE": str(self.root / "knowledge")}
        return {**os.environ, **own}

    def run(self, *arguments: str | Path, env: dict[str, str] | None = None) -> Ended:
        """Run a command of siteseer to its end: in a child that has its modules already, or anew where `env` asks so."""
        if env:
            command, environment = [*SITESEER, *map(str, arguments)], {**self.environment, **env}
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=LONGEST, cwd=self.root
            )
            return Ended(done.returncode, done.stdout, done.stderr)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            child = os.fork()
            if not child:
                self._be(arguments, out.fileno(), said.fileno())
            _, status = os.waitpid(child, 0)
            texts = []
            for file in (out, said):
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace"))
            return Ended(os.waitstatus_to_exitcode(status), *texts)

    def _be(self, arguments: Sequence[str | Path], out: int, said: int) -> NoReturn:
        """Be a command of siteseer, in a process of its own."""
        code = 70
        try:
            for source, target in ((out, 1), (said, 2)):
                os.dup2(source, target)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            os.chdir(self.root)
            os.environ.update(self.environment)
            signal.alarm(LONGEST)
            code = siteseer_command(list(map(str, arguments)))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def grow(self) -> None:
        """Let the growing blog show its newer posts from now on."""
        assert self.server and self.server.stdin and self.server.stdout
        self.server.stdin.write("grow\n")
        self.server.stdin.flush()
        assert self.server.stdout.readline() == "grown\n"

    def base(self, name: str, *arguments: str | Path) -> Path:
        """Return a collection that a command makes, once: `{}` stands for where it goes."""
        if name not in self.bases:
            folder = self.root / "bases" / name
            done = self.run(*(folder if part == "{}" else part for part in arguments))
            assert done.returncode == 0, (name, done.stderr)
            self.bases[name] = folder
        return self.bases[name]


@dataclass(frozen=True)
class Command:
    """A command that is disturbed."""

    name: str
    arguments: Callable[[World, Path], Sequence[str | Path]]
    """What is called in a case's folder."""
    prepare: Callable[[World, Path], None] = lambda world, work: None
    """Puts into a case's folder what the command starts from."""
    is_campaign: bool = False

    def results(self, work: Path) -> list[Path]:
        """Return what `verify` is asked about: the collection, the sites of a campaign, a package."""
        if self.is_campaign:
            return sorted(path for path in (work / "c" / "sites").glob("*") if path.is_dir())
        return [work / "c", *([work / "c.wacz"] if self.name == "export" else [])]

    def contents(self, work: Path) -> Contents:
        """Return what the command left."""
        return {path.name: contents(path) for path in self.results(work) if path.exists()}


def preload() -> None:
    """Import what commands import, so that children need not."""
    for package in PRELOADED:
        found = import_module(f"siteseer.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            with suppress(ImportError, SiteseerError):
                import_module(module.name)


@contextmanager
def served(root: Path, template: str = "modern") -> Iterator[World]:
    """Serve the sites in a process of their own, so that what is measured is the commands' alone."""
    (root / "home").mkdir(parents=True)
    program = f"import chaos_commands; chaos_commands.serve({template!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT / "bench", stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdin
    try:
        yield World(root, json.loads(process.stdout.readline()), server=process)
    finally:
        process.stdin.close()
        process.wait(20)


def serve(template: str) -> None:
    """Serve the sites until standard input ends; their addresses are the first line of output. The line `grow` lets the
    growing blog show its newer posts.
    """
    kinds: dict[str, tuple[str, dict[str, Any]]] = {
        "blog": ("blog", {"size": 6}),
        "small blog": ("blog", {"size": 3}),
        "long blog": ("blog", {"size": 24}),
        "forum": ("forum", {"size": 12}),
        "wiki": ("wiki", {}),
        "shop": ("shop", {"size": 30}),
    }
    servers = {name: Server(make_site(kind, 3, template, **more)) for name, (kind, more) in kinds.items()}
    servers["old blog"] = Server(make_site("blog", 3, template, size=16))
    servers["new blog"] = Server(make_site("blog", 3, template, size=16, grown=8))
    for server in servers.values():
        server.start()
    print(json.dumps({name: server.url for name, server in servers.items()}), flush=True)
    for line in sys.stdin:  # a revisit finds other content at the same address
        if line.strip() == "grow":
            servers["old blog"].site = servers["new blog"].site
            print("grown", flush=True)
    for server in servers.values():
        server.stop()
    os._exit(0)


def contents(path: Path) -> dict[str, Any]:
    """Return what a collection or a package holds, without times and places."""
    if path.suffix == ".wacz":
        return _packed(path)
    found: dict[str, Any] = {"captures": set(), "archived": set(), "objects": {}}
    database = path / "siteseer" / "state.db"
    if database.is_file() and database.stat().st_size:
        try:
            with snapshot(database) as state:
                found["captures"] = set(state.rows("SELECT url, status, digest FROM captures"))
        except (sqlite3.Error, SiteseerError) as error:
            found["captures"] = {str(error)}
    logging.disable(logging.WARNING)  # what cannot be read is for verify to say
    if (path / "archive").is_dir():
        told = pages(path / "archive")
        found["archived"] = {(page.url, page.status, hashlib.sha1(page.body).hexdigest()) for page, _ in told}
    with suppress(SiteseerError, sqlite3.Error):
        found["objects"] = {one["id"]: _without_place(one) for one in siteseer.objects(path)}
    return found


def _packed(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as package:
            lines = [Entry.parse(line) for line in gzip.decompress(package.read("indexes/index.cdx.gz")).splitlines()]
            names = {name for name in package.namelist() if not name.startswith("archive/")}
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error, SiteseerError) as error:
        return {"damaged": str(error)}
    return {"captures": {(line.url, line.digest) for line in lines}, "names": names}


def _without_place(told: Mapping[str, Any]) -> str:
    return json.dumps({name: value for name, value in told.items() if name != "capture"}, sort_keys=True)


def without_confidence(told: Contents) -> Contents:
    """Return the same without the confidence with which records were read."""

    def bare(text: str) -> dict[str, Any]:
        return {name: value for name, value in json.loads(text).items() if name != "confidence"}

    return {
        name: {**held, "objects": {key: bare(text) for key, text in held.get("objects", {}).items()}}
        for name, held in told.items()
    }


# ── the commands ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _crawl(strategy: str, site: str, *more: str) -> Command:
    def arguments(world: World, work: Path) -> Sequence[str | Path]:
        to = ("-o", work / "c", "--strategy", strategy)
        return "crawl", world.urls[site], *to, *QUIETLY, *NO_BROWSER, *more

    return Command(f"crawl {strategy}", arguments)


def _copied(make: Callable[[World], Path], hurt: Callable[[Path], None] = lambda folder: None) -> Callable[..., None]:
    def prepare(world: World, work: Path) -> None:
        shutil.copytree(make(world), work / "c")
        hurt(work / "c")

    return prepare


def _blind_blog(world: World) -> Path:
    address = world.urls["blog"]
    return world.base("blog", "crawl", address, "-o", "{}", "--strategy", "blind", *QUIETLY, *NO_BROWSER)


def learned_wiki(world: World) -> Path:
    """Return a finished collection with captures, objects, word index and RDF."""
    address = world.urls["wiki"]
    return world.base("wiki", "crawl", address, "-o", "{}", "--strategy", "learned", *QUIETLY, *NO_BROWSER)


def _old_blog(world: World) -> Path:
    address = world.urls["old blog"]
    return world.base("old", "crawl", address, "-o", "{}", "--strategy", "learned", *QUIETLY, *NO_BROWSER)


def _take_database_and_objects(folder: Path) -> None:
    (folder / "siteseer" / "state.db").unlink()
    cut(folder / "siteseer" / "objects" / "text.db")


def _archives(world: World, work: Path) -> None:
    (warc,) = (_blind_blog(world) / "archive").glob("*.warc.gz")
    shutil.copy(warc, work / "other.warc.gz")


def _campaign(world: World, work: Path) -> None:
    seeds = ", ".join(f'"{world.urls[name]}/"' for name in ("blog", "shop", "small blog"))
    (work / "spec.toml").write_text(
        f'name = "harbours"\nseeds = [{seeds}]\nkeywords = ["harbour"]\nstrategy = "blind"\n'
        '[politeness]\ndelay = 0.0\nconcurrency = 1\n[sites]\nfollow = "seeds"\n'
    )


def _wrapper(world: World, work: Path) -> Sequence[str | Path]:
    usual = ("--delay", "0", *NO_BROWSER, "--var", f"u={world.urls['forum']}")
    return "wrapper", "run", WRAPPER, *usual, "-o", work / "c"


COMMANDS = {
    command.name: command
    for command in (
        _crawl("blind", "blog"),
        _crawl("aware", "forum", "--knowledge", str(KNOWLEDGE)),
        _crawl("learned", "wiki"),
        _crawl("auto", "long blog"),
        Command("describe", lambda world, work: ("describe", work / "c"), _copied(_blind_blog)),
        Command(
            "describe archives",
            lambda world, work: ("describe", work / "other.warc.gz", "-o", work / "c"),
            _archives,
        ),
        Command("revisit", lambda world, work: ("revisit", work / "c", *QUIETLY), _copied(_old_blog)),
        Command(
            "export",
            lambda world, work: ("export", work / "c", "--wacz", work / "c.wacz"),
            _copied(learned_wiki),
        ),
        Command(
            "repair",
            lambda world, work: ("repair", work / "c"),
            _copied(learned_wiki, _take_database_and_objects),
        ),
        Command(
            "campaign",
            lambda world, work: ("campaign", "run", work / "spec.toml", "-o", work / "c", "--processes", "2"),
            _campaign,
            is_campaign=True,
        ),
        Command("wrapper", _wrapper),
        Command(
            "form probe",
            lambda world, work: ("form", "probe", world.urls["shop"], "-o", work / "c", "--limit", "90", *QUIETLY),
        ),
    )
}
