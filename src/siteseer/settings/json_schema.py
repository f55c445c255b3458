"""Makes the JSON Schema of options: for editors that complete configuration files, and for whoever checks them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siteseer.settings.crawl import CrawlOptions
from siteseer.settings.hosts_and_seeds import HOST_KEYS, SEED_KEYS
from siteseer.settings.option import Option, options_of

_TEXT = {"type": "string"}
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", Path: "string"}


def value_schema(option: Option) -> dict[str, Any]:
    """Return the schema of an option's value."""
    one: dict[str, Any] = {"type": _TYPES[option.type]}
    if option.choices:
        one["examples" if option.is_open else "enum"] = list(option.choices)
    if option.unit == "bytes":
        one["type"] = ["integer", "string"]
    if option.least is not None:
        one["minimum"] = option.least
    if option.most is not None:
        one["maximum"] = option.most
    found: dict[str, Any] = {"type": "array", "items": one} if option.is_list else one
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    described = {"title": option.label, "description": option.help, "default": default}
    return {**found, **{key: value for key, value in described.items() if value is not None}}


def options_schema(kind: type, command: str = "") -> dict[str, Any]:
    """Return the schema of the options of a dataclass, by their names."""
    return {one.name: value_schema(one) for one in options_of(kind, command)}


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration file of a crawl."""
    known = options_schema(CrawlOptions, "crawl")
    spelled = {one.key: known[one.name] for one in options_of(CrawlOptions, "crawl") if not one.is_reversed}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of siteseer crawl",
        "description": "The keys of the file that siteseer crawl --config reads, as TOML or YAML.",
        "type": "object",
        "properties": {
            "seeds": {"description": "Where to start.", "anyOf": [_TEXT, {"type": "array", "items": _seed(known)}]},
            "output": {**_TEXT, "description": "The collection's directory."},
            "hosts": {
                "description": "Hosts that are asked otherwise, by name; *.example.org are all hosts below a domain.",
                "type": "object",
                "additionalProperties": _table({name: known[name] for name in HOST_KEYS}),
            },
            **spelled,
            **known,
        },
        "additionalProperties": False,
    }


def _seed(known: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a seed: an address, or a table with options of its own."""
    own = {name: {key: value for key, value in known[name].items() if key != "default"} for name in SEED_KEYS}
    return {"anyOf": [_TEXT, {**_table({"url": _TEXT, **own}), "required": ["url"]}]}


def _table(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}
