"""`siteseer kb`: shows, checks and tests the knowledge base, and exports its rules for other crawlers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.output.plain_table import print_table
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import NotFoundError
from siteseer.settings import CrawlOptions

if TYPE_CHECKING:
    from siteseer.knowledge.knowledge_base import KnowledgeBase

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    kb = typer.Typer(help="The knowledge base: what is known of each software.", no_args_is_help=True)
    for command in (list_applications, show, check, test, merge, export):
        kb.command({"list_applications": "list"}.get(command.__name__, command.__name__))(command)
    app.add_typer(kb, name="kb")


def _base(given: Mapping[str, Any]) -> KnowledgeBase:
    """Return what a crawl would know: the files that were named, the user's own, and what is shipped."""
    from siteseer.crawler.build import user_knowledge
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    own = user_knowledge()
    return KnowledgeBase.with_files([*given.get("knowledge", ()), *([own] if own.is_dir() else ())])


@takes(CrawlOptions, "kb list")
def list_applications(given: dict[str, Any], as_json: AsJson = False) -> None:
    """List the software that is known."""
    rows = []
    for one in sorted(_base(given), key=lambda application: application.id):
        levels = list(dict.fromkeys(level.id for level in one.levels))
        if as_json:
            row = {"application": one.id, "category": one.category, "name": one.name, "versions": one.versions}
            answer({**row, "levels": levels, "learned": one.learned is not None})
        rows.append((one.id, one.category, one.name, " ".join(levels)))
    if not as_json:
        print_table(("application", "kind", "name", "levels of its sites"), rows)


@takes(CrawlOptions, "kb show")
def show(
    given: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The application's id, as in `kb list`.")],
) -> None:
    """Show what is known of a software, as its knowledge file."""
    from siteseer.knowledge.save import to_xml

    print(plain(to_xml(_base(given)[name]).decode()), end="")


def check(
    paths: Annotated[list[Path], typer.Argument(help="Knowledge files, or folders of them.")], as_json: AsJson = False
) -> int:
    """Check knowledge files: what is wrong, on which line, and what to do."""
    from siteseer.knowledge.check import check as problems_in

    for path in paths:
        if not path.exists():
            raise NotFoundError(f"there is no {path}; name a knowledge file or a folder of them")
    found = [problem for path in paths for problem in problems_in(path)]
    for problem in found:
        if as_json:
            answer({"file": problem.file, "line": problem.line, "problem": problem.what, "todo": problem.todo})
        else:
            print(plain(str(problem)))
    print_message("no problems" if not found else "1 problem" if len(found) == 1 else f"{len(found)} problems")
    return 4 if found else 0


@takes(CrawlOptions, "kb test")
def test(
    given: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The application's id.")],
    against: Annotated[
        Path | None, typer.Option(help="A collection, or a folder with pages and expected.json.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Run the test pages of a software (type, level, objects and links of each), or read a collection again."""
    from siteseer.cli.knowledge.kb_against import collection_trials, is_collection
    from siteseer.errors import UsageError
    from siteseer.knowledge.check import find_test_pages
    from siteseer.strategies.aware.knowledge_test import run_trials

    base = _base(given)
    source = Path(base[name].source)
    folder = against or find_test_pages(name, source.parent if source.is_file() else None)
    if folder is None:
        raise UsageError(f"there are no test pages for {name}; say where they are with --against DIR")
    run = collection_trials if is_collection(folder) else run_trials
    trials = list(run(name, folder, base))
    for trial in trials:
        if as_json:
            answer({"file": trial.file, "passed": not trial.wrong, "wrong": list(trial.wrong)})
        else:
            print(plain(f"{'wrong' if trial.wrong else 'right'}  {trial.file}"))
            for wrong in trial.wrong:
                print(plain(f"       {wrong}"))
    failed = sum(bool(trial.wrong) for trial in trials)
    print_message(f"{len(trials) - failed} of {len(trials)} pages as expected")
    return 1 if failed else 0


def merge(
    paths: Annotated[
        list[Path], typer.Argument(help="Knowledge files of one application; later ones are tried first.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the merged file goes; else your own knowledge.")
    ] = None,
) -> None:
    """Add what a crawl learned, or a file says, to your own knowledge; later crawls use it. Shipped files stay."""
    from siteseer.cli.knowledge.kb_merge import merge_into
    from siteseer.crawler.build import user_knowledge
    from siteseer.errors import UsageError
    from siteseer.knowledge.knowledge_base import KnowledgeBase
    from siteseer.knowledge.load import load
    from siteseer.knowledge.save import save

    if output is None:
        for path in paths:
            target, application = merge_into(path, user_knowledge())
            print_message(f"{application.id}: {path} added to {target}")
        return
    applications = list(KnowledgeBase(load(path) for path in paths))
    if len(applications) != 1:
        names = ", ".join(application.id for application in applications)
        raise UsageError(f"the files describe several applications ({names}); merge files of one")
    save(applications[0], output)
    print_message(f"wrote {output}")


@takes(CrawlOptions, "kb export")
def export(
    given: dict[str, Any],
    name: Annotated[str, typer.Argument(help="The application's id.")],
    form: Annotated[str, typer.Option("--format", help="browsertrix, heritrix, wget or wadl; several with commas.")],
) -> None:
    """Print the rules of a software in the language of another crawler."""
    from siteseer.knowledge.export_rules import export as exported
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    application = KnowledgeBase.with_files(given.get("knowledge", ()))[name]
    for one in form.split(","):
        print(plain(exported(application, one.strip())), end="")
