"""Builds the request that a browser would send for a form with these values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from urllib.parse import urlencode

from siteseer.forms.form import BUTTONS, SENDING, Form
from siteseer.model import Submit

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
Values = Mapping[str, str]


def fields_sent(form: Form, values: Values) -> tuple[tuple[str, str], ...]:
    """Return names and values in the order in which a browser sends them: defaults, except for what is given.

    >>> from siteseer.forms.form import Choice, Field
    >>> fields = (Field("q", "text"), Field("in", "select", value="all"), Field("t", "hidden", value="x"))
    >>> fields_sent(Form(0, "", "", "GET", "", "utf-8", fields), {"q": "tea"})
    (('q', 'tea'), ('in', 'all'), ('t', 'x'))
    """
    sent: list[tuple[str, str]] = []
    pressed = False
    for field in form.fields:
        if not field.name:
            continue
        if field.name in values:
            if field.type not in BUTTONS:
                sent.append((field.name, values[field.name]))
        elif field.disabled:
            continue
        elif field.type in SENDING:
            if not pressed and field.type == "submit":
                sent.append((field.name, field.value))
                pressed = True
        elif field.type not in BUTTONS and field.type != "file" and field.is_set:
            sent.append((field.name, field.value))
    return tuple(sent)


def submission(form: Form, values: Values, because: str, family: str = "forms") -> Submit:
    """Return the action that sends a form; for GET its URL carries the fields already.

    >>> from siteseer.forms.form import Field
    >>> form = Form(0, "http://e.org/", "http://e.org/find?old=1", "GET", URLENCODED, "utf-8", (Field("q", "text"),))
    >>> submission(form, {"q": "jam & tea"}, "example").url
    'http://e.org/find?q=jam+%26+tea'
    """
    fields = fields_sent(form, values)
    if form.method == "GET":
        query = urlencode(fields, encoding=form.charset, errors="xmlcharrefreplace")
        url = form.action.partition("?")[0] + (f"?{query}" if query else "")
        return Submit(url, because, "GET", fields, URLENCODED, family, referrer=form.page)
    named = "" if form.charset == "utf-8" else f"; charset={form.charset}"
    encoding = form.encoding + named
    return Submit(form.action, because, "POST", fields, encoding, family, referrer=form.page)


def body_of(action: Submit) -> tuple[str, bytes]:
    """Return the Content-Type and the body with which a form is posted; the same form always gives the same bytes.

    >>> body_of(Submit("http://e.org/", "example", "POST", (("q", "tea"),)))
    ('application/x-www-form-urlencoded', b'q=tea')
    """
    kind, _, charset = action.encoding.partition("; charset=")
    charset = charset or "utf-8"
    if kind != MULTIPART:
        return kind, urlencode(action.fields, encoding=charset, errors="xmlcharrefreplace").encode()
    parts = []
    for name, value in action.fields:
        quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        parts.append(f'Content-Disposition: form-data; name="{quoted}"\r\n\r\n{value}\r\n'.encode(charset, "replace"))
    boundary = "----siteseer" + sha256(b"".join(parts)).hexdigest()[:24]
    mark = f"--{boundary}".encode()
    return f"{MULTIPART}; boundary={boundary}", b"".join(mark + b"\r\n" + part for part in parts) + mark + b"--\r\n"


def name_of(action: Submit) -> str:
    """Return a URL that no other submission has: answers to posted forms all have the URL of the form's action.

    >>> name_of(Submit("http://e.org/find", "example", "POST", (("q", "tea"),)))
    'http://e.org/find?q=tea'
    """
    return action.url if action.method == "GET" else f"{action.url.partition('?')[0]}?{urlencode(action.fields)}"


def generic_url(form: Form, varied: Collection[str]) -> str:
    """Return the URL that stands for all submissions of a form in a navigation pattern (Vidal et al., section 5.4).

    >>> from siteseer.forms.form import Field
    >>> fields = (Field("select", "select"), Field("for", "text"), Field("t", "hidden", value="7"))
    >>> generic_url(Form(0, "", "http://e.org/find.cgi", "GET", URLENCODED, "utf-8", fields), {"select", "for"})
    'http://e.org/find.cgi?select=*&for=*&t=7'
    """
    sent = dict.fromkeys(varied, "*")
    parts = [f"{name}={value}" for name, value in fields_sent(form, sent)]
    return form.action.partition("?")[0] + "?" + "&".join(parts)
