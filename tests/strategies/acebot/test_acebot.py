"""ACEBot as a strategy: sample, learn, download; interrupted anywhere; patterns stored and used again."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from siteseer import plugins
from siteseer.cli.main import build
from siteseer.collection.state import State
from siteseer.errors import ConfigurationError
from siteseer.model import Action, Follow, Outcome, Page, Remember, Seed, Skip
from siteseer.page.urls import identity
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.acebot_strategy import LEARNED_PATTERN, NO_PATTERN, AcebotStrategy
from siteseer.strategies.acebot.oxpath_patterns import Pattern
from siteseer.strategies.acebot.stored_patterns import patterns_of
from siteseer.strategies.scope import SeedScope

HOST = "http://e.org"
POSTS, PER_PAGE = 60, 5


@pytest.fixture(autouse=True)
def strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plugins.STRATEGIES, "acebot", "siteseer.strategies.acebot.acebot_strategy:make")
    monkeypatch.setitem(plugins.STRATEGIES, "acebot-sample", "siteseer.strategies.acebot.acebot_strategy:make_sample")


def words(about: str, count: int = 40) -> str:
    return " ".join(f"{about}{number}" for number in range(count))


def post(number: int) -> str:
    tags = f'<div id="tags"><a href="/tag/{number % 7}">t</a></div>'
    tags += f'<div id="reply"><a href="/reply?to={number}">reply</a></div>'
    return f'<body><div id="post-{number}"><p>{words(f"post{number}x", 80)}</p>{tags}</div>'


def listing(page: int) -> str:
    first = page * PER_PAGE
    items = "".join(f'<h2><a href="/{number}">title{number}</a></h2>' for number in range(first, first + PER_PAGE))
    older = f'<div id="older"><a href="/page/{page + 1}">older</a></div>' if first + PER_PAGE < POSTS else ""
    return f'<body><div id="list">{items}</div>{older}<div id="login"><a href="/login">log in</a></div>'


def blog() -> dict[str, str | int | tuple[int, str]]:
    """Posts behind a pager; tags repeat titles, replies lead to the login page, one link is broken."""
    pages: dict[str, Any] = {"/": listing(0) + '<p><a href="/broken">b</a> <a href="/about">about</a></p>'}
    pages |= {f"/page/{number}": listing(number) for number in range(1, POSTS // PER_PAGE)}
    pages |= {f"/{number}": post(number) for number in range(POSTS)}
    pages |= {f"/reply?to={number}": (302, f"/login?from={number}") for number in range(POSTS)}
    pages |= {f"/login?from={number}": f"<p>{words('login', 20)}" for number in range(POSTS)}
    for tag in range(7):
        links = "".join(f'<li><a href="/{number}">title{number}</a></li>' for number in range(tag, POSTS, 7))
        pages[f"/tag/{tag}"] = f'<body><ul id="tagged">{links}</ul>'
    return {**pages, "/login": f"<p>{words('login', 20)}", "/broken": 404, "/about": f"<p>{words('about')}"}


@dataclass
class Crawl:
    """A crawl in memory: what waits, what was asked for, what is remembered; can be copied at any moment."""

    site: dict[str, Any]
    waiting: list[Follow] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    rows: dict[tuple[str, str], Any] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def recall(self, kind: str) -> list[tuple[str, Any]]:
        return [(key, json.loads(value)) for (of, key), value in self.rows.items() if of == kind]

    def apply(self, actions: Any) -> None:
        action: Action
        for action in actions:
            if isinstance(action, Follow) and identity(action.url) not in self.known:
                self.known.add(identity(action.url))
                self.waiting.append(action)
            elif isinstance(action, Remember):
                self.rows[action.kind, action.key] = json.dumps(action.value)
            elif isinstance(action, Skip):
                assert action.url not in self.skipped or action.url in self.known
                self.skipped.setdefault(action.url.removeprefix(HOST), action.rule)

    def start(self, strategy: AcebotStrategy) -> None:
        self.apply(strategy.start([Seed(f"{HOST}/")], self))  # type: ignore[arg-type]

    def step(self, strategy: AcebotStrategy) -> bool:
        """Fetch one URL; say whether there was one."""
        if not self.waiting:
            self.apply(strategy.refill(1))
        if not self.waiting:
            return False
        why = max(self.waiting, key=lambda follow: follow.priority)
        self.waiting.remove(why)
        path = why.url.removeprefix(HOST)
        self.asked.append(path)
        self.reasons.append(why.because)
        found = self.site.get(path, 404)
        if isinstance(found, tuple):
            outcome = Outcome(why.url, "redirect", target=HOST + found[1])
        else:
            status, body = (found, b"") if isinstance(found, int) else (200, found.encode())
            outcome = Outcome(why.url, "page", page=Page(why.url, status, (("Content-Type", "text/html"),), body))
        self.apply(strategy.decide(outcome, why))
        return True


def acebot(sample: int | None = 80, seed: int = 1, patterns: tuple[Pattern, ...] = (), **more: Any) -> AcebotStrategy:
    scope = SeedScope([f"{HOST}/"], "host", (), (), None)
    return AcebotStrategy(scope, AcebotOptions(sample=sample, **more), seed=seed, patterns=patterns)


def whole(strategy: AcebotStrategy, site: dict[str, Any] | None = None) -> Crawl:
    crawl = Crawl(blog() if site is None else site)
    crawl.start(strategy)
    while crawl.step(strategy):
        pass
    return crawl


def test_a_sample_is_learned_from_and_the_patterns_are_followed() -> None:
    strategy = acebot()
    crawl = whole(strategy)
    assert strategy.learned is not None and strategy.learned.pages == 80
    assert {f"/{number}" for number in range(POSTS)} <= set(crawl.asked)
    assert len(crawl.asked) == len(set(crawl.asked)), "nothing is fetched twice"
    downloaded = [path for path, because in zip(crawl.asked, crawl.reasons, strict=True) if "pattern" in because]
    assert downloaded and not [path for path in downloaded if path.startswith(("/reply", "/login"))]
    assert len(crawl.asked) < 0.75 * len(blog())


def test_every_link_that_was_not_followed_has_its_reason() -> None:
    crawl = whole(acebot())
    replies = {f"/reply?to={number}" for number in range(POSTS)}
    assert replies - set(crawl.asked)
    assert {crawl.skipped[path] for path in replies - set(crawl.asked)} == {NO_PATTERN}


def test_the_complete_site_can_be_the_sample() -> None:
    strategy = acebot(sample=None)
    crawl = whole(strategy)
    assert set(crawl.asked) == set(blog()) and strategy.learned is not None
    assert strategy.learned.covered >= 0.95


def test_another_seed_samples_other_pages() -> None:
    samples = [whole(acebot(seed=seed)).asked[:80] for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]


def test_interrupted_anywhere_it_goes_on_as_if_it_had_not_been() -> None:
    strategy, moments = acebot(), []
    crawl = Crawl(blog())
    crawl.start(strategy)
    moments.append(copy.deepcopy(crawl))
    while crawl.step(strategy):
        moments.append(copy.deepcopy(crawl))
    for moment in moments[::7]:
        again = acebot()
        moment.start(again)
        while moment.step(again):
            pass
        assert moment == crawl


def test_patterns_are_stored_and_lead_through_a_later_crawl() -> None:
    first = whole(acebot())
    rows = [row for _, row in first.recall(LEARNED_PATTERN)]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert all(
        {"pattern", "score", "pages", "two_grams", "steps", "params", "sitemap_digest"} <= set(row) for row in rows
    )
    again = whole(acebot(patterns=tuple(patterns_of(rows))))
    assert {f"/{number}" for number in range(POSTS)} <= set(again.asked)
    assert len(again.asked) < len(first.asked) and not again.recall(LEARNED_PATTERN)


def test_patterns_are_used_on_a_similar_site() -> None:
    """Another host with the same template: what the patterns say is followed, nothing else."""
    pattern = patterns_of(
        'doc("http://other.example/")/(/html/body/div[contains(@id,"older")]/a/@href{click/})+'
        '/(/html/body/div[contains(@id,"list")]/h2/a/@href{click/})\n'
        'doc("http://other.example/")/(/html/body/div[contains(@id,"list")]/h2/a/@href{click/})'
    )
    crawl = whole(acebot(patterns=tuple(pattern)))
    wanted = {"/"} | {f"/page/{number}" for number in range(1, POSTS // PER_PAGE)} | {f"/{n}" for n in range(POSTS)}
    assert set(crawl.asked) == wanted


def test_patterns_that_fit_nothing_are_replaced_by_a_sample() -> None:
    other = tuple(patterns_of('doc("http://e.org/")/(/html/body/table/tr/td/a/@href{click/})'))
    crawl = whole(acebot(patterns=other))
    assert {f"/{number}" for number in range(POSTS)} <= set(crawl.asked) and crawl.recall(LEARNED_PATTERN)
    assert crawl.asked == whole(acebot()).asked, "and the crawl is the one without patterns"
    strategy, moment = acebot(patterns=other), Crawl(blog())
    moment.start(strategy)
    for steps in (1, 3, 90):
        for _ in range(steps):
            moment.step(strategy)
        strategy = acebot(patterns=other)
        moment.start(strategy)
    while moment.step(strategy):
        pass
    assert moment == crawl


def test_attributes_change_what_labels_say() -> None:
    for attributes, test in ((("id",), "contains(@id"), (("class",), "@class"), ((), "")):
        strategy = acebot(attributes=attributes)
        whole(strategy)
        assert strategy.learned is not None
        text = " ".join(str(one.pattern) for one in strategy.learned.patterns)
        assert ("contains(@id" in text) == (test == "contains(@id") and "@class" not in text


def test_a_pattern_that_leads_on_for_ever_is_left() -> None:
    class Calendar(dict[str, Any]):
        def get(self, path: str, default: Any = None) -> str:
            month = int(path.strip("/m") or 0)
            return f'<body><h1>Month {month}</h1><p>no events</p><a href="{HOST}/m{month + 1}">next</a>'

    onward = tuple(patterns_of('doc("http://e.org/")/(/html/body/a/@href{click/})+'))
    crawl = whole(acebot(patterns=onward), Calendar())
    assert 5 < len(crawl.asked) < 40 and any(rule.startswith("endless list") for rule in crawl.skipped.values())


def test_a_site_of_one_page_ends() -> None:
    for body in ("<p>alone", "", f'<a href="{HOST}/">itself</a>'):
        assert whole(acebot(), {"/": body}).asked == ["/"]
    assert whole(acebot(), {"/": 404}).asked == ["/"]
    assert whole(acebot(), {"/": (302, "/home"), "/home": listing(0), **blog()} | {"/": (302, "/home")}).asked[:2] == [
        "/",
        "/home",
    ]


# ── in the crawl loop ─────────────────────────────────────────────────────────────────────────────────────────────


def rows_of(folder: Path) -> tuple[Any, ...]:
    state = State(folder, create=False)
    try:
        urls = set(state.rows("SELECT url, status, because, rule, depth, referrer, priority FROM urls"))
        memory = list(state.rows("SELECT kind, key, value FROM memory ORDER BY row"))
        counts = dict(state.last_crawl()[3])  # type: ignore[index]
        counts.pop("milliseconds")
        return urls, memory, counts
    finally:
        state.close()


def test_stopped_and_resumed_equals_never_stopped(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=8)
    options: dict[str, Any] = {"strategy": "acebot", "concurrency": 1, "acebot": AcebotOptions(sample=25)}
    one = run_crawl(server.url, "whole", **options)
    summary, limit = None, 3
    while summary is None or not summary["finished"]:
        summary = run_crawl(server.url, "parts", **options, limit=limit)
        limit += 6
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")
    assert summary["requests"] == one["requests"] and one["skipped"][NO_PATTERN] > 0
    kept = [tmp_path / name / "siteseer/knowledge/patterns.jsonl" for name in ("whole", "parts")]
    assert patterns_of(kept[0].read_text()) and kept[0].read_text() == kept[1].read_text()


def test_the_learn_command(
    serve: Callable, run_crawl: Callable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import typer

    from siteseer.cli.knowledge import learn

    server = serve("blog", seed=3, size=8)
    app = typer.Typer()
    learn.register(app)
    app.command("other")(lambda: None)
    assert build() is not None
    arguments = ["learn", server.url, "-o", str(tmp_path / "c"), "--sample", "30", "--delay", "0", "--json"]
    assert app(arguments, standalone_mode=False) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines and [set(line) for line in lines] == [set(learn.SHOWN)] * len(lines)
    asked = len(server.log)
    assert app([*arguments[:-1]], standalone_mode=False) == 0
    assert (
        len(capsys.readouterr().out.splitlines()) == len(lines) + 1 and len(server.log) == asked
    )  # and a line of headings
    file = tmp_path / "c" / "siteseer" / "knowledge" / "patterns.jsonl"
    stored = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["pattern"] for row in stored] == [line["pattern"] for line in lines] and "date" in stored[0]
    reused = run_crawl(server.url, "again", strategy="acebot", patterns=file)
    assert reused["finished"] and reused["pages"] >= max(line["pages"] for line in lines)


def test_unreadable_patterns_are_named(run_crawl: Callable, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.jsonl"):
        run_crawl("http://127.0.0.1:9/", strategy="acebot", patterns=tmp_path / "none.jsonl")
