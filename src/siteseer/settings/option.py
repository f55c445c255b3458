"""Describes an option once.

Command line, configuration files, REST, web forms, JSON Schema and manual are made from that.

A group of options is a frozen dataclass whose fields are made by `option`:

>>> @dataclass(frozen=True)
... class Tea:
...     minutes: float = option(3.0, "How long it draws.", "tea", unit="minutes", least=0, commands=("brew",))
>>> [(one.name, one.default, one.flag, one.unit) for one in options_of(Tea, "brew")]
[('minutes', 3.0, '--minutes', 'minutes')]
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

_KEY = "option"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: all that is shown of it anywhere."""

    help: str
    group: str
    """The heading below which help, forms and manual list it."""
    unit: str = ""
    choices: Mapping[str, str] | None = None
    """What it may be, each with the words that a form shows."""
    is_open: bool = False
    """Whether it may be something else, too: what is installed adds to the choices."""
    least: float | None = None
    most: float | None = None
    flag: str = ""
    """Its name on the command line, where that is not its own: `--header` adds to `headers`."""
    metavar: str = ""
    label: str = ""
    """What a form calls it."""
    commands: tuple[str, ...] = ()
    is_remote: bool = True
    """Whether others may set it over HTTP: not where it names files of this machine."""
    name: str = ""
    type: Any = str
    is_list: bool = False
    is_optional: bool = False
    default: Any = None

    @property
    def key(self) -> str:
        """Its name in a configuration file, as on the command line; files may also write its own name."""
        return self.flag.removeprefix("--").replace("-", "_")

    @property
    def is_reversed(self) -> bool:
        """Whether the command line has a flag that turns it off."""
        return self.type is bool and bool(self.default)

    @property
    def placeholder(self) -> str:
        """Return what stands for its value in a table of options."""
        if self.type is bool:
            return ""
        if self.choices:
            return self.metavar or "|".join(self.choices)
        plain = {float: "NUMBER", int: "N", Path: "PATH"}.get(self.type, "TEXT")
        return self.metavar or {"seconds": "SECONDS", "bytes": "SIZE"}.get(self.unit, plain)

    @property
    def shown_default(self) -> str:
        """Return its default as people read it: nothing where there is none."""
        if self.type is bool or self.default in (None, "", ()):
            return ""
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)


def option(default: Any, help: str, group: str, **more: Any) -> Any:
    """Return a field of a dataclass that describes an option; `more` are further fields of `Option`."""
    told = Option(help, group, **more)
    return field(default=default, metadata={_KEY: told})


@cache
def options_of(kind: type, command: str = "") -> tuple[Option, ...]:
    """Return the options of a dataclass in the order of its fields; of one command, where one is named."""
    hints = get_type_hints(kind)
    found = [_completed(one, hints[one.name]) for one in fields(kind) if _KEY in one.metadata]
    return tuple(one for one in found if not command or command in one.commands)


def _completed(described: Any, hint: Any) -> Option:
    """Return the description with what the field itself says: name, type and default."""
    told: Option = described.metadata[_KEY]
    default = None if described.default is MISSING else described.default
    is_optional, is_list = False, False
    if get_origin(hint) in (Union, types.UnionType):
        is_optional = type(None) in get_args(hint)
        hint = next(one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is tuple:
        is_list, hint = True, get_args(hint)[0]
    name = described.name
    is_off = hint is bool and bool(default)
    flag = told.flag or f"--{'no-' if is_off else ''}{name.replace('_', '-')}"
    return replace(
        told, name=name, type=hint, is_list=is_list, is_optional=is_optional, default=default, flag=flag,
        label=told.label or name.replace("_", " ").capitalize(),
    )  # fmt: skip
