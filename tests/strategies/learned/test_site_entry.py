"""What was learned about a site is saved as knowledge, and a later crawl uses it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from siteseer.cli.knowledge import learn
from siteseer.crawler.results.learned_entry import save_entry
from siteseer.errors import UsageError
from siteseer.knowledge.check import check
from siteseer.knowledge.load import load


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    monkeypatch.setenv("SITESEER_KNOWLEDGE", str(tmp_path / "own"))
    app = typer.Typer()
    learn.register(app)
    app.command("other")(lambda: None)
    return lambda *words: app(["learn", *words, "--delay", "0"], standalone_mode=False)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("forum", ("--strategy", "learned")), ("blog", ("--strategy", "learned")), ("blog", ("--sample", "120"))],
)
def test_a_site_is_learned_once_and_known_from_then_on(
    kind: str, options: tuple[str, ...], command: Callable, serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server = serve(kind, seed=5)
    assert command(server.url, "-o", str(tmp_path / "first"), "--save-as", "our-site", *options) == 0
    file = tmp_path / "own" / "our-site.xml"
    assert check(file) == []
    entry = load(file)
    assert entry.learned is not None and (entry.learned.confidence or 0) > 0.9
    assert entry.category == kind
    before, truth = len(server.log), server.site.truth
    summary = run_crawl(server.url, "again", strategy="aware")
    assert summary["application"] == "our-site"
    assert len(server.log) - before <= 1.3 * truth.oracle_requests
    kept = sum(count for name, count in summary["objects"].items() if name in ("post", "comment", "page"))
    # covering 95 % of a sample's 2-grams does without the further pages of comments
    assert (0.7 if "--sample" in options else 0.85) * len(truth.texts) <= kept <= 1.1 * len(truth.texts)


def test_nothing_that_is_known_is_replaced(
    command: Callable, serve: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "taken.xml").write_text("somebody's work")
    for name, words in (("taken", "exists already"), ("phpbb", "known already"), ("../x", "no name")):
        with pytest.raises(UsageError, match=words):
            command("http://127.0.0.1:9/", "-o", str(tmp_path / "c"), "--save-as", name)
    assert not (tmp_path / "c").exists()


def test_a_crawl_that_learned_nothing_has_nothing_to_save(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    run_crawl(serve("blog", seed=3, size=4).url, "plain", strategy="blind", limit=5)
    with pytest.raises(UsageError, match="learned nothing"):
        save_entry(tmp_path / "plain", "mine", tmp_path / "own")
    assert not (tmp_path / "own").exists()
