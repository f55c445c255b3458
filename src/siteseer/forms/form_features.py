"""Computes the features of a form for its classification: counts of fields, and concepts by place in the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from siteseer.forms.field_concepts import concepts, says_only_search
from siteseer.forms.form import BUTTONS, DATED, SENDING, TYPED, Form

_COUNTED = (
    "text",
    "search",
    "password",
    "email",
    "tel",
    "url",
    "number",
    "checkbox",
    "radio",
    "file",
    "select",
    "textarea",
)
_HIDDEN_STEPS = (0, 1, 2, 3, 6, 12)


def features(form: Form) -> frozenset[str]:
    """Return the features of a form; the weights know those that training has met.

    >>> form = Form(0, "http://e.org/", "http://e.org/find", "GET", "", "utf-8", (), raw_action="/find")
    >>> "ac:search" in features(form), "m=get" in features(form)
    (True, True)
    """
    return frozenset((*_counts(form), *_words(form)))


def _counts(form: Form) -> Iterator[str]:
    types = [field.type for field in form.fields]
    dates = sum(kind in DATED for kind in types)
    for kind in _COUNTED:
        yield f"n:{kind}={_few(types.count(kind))}"
    yield f"n:date={_few(dates)}"
    typed = [kind for kind in types if kind in TYPED]
    shown = [kind for kind in types if kind != "hidden" and kind not in BUTTONS]
    yield f"nt={_few(len(typed))}"
    yield f"nv={_few(len(shown), 6)}"
    yield f"nh={_step(types.count('hidden'))}"
    yield f"ns={_few(sum(kind in SENDING for kind in types))}"
    yield f"m={form.method.lower()}"
    if form.role.lower() == "search":
        yield "role-search"
    lonely = len(typed) == 1 and not {"password", "textarea"} & set(types)
    if lonely:
        yield "one-text"
        yield f"one-text-{form.method.lower()}"
    if lonely and len(shown) == 1:
        yield "only-text"
    if types.count("password") == 1 and len(typed) == 2:
        yield "pw1t1"
    if not typed:
        yield "no-text"


def _words(form: Form) -> Iterator[str]:
    met: set[str] = set()
    for channel, text in channels(form):
        for concept in concepts(text):
            met.add(concept)
            yield f"{channel}c:{concept}"
    for field in form.fields:
        if field.type in TYPED and "query" in concepts(field.name):
            yield "query-name"
    if has_search_button(form):
        yield "search-button"
    yield from (f"X:{concept}" for concept in met)


def channels(form: Form) -> Iterator[tuple[str, str]]:
    """Yield the places of a form's words, each with its text.

    `f` id, name, class and role; `a` action without host; `s` text of the buttons that send it; `b` their names; `i`
    names of fields; `l` labels, hints and default values; `h` names of hidden fields; `t` text; `u` the page.
    """
    sending = [field for field in form.fields if field.type in SENDING]
    shown = [field for field in form.fields if field.type != "hidden" and field.type not in BUTTONS]
    yield "f", _joined((form.id, form.name, form.classes, form.role))
    yield "a", path_of(form.raw_action)
    yield "s", _joined(f"{field.value} {field.hints}" for field in sending)
    yield "b", _joined(f"{field.name} {field.id} {field.classes}" for field in sending)
    yield "i", _joined(f"{field.name} {field.id}" for field in shown)
    yield "l", _joined(f"{field.hints} {field.label} {field.value if field.is_open else ''}" for field in shown)
    yield "h", _joined(field.name for field in form.fields if field.type == "hidden")
    yield "t", form.text
    yield "u", path_of(form.page)


def has_search_button(form: Form) -> bool:
    """Say whether the only button that sends a form says "search" and nothing else."""
    sending = [field for field in form.fields if field.type in SENDING]
    return len(sending) == 1 and says_only_search(sending[0].value or sending[0].label)


def path_of(address: str) -> str:
    """Return an address without scheme and host.

    >>> path_of("https://login.e.org/find?q=1"), path_of("find.php")
    ('/find?q=1', 'find.php')
    """
    scheme, mark, rest = address.partition("//")
    if not mark or "?" in scheme or "/" in scheme:
        return address
    _, slash, path = rest.partition("/")
    return slash + path


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _few(count: int, most: int = 3) -> str:
    return str(count) if count < most else f"{most}+"


def _step(count: int) -> int:
    return next((step for step in _HIDDEN_STEPS if count <= step), 13)
