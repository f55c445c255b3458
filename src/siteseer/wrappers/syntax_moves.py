"""The syntax nodes of what a path is made of: steps, actions and stars, and what qualifies them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from siteseer.wrappers.syntax_values import Call, Literal, Number, Variable

if TYPE_CHECKING:
    from siteseer.wrappers.syntax import Expression

REVERSE_AXES = frozenset(("ancestor", "ancestor-or-self", "parent", "preceding", "preceding-sibling"))
AXES = REVERSE_AXES | {
    "child", "descendant", "descendant-or-self", "following", "following-sibling", "self", "attribute", "style",
}  # fmt: skip
KEYWORDS = (
    "click", "nextclick", "clkwithchange", "dblclick", "pressenter", "focus", "submit", "check", "uncheck", "mouseover",
    "mouseout", "mouseenter", "mousemove", "mousedown", "mouseup", "wheel", "enterframe", "movetoframe", "movetohref",
)  # fmt: skip
Deed = OneOf["keyword", "text", "index", "variable", "wait", "press"]


# ── qualifiers ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Predicate:
    """`[@id]`: what must hold."""

    condition: Expression

    def __str__(self) -> str:
        return f"[{self.condition}]"


@dataclass(frozen=True, slots=True)
class Optional:
    """`[?.//p:<text=string(.)>]`: looked at, extracted from, never required."""

    condition: Expression

    def __str__(self) -> str:
        return f"[?{self.condition}]"


@dataclass(frozen=True, slots=True)
class Selector:
    """`.class` or `#id`, glued to what it narrows."""

    sign: OneOf[".", "#"]
    name: str

    def __str__(self) -> str:
        return self.sign + self.name


@dataclass(frozen=True, slots=True)
class Marker:
    """`:<price=string(.)>`: extract here. With a value an attribute, without one a record; `types` are RDF classes."""

    label: str
    types: tuple[str, ...] = ()
    value: Expression | None = None

    def __str__(self) -> str:
        types = f"({','.join(self.types)})" if self.types else ""
        return f":<{self.label}{types}{self._value()}>"

    def _value(self) -> str:
        if self.value is None:
            return ""
        bare = isinstance(self.value, Literal | Number | Variable | Call)
        return f"={self.value}" if bare else f"=({self.value})"


Qualifier = Predicate | Optional | Selector | Marker


def written(qualifiers: tuple[Qualifier, ...]) -> str:
    """Write qualifiers behind what they qualify."""
    return "".join(map(str, qualifiers))


# ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Step:
    """One step of XPath; `deep` where `//` stands before it.

    >>> str(Step("div", qualifiers=(Selector(".", "post"), Predicate(Number("1")))))
    'div.post[1]'
    """

    test: str = "node()"
    axis: str = "child"
    deep: bool = False
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        short = {("self", "node()"): ".", ("parent", "node()"): ".."}.get((self.axis, self.test))
        if self.qualifiers and isinstance(self.qualifiers[0], Selector):  # "..next" would be read as the parent
            short = None
        axis = {"child": "", "attribute": "@"}.get(self.axis, f"{self.axis}::")
        return (short or axis + self.test) + written(self.qualifiers)


@dataclass(frozen=True, slots=True)
class Action:
    """`{click /}`: do something with the node; then go on at the root (`absolute`) or at the same node.

    >>> str(Action("text", "Lettings", wait=2))
    "{'Lettings'[wait=2]}"
    """

    deed: Deed
    value: str
    absolute: bool = False
    wait: int = 0
    noback: bool = False
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        forms = {"text": str(Literal(self.value)), "variable": f"${self.value}", "wait": f"wait={self.value}"}
        forms["press"] = f"press {Literal(self.value)}"
        deed = forms.get(self.deed, self.value)
        return f"{{{deed}{options(self.wait, self.noback)}{' /' * self.absolute}}}{written(self.qualifiers)}"


@dataclass(frozen=True, slots=True)
class Star:
    """`(//a.next/{click /})*{0,30}`: the body again and again; `high` None means until nothing new comes."""

    body: tuple[Move, ...]
    low: int = 0
    high: int | None = None
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        bounds = "" if (self.low, self.high) == (0, None) else f"{{{self.low}"
        bounds += "" if self.high is None else f",{self.high}"
        bounds += "}" if bounds else ""
        return f"({joined(self.body)})*{bounds}{written(self.qualifiers)}"


Move = Step | Action | Star


def options(wait: int, noback: bool) -> str:
    """Write the options of an action or a document."""
    said = [f"wait={wait}"] * bool(wait) + ["noback"] * noback
    return f"[{','.join(said)}]" if said else ""


def joined(moves: tuple[Move, ...]) -> str:
    """Write moves, each with the slash before it."""
    return "".join(("//" if isinstance(move, Step) and move.deep else "/") + str(move) for move in moves)
