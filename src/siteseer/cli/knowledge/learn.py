"""`siteseer learn`: learns which links of a site lead to content; prints navigation patterns, saves knowledge.

By default ACEBot's offline phase alone, which samples the site; with `--strategy learned` one economical crawl.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.settings import AcebotOptions, CrawlOptions

SHOWN = ("pattern", "score", "pages", "two_grams", "rank")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("learn")(learn)


@takes(CrawlOptions, "learn")
def learn(
    given: dict[str, Any],
    url: Annotated[str, typer.Argument(help="The site's entry point.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The collection that the sample is crawled into.")],
    sample: Annotated[
        str, typer.Option(metavar="N|complete", help="Pages to sample; complete: the whole site.")
    ] = "3000",
    k: Annotated[int, typer.Option("--k", min=1, max=6, help="Navigation steps of a pattern, at most.")] = 3,
    ratio: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of the sample's 2-grams to cover.")] = 0.95,
    attributes: Annotated[str, typer.Option(help="id, class or id,class: what is told of elements.")] = "id",
    continuity: Annotated[int, typer.Option(min=0, help="Repetitions of a step while learning; 0: no bound.")] = 3,
    strategy: Annotated[
        str, typer.Option(help="acebot: sample the site; learned: crawl it, learning on the way.")
    ] = "acebot",
    save_as: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep it as an entry of your own knowledge base.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> int:
    """Learn which links of a site lead to content: crawls a sample and prints navigation patterns, best first."""
    from siteseer.cli.crawl import check_crawl, politeness_line, print_problems
    from siteseer.cli.live_progress import live
    from siteseer.cli.terminal import print_message
    from siteseer.collection.exit_codes import exit_code
    from siteseer.crawler.build import user_knowledge
    from siteseer.crawler.results.learned_entry import free_place, save_entry
    from siteseer.crawler.run import crawl

    if strategy not in ("acebot", "learned"):
        raise UsageError(f"--strategy {strategy} is unknown; use one of acebot, learned")
    if save_as is not None:
        free_place(save_as, user_knowledge())
    parameters = AcebotOptions(_sample(sample), k, ratio, _attributes(attributes), continuity or None)
    options = CrawlOptions(
        (url,), output, "acebot-sample" if strategy == "acebot" else strategy, assets="none", acebot=parameters,
        **given,
    )  # fmt: skip
    check_crawl(options)
    print_message(f"{politeness_line(options)}; into {output}")
    with live() as watch:
        summary = crawl(options, watch)
    print_problems(summary)
    if summary["stopped_by"] is not None:
        print_message("The crawl is not complete: the same command goes on with it.")
        return exit_code(summary)
    if strategy == "acebot":
        rows = learned_patterns(output)
        print_message(
            f"{len(rows)} navigation patterns from {summary['pages']} pages, kept in {write_patterns(output, rows)}"
        )
        _print(rows, as_json)
    else:
        _print_kinds(output, as_json)
    if save_as is not None:
        path, entry = save_entry(output, save_as, user_knowledge())
        found = entry.learned.evidence if entry.learned else ""
        print_message(f"Saved as {path} ({found}). Look it over: crawls use it from now on.")
    return exit_code(summary)


def learned_patterns(collection: Path) -> list[JSON]:
    """Return the patterns that the newest crawl of a collection learned, in the order in which they were selected."""
    from siteseer.collection.collection import Collection
    from siteseer.strategies.acebot.acebot_strategy import LEARNED_PATTERN

    with Collection.open(collection) as opened:
        last = opened.state.last_crawl()
        return [row for _, row in opened.state.recall(last[0], LEARNED_PATTERN)] if last else []


def write_patterns(collection: Path, rows: list[JSON]) -> Path:
    """Keep patterns, with their date, where `--patterns` and later crawls find them; return the file."""
    from siteseer.collection.collection import Collection
    from siteseer.collection.layout import LEARNED
    from siteseer.strategies.acebot.stored_patterns import PATTERNS, lines_of

    date = datetime.now(UTC).isoformat(timespec="seconds")
    with Collection.open(collection, "write") as opened:
        return opened.write(f"{LEARNED}/{PATTERNS}", lines_of([{**row, "date": date} for row in rows]))


def _print(rows: list[JSON], as_json: bool) -> None:
    from siteseer.cli.output.plain_table import print_table
    from siteseer.cli.terminal import answer

    if as_json:
        for row in rows:
            answer({name: row[name] for name in SHOWN})
    else:
        heads = ("rank", "score", "pages", "2-grams", "navigation pattern")
        print_table(heads, [[row[name] for name in ("rank", "score", "pages", "two_grams", "pattern")] for row in rows])


def _print_kinds(collection: Path, as_json: bool) -> None:
    """Print what a learned crawl found out about the kinds of URL, the most worthwhile first."""
    from siteseer.cli.output.plain_table import print_table
    from siteseer.cli.terminal import answer
    from siteseer.collection.layout import learned_folder
    from siteseer.strategies.acebot.stored_patterns import PATTERNS
    from siteseer.strategies.learned.online_learner.learned_patterns import read_patterns

    found = read_patterns(learned_folder(collection) / PATTERNS).links
    if as_json:
        for one in found:
            answer(asdict(one))
    else:
        heads = ("worth", "pages", "addresses", "addresses like", "lead to")
        print_table(heads, [(one.worth, one.pages, one.urls, one.template, one.leads_to) for one in found], 3)


def _sample(text: str) -> int | None:
    """Read how many pages are sampled.

    >>> _sample("300"), _sample("complete")
    (300, None)
    """
    if text == "complete":
        return None
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:12]) < 10**9:
        raise UsageError(f"--sample {text} is no number of pages; write it as 3000, or complete for the whole site")
    return int(text)


def _attributes(text: str) -> tuple[str, ...]:
    """Read which attributes labels show.

    >>> _attributes("class,id")
    ('id', 'class')
    """
    found = {part.strip() for part in text.split(",")}
    if not found <= {"id", "class"}:
        raise UsageError(f"--attributes {text} is unknown; use id, class or id,class")
    return tuple(name for name in ("id", "class") if name in found)
