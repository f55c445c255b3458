"""A form in, what files and people are told of it out."""

from __future__ import annotations

from siteseer.forms.form import Form
from siteseer.forms.gate import permission
from siteseer.forms.kinds import classify
from siteseer.model import JSON


def described(form: Form) -> JSON:
    """Return a form for people and files: where it is sent, and why it may be."""
    return {
        "index": form.index,
        "type": classify(form).kind,
        "method": form.method,
        "action": form.action,
        "because": permission(form).because,
        "encoding": form.encoding,
        "charset": form.charset,
        "sent": [
            {"name": field.name, "type": field.type, "value": field.value, "is_set": field.is_set}
            for field in form.fields
            if field.name and not field.disabled
        ],
        "fields": [
            {
                "name": field.name,
                "type": field.type,
                "label": field.label,
                "options": [{"value": choice.value, "label": choice.label} for choice in field.choices],
            }
            for field in form.fields
            if field.name
        ],
    }
