"""Options are described once: what is written in one place appears everywhere, with the same default."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import typer.main

from siteseer.campaigns.relevance.definition import Definition
from siteseer.cli.main import build
from siteseer.errors import ConfigurationError, UsageError
from siteseer.settings import (
    CrawlOptions,
    ExtractionOptions,
    JobOptions,
    Option,
    Politeness,
    options_of,
    read_config,
    read_value,
)
from siteseer.settings.json_schema import config_schema, options_schema
from siteseer.web.api.crawls import NewCrawl
from siteseer.web.api.jobs import NewJob
from siteseer.web.ui.campaign.definition_fields import FIELDS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "siteseer"
CRAWL = options_of(CrawlOptions, "crawl")
ADDED = """
    harvest_moon: int = option(
        7, "Nights to wait for the harvest moon.", SCOPE, least=0, most=30, commands=CRAWL, label="Harvest moon"
    )  # fmt: skip
"""
SURFACES = """
import importlib.util, json, sys
from pathlib import Path
from typer.testing import CliRunner
from nicegui import Client, ui
from nicegui.page import page
from siteseer.cli.main import build, understand
from siteseer.errors import SiteseerError
from siteseer.settings import read_config
from siteseer.settings.json_schema import config_schema
from siteseer.web.api.crawls import NewCrawl
from siteseer.web.ui.option_fields import OptionFields
from siteseer.web.ui.views.new_crawl import OPTIONS

folder, manual = Path(sys.argv[1]), sys.argv[2]
help_text = CliRunner().invoke(build(), ["crawl", "--help"]).stdout
try:
    understand(["crawl", "http://e.org/", "-o", "x", "--harvest-moon", "31"])
    refused = ""
except SiteseerError as error:
    refused = str(error)
(folder / "c.toml").write_text("harvest-moon = 9")
(folder / "c.yaml").write_text("harvest_moon: 9")
spec = importlib.util.spec_from_file_location("make_options", manual)
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)
with Client(page("/"), request=None):
    form = OptionFields(OPTIONS)
    labels = [element.props.get("label") for element in ui.context.client.elements.values()]
    form._fields["harvest_moon"][1].value = 12
