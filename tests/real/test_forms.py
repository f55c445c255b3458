"""Forms and pagination on labelled pages: the shipped weights, and the gate that lets only search forms through."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LABELLED = ROOT / ".." / "shared" / "data" / "labelled.tar.xz"
pytestmark = [
    pytest.mark.skipif(not LABELLED.is_file(), reason="no labelled pages beside the project (shared/data)"),
    pytest.mark.large,
]


def bench(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load a benchmark, which reads the labelled pages and scores."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    spec = importlib.util.spec_from_file_location(f"bench_{name}", ROOT / "bench" / f"{name}.py")
    assert spec and spec.loader
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_forms_of_unseen_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = bench("forms", monkeypatch)
    known = forms.examples()
    chances = forms.cross_validated(known)
    figures = forms.figures(known, chances)
    assert figures["accuracy"] >= 0.905
    assert figures["F1 search"] >= 0.945
    assert figures["F1 search field"] >= 0.94
    for post in (False, True):
        taken = forms.taken(known, chances, post)
        assert set(taken) == {"search"}, f"other forms would be sent: {taken}"
        assert taken["search"] >= 130
    shipped = [forms.permission(one.form).allowed for one in known]
    assert {one.raw_kind for one, allowed in zip(known, shipped, strict=True) if allowed} == {"search"}


def test_pagination_of_unseen_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    pagination = bench("pagination", monkeypatch)
    known = pagination.examples()
    figures = pagination.figures(known, pagination.cross_validated(known))
    assert figures["links F1"] >= 0.96
