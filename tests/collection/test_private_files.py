"""What was crawled with a login is for its owner only: every file, also those that other commands make later."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from siteseer.cli.main import run
from siteseer.collection.private_files import is_private, private_files
from siteseer.crawler.results.export_collection import export_package
from siteseer.demo import Server
from siteseer.fetch.login_profiles import save_profile
from siteseer.model import JSON
from tests.crawler.small_site import SmallSite, pages

HOME = {"/": "<p>Words for readers.</p><a href=/two>two</a>", "/two": "<p>More words."}
LOGIN = {"cookies": [{"name": "sid", "value": "abc", "domain": "127.0.0.1", "path": "/"}], "origins": []}


@pytest.fixture(autouse=True)
def usual_mask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin as most people do, with files that others can read."""
    monkeypatch.setenv("SITESEER_PROFILES", str(tmp_path / "profiles"))
    before = os.umask(0o022)
    yield
    assert os.umask(before) == 0o022, "the process is left as it was"


def open_to_others(folder: Path) -> list[str]:
    """Return what others may read or enter."""
    return [str(path) for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077]


@pytest.mark.parametrize(
    "options",
    [{"headers": ("Authorization: Bearer x",)}, {"headers": ("X-Api-Key: x",)}, {"profile": "me"}, {"cookies": 1}],
)
def test_crawls_with_secrets_are_private(run_crawl: Callable, tmp_path: Path, options: JSON) -> None:
    save_profile("me", LOGIN)
    if "cookies" in options:
        options = {"cookies": tmp_path / "cookies.txt"}
        options["cookies"].write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
    folder, meanwhile = tmp_path / "collection", list[str]()

    def answer(path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        if path == "/two":
            assert (folder / "siteseer" / "state.db-wal").exists()
            meanwhile.extend(open_to_others(folder))
        return pages(HOME)(path, headers)

    with SmallSite(answer) as site:
        assert run_crawl(site.url, **options)["pages"] == 2
    assert meanwhile == [] and open_to_others(folder) == []
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()} == {0o600}


def test_ordinary_crawls_are_as_ever(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages(HOME)) as site:
        run_crawl(site.url, headers=("Accept-Language: de",))
    assert tmp_path.joinpath("collection").stat().st_mode & 0o777 == 0o755
    assert not is_private(tmp_path / "collection")


def test_an_open_collection_is_closed_when_it_goes_on_with_a_login(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages(HOME)) as site:
        run_crawl(site.url, limit=2)
        assert open_to_others(tmp_path / "collection")
        run_crawl(site.url, headers=("Authorization: Bearer x",))
    assert open_to_others(tmp_path / "collection") == []


def test_what_later_commands_write_is_private_too(
    serve: Callable[..., Server], run_crawl: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, folder = serve("forum", seed=1, size=2), tmp_path / "collection"
    run_crawl(site.url, headers=("Authorization: Bearer x",), strategy="auto")
    commands = [
        ["describe", folder],
        ["export", folder, "--format", "jsonl", "-o", folder / "exports.jsonl"],
        ["export", folder, f"--wacz={tmp_path / 'out.wacz'}"],
        ["crawl", site.url, "-o", folder, "--recrawl", "--delay", "0", "--assets", "none", "--limit", "5"],
        ["verify", folder],
        ["query", folder, "SELECT * WHERE { ?s ?p ?o } LIMIT 1"],
    ]
    for command in commands:
        assert run(list(map(str, command))) == 0, capsys.readouterr().err
    assert (folder / "exports.jsonl").stat().st_size > 1_000 and (folder / "siteseer" / "state.db").exists()
    assert open_to_others(folder) == []
    assert (tmp_path / "out.wacz").stat().st_mode & 0o777 == 0o600, "what is taken out of it, too"


def test_packages_made_from_python_are_private(run_crawl: Callable, tmp_path: Path) -> None:
    with SmallSite(pages(HOME)) as site:
        run_crawl(site.url, headers=("Authorization: Bearer x",))
    made = export_package(tmp_path / "collection", tmp_path / "c.wacz")
    assert made.stat().st_mode & 0o777 == 0o600


def test_no_word_of_a_command_is_too_odd(tmp_path: Path) -> None:
    with private_files(Path("x" * 5_000), Path("a\0b"), tmp_path):
        assert not is_private(Path("y" * 5_000))
