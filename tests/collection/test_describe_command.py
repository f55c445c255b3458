"""`siteseer objects` and `siteseer query` as a person calls them."""

import csv
import io
import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from siteseer.cli.objects import register
from siteseer.collection.description import Description
from siteseer.errors import UsageError
from tests.collection.examples import PAIRS, capture, post


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    with Description(folder) as description:
        description.add(PAIRS)
        description.add([(post(7, author="[red]\x1b[2Jmallory", text="x\u202ey"), capture(3))])
    return str(folder)


def run(*arguments):
    app = typer.Typer()
    register(app)
    return CliRunner().invoke(app, arguments)


def test_objects_as_a_table(collection):
    done = run("objects", collection, "--kind", "post")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "3 posts · newest first" and lines[2].split() == ["id", "date", "author", "title", "or", "text"]
    assert "Which lens?" in done.stdout and max(map(len, lines[:-1])) <= 80
    assert "[red]" in done.stdout and "\x1b[2J" not in done.stdout and "\u202e" not in done.stdout
    (name,) = [line.split()[0] for line in lines if "Which lens?" in line]
    shown = run("objects", collection, name).stdout
    assert "Which lens?" in shown and "B-00000.warc.gz at 1,000" in shown and "--object" in shown
    assert run("objects", collection, name, "--format", "jsonl").stdout.count("\n") == 1
    assert run("objects", collection, "c999").exit_code != 0


def test_names_and_words_are_found_by_their_parts(collection):
    for words in (("--author", "ANN"), ("--author", "an"), ("--text", "lens"), ("--text", "LEN")):
        assert "Which lens?" in run("objects", collection, *words).stdout, words


def test_objects_as_lines(collection):
    done = run("objects", collection, "--author", "bob", "--format", "jsonl")
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == ["The 50mm."]


def test_nothing_found_is_said_on_stderr(collection):
    done = run("objects", collection, "--text", "nothing", "--format", "jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "No object fits" in run("objects", collection, "--text", "nothing").stderr


ANN = 'SELECT ?p ?text { ?u sioc:name "ann" . ?p sioc:has_creator ?u ; sioc:content ?text }'


def test_a_query_as_json_carries_the_captures(collection):
    found = json.loads(run("query", collection, ANN, "--format", "json").stdout)
    (row,) = found["results"]["bindings"]
    assert row["text"] == {"type": "literal", "value": "Which lens?"}
    assert found["captures"][row["p"]["value"]]["offset"] == 1000


def test_a_query_as_csv_has_a_column_for_the_capture(collection):
    (row,) = csv.DictReader(io.StringIO(run("query", collection, ANN, "--format", "csv").stdout))
    assert row["capture"] == "B-00000.warc.gz@1000"
    assert "capture" in run("query", collection, ANN).stdout


def test_ask_and_construct(collection):
    assert run("query", collection, "ASK { ?s a sioc:Thread }").stdout == "yes\n"
    assert "sioc:Thread" in run("query", collection, "CONSTRUCT WHERE { ?s a sioc:Thread }", "--format", "ttl").stdout


@pytest.mark.parametrize(
    "arguments",
    [("query", "SELECT ?s {", "table"), ("query", "ASK {}", "ttl"), ("query", "CONSTRUCT WHERE { ?s ?p ?o }", "csv"),
     ("query", "ASK {}", "xml")],
)  # fmt: skip
def test_wrong_use_is_a_usage_error(collection, arguments):
    verb, sparql, form = arguments
    done = run(verb, collection, sparql, "--format", form)
    assert isinstance(done.exception, UsageError) and done.exception.exit_code == 2
    assert done.stdout == ""


def test_help_loads_nothing_heavy():
    program = "import sys, siteseer.cli.objects as o; print('pyoxigraph' in sys.modules, 'sqlite3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": ":".join(filter(None, sys.path))})  # fmt: skip
    assert done.stdout.split() == ["False", "False"]


def test_describing_loads_no_client_and_understands_no_form():
    program = "import sys, siteseer; siteseer.describe; import siteseer.batch.describe; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                          env={"PYTHONPATH": ":".join(filter(None, sys.path))})  # fmt: skip
    assert not {"aiohttp", "siteseer.deepweb.run", "scrapy", "playwright"}.intersection(done.stdout.split())
