"""Returns the forms of a page as JSON, as `siteseer form` prints them."""

from __future__ import annotations

from typing import Any

from siteseer.forms.field_roles import role
from siteseer.forms.form_kinds import classify
from siteseer.forms.parse_forms import forms
from siteseer.forms.safe_to_submit import permission
from siteseer.model import Page


def form_rows(page: Page) -> list[dict[str, Any]]:
    """Return the forms of a page, each with its kind, its fields and whether it may be sent."""
    found = []
    for one in forms(page):
        kind = classify(one)
        allowed = permission(one, True, kind)
        fields = [
            {
                "name": field.name,
                "type": field.type,
                "role": role(field, one, kind.kind == "search"),
                "label": field.label,
                "options": [{"value": choice.value, "label": choice.label} for choice in field.choices],
                "value": field.value,
            }
            for field in one.fields
        ]
        about = {"index": one.index, "type": kind.kind, "confidence": round(kind.confidence, 3), "method": one.method}
        sent = {"action": one.action or one.raw_action, "encoding": one.encoding, "submitted": allowed.allowed}
        found.append({**about, **sent, "because": allowed.because, "fields": fields})
    return found
