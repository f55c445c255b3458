"""Makes the models of requests from the descriptions of options."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from siteseer.settings import Option, options_of

LONGEST, MOST_TEXTS = 8_000, 1_000
"""Characters of a text, and texts of a list."""
MOST_NUMBER = 10**12


def option_model(name: str, kind: type, command: str) -> Any:
    """Return a model with the options of a command that others may set over HTTP."""
    options = [one for one in options_of(kind, command) if one.is_remote]
    fields: dict[str, Any] = {one.name: (_type(one), _field(one)) for one in options}
    return create_model(name, __base__=_Strict, **fields)


class _Strict(BaseModel):
    """Refuses what it does not know."""

    model_config = ConfigDict(extra="forbid")


def _type(option: Option) -> Any:
    """Return the type of an option's value in a request."""
    if option.choices and not option.is_open:
        found: Any = Literal[tuple(option.choices)]
    elif option.type in (int, float):
        most = MOST_NUMBER if option.most is None else option.most
        bounds: dict[str, Any] = {"ge": option.least, "le": most}
        if option.type is float:
            bounds["allow_inf_nan"] = False
        found = Annotated[option.type, Field(**bounds)]
    elif option.type is bool:
        found = bool
    else:
        found = Annotated[str, Field(max_length=LONGEST)]
    if option.is_list:
        found = Annotated[list[found], Field(max_length=MOST_TEXTS)]
    return found | None if option.is_optional else found


def _field(option: Option) -> Any:
    default = list(option.default) if option.is_list else option.default
    return Field(default=default, title=option.label, description=option.help)
