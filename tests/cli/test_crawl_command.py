"""The command line as people use it: exit codes, one-sentence errors, JSON on stdout."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.cli.main import run


def siteseer(*arguments: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "siteseer", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


QUICK = ("--strategy", "blind", "--delay", "0", "--assets", "none")


def test_crawl_prints_one_json_object(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=1, size=4)
    done = siteseer("crawl", server.url, "-o", tmp_path / "c", *QUICK, "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    keys = (
        "collection strategy application requests responses pages bytes duplicates errors skipped objects two_grams "
        "failed_actions adapted_actions seconds finished stopped_by problems crawl total"
    )
    assert list(summary) == keys.split()
    assert summary["requests"] == len(server.log) and summary["finished"]
    assert "robots.txt: obey" in done.stderr
    assert json.loads((tmp_path / "c/reports/summary.json").read_text()) == summary
    skipped = [json.loads(line) for line in (tmp_path / "c/reports/skipped.jsonl").read_text().splitlines()]
    assert len(skipped) == sum(summary["skipped"].values()) and all(line["because"] for line in skipped)
    kept = (tmp_path / "c/pages/pages.jsonl").read_text().splitlines()
    assert len(kept) > 10 and "format" in json.loads(kept[0])
    assert siteseer("verify", tmp_path / "c").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["crawl", "http://e.org/"], 2, "-o DIR"),
        (["crawl", "ftp://e.org/", "-o", "{tmp}"], 2, "no URL that can be crawled"),
        (["crawl", "http://[::1", "-o", "{tmp}"], 2, "no URL that can be crawled"),
        (["crawl", "-o", "{tmp}"], 2, "nothing to crawl"),
        (["crawl", "http://e.org/", "-o", "{tmp}", "--strategy", "psychic"], 2, "there is no strategy"),
        (["crawl", "http://e.org/", "-o", "{tmp}", "--scope", "planet"], 2, "--scope planet"),
        (
            ["crawl", "http://e.org/", "-o", "{tmp}", "--strategy", "blind", "--exclude", "re:("],
            4,
            "a closing parenthesis is missing",
        ),
        (["crawl", "http://e.org/", "-o", "{tmp}", "--robots", "maybe"], 2, "--robots maybe"),
        (["crawl", "http://e.org/", "-o", "{tmp}", "--size-limit", "much"], 2, "--size-limit much"),
        (["crawl", "http://e.org/", "-o", "{tmp}", "--config", "{tmp}/none.toml"], 2, "cannot be read"),
        (
            ["crawl", "http://e.org/", "-o", "{tmp}", "--offline", "{tmp}/none.warc", "--strategy", "blind"],
            2,
            "--offline",
        ),
        (["crawl", "http://e.org/", "-o", "{tmp}/no.warc"], 2, "no.warc is a file; name a directory"),
        (["crawl", "http://e.org/", "-o", "{tmp}/c", "--offline", "{tmp}/no.warc"], 17, "no.warc holds no WARC record"),
        (["crawl", "--seeds", "{tmp}/none.txt", "-o", "{tmp}"], 2, "--seeds"),
        (["crawl", "http://e.org/", "--delay", "-1", "-o", "{tmp}"], 2, "delay"),
        (["export", "{tmp}", "--wacz", "{tmp}/x.wacz"], 2, "no collection"),
        (["verify", "{tmp}/none"], 2, "none"),
        (["demo", "serve", "castle"], 2, "castle"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    (tmp_path / "no.warc").write_text("not an archive")
    done = siteseer(*(text.replace("{tmp}", str(tmp_path)) for text in arguments))
    assert done.returncode == code, done.stderr
    assert words in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""
    assert [one.name for one in tmp_path.iterdir()] == ["no.warc"], "nothing is written"


def test_problems_are_sentences_before_the_summary(serve: Callable, tmp_path: Path) -> None:
    url = serve("blog", size=4).url + "/no-such-page"
    done = siteseer("crawl", url, "-o", str(tmp_path / "c"), "--delay", "0")
    assert done.returncode == 1
    assert f"The seed {url} does not exist (404 Not Found). Check the address." in done.stderr
    assert "1, said above" in done.stdout and "{" not in done.stdout


def test_overwrite_will_not_remove_what_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("years of work")
    done = siteseer("crawl", "http://127.0.0.1:9/", "-o", tmp_path, "--overwrite", *QUICK)
    assert done.returncode == 2 and (tmp_path / "thesis.doc").read_text() == "years of work"


def test_config_file_and_command_line(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=1, size=4)
    config = tmp_path / "c.toml"
    config.write_text(f'seeds = ["{server.url}/"]\nlimit = 3\ndelay = 0\nstrategy = "blind"\nassets = "none"\n')
    first = siteseer("crawl", "--config", config, "-o", tmp_path / "a", "--json")
    second = siteseer("crawl", "--config", config, "--limit", "5", "-o", tmp_path / "b", "--json")
    assert [json.loads(one.stdout)["requests"] for one in (first, second)] == [3, 5]
    config.write_text("colour = 1")
    wrong = siteseer("crawl", "http://e.org", "--config", config, "-o", tmp_path / "d")
    assert wrong.returncode == 4 and "colour" in wrong.stderr


def test_offline_crawl_of_what_was_crawled(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=1, size=4)
    siteseer("crawl", server.url, "-o", tmp_path / "a", *QUICK)
    asked = len(server.log)
    wacz = tmp_path / "a.wacz"
    assert siteseer("export", tmp_path / "a", "--wacz", wacz).returncode == 0
    assert "datapackage.json" in zipfile.ZipFile(wacz).namelist()
    sources = {"dir": tmp_path / "a" / "archive", "wacz": wacz}
    for name, source in sources.items():
        done = siteseer("crawl", server.url, "-o", tmp_path / name, "--offline", source, *QUICK, "--json")
        again, first = json.loads(done.stdout), json.loads((tmp_path / "a/reports/summary.json").read_text())
        assert (again["pages"], again["two_grams"]) == (first["pages"], first["two_grams"])
    assert len(server.log) == asked


def test_control_characters_from_pages_do_not_reach_the_terminal(serve: Callable, tmp_path: Path) -> None:
    server = serve("hostile", seed=1, size=1)
    done = siteseer("crawl", f"{server.url}/doc/escapes", "-o", tmp_path / "c", *QUICK, "--depth", "0")
    assert done.returncode == 0 and "\x1b]" not in done.stdout + done.stderr


def test_help_is_quick() -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert siteseer("--help").returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.8


def test_policies_decide_what_is_kept(serve: Callable, tmp_path: Path) -> None:
    server = serve("forum", seed=3, size=4, template="modern")
    known = Path(__file__).parents[1] / "integrations" / "demo-forum.xml"
    how = ("--knowledge", known, "--delay", "0", "--assets", "none", "--json")
    requests = {}
    for strategy in ("aware", "auto"):
        for choice in ("no", "yes"):
            folder = tmp_path / f"{strategy}-{choice}"
            asked = ("--strategy", strategy, "--policy", f"profiles={choice}")
            assert siteseer("crawl", server.url, "-o", folder, *asked, *how).returncode == 0
            kept = (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:]
            requests[strategy, choice] = sum("/members/" in json.loads(line)["url"] for line in kept)
    assert requests["aware", "no"] == requests["auto", "no"] == 0
    assert requests["aware", "yes"] == requests["auto", "yes"] > 2


@pytest.mark.parametrize("strategy", ["aware", "auto"])
def test_a_policy_that_nobody_knows_is_refused(strategy: str, tmp_path: Path) -> None:
    asked = ("--strategy", strategy, "--policy", "profilse=yes")
    done = siteseer("crawl", "http://127.0.0.1:9/", "-o", tmp_path / "c", *asked)
    assert done.returncode == 2 and "no application has a policy 'profilse'; known are" in done.stderr


def test_ctrl_c_ends_a_command_with_a_word_and_the_exit_code_of_the_manual(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("siteseer.campaigns.run_campaign.definition_text", interrupted)
    assert run(["campaign", "check", str(tmp_path / "kelp.toml")]) == 13
    assert "Stopped." in capsys.readouterr().err