print(json.dumps({
    "help": " ".join(help_text.split()), "refused": refused,
    "toml": dict(read_config(folder / "c.toml").options), "yaml": dict(read_config(folder / "c.yaml").options),
    "rest": NewCrawl.model_json_schema()["properties"].get("harvest_moon"),
    "form": labels, "read": form.values(), "schema": config_schema()["properties"].get("harvest_moon"),
    "manual": made.manual(),
}))
"""


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything that a copy of Siteseer shows in which one option is described beside the others."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, folder / "siteseer", ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "siteseer" / "settings" / "crawl.py"
    text = file.read_text()
    before = text.index("    include: tuple[str, ...]")
    file.write_text(text[:before] + ADDED.lstrip("\n") + text[before:])
    command = [sys.executable, "-c", SURFACES, str(folder), str(ROOT / "docs" / "make_options.py")]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(folder)}
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_an_option_that_is_added_in_one_place_appears_everywhere(surfaces: dict[str, Any]) -> None:
    assert "--harvest-moon N Nights to wait for the harvest moon." in surfaces["help"]
    assert surfaces["refused"] == "--harvest-moon 31 makes no sense; use 0 to 30"
    assert surfaces["toml"] == surfaces["yaml"] == {"harvest_moon": 9}
    told = {"default": 7, "minimum": 0, "maximum": 30, "description": "Nights to wait for the harvest moon."}
    assert told.items() <= surfaces["rest"].items() and told.items() <= surfaces["schema"].items()
    assert "Harvest moon" in surfaces["form"] and surfaces["read"] == {"harvest_moon": 12}
    assert "| `--harvest-moon N` | 7 | Nights to wait for the harvest moon. |" in surfaces["manual"]


@pytest.mark.parametrize("option", CRAWL, ids=lambda one: one.name)
def test_every_default_is_the_same_wherever_it_is_shown(option: Option) -> None:
    assert next(one.default for one in fields(CrawlOptions) if one.name == option.name) == option.default
    schema = config_schema()["properties"][option.name]
    assert schema.get("default") == (list(option.default) if option.is_list else option.default)
    if option.is_remote:
        assert NewCrawl.model_fields[option.name].default == schema.get("default")
    command = typer.main.get_command(build()).commands["crawl"]  # type: ignore[attr-defined]
    parameter = next(one for one in command.params if option.flag in one.opts)
    assert parameter.help == option.help and (parameter.show_default or "") == option.shown_default


def test_politeness_is_one_value() -> None:
    assert issubclass(CrawlOptions, Politeness) and issubclass(JobOptions, Politeness)
    assert issubclass(ExtractionOptions, Politeness)
    assert Definition("Kelp", ("http://e.org/",)).politeness == Politeness()
    made = CrawlOptions((), Path(), delay=3.0, contact="me@e.org").politeness_values()
    assert Politeness(**made) == Politeness(delay=3.0, contact="me@e.org")
    form = {key: default for table, key, _, default in FIELDS["how"] if table == "politeness"}
    assert form == {one.name: one.default or None for one in options_of(Politeness)}
    for one in options_of(JobOptions, "wrapper submit"):
        assert NewJob.model_fields[one.name].default == one.default


def _flags(command: str) -> set[str]:
    made: Any = typer.main.get_command(build())
    for name in command.split():
        made = made.commands[name]
    return {flag for parameter in made.params for flag in parameter.opts}


@pytest.mark.parametrize("command", ["audit", "crawl", "compare", "revisit", "learn", "form probe", "form understand"])
def test_commands_that_crawl_take_all_of_politeness(command: str) -> None:
    assert {one.flag for one in options_of(Politeness)} <= _flags(command)


@pytest.mark.parametrize(
    "command", ["detect", "article", "timestamp", "changes", "form list", "feed read", "wrapper induce"]
)
def test_commands_that_fetch_single_pages_take_politeness_and_the_address_of_a_file(command: str) -> None:
    own = {one.flag for one in options_of(Politeness, command)}
    assert {"--delay", "--robots", "--user-agent", "--contact", "--tls", "--allow-private"} == own
    assert own | {"--url"} <= _flags(command)


def test_every_command_that_an_option_names_takes_it() -> None:
    """An option that says where it is taken, and is not, would promise what the command line refuses."""
    for kind in (CrawlOptions, JobOptions, ExtractionOptions):
        for command in {name for one in options_of(kind) for name in one.commands}:
            expected = {one.flag for one in options_of(kind, command)}
            if command.startswith("wrapper ") != issubclass(kind, JobOptions | ExtractionOptions):
                expected = {one.flag for one in options_of(Politeness, command)}
            assert expected <= _flags(command), command


def test_the_word_for_following_robots_is_spelled_once() -> None:
    places = [file for file in SOURCE.rglob("*.py") for _ in re.findall(r"\bobey\b", file.read_text())]
    assert [str(file.relative_to(SOURCE)) for file in places] == ["settings/politeness.py"]


def test_the_manual_and_the_schema_are_up_to_date() -> None:
    spec = spec_from_file_location("make_options", ROOT / "docs" / "make_options.py")
    assert spec and spec.loader
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    for path, text in made.written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run python docs/make_options.py"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("delay", "soon", "delay wants a number of seconds, not soon"),
        ("delay", -1, "delay -1 makes no sense; use 0 to 86400"),
        ("delay", True, "delay wants a number of seconds, not True"),
        ("limit", "3.5", "limit wants a whole number, not 3.5"),
        ("limit", 0, "limit 0 makes no sense; use 1 or more"),
        ("robots", "maybe", "robots maybe is unknown; use one of obey, log, ignore"),
        ("scope", "hosts", "scope hosts is unknown; did you mean host? It is one of page, prefix, host, domain, any"),
        ("size_limit", "much", "size_limit much is no size; write it as 500M or 2G"),
        ("recrawl", "yes", "recrawl is true or false, not yes"),
        ("contact", 5, "contact wants text, not 5"),
    ],
)
def test_a_wrong_value_is_answered_in_one_sentence(name: str, value: object, sentence: str) -> None:
    option = next(one for one in CRAWL if one.name == name)
    with pytest.raises(UsageError) as error:
        read_value(option, value)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("c.toml", "colour = 1", "there is no option 'colour'"),
        ("c.toml", "dely = 1", "did you mean 'delay'?"),
        ("c.toml", "delay = 'soon'", "delay wants a number of seconds"),
        ("c.toml", "exclude = 3", "exclude wants a list of texts"),
        ("c.toml", "delay = = 1", "is no TOML file"),
        ("c.yaml", "delay: [", "is no YAML file"),
        ("c.yaml", "- delay", "holds no options"),
        ("c.yaml", "size-limit: much", "no size"),
    ],
)
def test_a_wrong_configuration_names_file_and_key(tmp_path: Path, file: str, text: str, words: str) -> None:
    path = tmp_path / file
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=re.escape(words)) as error:
        read_config(path)
    assert file in str(error.value) and "\n" not in str(error.value)


def test_toml_and_yaml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(
        'seeds = ["http://e.org/"]\noutput = "kept"\nsize-limit = "2G"\nno_adapt = true\nheader = ["A: b"]\n'
        'exclude = "*/print/*"\n'
    )
    (tmp_path / "c.yaml").write_text(
        "seeds: http://e.org/\noutput: kept\nsize_limit: 2G\nadapt: false\nheaders: ['A: b']\nexclude: ['*/print/*']\n"
    )
    made = read_config(tmp_path / "c.toml")
    assert made == read_config(tmp_path / "c.yaml")
    assert made.seeds == ("http://e.org/",) and made.output == Path("kept")
    assert made.options == {
        "size_limit": 2 * 2**30, "adapt": False, "headers": ("A: b",), "exclude": ("*/print/*",),
    }  # fmt: skip


def test_the_schema_knows_every_key() -> None:
    keys = set(config_schema()["properties"])
    assert {one.name for one in CRAWL} | {"header", "policy", "set", "example", "hosts", "seeds", "output"} <= keys
    schema = options_schema(CrawlOptions, "crawl")
    assert schema["robots"]["enum"] == ["obey", "log", "ignore"] and schema["delay"]["minimum"] == 0
    assert schema["exclude"] == {**schema["exclude"], "type": "array", "items": {"type": "string"}}
    assert "enum" not in schema["strategy"], "installed strategies are as good as ours"


def test_a_browsertrix_configuration_is_read_and_what_is_not_understood_is_named(tmp_path: Path) -> None:
    path = tmp_path / "crawl.yaml"
    path.write_text(
        "seeds:\n  - url: https://e.org/blog/\n    scopeType: prefix\n    depth: 2\n    exclude: print\n"
        "    extraHops: 1\n  - https://f.org/\nscopeType: domain\nworkers: 4\nsizeLimit: 5000\ntimeLimit: 0\n"
        "generateWACZ: true\nexclude: [login, 'reply=\\d+']\ncollection: kept\nuserAgent: us\n"
    )
    made = read_config(path)
    assert made.seeds == ("https://e.org/blog/", "https://f.org/") and made.output == Path("kept")
    assert made.unread == ("extraHops of a seed", "generateWACZ")
    assert {name: value for name, value in made.options.items() if name != "seed_options"} == {
        "scope": "domain", "concurrency": 4, "size_limit": 5000, "time_limit": None, "user_agent": "us",
        "exclude": ("re:login", r"re:reply=\d+"),
    }  # fmt: skip
    own = made.options["seed_options"][0]
    assert (own.scope, own.depth, own.exclude) == ("prefix", 2, ("re:print",))
    path.write_text("url: http://e.org/\ninclude: /news/\nwaitUntil: load\n")
    assert read_config(path).options == {"scope": "page", "include": ("re:/news/",)}
    path.write_text("url: http://e.org/\nworkers: many\n")
    with pytest.raises(ConfigurationError, match="concurrency wants a whole number, not many"):
        read_config(path)
