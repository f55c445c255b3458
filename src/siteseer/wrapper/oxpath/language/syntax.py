"""The syntax nodes of OXPath: frozen values whose `str()` parses back to the same node.

An expression is a value (`Literal`, `Number`, `Variable`, `Call`), an operation (`Binary`, `Negative`) or a `Path`. A
path starts somewhere and makes `Move`s: a `Step` of XPath, an `Action`, a `Star`. Moves carry `Qualifier`s: predicates,
optional predicates, extraction markers, CSS-like selectors. Whoever only needs XPath uses `Path`, `Step`, `Predicate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

__all__ = (
    "AXES", "KEYWORDS", "PRECEDENCE", "REVERSE_AXES", "Action", "Binary", "Call", "Deed", "Document", "Expression",
    "Group", "Literal", "Marker", "Move", "Negative", "Number", "Optional", "Path", "Predicate", "Qualifier",
    "Selector", "Star", "Start", "Step", "Variable",
)  # fmt: skip
REVERSE_AXES = frozenset(("ancestor", "ancestor-or-self", "parent", "preceding", "preceding-sibling"))
AXES = REVERSE_AXES | {
    "child", "descendant", "descendant-or-self", "following", "following-sibling", "self", "attribute", "style",
}  # fmt: skip
KEYWORDS = (
    "click", "nextclick", "clkwithchange", "dblclick", "pressenter", "focus", "submit", "check", "uncheck", "mouseover",
    "mouseout", "mouseenter", "mousemove", "mousedown", "mouseup", "wheel", "enterframe", "movetoframe", "movetohref",
)  # fmt: skip
Deed = OneOf["keyword", "text", "index", "variable", "wait", "press"]
PRECEDENCE = {
    "or": 1, "and": 2, "=": 3, "!=": 3, "~=": 3, "#=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4,
    "+": 5, "-": 5, "*": 6, "div": 6, "mod": 6, "|": 8,
}  # fmt: skip
"""How strongly operators bind; 7 is the sign of a number."""
SIGN, PATH = 7, 9


@dataclass(frozen=True, slots=True)
class Literal:
    """`'Next'`: a string; a quote of its own kind inside it is doubled.

    >>> print(Literal("it's"))
    "it's"
    """

    text: str

    def __str__(self) -> str:
        if "'" in self.text and '"' not in self.text:
            return f'"{self.text}"'
        return "'" + self.text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class Number:
    """`3` or `0.5`, as it was written."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Variable:
    """`$town`: a value that the person gives when the wrapper is run."""

    name: str

    def __str__(self) -> str:
        return f"${self.name}"


@dataclass(frozen=True, slots=True)
class Call:
    """`contains(., 'Next')`: a function and its arguments."""

    name: str
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True, slots=True)
class Negative:
    """`-x`."""

    operand: Expression

    def __str__(self) -> str:
        return "-" + within(self.operand, SIGN)


@dataclass(frozen=True, slots=True)
class Binary:
    """`left operator right`; operators of one strength are read from the left.

    >>> str(Binary("-", Number("5"), Binary("-", Number("2"), Number("1"))))
    '5 - (2 - 1)'
    """

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        strength = PRECEDENCE[self.operator]
        blank = "" if self.operator in ("=", "!=", "~=", "#=") else " "
        return f"{within(self.left, strength)}{blank}{self.operator}{blank}{within(self.right, strength + 1)}"


def within(expression: Expression, strength: int) -> str:
    """Write an operand, in parentheses where its operator binds less than `strength`."""
    if isinstance(expression, Binary):
        own = PRECEDENCE[expression.operator]
    else:
        own = SIGN if isinstance(expression, Negative) else PATH
    text = str(expression)
    # A lone slash would take the operator behind it for its first step.
    return f"({text})" if own < strength or text == "/" else text


# ── qualifiers ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Predicate:
    """`[@id]`: what must hold."""

    condition: Expression

    def __str__(self) -> str:
        return f"[{self.condition}]"


@dataclass(frozen=True, slots=True)
class Optional:
    """`[?.//p:<text=string(.)>]`: an optional predicate; extracts, but is never required."""

    condition: Expression

    def __str__(self) -> str:
        return f"[?{self.condition}]"


@dataclass(frozen=True, slots=True)
class Selector:
    """`.class` or `#id`, right after the step that it narrows."""

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
    """`{click /}`: act on the node; then continue at the root (`absolute`) or at the same node.

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
    """`(//a.next/{click /})*{0,30}`: repeat the body; `high` None means until nothing new comes."""

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


@dataclass(frozen=True, slots=True)
class Document:
    """`doc("http://example.org/")`: load a page."""

    url: Literal | Variable
    wait: int = 0
    noback: bool = False
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        how = options(self.wait, self.noback)
        return f"doc({self.url}{', ' + how if how else ''}){written(self.qualifiers)}"


@dataclass(frozen=True, slots=True)
class Group:
    """`(//a)[1]`: any expression as the start of a path."""

    inner: Expression
    qualifiers: tuple[Qualifier, ...] = ()

    def __str__(self) -> str:
        bare = isinstance(self.inner, Call | Variable)
        return (str(self.inner) if bare else f"({self.inner})") + written(self.qualifiers)


Start = OneOf["", "/"] | Document | Group


@dataclass(frozen=True, slots=True)
class Path:
    """Moves from the context node (start empty), the root (`/`), a document, or the nodes of an expression.

    >>> str(Path("/", (Step("a", deep=True, qualifiers=(Selector(".", "next"),)), Action("keyword", "click", True))))
    '//a.next/{click /}'
    """

    start: Start = ""
    moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        if self.start == "" and not self.moves:
            raise ValueError("a path without moves is written '.'")
        first = self.moves[0] if self.moves else Step()
        if self.start in ("", "/") and not isinstance(first, Step):
            raise ValueError("an action or a star begins at a node: write '.' before it")
        if self.start == "" and isinstance(first, Step) and first.deep:
            raise ValueError("a path from the context node begins without //")

    def __str__(self) -> str:
        if self.start == "":
            return joined(self.moves)[1:]
        if self.start == "/":
            return joined(self.moves) or "/"
        return f"{self.start}{joined(self.moves)}"


Expression = Literal | Number | Variable | Call | Negative | Binary | Path
