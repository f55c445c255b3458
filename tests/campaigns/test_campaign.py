"""A campaign crawls many sites in one process, keeps to its budget, and goes on after a kill."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from siteseer.campaigns.campaign_ledger import SiteRow
from siteseer.campaigns.engines.site_slice import EMPTY, FORBIDDEN, PRIVATE
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.run_campaign import run_campaign
from siteseer.campaigns.slice_allocation import SLICE, allocate_slices
from siteseer.cli.live_progress import print_summary
from siteseer.cli.main import build, run
from siteseer.collection.state import State
from siteseer.collection.verify import verify
from siteseer.crawler.frontier import Frontier
from siteseer.crawler.results.derived_files import capture_rows
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, make_site
from siteseer.demo.site import html
from siteseer.demo.web import definition_text, make_web, write_web
from siteseer.errors import ConfigurationError, UnreachableError
from siteseer.model import Appraise, Follow, Vote
from siteseer.settings import FetchLimits
from siteseer.work_progress import listening
from tests.campaigns.blog_web import BlogWeb
from tests.campaigns.plain_web import PlainWeb
from tests.campaigns.small_web import definition, ring


def spec(folder: Path, text: str) -> Path:
    file = folder / "kelp.toml"
    file.write_text(text)
    return file


def captures(folder: Path) -> Counter[str]:
    """What the collections of a campaign hold; each must be sound."""
    found: Counter[str] = Counter()
    for site in sorted((folder / "sites").iterdir()):
        state = State(site, create=False)
        try:
            found.update(url for (url,) in state.rows("SELECT url FROM captures"))
            assert verify(site, capture_rows(state)).is_sound
        finally:
            state.close()
    return found


def test_all_sites_are_crawled_once_and_their_pages_are_weighed(tmp_path: Path) -> None:
    with Server(ring(4, 7)) as server:
        summary = run_campaign(spec(tmp_path, definition(server.port)), tmp_path / "out")
        assert len(server.log) == 4 * 8
    assert (summary["pages"], summary["sites"], summary["stopped_by"]) == (28, 4, None)
    assert set(captures(tmp_path / "out").values()) == {1}
    lines = (
        (tmp_path / "out" / "sites" / f"s2.localhost_{server.port}" / "pages" / "pages.jsonl").read_text().splitlines()
    )
    degrees = {line["title"]: line["relevance"] for line in map(json.loads, lines[1:])}
    assert degrees["kelp harvest 2 0"] > degrees["tea 2 1"]
    assert json.loads((tmp_path / "out" / "reports" / "summary.json").read_text())["relevant_pages"] > 0


def test_a_campaign_whose_definition_has_changed_tells_how_far_its_weighing_is(tmp_path: Path) -> None:
    told: list[tuple[str, float, float]] = []
    with Server(ring(3, 2)) as server:
        run_campaign(spec(tmp_path, definition(server.port)), tmp_path / "out")
        with listening(lambda *one: told.append(one)):
            run_campaign(spec(tmp_path, definition(server.port)), tmp_path / "out")
            assert told == []
            run_campaign(spec(tmp_path, definition(server.port).replace("kelp", "tea")), tmp_path / "out")
    weighing = [(done, total) for task, done, total in told if task.startswith("weighing")]
    assert weighing == [(1, 3), (2, 3), (3, 3)]


def test_a_campaign_that_ended_asks_for_nothing_more(tmp_path: Path) -> None:
    with Server(ring(2, 3)) as server:
        file = spec(tmp_path, definition(server.port))
        first = run_campaign(file, tmp_path / "out")
        asked = len(server.log)
        again = run_campaign(file, tmp_path / "out")
        assert len(server.log) == asked
    assert first["pages"] == again["pages"] == 6


@pytest.mark.parametrize("command", ["run", "learn"])
def test_the_collection_of_a_crawl_is_no_directory_for_a_campaign(tmp_path: Path, command: str) -> None:
    with Server(ring(1, 3)) as server:
        folder, url = tmp_path / "site", f"http://s0.localhost:{server.port}/"
        assert run(["crawl", url, "-o", str(folder), "--delay", "0"]) == 0
        file, before = spec(tmp_path, definition(server.port)), sorted(folder.rglob("*"))
        asked = len(server.log)
        assert run(["campaign", command, str(file), "-o", str(folder)]) == 2
        assert run(["campaign", command, str(file), "-o", str(file)]) == 2
    assert sorted(folder.rglob("*")) == before and len(server.log) == asked


def test_a_crawl_is_not_kept_in_the_directory_of_a_campaign(tmp_path: Path) -> None:
    with Server(ring(1, 3)) as server:
        out = tmp_path / "out"
        run_campaign(spec(tmp_path, definition(server.port)), out)
        before, asked = sorted(out.rglob("*")), len(server.log)
        crawl = ["crawl", f"http://s0.localhost:{server.port}/", "-o", str(out), "--delay", "0"]
        assert run(crawl) == run([*crawl, "--overwrite"]) == 2
    assert sorted(out.rglob("*")) == before and len(server.log) == asked


def test_the_budget_is_kept_and_the_best_come_first(tmp_path: Path) -> None:
    web = write_web(3, 14)
    with Server(make_web(3, web)) as server:
        summary = run_campaign(spec(tmp_path, definition_text(web, server.port, 60)), tmp_path / "out")
        asked = [entry.headers["host"].partition(":")[0] + entry.path for entry in server.log]
    assert len(asked) == summary["requests"] <= 62
    assert summary["stopped_by"] == "limit"
    assert len(web.on_topic.intersection(asked)) > 1.5 * 60 * len(web.on_topic) / web.size


@pytest.mark.parametrize(("budget", "stopped_by"), [("bytes = 900", "size"), ("days = 0", "time")])
def test_a_budget_that_is_used_up_is_no_error(tmp_path: Path, budget: str, stopped_by: str) -> None:
    with Server(ring(4, 7)) as server:
        file, out = spec(tmp_path, definition(server.port, f"[budget]\n{budget}\n")), tmp_path / "out"
        code = run(["campaign", "run", str(file), "-o", str(out), "--processes", "1"])
    summary = json.loads((out / "reports" / "summary.json").read_text())
    assert (code, summary["stopped_by"]) == (0, stopped_by)


def test_nothing_is_lost_or_archived_twice_when_the_process_is_killed(tmp_path: Path) -> None:
    pages, kill_at = 15, (9, 25, 44)
    with Server(ring(5, pages)) as server:
        file, out = spec(tmp_path, definition(server.port, seeds=2)), tmp_path / "out"
        for wanted in kill_at:
            command = [sys.executable, "-m", "siteseer", "campaign", "run", str(file), "-o", str(out)]
            process = subprocess.Popen([*command, "--processes", "1"])
            while len(server.log) < wanted and process.poll() is None:
                threading.Event().wait(0.01)
            process.kill()
            process.wait()
        summary = run_campaign(file, out)
    found = captures(out)
    assert {url for url in found if not url.endswith("robots.txt")} == {
        f"http://s{site}.localhost:{server.port}/{place or ''}" for site in range(5) for place in range(pages)
    }
    assert set(found.values()) == {1}
    assert summary["pages"] == 5 * pages and summary["stopped_by"] is None


def test_a_site_that_asks_for_a_long_pause_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    usual, is_busy = ring(2, 3), [True]

    def answer(request: SiteRequest) -> SiteResponse:
        if is_busy[0] and request.headers["host"].startswith("s1.") and request.path == "/":
            return html("busy", 503, (("Retry-After", "700"),))
        return usual.answer(request)

    with Server(replace(usual, answer=answer)) as server:
        file = spec(tmp_path, definition(server.port, seeds=2))
        first = run_campaign(file, tmp_path / "out")
        assert list(first["set_aside"]) == [f"s1.localhost:{server.port}"]
        assert first["requests"] == len(server.log)
        is_busy[0] = False
        again = run_campaign(file, tmp_path / "out")
        assert again["requests"] == len(server.log)
    assert (again["pages"], again["set_aside"]) == (6, {})


def test_sites_that_were_linked_are_left_alone_when_only_seeds_are_wanted(tmp_path: Path) -> None:
    with Server(ring(4, 7)) as server:
        file = spec(tmp_path, definition(server.port, "[budget]\nrequests = 11\n"))
        assert run_campaign(file, tmp_path / "out")["sites"] == 2
        file.write_text(definition(server.port, '[sites]\nfollow = "seeds"\n'))
        asked = len(server.log)
        summary = run_campaign(file, tmp_path / "out")
        assert {one.headers["host"] for one in server.log[asked:]} <= {f"s0.localhost:{server.port}"}
        assert summary["stopped_by"] is None
        file.write_text(definition(server.port))
        assert run_campaign(file, tmp_path / "out")["pages"] == 28


def test_a_seed_that_has_moved_to_another_host_is_followed_there_when_only_seeds_are_wanted(tmp_path: Path) -> None:
    usual = ring(4, 3)

    def answer(request: SiteRequest) -> SiteResponse:
        host, port = request.headers["host"].split(":")
        if request.path == "/" and host in ("s0.localhost", "www.localhost"):
            to = "www" if host == "s0.localhost" else "s2"
            return html("", 301, (("Location", f"http://{to}.localhost:{port}/"),))
        return html("", 404) if host == "www.localhost" else usual.answer(request)

    with Server(replace(usual, answer=answer)) as server:
        file = spec(tmp_path, definition(server.port, 'allow_private = true\n[sites]\nfollow = "seeds"\n'))
        summary = run_campaign(file, tmp_path / "out")
        asked = {one.headers["host"].partition(".")[0] for one in server.log}
    assert asked == {"s0", "www", "s2"} and summary["pages"] == 3


def test_a_site_is_revisited_before_its_campaign_is_over_and_the_campaign_goes_on(tmp_path: Path) -> None:
    with Server(ring(2, 9)) as server:
        contact = 'contact = "archive@example.org"\n'
        file = spec(tmp_path, definition(server.port, f"{contact}[budget]\nrequests = 9\n", seeds=2))
        first = run_campaign(file, tmp_path / "out")
        site = tmp_path / "out" / "sites" / f"s0.localhost_{server.port}"
        assert run(["revisit", str(site), "--delay", "0"]) == 0
        came_back = server.log[first["requests"] :]
        assert came_back and all(one.headers["from"] == "archive@example.org" for one in came_back)
        file.write_text(definition(server.port, contact, seeds=2))
        summary = run_campaign(file, tmp_path / "out")
        assert len(server.log) == summary["requests"] + len(came_back)
    assert (summary["requests"], summary["pages"], summary["stopped_by"]) == (20, 18, None)
    report = CliRunner().invoke(build(), ["campaign", "report", str(tmp_path / "out"), "--json"])
    assert [(one["site"], one["crawl"]) for one in json.loads(report.stdout)["crawls"]] == [(site.name, 2)]


def test_any_strategy_finds_the_pages_and_its_objects_are_weighed(tmp_path: Path) -> None:
    with Server(make_site("forum", 1, size=4)) as server:
        text = f'name = "x"\nseeds = ["{server.url}/"]\nkeywords = ["harbour"]\nstrategy = "auto"\n'
        file = spec(tmp_path, text + '[politeness]\ndelay = 0.0\n[sites]\nfollow = "seeds"\n[budget]\nrequests = 60\n')
        summary = run_campaign(file, tmp_path / "out")
    assert summary["pages"] > 5 and summary["sites"] == 1
    (folder,) = (tmp_path / "out" / "sites").iterdir()
    state = State(folder, create=False)
    objects = [stored for _, stored, _ in state.objects()]
    state.close()
    assert objects and all(0 <= float(one.fields["relevance"]) <= 1 for one in objects)


def test_only_examples_are_not_enough_to_run(tmp_path: Path) -> None:
    file = spec(tmp_path, 'name = "Kelp"\nseeds = ["e.org"]\nexamples = ["one.html"]\n')
    with pytest.raises(ConfigurationError, match="campaign learn"):
        run_campaign(file, tmp_path / "out")


def test_the_reference_crawl_learns_the_vocabulary_and_the_person_decides(tmp_path: Path) -> None:
    web = write_web(3, 14)
    call = CliRunner().invoke
    with Server(make_web(3, web)) as server:
        file = spec(tmp_path, definition_text(web, server.port, 90))
        (tmp_path / "one.html").write_text("<p>The ballot and the tram strike</p>")
        file.write_text('examples = ["one.html"]\n' + file.read_text())
        out = str(tmp_path / "out")
        learned = call(build(), ["campaign", "learn", str(file), "-o", out, "--limit", "60"])
        assert learned.exit_code == 0, learned.output
        words = {line.split("\t")[2] for line in learned.stdout.splitlines() if line.split("\t")[1:2] == ["word"]}
        assert len(words.intersection(web.topic.further)) >= 4
        term = sorted(words.intersection(web.topic.further))[0]
        assert call(build(), ["campaign", "terms", str(file), "--accept", term]).exit_code == 0
        assert f'terms."{term}"' in file.read_text()
        asked = len(server.log)
        assert call(build(), ["campaign", "run", str(file), "-o", out]).exit_code == 0
        assert asked < len(server.log) <= 92


def test_a_further_reference_crawl_keeps_what_the_person_decided(tmp_path: Path) -> None:
    web = write_web(3, 14)
    call = CliRunner().invoke
    with Server(make_web(3, web)) as server:
        file = spec(tmp_path, definition_text(web, server.port, 90))
        by_hand = 'terms."harbour gate" = 0.4\nsites = ["https://f.example/x/"]'
        file.write_text(f"{file.read_text()}\n[learned]\n{by_hand}\n")
        learn = ["campaign", "learn", str(file), "-o", str(tmp_path / "out"), "--limit"]
        learned = call(build(), [*learn, "60"])
        words = [line.split("\t")[2] for line in learned.stdout.splitlines() if line.split("\t")[:2] == ["?", "word"]]
        assert (
            call(build(), ["campaign", "terms", str(file), "--accept", words[0], "--reject", words[1]]).exit_code == 0
        )
        terms = tmp_path / "kelp.terms.tsv"
        terms.write_text("\ufeff" + terms.read_text())  # as some editors write it
        again = call(build(), [*learn, "75"])
        assert again.exit_code == 0, again.output
        assert call(build(), ["campaign", "terms", str(file), "--accept", words[2]]).exit_code == 0
    found = read_definition(file.read_text()).learned
    assert {term.text for term in found.terms} == {"harbour gate", words[0], words[2]}
    assert found.sites == ("https://f.example/x/",)
    assert f"reject\tword\t{words[1]}\t" in terms.read_text()


def test_votes_are_kept_on_disk_and_make_the_order(tmp_path: Path) -> None:
    state = State(tmp_path)
    crawl = state.new_crawl("focused", {})
    frontier = Frontier(state, crawl)

    def add(name: str, *votes: Vote) -> None:
        frontier.add(Follow(f"http://e.org/{name}", "link"))
        for vote in votes:
            frontier.votes.take(vote)

    def order() -> list[str]:
        rows = state.rows("SELECT url FROM urls WHERE status = 0 ORDER BY priority DESC, id")
        return [url[13:] for (url,) in rows]

    add("once", Vote("http://e.org/once", 0.4, "", "Ada"))
    add("same", Vote("http://e.org/same", 0.3, "", "Ada"), Vote("http://e.org/same", 0.35, "", "Ada"))
    add("two", Vote("http://e.org/two", 0.3, "", "Ada"), Vote("http://e.org/two", 0.3, "", "Bo"))
    frontier.votes.take(Vote("http://e.org/early", 0.9, "", "Ada"))
    add("early")
    assert order() == ["early", "two", "once", "same"]
    add("beside", Vote("http://e.org/beside", 0.1, "", "Ada", group=7))
    frontier.votes.appraise(Appraise(7, 1.0, ""))
    assert order().index("beside") < order().index("once")
    for _ in range(6):
        frontier.votes.appraise(Appraise(7, 0.0, ""))
    assert order()[-1] == "beside"
    add("tag", Vote("http://e.org/tag", 0.5, "", "Ada", group=8))
    assert order().index("tag") < order().index("two")
    for _ in range(2):
        frontier.votes.appraise(Appraise(8, 0.0, ""))
    assert order().index("tag") > order().index("same"), "links beside it brought nothing"
    add("late", Vote("http://e.org/late", 0.5, "", "Ada", group=8))
    assert order().index("late") > order().index("same"), "also what is found afterwards"
    state.commit()
    before = order()
    again = Frontier(state, crawl)
    again.votes.take(Vote("http://e.org/same", 0.2, "", "Ada"))
    assert order() == before
    assert again.promising(0.9) == (0.9, 1)
    state.close()


def site(host: str, best: float, served: int = 0, trust: float = 1.0) -> SiteRow:
    return SiteRow(host, "", best, 1, served, 0, 0, 0, 0, trust, 0, 0, "waiting", "")


def test_turns_are_fair_without_a_budget_and_strict_with_one() -> None:
    rows = [site("good", 0.9), site("poor", 0.2), site("better-but-not-believed", 0.95, trust=0.1)]
    assert [one.requests for one in allocate_slices(rows, [], 2, None)] == [SLICE, SLICE]
    assert [one.host for one in allocate_slices(rows, [], 9, 1000)] == ["good"]
    assert allocate_slices(rows[1:], [0.9], 9, 1000) == []
    several = [site("best", 0.9), *(site(f"good-{number}", 0.65) for number in range(6)), site("poor", 0.3)]
    assert [one.host for one in allocate_slices(several, [], 9, 1000)] == ["best", "good-0", "good-1", "good-2"], (
        "four are busy"
    )
    assert allocate_slices(several[1:], [0.9] * 4, 9, 1000) == []
    one_by_one = [site("waited-longer", 0.26), site("promises-more", 0.34)]
    assert [one.host for one in allocate_slices(one_by_one, [], 1, 1000)] == ["promises-more"]
    assert sum(one.requests for one in allocate_slices([site(str(n), 0.9) for n in range(50)], [], 50, 30)) <= 30


def test_sites_that_answered_but_gave_no_page_are_told_of(tmp_path: Path) -> None:
    usual = ring(3, 2)

    def answer(request: SiteRequest) -> SiteResponse:
        host = request.headers["host"].partition(".")[0]
        if host == "s1" and request.path == "/robots.txt":
            return SiteResponse(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /\n")
        return html("gone", 410) if host == "s2" else usual.answer(request)

    with Server(replace(usual, answer=answer)) as server:
        summary = run_campaign(spec(tmp_path, definition(server.port, seeds=3)), tmp_path / "out")
    assert (summary["pages"], summary["silent"]) == (2, {FORBIDDEN: 1, EMPTY: 1})


def test_sites_that_gave_nothing_say_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = ring(1, 1).truth
    with (
        Server(ring(1, 1)) as private,
        Server(Site(truth, lambda asked: html(f'<a href="{private.url}/">kelp'))) as seed,
    ):
        file = spec(tmp_path, f'name = "x"\nseeds = ["{seed.url}/"]\nkeywords = ["kelp"]\n[politeness]\ndelay = 0.0\n')
        summary = run_campaign(file, tmp_path / "out")
        assert not private.log, "another port of this machine, which no seed names"
    assert summary["silent"] == {PRIVATE: 1} and summary["set_aside"] == {}
    print_summary({**summary, "set_aside": {"e.org": "asked to slow down"}})
    assert "allow_private" in capsys.readouterr().out


@pytest.mark.parametrize("budget", ["", "[budget]\nrequests = 1\n"])
def test_a_campaign_that_nobody_answers_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, budget: str) -> None:
    monkeypatch.setattr("siteseer.campaigns.engines.site_slice.FetchLimits", lambda: FetchLimits(retries=0))
    with pytest.raises(UnreachableError, match="gave a page"):
        run_campaign(spec(tmp_path, definition(1, budget)), tmp_path / "out")
    if budget:
        stopped_by = json.loads((tmp_path / "out" / "reports" / "summary.json").read_text())["stopped_by"]
        assert stopped_by == "limit"


@pytest.mark.parametrize("seed", [1, 5])
def test_one_word_leads_through_plain_pages_and_bare_lists_of_addresses(seed: int, tmp_path: Path) -> None:
    assert share_found(PlainWeb(seed), tmp_path) >= 0.72, "breadth first finds about half"


def test_posts_are_found_among_tags_months_and_other_blogs(tmp_path: Path) -> None:
    assert share_found(BlogWeb(7), tmp_path) >= 0.62, "breadth first finds about two fifths"


def share_found(web: PlainWeb | BlogWeb, folder: Path) -> float:
    """Return the share of the on-topic pages that a fifth of all requests archives."""
    with Server(web.site()) as server:
        run_campaign(spec(folder, web.definition(server.port)), folder / "out")
        assert len(server.log) <= web.size // 5
    found = {url.partition("://")[2].replace(f":{server.port}", "") for url in captures(folder / "out")}
    return len(web.truth & found) / len(web.truth)
