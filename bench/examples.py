"""More pages like this one: Tables 3, 4 and 6 of the GoGetIt! paper, for captured software and demo sites.

python bench/examples.py [--sites smf,fluxbb] [--samples 3] [--parts recipes,grown,forms,captures]

Table 3: a sample page and the home page lead to all threads or posts. *Mapping* counts every request of the first crawl,
*crawling* those of a second one along the navigation patterns that the first one stored. Wanted: precision 1.00, recall
at least 0.99 and mapping plus crawling below 3 times the oracle. Table 4: the demo blog after it grew. Table 6: the demo
shop, whose books are found through three search forms. *Training* counts the submissions of the first crawl; *production*
is a second one along the stored patterns, with all values or with those that a user sets. `example_recipes.py`: a
catalogue behind a form, by `form probe` and `form understand`. Last comes a shop whose pages hold a heading and
two numbers (`live/catalogue.py` beside the captures), served on loopback and crawled as from the command line: by
`example` with one sample page, and plainly. Wanted: precision 1.00 and recall at least 0.99.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from example_recipes import table_recipes
from harness import Names, choose, run
from learned_seeds import fetch_from as fetch_capture
from tests.real.captures import SITES as FOLDER
from tests.real.captures import Capture, capture, score_module
from tests.strategies.learned.learned_driver import ORIGIN, Crawl, Drive, context_of, fetch_from, post_to

import siteseer
from siteseer.demo import Site, make_site
from siteseer.forms.result_pages import Answer, distinct, largest
from siteseer.model import Page
from siteseer.page.urls import identity
from siteseer.strategies.example.example_strategy import ExampleStrategy
from siteseer.strategies.example.known_patterns import KnownPatternsStrategy
from siteseer.strategies.example.navigation_patterns import SavedPatterns, read_saved_patterns

SITES = (
    "phpbb-prosilver",
    "smf",
    "fluxbb",
    "wordpress-2021",
    "serendipity-2k11",
    "textpattern",
    "serendipity-bulletproof",
    "dokuwiki",
)
KINDS = {"dokuwiki": "page"}
CATALOGUE = FOLDER / "live" / "catalogue.py"
SUBMISSIONS = ("/search?", "/antiquarian/results", "/academic/find", "/academic/subjects")
SHOWN = 0.5
"""A page shows a text if this share of the text's 2-grams is on it: software alters texts, and cuts long ones."""


def delivered(strategy: Any) -> set[str]:
    """Return the pages that a crawl calls targets."""
    levels = zip(strategy.judge.pages, strategy.judge.levels(), strict=True)
    return {seen.target.url for seen, level in levels if level == "target"}


def map_site(site: Capture, sample: str) -> tuple[ExampleStrategy, Drive]:
    """Find the pages like a sample; draw the map."""
    strategy = ExampleStrategy(context_of(site.truth["origin"], strategy="example", examples=(sample,)))
    drive = Crawl(fetch_capture(site), site.truth["origin"]).run(strategy, 4, 6000, site.truth["entry"])
    list(strategy.harvest(lambda: [page for page in drive.pages if page.status == 200]))
    return strategy, drive


def follow(site: Capture, strategy: ExampleStrategy) -> tuple[set[str], int]:
    """Crawl again along the stored patterns; return what is delivered, and how many links were followed."""
    lesson = read_saved_patterns(strategy.lessons().get("example.jsonl", "").splitlines())
    if lesson == SavedPatterns():
        return set(), 0
    along = KnownPatternsStrategy(lesson, "stored", context_of(site.truth["origin"]))
    drive = Crawl(fetch_capture(site), site.truth["origin"]).run(along, 4, 6000, site.truth["entry"])
    return delivered(along), drive.requests


class Truth:
    """The texts of the wanted kind, and which pages show them."""

    def __init__(self, site: Capture, kind: str) -> None:
        self._module, self._site = score_module(), site
        texts = [text for text in site.truth["texts"] if text["kind"] == kind]
        clean = self._module.URL
        self._texts = [self._module.grams(clean.sub(" ", text["text"])) for text in texts]
        self.pages = sorted({identity(site.truth["origin"] + text["page"]) for text in texts})
        self._shown: dict[str, frozenset[int]] = {}

    def shown(self, url: str) -> frozenset[int]:
        """Return the numbers of the true texts that a page shows."""
        if url not in self._shown:
            page = self._site.pages[url] if url in self._site.pages else Page(url)
            self._shown[url] = frozenset(self._texts_of(page)) if page.body.strip() else frozenset()
        return self._shown[url]

    def _texts_of(self, page: Page) -> Iterable[int]:
        module = self._module
        tree = module.lhtml.document_fromstring(page.body, parser=module.lhtml.HTMLParser(encoding="utf-8"))
        found = module.grams(module.visible(tree))
        return (n for n, text in enumerate(self._texts) if text and len(text & found) >= SHOWN * len(text))

    def score(self, urls: set[str]) -> tuple[float, float]:
        """Return precision (pages that show a text which no other one shows) and recall of the true pages."""
        shown = Counter(text for url in urls for text in self.shown(url))
        right = [url for url in urls if any(shown[text] == 1 for text in self.shown(url))]
        seen = {text for url in right for text in self.shown(url)}
        reached = sum(1 for url in self.pages if url in urls or (self.shown(url) and self.shown(url) <= seen))
        return len(right) / max(1, len(urls)), reached / max(1, len(self.pages))


