"""`siteseer campaign`: crawls many sites for one topic."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.crawl import print_problems
from siteseer.cli.output.work_display import work_display
from siteseer.cli.terminal import answer, plain, print_error, print_message
from siteseer.errors import UsageError

if TYPE_CHECKING:
    from siteseer.campaigns.campaign_process import CampaignProgress
    from siteseer.campaigns.relevance.definition import Definition
    from siteseer.campaigns.vocabulary.reference_crawl import Proposal

QUIET_SECONDS = 10.0
BROKER, STORAGE = "SITESEER_BROKER", "SITESEER_STORAGE"
"""Where the environment may name them: an address with a password does not belong on a command line."""
SPENT = ("limit", "size", "time")
"""What stops a campaign whose budget is used up, in requests, bytes or days: that is no error."""
campaign_app = typer.Typer(help="Many sites, crawled for one topic.", no_args_is_help=True)

Spec = Annotated[Path, typer.Argument(metavar="SPEC.toml", help="The campaign's definition.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(campaign_app, name="campaign")


@campaign_app.command("new")
def new(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the definition goes.")] = Path("campaign.toml"),
    name: Annotated[str | None, typer.Option(help="What the campaign is called.")] = None,
    seed: Annotated[list[str] | None, typer.Option(help="A URL to start from.")] = None,
    keyword: Annotated[list[str] | None, typer.Option(help="A word or phrase of the topic.")] = None,
    entity: Annotated[list[str] | None, typer.Option(help="'Name' or 'Name = alias, alias'.")] = None,
    example: Annotated[list[str] | None, typer.Option(help="A page about the topic: a URL or a file.")] = None,
    since: Annotated[str | None, typer.Option(help="The first day that matters (2019-01-01).")] = None,
    until: Annotated[str | None, typer.Option(help="The last day that matters.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="A language (en, de, ...).")] = None,
    requests: Annotated[int | None, typer.Option(min=1, help="The most requests.")] = None,
    size: Annotated[str | None, typer.Option(help="The most bytes (500M, 2G).")] = None,
    days: Annotated[float | None, typer.Option(min=0, help="The most days.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Ask what a campaign is about, and write its definition; what is given as an option is not asked for."""
    from siteseer.campaigns.relevance.definition_toml import definition_toml, entity_of
    from siteseer.campaigns.relevance.parse_definition import read_definition
    from siteseer.cli.campaign.campaign_new import interview

    if output.exists() and not overwrite:
        raise UsageError(f"{output} exists: --overwrite replaces it, -o names another file")
    given: dict[str, Any] = {
        "name": name, "seeds": seed, "keywords": keyword, "entities": entity, "examples": example, "since": since,
        "until": until, "languages": language, "requests": requests, "bytes": size, "days": days,
    }  # fmt: skip
    if sys.stdin.isatty():
        given = interview(given)
    given["entities"] = [entity_of(text) for text in given["entities"] or ()]
    text = definition_toml(given)
    read_definition(text, "what was given")
    output.write_text(text, encoding="utf-8")
    print_message(f"{output} is written; read it through, then: siteseer campaign run {output} -o DIR")


@campaign_app.command("check")
def check(spec: Spec) -> None:
    """Say everything that is wrong with a definition, or what it asks for."""
    from siteseer.campaigns.relevance.parse_definition import all_errors, read_definition
    from siteseer.campaigns.run_campaign import definition_text

    text = definition_text(spec)
    wrong = all_errors(text, str(spec))
    for one in wrong[:-1]:
        print_error(str(one))
    if wrong:
        raise wrong[-1]
    found = read_definition(text)
    for name in found.examples:
        if "://" not in name and not (spec.parent / name).is_file():
            raise UsageError(f"{spec}: the example {name!r} is not there: give a URL, or a file beside the definition")
    print_message(
        f"{found.name}: {len(found.all_seeds)} seeds, {len(found.terms)} terms, {len(found.entities)} entities, "
        f"budget {found.budget.requests or 'unlimited'} requests, robots.txt: {found.politeness.robots}"
    )


