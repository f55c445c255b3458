"""Writes docs/options.md and docs/options.schema.json from the descriptions: run `python docs/make_options.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import typer.main

from siteseer.cli.main import build
from siteseer.settings import CrawlOptions, Option, options_of
from siteseer.settings.json_schema import config_schema

HERE = Path(__file__).parent
TOP = """# Options

Every option of every command, made from the descriptions in `src/siteseer/settings/` and the commands themselves by
`python docs/make_options.py`. The same descriptions make the help of the command line, configuration files, the REST
interface and the forms of the web interface.

## In a configuration file

`siteseer crawl --config FILE` reads TOML, or YAML where the name ends in `.yaml` or `.yml`. Each key is an option of
the table below without its dashes; what you type on the command line wins. `seeds` says where to start, `output` where
the collection goes. [options.schema.json](options.schema.json) is the JSON Schema of these files: editors complete and
check them with it.

```toml
seeds = ["https://forum.example.org/"]
output = "forum"
delay = 2
exclude = ["*/print/*"]
```

Seeds may have a scope and limits of their own, and hosts may be asked otherwise than the others. What a seed does not
say is as for the whole crawl; exclusions of the crawl hold for every seed. `limit` of a seed counts its own pages.

```toml
delay = 1

[[seeds]]
url = "https://example.org/blog/"
scope = "prefix"
limit = 500

[[seeds]]
url = "https://forum.example.org/"
depth = 3
exclude = ["*/members/*"]

[hosts."forum.example.org"]
delay = 5
concurrency = 1
```

A host is named with its port where only that one is meant; `"*.example.org"` means every host below a domain. Of
several tables that mean a host the first counts. A campaign takes the same tables as `[politeness.hosts."…"]`.
YAML configurations of Browsertrix Crawler are read, too: see [other crawlers](other-crawlers.md#browsertrix-crawler).
"""


def manual() -> str:
    """Return the page of the manual."""
    parts = [TOP, "## Options of a crawl\n"]
    options = sorted(options_of(CrawlOptions, "crawl"), key=lambda one: one.group)
    for group, members in groupby(options, lambda one: one.group):
        parts += [f"### {group.capitalize()}\n", _table(_crawl_row(one) for one in members)]
    parts.append("## Options of every command\n")
    for name, command in commands():
        parts += [f"### siteseer {name}\n", f"{_first(command.help)}\n", _table(map(_row, _options(command)))]
    return "\n".join(parts).rstrip() + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name."""
    waiting = [("", typer.main.get_command(build()))]
    while waiting:
        name, command = waiting.pop(0)
        if inner := getattr(command, "commands", None):
            waiting += [(f"{name} {one}".strip(), made) for one, made in inner.items()]
        else:
            yield name, command


def _table(rows: Iterator[tuple[str, str, str]] | Any) -> str:
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(["| option | default | meaning |", "|---|---|---|", *lines, ""])


def _crawl_row(option: Option) -> tuple[str, str, str]:
    key = "" if option.key == option.flag[2:].replace("-", "_") == option.name else f" (in files also `{option.name}`)"
    several = " Repeatable." if option.is_list else ""
    return f"`{f'{option.flag} {option.placeholder}'.strip()}`", option.shown_default, f"{option.help}{several}{key}"


def _options(command: Any) -> list[Any]:
    return [one for one in command.params if "--help" not in one.opts and not getattr(one, "hidden", False)]


def _row(parameter: Any) -> tuple[str, str, str]:
    is_argument = parameter.param_type_name == "argument"
    metavar = "" if getattr(parameter, "is_flag", False) else parameter.metavar or ("" if is_argument else "VALUE")
    name = parameter.metavar or parameter.name.upper() if is_argument else f"{', '.join(parameter.opts)} {metavar}"
    shown = getattr(parameter, "show_default", None)
    default = shown if isinstance(shown, str) else parameter.default
    has_default = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"`{name.strip()}`", str(default) if has_default else "", getattr(parameter, "help", None) or ""


def _first(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


def written() -> dict[Path, str]:
    """Return the files and their texts."""
    schema = json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"
    return {HERE / "options.md": manual(), HERE / "options.schema.json": schema}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