def table_3(names: Iterable[str], samples: int) -> None:
    """Print what is found from one sample page, and what it costs."""
    print("Table 3: one sample page, captured software")
    print(
        f"{'site':24} {'inspection':>10} {'automatic':>9} {'precision':>9} {'recall':>6} "
        f"{'mapping':>7} {'crawling':>8} {'of these':>8} {'oracle':>6} {'ratio':>5}"
    )
    for name in names:
        site = capture(name)
        truth = Truth(site, KINDS.get(name, "post"))
        for number in range(samples):
            sample = random.Random(f"{name} {number}").choice(truth.pages)
            strategy, drive = map_site(site, sample)
            urls = delivered(strategy)
            again, crawling = follow(site, strategy)
            precision, recall = truth.score(urls)
            oracle = site.truth["oracle_requests"]
            print(
                f"{name:24} {len(truth.pages):10} {len(urls):9} {precision:9.3f} {recall:6.3f} "
                f"{drive.requests:7} {crawling:8} {len(again & urls):8} {oracle:6} "
                f"{(drive.requests + crawling) / oracle:5.2f}",
                flush=True,
            )


def table_4() -> None:
    """Print what later crawls find after the demo blog grew."""
    print("Table 4: the demo blog after it grew, crawled along the stored patterns (wanted: ratio at most 1.1)")
    print(
        f"{'template':8} {'grown':>5} {'inspection':>10} {'automatic':>9} {'traversed':>9} {'targets+hubs':>12} "
        f"{'ratio':>5} {'new':>4}"
    )
    for template in ("modern", "classic"):
        old = make_site("blog", seed=5, template=template, size=40)
        sample = next(text.page for text in old.truth.texts if text.kind == "post")
        first, _ = _mapped(old, sample)
        before = delivered(first)
        for grown in (8, 20):
            new = make_site("blog", seed=5, template=template, size=40, grown=grown)
            wanted = {ORIGIN + text.page for text in new.truth.texts if text.kind == "post"}
            again, drive = _again(new, first)
            found = delivered(again)
            traversed = drive.requests - 1
            needed = new.truth.oracle_requests
            print(
                f"{template:8} {grown:5} {len(wanted):10} {len(found & wanted):9} {traversed:9} {needed:12} "
                f"{traversed / needed:5.2f} {len(found - before):4}"
            )


def table_6() -> None:
    """Print what lies behind the forms of the demo shop, and which answers one would keep."""
    print("Table 6: the demo shop behind three search forms (wanted: 98 % of the books, ratio at most 1.5)")
    print(
        f"{'seed':>4} {'template':8} {'values':16} {'inspection':>10} {'training':>8} {'found':>5} {'necessary':>9} "
        f"{'ratio':>5} {'production':>10} {'precision':>9} {'distinct':>8} {'largest 30 %':>12}"
    )
    for seed, template, size in ((4, "modern", 120), (11, "classic", 120), (6, "modern", 300)):
        site = make_site("shop", seed=seed, template=template, size=size)
        wanted = {ORIGIN + path for path in site.truth.content_paths}
        first, drive = _mapped(site, random.Random(seed).choice(sorted(site.truth.content_paths)))
        sent = len([why for why in drive.asked if is_search(why.url)])
        needed = len([path for path in site.truth.oracle_paths if is_search(path)])
        kept = [_listed(first, keep) for keep in (distinct, largest)]
        field = "category" if template == "modern" else "rubrik"
        for value in ("", "travel", "nature"):
            values = (f"{field}={value}",) if value else ()
            chosen = {ORIGIN + one.page for one in site.truth.texts if not value or value.title() in one.tags}
            again, _ = _again(site, first, values)
            found = delivered(again)
            row = f"{seed:4} {template:8} {' '.join(values) or 'all':16} {len(chosen):10}"
            training = f"{sent:8} {len(delivered(first) & wanted):5} {needed:9} {sent / needed:5.2f}"
            share = f"{len(found & chosen)} ({len(found & chosen) / len(chosen):.0%})"
            precision = len(found & wanted) / max(1, len(found))
            print(
                f"{row} {training if not value else '':30} {share:>10} {precision:9.2f} "
                + (f"{kept[0]:8} {kept[1]:12}" if not value else "")
            )


