"""Makes the JSON Schema of options: for editors that complete configuration files, and for whoever checks them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siteseer.settings.crawl import CrawlOptions
from siteseer.settings.option import Option, options_of

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
    properties = options_schema(CrawlOptions, "crawl")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of siteseer crawl",
        "description": "The keys of the file that siteseer crawl --config reads, as TOML or YAML.",
        "type": "object",
        "properties": {
            "seeds": {"type": ["string", "array"], "items": {"type": "string"}, "description": "Where to start."},
            "output": {"type": "string", "description": "The collection's directory."},
            **properties,
        },
        "additionalProperties": False,
    }
