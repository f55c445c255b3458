"""Analysers of other packages: found by their entry point, and whatever they do is told in one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.campaigns.analysis.analyse_objects import LONGEST_LABEL, SafeAnalyser
from siteseer.errors import UsageError
from siteseer.interfaces import AnalyserContext
from siteseer.model import Annotation, WebObject
from siteseer.plugins import analyser_factory

CONTEXT = AnalyserContext('name = "x"\nseeds = ["e.org"]\nkeywords = ["kelp"]\n', {})
POST = WebObject("post", "urn:x:1", "http://e.org/", text="Kelp in Larkstead.")
MODULE = """
from siteseer.model import Annotation

class Places:
    version = "1"
    def analyse(self, thing):
        at = (thing.text or "").find("Larkstead")
        return [Annotation("entity", "Larkstead", 1.0, 0.9, at, at + 9, "Larkstead", "PLACE")] if at >= 0 else []

def make(context):
    return Places()
"""


class Foreign:
    """An analyser that does what it is told."""

    version = "1"

    def __init__(self, work: Callable[[WebObject], list[Annotation]]) -> None:
        self.analyse = work


def test_an_analyser_of_an_installed_package_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "places_of_ours.py").write_text(MODULE)
    about = tmp_path / "places_of_ours-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: places-of-ours\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[siteseer.analysers]\nplaces = places_of_ours:make\ngone = places_of_ours:gone\nlost = no_such_thing:make\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    (one,) = SafeAnalyser("places", analyser_factory("places"), CONTEXT).analyse(POST)
    assert (one.label, one.sort, one.start) == ("Larkstead", "PLACE", 8)
    for name in ("gone", "lost"):
        with pytest.raises(UsageError, match="cannot be loaded"):
            analyser_factory(name)


def test_what_does_not_fit_is_cut_or_left_out() -> None:
    said = [
        Annotation("entity", "x" * 10_000 + "\x00", 7.0, 9.0, 5, 999, "q" * 10_000),
        Annotation("opinion", "\x1b[31m", -3.0),
        Annotation("entity", "never", math.nan),
        Annotation("mood", "never", 1.0),  # type: ignore[arg-type]
    ]
    one, other = SafeAnalyser("odd", lambda context: Foreign(lambda thing: said), CONTEXT).analyse(POST)
    assert (len(one.label), one.degree, one.confidence, one.start) == (LONGEST_LABEL, 1.0, 1.0, None)
    assert (other.label, other.degree) == ("[31m", -1.0) and len(one.quote) < 1_000


def test_an_analyser_that_fails_is_named() -> None:
    def fail(thing: WebObject) -> list[Annotation]:
        raise KeyError("boom")

    with pytest.raises(UsageError, match=r"analyser odd failed on urn:x:1: KeyError: 'boom'"):
        SafeAnalyser("odd", lambda context: Foreign(fail), CONTEXT).analyse(POST)
    with pytest.raises(UsageError, match="analyser odd failed"):
        SafeAnalyser("odd", lambda context: Foreign(lambda thing: None), CONTEXT).analyse(POST)  # type: ignore[arg-type, return-value]
    with pytest.raises(UsageError, match="analyser odd cannot be made"):
        SafeAnalyser("odd", lambda context: 1 / 0, CONTEXT)  # type: ignore[arg-type]