def is_search(url: str) -> bool:
    """Say whether a URL of the shop is a submission, or a list that a form needs, and no further page of an answer."""
    path = url.removeprefix("POST ").removeprefix(ORIGIN)
    return path.startswith(SUBMISSIONS) and "page=" not in path and "blatt=" not in path


def _listed(strategy: ExampleStrategy, keep: Callable[[Sequence[Answer]], list[Answer]]) -> int:
    """Return how many records the answers list that a rule would keep."""
    found: set[str] = set()
    for one in strategy.ways.searches.searched:
        answers = [page for heard in one.plan.answers.heard.values() for page in heard.pages.values() if page.size]
        kept = {identity(url) for answer in keep(answers) for url in answer.records}
        found |= kept & one.plan.records
    return len(found)


def _mapped(site: Site, sample: str) -> tuple[ExampleStrategy, Drive]:
    strategy = ExampleStrategy(context_of(strategy="example", examples=(ORIGIN + sample,)))
    drive = Crawl(fetch_from(site), post=post_to(site)).run(strategy, 4)
    list(strategy.harvest(lambda: [page for page in drive.pages if page.status == 200]))
    return strategy, drive


def _again(site: Site, strategy: ExampleStrategy, values: tuple[str, ...] = ()) -> tuple[KnownPatternsStrategy, Drive]:
    lesson = read_saved_patterns(strategy.lessons()["example.jsonl"].splitlines())
    along = KnownPatternsStrategy(lesson, "stored", context_of(strategy="example", values=values))
    return along, Crawl(fetch_from(site), post=post_to(site)).run(along, 4)


def crawl_shop(seed: int, folder: Path, examples: bool) -> tuple[float, float, int, int]:
    """Crawl a shop of sparse pages; return precision and recall of its record pages, requests and records.

    By `example`, precision is that of the targets. A plain crawl keeps lists and other pages too: its precision is that
    of the pages below `/item/`.
    """
    command = [sys.executable, str(CATALOGUE), "shop", "--seed", str(seed)]
    told = subprocess.run([*command, "--truth"], capture_output=True, text=True, check=True).stdout
    with served(command) as url:
        wanted = [url + json.loads(line)["path"] for line in told.splitlines()]
        options = {"strategy": "example", "examples": (random.Random(seed).choice(wanted),)} if examples else {}
        summary = siteseer.crawl(url + "/", folder, delay=0.0, assets="none", **options)
    lines = (folder / "pages" / "pages.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    kept = [page for page in map(json.loads, lines) if not examples or page.get("level") == "target"]
    urls = [page["url"] for page in kept if examples or "/item/" in page["url"]]
    found = len({*urls} & {*wanted})
    return found / max(1, len(urls)), found / len(wanted), summary["requests"], len(wanted)


@contextmanager
def served(command: list[str]) -> Iterator[str]:
    """Serve a site by a command that takes `--port`; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None and server.stdout.readline()  # it says so when it is ready
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def table_shop(seeds: Iterable[int] = (1, 2, 3)) -> None:
    """Print what is found of a shop whose pages hold few words."""
    print("A shop of sparse pages: a heading and two numbers each (wanted: precision 1.00, recall at least 0.99)")
    print(f"{'seed':>4} {'strategy':8} {'records':>7} {'precision':>9} {'recall':>6} {'requests':>8}")
    for seed in seeds:
        for name in ("example", "auto"):
            with TemporaryDirectory() as folder:
                precision, recall, requests, records = crawl_shop(seed, Path(folder) / "shop", name == "example")
            print(f"{seed:4} {name:8} {records:7} {precision:9.3f} {recall:6.3f} {requests:8}", flush=True)


def main(
    sites: Names = tuple(SITES),
    samples: int = 3,
    parts: Annotated[Names, "which tables"] = ("shop", "recipes", "grown", "forms", "captures"),
) -> None:
    tables: dict[str, Callable[[], None]] = {
        "shop": table_shop,
        "recipes": table_recipes,
        "grown": table_4,
        "forms": table_6,
        "captures": lambda: table_3(list(sites), samples),
    }
    for name in choose(parts, tables):
        tables[name]()
        print()


if __name__ == "__main__":
    run(main)
