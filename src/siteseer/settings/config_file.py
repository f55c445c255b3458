"""Reads the configuration file of a crawl, TOML or YAML: its keys are the options, as the command line spells them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any

from siteseer.errors import ConfigurationError, UsageError
from siteseer.settings.browsertrix import is_browsertrix, translated
from siteseer.settings.crawl import CrawlOptions
from siteseer.settings.hosts_and_seeds import SeedOptions, read_hosts, read_seed
from siteseer.settings.option import Option, options_of
from siteseer.settings.read_value import read_value

YAML = (".yaml", ".yml")
OUTPUT, HOSTS, SEEDS = "output", "hosts", ("seeds", "url")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What a configuration file says."""

    seeds: tuple[str, ...] = ()
    output: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Values by the names of `CrawlOptions`."""
    unread: tuple[str, ...] = ()
    """Keys of another crawler's configuration that mean nothing here."""


def read_config(path: Path) -> ConfigFile:
    """Read a file; raise ConfigurationError, which names file and key."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--config {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"--config {path} is no text in UTF-8") from error
    found = _yaml(text, path) if path.suffix.lower() in YAML else _toml(text, path)
    if not isinstance(found, dict):
        raise ConfigurationError(f"{path} holds no options; write them as `delay = 2` in TOML, `delay: 2` in YAML")
    unread: list[str] = []
    if path.suffix.lower() in YAML and is_browsertrix(found):
        found, unread = translated(found)
    return replace(config_of(found, path), unread=tuple(unread))


def _toml(text: str, path: Path) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path} is no TOML file: {error}") from error


def _yaml(text: str, path: Path) -> Any:
    from ruamel.yaml import YAML as Yaml
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return Yaml(typ="safe", pure=True).load(StringIO(text)) or {}
    except MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigurationError(f"{path}{line} is no YAML file: {error.problem}") from error
    except YAMLError as error:
        raise ConfigurationError(f"{path} is no YAML file: {error}") from error


def config_of(found: Mapping[str, Any], path: Path) -> ConfigFile:
    """Return what the keys of a file say; raise ConfigurationError for one that is unknown or has a wrong value."""
    known = _by_key()
    own: list[SeedOptions] = []
    values: dict[str, Any] = {}
    output = None
    for written, value in found.items():
        key = str(written).replace("-", "_")
        if key in SEEDS:
            own += _seeds(value, path, known)
        elif key == HOSTS:
            values[HOSTS] = _hosts(value, path, known)
        elif key == OUTPUT:
            output = Path(*_texts(value, written, path))
        elif key in known:
            option, is_off = known[key]
            values[option.name] = _value(option, not value if is_off and isinstance(value, bool) else value, path, key)
        else:
            near = get_close_matches(key, known, 1)
            advice = f"did you mean {near[0]!r}?" if near else "see siteseer crawl --help"
            raise ConfigurationError(f"{path}: there is no option {str(written)!r}; {advice}")
    if any(not one.is_plain for one in own):
        values["seed_options"] = tuple(own)
    return ConfigFile(tuple(one.url for one in own), output, values)


def _hosts(value: Any, path: Path, known: Mapping[str, tuple[Option, bool]]) -> Any:
    return _told(path, lambda: read_hosts(value, {one.name: one for one, _ in known.values()}))


def _seeds(value: Any, path: Path, known: Mapping[str, tuple[Option, bool]]) -> list[SeedOptions]:
    """Return the seeds of a file: addresses, or tables with an address and options of its own."""
    options = {one.name: one for one, _ in known.values()}
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | dict) for one in listed):
        raise ConfigurationError(f"{path}: seeds are addresses, or tables [[seeds]] with url and options")
    return [
        _told(path, lambda one=one: read_seed(one, options)) if isinstance(one, dict) else SeedOptions(one)  # type: ignore[misc]
        for one in listed
    ]


def _told(path: Path, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except UsageError as error:
        raise ConfigurationError(f"{path}: {error}") from error


def _by_key() -> dict[str, tuple[Option, bool]]:
    """Return the options by each way of writing them, and whether that turns one off."""
    found = {}
    for one in options_of(CrawlOptions, "crawl"):
        found[one.name] = (one, False)
        if one.key != one.name:
            found[one.key] = (one, one.is_reversed)
    return found


def _value(option: Option, value: Any, path: Path, key: str) -> Any:
    if option.is_list and not isinstance(value, str | list):
        raise ConfigurationError(f"{path}: {key} wants a list of texts")
    return _told(path, lambda: read_value(option, value, key))


def _texts(value: Any, key: object, path: Path) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        raise ConfigurationError(f'{path}: {key!r} wants texts, as in {key} = ["http://example.org/"]')
    return texts
