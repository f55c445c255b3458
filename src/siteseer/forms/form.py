"""The values of a form: its fields with their labels and choices, and how it is sent."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from siteseer.model import JSON

Kind = Literal["search", "login", "registration", "contact", "mailing", "recovery", "order", "other"]
KINDS: tuple[Kind, ...] = ("search", "login", "registration", "contact", "mailing", "recovery", "order", "other")
"""What forms are for; polls, navigation, display options and captchas are `other`."""

TYPED = frozenset(("text", "search", "email", "tel", "url", "number", "password", "textarea"))
"""Types of fields that people type words into."""
DATED = frozenset(("date", "datetime", "datetime-local", "month", "week", "time"))
CHOSEN = frozenset(("select", "radio", "checkbox"))
"""Types of fields with a closed list of values."""
BUTTONS = frozenset(("submit", "image", "button", "reset"))
SENDING = frozenset(("submit", "image"))


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that a closed field may take, and what people read for it."""

    value: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One field as the server sees it: radio buttons and check boxes of one name are one field."""

    name: str
    type: str
    """`text`, `search`, `select`, `radio`, `checkbox`, `hidden`, `submit` ... as in HTML; unknown types are `text`."""
    label: str = ""
    """What people read beside it: `label` element, aria, placeholder, title or the text around it."""
    value: str = ""
    """What is sent when nobody touches it."""
    choices: tuple[Choice, ...] = ()
    is_set: bool = True
    """Whether it is sent when nobody touches it: an unchecked box is not."""
    multiple: bool = False
    disabled: bool = False
    read_only: bool = False
    required: bool = False
    id: str = ""
    classes: str = ""
    hints: str = ""
    """Placeholder, title, aria-label and label together: all that tells what belongs in it."""

    @property
    def is_open(self) -> bool:
        """Say whether any text may be typed into it."""
        return self.type in TYPED or self.type in DATED

    @property
    def is_closed(self) -> bool:
        """Say whether it has a list of values to choose from."""
        return self.type in CHOSEN


@dataclass(frozen=True, slots=True)
class Form:
    """A form in a page."""

    index: int
    """Its place among the forms of the page, from 0."""
    page: str
    """The URL of the page."""
    action: str
    """Where it is sent: absolute; empty where that is no http(s) address."""
    method: Literal["GET", "POST"]
    encoding: str
    """`application/x-www-form-urlencoded` or `multipart/form-data`."""
    charset: str
    fields: tuple[Field, ...]
    raw_action: str = ""
    id: str = ""
    name: str = ""
    classes: str = ""
    role: str = ""
    text: str = ""
    """The beginning of its visible text."""

    def field(self, name: str) -> Field | None:
        """Return the first field of that name."""
        return next((field for field in self.fields if field.name == name), None)

    def as_json(self) -> JSON:
        """Return the form for a strategy's memory."""
        return asdict(self)

    @staticmethod
    def of_json(stored: JSON) -> Form:
        """Return a form that was stored.

        >>> form = Form(0, "", "", "GET", "", "utf-8", (Field("in", "select", choices=(Choice("a", "A"),)),))
        >>> Form.of_json(form.as_json()) == form
        True
        """
        fields = tuple(
            Field(**{**field, "choices": tuple(Choice(**choice) for choice in field["choices"])})
            for field in stored["fields"]
        )
        return Form(**{**stored, "fields": fields})
