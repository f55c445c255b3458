"""Holds the draft of a wrapper as a person designs it, and writes its OXPath text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import quote

from siteseer.wrapper.designer.mark_records import AttributeExample, Choice
from siteseer.wrapper.induction.compose_wrapper import PAGES, label, taken
from siteseer.wrapper.oxpath.language.syntax import Literal

FIELDS = ("select", "input", "textarea")


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action on the page that every run repeats."""

    xpath: str
    deed: str
    """`keyword` or `text`, as `Browser.act` knows them."""
    value: str
    said: str = ""
    """What it was done with, in the words of the page."""
    stays: bool = False
    """Whether the page kept its address."""

    def __str__(self) -> str:
        what = str(Literal(self.value)) if self.deed == "text" else self.value
        return f"{self.xpath}/{{{what} /}}"


@dataclass(frozen=True, slots=True)
class AttributeDraft:
    """An attribute of the records: its name, its examples, its candidate expressions and the chosen one."""

    name: str
    examples: tuple[AttributeExample, ...]
    choices: tuple[Choice, ...] = ()
    chosen: int = 0
    required: bool = False

    @property
    def choice(self) -> Choice:
        """The chosen expression."""
        return self.choices[min(self.chosen, len(self.choices) - 1)]

    def __str__(self) -> str:
        value = taken(self.choice.xpath, self.choice.value)
        joined = " | " in self.choice.xpath
        path = f"({self.choice.xpath})" if joined else self.choice.xpath
        return f"[{'' if self.required else '? '}{path}:<{label(self.name)}={value}>]"


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished wrapper.

    >>> parts = (AttributeDraft("price", (), (Choice(".//b", ()),)),)
    >>> print(Draft("http://e.org/", record=Choice("//li", ()), parts=parts, following=Choice("//a.next", ())))
    doc('http://e.org/')
    /(//a.next/{nextclick /})*{0,30}
    //li:<record>
      [? .//b:<price=normalize-space(.)>]
    """

    url: str
    deeds: tuple[RecordedAction, ...] = ()
    record: Choice | None = None
    parts: tuple[AttributeDraft, ...] = field(default=())
    following: Choice | None = None
    turns_in_place: bool = False
    """Whether the next link shows the next page without another address."""

    def __str__(self) -> str:
        lines = [f"doc({Literal(quote(self.url, safe=':/?#[]@!$&()*+,;=%~'))})"]
        lines += [str(one) for one in self.deeds]
        if self.following is not None:
            turn = "clkwithchange" if self.turns_in_place else "nextclick"
            lines.append(f"/({self.following.xpath}/{{{turn} /}})*{{0,{PAGES}}}")
        if self.record is not None:
            lines.append(f"{self.record.xpath}:<record>")
            lines += [f"  {one}" for one in self.parts if one.choices]
        return "\n".join(lines)

    def with_part(self, part: AttributeDraft) -> Draft:
        """Return it with another attribute, or with one of that name replaced."""
        if any(one.name == part.name for one in self.parts):
            return replace(self, parts=tuple(part if one.name == part.name else one for one in self.parts))
        return replace(self, parts=(*self.parts, part))

    def without_part(self, name: str) -> Draft:
        """Return it without an attribute."""
        return replace(self, parts=tuple(one for one in self.parts if one.name != name))
