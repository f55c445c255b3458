"""Options of single hosts and single seeds, given in a configuration file, measured on the servers' own clocks."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from siteseer.cli.main import run
from siteseer.collection.collection import Collection
from siteseer.collection.history.saved_options import last_options
from siteseer.page.urls import host_of
from siteseer.settings import HostOptions, Politeness, SeedOptions, read_config
from tests.crawler.small_site import SmallSite, pages

USUAL = 'delay = 0\nstrategy = "blind"\nassets = "none"\nbrowser = "never"\n'


def crawl(folder: Path, text: str, *more: str) -> int:
    config = folder / "crawl.toml"
    config.write_text(text)
    return run(["crawl", "--config", str(config), "-o", str(folder / "kept"), *more])


def linked(names: str, folder: str = "") -> str:
    return "".join(f'<a href="{folder}/{name}">{name}</a>' for name in names)


def test_hosts_have_a_delay_and_a_robots_policy_of_their_own(tmp_path: Path) -> None:
    robots = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /c")
    answers = {"/": linked("abcd"), "/robots.txt": robots, **{f"/{name}": f"page {name}" for name in "abcd"}}
    with SmallSite(pages(answers)) as slow, SmallSite(pages(answers)) as quick:
        code = crawl(
            tmp_path,
            f'seeds = ["{slow.url}/", "{quick.url}/"]\n{USUAL}'
            f'[hosts."{host_of(slow.url)}"]\ndelay = 0.3\n[hosts."{host_of(quick.url)}"]\nrobots = "ignore"\n',
        )
        assert code == 0
        gaps = [later.start - earlier.start for earlier, later in pairwise(slow.seen)]
        assert median(gaps) >= 0.3 > median(b.start - a.start for a, b in pairwise(quick.seen))
        assert "/c" not in slow.paths() and "/c" in quick.paths()
    with Collection.open(tmp_path / "kept") as opened:
        hosts = last_options(opened.state)[1].hosts
    assert hosts == (
        HostOptions(host_of(slow.url), delay=0.3), HostOptions(host_of(quick.url), robots="ignore"),
    )  # fmt: skip


def test_seeds_have_a_scope_and_limits_of_their_own(tmp_path: Path) -> None:
    below = {f"/a/{name}": f"a {name}" for name in "123456"} | {f"/b/{name}": linked("z", "/b/deep") for name in "123"}
    answers = {
        "/a/": linked("123456", "/a") + linked("1", "/b"), "/b/": linked("123", "/b") + '<a href="/c/">c</a>',
        "/b/deep/z": "deep", "/c/": "elsewhere", **below,
    }  # fmt: skip
    with SmallSite(pages(answers)) as site:
        text = (
            f'{USUAL}[[seeds]]\nurl = "{site.url}/a/"\nscope = "prefix"\nlimit = 4\n'
            f'[[seeds]]\nurl = "{site.url}/b/"\nscope = "prefix"\ndepth = 1\nexclude = ["*/b/3"]\n'
        )
        crawl(tmp_path, text, "--limit", "4")
        crawl(tmp_path, text, "--limit", "100")
        paths = [path for path in site.paths() if path != "/robots.txt"]
    assert sorted(path for path in paths if path.startswith("/b")) == ["/b/", "/b/1", "/b/2"]
    assert len([path for path in paths if path.startswith("/a")]) == 4, "its limit, over both runs"
    assert "/c/" not in paths
    skipped = [json.loads(line) for line in (tmp_path / "kept/reports/skipped.jsonl").read_text().splitlines()]
    because = {line["url"].partition("/a/")[2]: line["because"] for line in skipped if "/a/" in line["url"]}
    assert len(because) == 3 and all("as many as its limit allows" in text for text in because.values())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[hosts."e.org"]\ndelay = "soon"', "host e.org: delay wants a number of seconds"),
        ('[hosts."e.org"]\ndealy = 1', "did you mean 'delay'?"),
        ("hosts = 3", 'as in [hosts."example.org"]'),
        ('[[seeds]]\nscope = "host"', "a seed needs its address"),
        ('[[seeds]]\nurl = "e.org"\nlimits = 3', "seed e.org: there is no option 'limits'; did you mean 'limit'?"),
        ("seeds = [3]", "seeds are addresses, or tables"),
    ],
)
def test_what_makes_no_sense_is_named_and_nothing_is_made(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl(tmp_path, text) == 4
    assert words in capsys.readouterr().err and not (tmp_path / "kept").exists()


def test_the_first_rule_that_means_a_host_counts(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        'hosts: {"a.e.org": {delay: 5}, "*.e.org": {delay: 2, concurrency: 1}}\nseeds: [{url: e.org, depth: 1}, f.org]'
    )
    made = read_config(tmp_path / "c.yaml")
    polite = Politeness(hosts=made.options["hosts"])
    assert polite.of_host("a.e.org:80") == HostOptions("a.e.org:80", 5.0, 1, "obey")
    assert polite.of_host("b.e.org").delay == 2 and polite.of_host("e.org").delay == 1
    assert made.options["seed_options"] == (SeedOptions("e.org", depth=1), SeedOptions("f.org"))