@campaign_app.command("run")
def run(
    spec: Spec,
    output: Annotated[Path, typer.Option("-o", "--output", help="The campaign's directory.")],
    engine: Annotated[str, typer.Option(help="local: this machine; celery: workers on many machines.")] = "local",
    processes: Annotated[
        int, typer.Option(min=0, max=64, help="local: processes that crawl; 0: as many as there are cores.")
    ] = 0,
    broker: Annotated[str, typer.Option(envvar=BROKER, help="celery: redis://HOST:6379/0.")] = "",
    storage: Annotated[
        str, typer.Option(envvar=STORAGE, help="celery: where checkpoints go (DIR/storage); s3://bucket/prefix.")
    ] = "",
    lease: Annotated[
        float, typer.Option(min=1, max=600, help="celery: seconds that a worker may be silent for before it is lost.")
    ] = 30.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> int:
    """Crawl the sites of a campaign, the most promising first. The same command goes on where it stopped."""
    from siteseer.campaigns.run_campaign import load_definition, run_campaign
    from siteseer.cli.garbage_collection import collect_seldom
    from siteseer.collection.exit_codes import exit_code

    collect_seldom()
    if engine not in ("local", "celery"):
        raise UsageError(f"there is no engine {engine!r}; use local or celery")
    _tell_of_stores(load_definition(spec)[0], output)
    with _live() as watch:
        if engine == "local":
            from siteseer.campaigns.engines.engine_processes import local_engine

            summary = run_campaign(spec, output, watch, engine=local_engine(processes))
        else:
            from siteseer.campaigns.engines.celery_options import celery_engine

            summary = run_campaign(spec, output, watch, engine=celery_engine(broker, storage, lease))
    print_problems(summary)
    _print(summary, as_json)
    return exit_code({**summary, "stopped_by": "limit"} if summary["stopped_by"] in SPENT else summary)


@campaign_app.command("learn")
def learn(
    spec: Spec,
    output: Annotated[Path, typer.Option("-o", "--output", help="The campaign's directory; `run` goes on there.")],
    limit: Annotated[int, typer.Option(min=1, help="Requests of the reference crawl.")] = 200,
) -> None:
    """Crawl a little, and propose terms and sites of the topic in SPEC.terms.tsv for you to accept or reject."""
    from siteseer.campaigns.example_pages import load_examples
    from siteseer.campaigns.run_campaign import load_definition, run_campaign
    from siteseer.campaigns.vocabulary.reference_crawl import read_reference, with_marks, write_proposals

    definition, _ = load_definition(spec)
    file = terms_file(spec)
    earlier = _proposals(spec) if file.exists() else []
    examples = load_examples(definition, spec.parent)
    _tell_of_stores(definition, output)
    with _live() as watch:
        run_campaign(spec, output, watch, requests=limit, needs_terms=not examples)
    proposals = with_marks(read_reference(output, definition, examples), earlier, definition.learned)
    file.write_text(write_proposals(proposals), encoding="utf-8")
    _show(proposals)
    print_message(f"{file} holds {len(proposals)} proposals: mark them there, then: siteseer campaign terms {spec}")


@campaign_app.command("terms")
def terms(
    spec: Spec,
    accept: Annotated[list[str] | None, typer.Option(help="Accept a term.")] = None,
    reject: Annotated[list[str] | None, typer.Option(help="Reject a term.")] = None,
    all_: Annotated[bool, typer.Option("--accept-all", help="Accept every term that is not rejected.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write here instead of SPEC.toml.")] = None,
) -> None:
    """Take the accepted proposals of SPEC.terms.tsv into the definition; show what is still open."""
    from siteseer.campaigns.relevance.parse_definition import read_definition
    from siteseer.campaigns.run_campaign import load_definition
    from siteseer.campaigns.vocabulary.reference_crawl import complete_definition, write_proposals

    _, text = load_definition(spec)
    file, proposals = terms_file(spec), _proposals(spec)
    marks = dict.fromkeys(accept or (), "accept") | dict.fromkeys(reject or (), "reject")
    if unknown := marks.keys() - {one.text for one in proposals}:
        raise UsageError(f"{file} proposes no {sorted(unknown)[0]!r}")
    marked = [replace(one, mark=marks.get(one.text, _default(one.mark, all_))) for one in proposals]
    accepted = [one for one in marked if one.mark == "accept"]
    made = complete_definition(text, accepted)
    read_definition(made, str(output or spec))
    file.write_text(write_proposals(marked), encoding="utf-8")
    (output or spec).write_text(made, encoding="utf-8")
    _show([one for one in marked if one.mark == "?"])
    print_message(
        f"{len(accepted)} accepted, {sum(one.mark == 'reject' for one in marked)} rejected, in {output or spec}"
    )


def terms_file(spec: Path) -> Path:
    """Return where the proposals for a definition stand."""
    return spec.with_suffix(".terms.tsv")


def _proposals(spec: Path) -> list[Proposal]:
    from siteseer.campaigns.vocabulary.reference_crawl import read_proposals

    file = terms_file(spec)
    try:
        return read_proposals(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise UsageError(f"{file} cannot be read; siteseer campaign learn {spec} -o DIR writes it") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not written in UTF-8") from error


def _tell_of_stores(definition: Definition, output: Path) -> None:
    """Say before anything is crawled where it will be kept, and what can never be right of that."""
    from siteseer.cli.store import print_stores
    from siteseer.settings import CrawlOptions

    stores = definition.stores
    options = CrawlOptions(
        (), output, archive_to=stores.archive, objects_to=stores.objects, objects_update=stores.objects_update
    )
    if stores.archive or stores.objects:
        print_stores(options)


def _default(mark: str, accept_all: bool) -> str:
    return "accept" if accept_all and mark == "?" else mark


def _show(proposals: list[Proposal]) -> None:
    for one in proposals:
        print(plain(f"{one.mark}\t{one.kind}\t{one.text}\t{one.weight}\t{one.pages} relevant pages, {one.rest} others"))


def _print(summary: Any, as_json: bool) -> None:
    from siteseer.cli.live_progress import print_summary

    if as_json:
        answer(summary)
    else:
        print_summary(summary)


@contextmanager
def _live() -> Iterator[Callable[[CampaignProgress], None]]:
    """Give a function that shows how far a campaign is: one line that changes, or now and then a line of a log."""
    last = time.monotonic()
    is_terminal = sys.stderr.isatty()

    noted = ""

    def write(now: CampaignProgress) -> None:
        nonlocal last, noted
        if now.note != noted:
            noted = now.note
            print_message(noted or "all is there again: going on")
        if time.monotonic() - last < (0.25 if is_terminal else QUIET_SECONDS):
            return
        last = time.monotonic()
        line = (
            f"{now.requests:,} requests · {now.pages:,} pages, {now.relevant:,} relevant · "
            f"{now.running} of {now.sites:,} sites being crawled, {now.waiting:,} waiting"
        )
        if is_terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print_message(line)

    with work_display():
        yield write
    if is_terminal:
        print(file=sys.stderr)
