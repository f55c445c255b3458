"""Describes a form as JSON, for people and files."""

from __future__ import annotations

from siteseer.forms.form import Form
from siteseer.forms.form_kinds import classify
from siteseer.forms.safe_to_submit import permission
from siteseer.model import JSON


def form_as_json(form: Form) -> JSON:
    """Return a form as JSON: where it is sent, and why that is safe."""
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
