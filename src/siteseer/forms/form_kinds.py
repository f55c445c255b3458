"""Classifies a form by its purpose: search, login, registration, contact, mailing, recovery, order or other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from siteseer.forms.form import Form, Kind
from siteseer.forms.form_features import features
from siteseer.page.linear_model import Weights

WEIGHTS = "kinds.json"
"""Fitted by `bench/forms.py --train`; the file says on what."""


@dataclass(frozen=True, slots=True)
class FormKind:
    """The kind of a form, the confidence, and the probability of each kind."""

    kind: Kind
    confidence: float
    probabilities: dict[str, float]


def classify(form: Form) -> FormKind:
    """Return the kind of a form.

    >>> from siteseer.forms.parse_forms import forms
    >>> from siteseer.model import Page
    >>> body = b'<form action="/login" method="post"><input name="user"><input type="password" name="pass"></form>'
    >>> classify(forms(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))[0]).kind
    'login'
    """
    weights = _weights()
    chances = dict(zip(weights.classes, weights.probabilities(features(form)), strict=True))
    best = max(chances, key=lambda kind: chances[kind])
    return FormKind(cast(Kind, best), chances[best], chances)


@lru_cache(maxsize=1)
def _weights() -> Weights:
    return Weights.shipped("siteseer.forms", WEIGHTS)
