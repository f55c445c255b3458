"""Makes the parameters of commands from the descriptions of options (`siteseer.settings`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from siteseer.settings import Option, options_of, read_one

Command = Callable[..., Any]


def takes(kind: type, command: str, *without: str) -> Callable[[Command], Command]:
    """Give a command the options of a dataclass that it takes.

    The decorated function gets the values of those that the user typed as `given`, by their names; what is not among
    them has its default.

    >>> from siteseer.settings import Politeness
    >>> @takes(Politeness, "detect")
    ... def detect(page: str, given: dict[str, Any]) -> int:
    ...     print(page, given)
    >>> detect(page="a.html", delay=5.0, contact=None)
    a.html {'delay': 5.0}
    """
    options = [one for one in options_of(kind, command) if one.name not in without]

    def decorate(function: Command) -> Command:
        own = inspect.signature(function, eval_str=True).parameters

        names = [name for name in own if name != "given"]

        @wraps(function)
        def run(*places: Any, **values: Any) -> Any:
            values.update(zip(names, places, strict=False))
            typed = [(one, values.pop(_parameter(one), None)) for one in options]
            given = {one.name: _value(one, value) for one, value in typed if value not in (None, [], ())}
            return function(**values, given=given)

        made = [one for one in own.values() if one.name != "given"]
        all_of = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in made] + [_made(one) for one in options]
        last = [one for one in all_of if one.name == "as_json"]
        signature = inspect.Signature([one for one in all_of if one.name != "as_json"] + last)
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
        del run.__dict__["__wrapped__"]
        return run

    return decorate


def _value(option: Option, value: Any) -> Any:
    if option.is_list:
        return tuple(value)
    return not value if option.is_reversed else value


def _parameter(option: Option) -> str:
    """Return the name of an option as a parameter: no word of the language."""
    return f"{option.name}_" if option.name in ("from", "in", "for") else option.name


def _made(option: Option) -> inspect.Parameter:
    kind: Any = bool if option.type is bool else str
    annotation = (list[kind] if option.is_list else kind) | None
    shown: dict[str, Any] = {"show_default": False} if kind is bool else {
        "parser": lambda text: read_one(option, text, option.flag), "metavar": option.placeholder,
        "show_default": option.shown_default or False,
        "autocompletion": (lambda: list(option.choices)) if option.choices else None,
    }  # fmt: skip
    told = typer.Option(option.flag, help=option.help, rich_help_panel=option.group, **shown)
    return inspect.Parameter(
        _parameter(option), inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[annotation, told]
    )
