"""Annotates the objects of a campaign with entities, topics and opinions: the offline phase, with pluggable analysers.

Reference: the offline processing level of ARCOMEM (Faheem's thesis, section 4.2.2): entities, topics and opinions of
the stored objects, linked with them in the RDF store.

Analysers come from installed packages, so they are guarded: a wrong number, a label as long as a book or a place
outside the text must not reach the stores, and an error names the analyser and the object without a traceback.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from siteseer.campaigns.analysers.corpus_statistics import CorpusStatistics, read_corpus
from siteseer.campaigns.analysers.spacy_analyser import installed_models
from siteseer.campaigns.analysis.campaign_index import CampaignIndex
from siteseer.campaigns.analysis.update_index import Tell, update_index, write_readings
from siteseer.campaigns.load_campaign import LoadedCampaign
from siteseer.collection.annotations import Annotations
from siteseer.collection.collection import Collection
from siteseer.collection.description import Description
from siteseer.collection.layout import has_objects, rows_of
from siteseer.collection.objects.object_json import from_json
from siteseer.errors import SiteseerError, UsageError
from siteseer.interfaces import Analyser, AnalyserContext, AnalyserFactory
from siteseer.model import JSON, Annotation, AnnotationKind, WebObject
from siteseer.page.text_hash import hash_of
from siteseer.plugins import analyser_factory

GROWN = 1.5
"""Names and topics are learned anew when the campaign has so many times the objects that they were learned from."""
STUDY = "study 2"
"""Under which it is kept, with the version of how names and topics are learned."""
LONGEST_LABEL, LONGEST_QUOTE = 200, 500
MOST = 500
"""Annotations of an object."""
KINDS = frozenset(get_args(AnnotationKind))


def analyse(
    campaign: LoadedCampaign, names: Sequence[str] = (), again: bool = False, tell: Tell = lambda line: None
) -> JSON:
    """Annotate the objects that are new since the last analysis; return how many annotations there are now.

    `names` are analysers; by default the built-in one, and spaCy where it has a model. `again` learns names and topics
    anew.
    """
    with CampaignIndex.of(campaign.folder) as catalogue:
        update_index(campaign, catalogue, tell)
        context = AnalyserContext(campaign.text, _study(campaign, catalogue, again, tell).to_json())
        done: Counter[str] = Counter()
        for name in names or default_analysers():
            analyser = SafeAnalyser(name, analyser_factory(name), context)
            done[name] = 0
            for number, site in enumerate(described_collections(campaign.sites), 1):
                for read in _annotate(site, name, analyser, catalogue):
                    done[name] += read
                    tell(f"{name}: {done[name]:,} objects read on {number:,} sites")
        for site in described_collections(campaign.sites):
            with Collection.open(site, "write") as collection, collection.description() as description:
                description.settle()
        return {"campaign": campaign.definition.name, "read": dict(done), **count_objects(catalogue)}


def default_analysers() -> list[str]:
    """Return the analysers that are used where none is named."""
    return ["plain", "spacy"] if installed_models() else ["plain"]


def described_collections(sites: Sequence[Path]) -> Iterator[Path]:
    """Return the collections that have objects."""
    return (site for site in sites if has_objects(site))


def count_objects(catalogue: CampaignIndex) -> dict[str, JSON]:
    """Return how many objects and annotations there are."""
    ((objects,),) = catalogue.rows("SELECT count(*) FROM written")
    ((annotated,),) = catalogue.rows("SELECT count(DISTINCT object) FROM reading")
    kinds = dict(catalogue.rows("SELECT kind, count(*) FROM reading GROUP BY kind ORDER BY kind"))
    return {"objects": objects, "annotated": annotated, "annotations": kinds}


def _annotate(site: Path, name: str, analyser: Analyser, catalogue: CampaignIndex) -> Iterator[int]:
    """Let an analyser read what it has not read of a site; yield how much that was, some at a time."""
    with (
        Collection.open(site, "write"),
        Annotations.at(rows_of(site), name, analyser.version) as annotations,
    ):
        while waiting := annotations.waiting():
            read = [(seq, key, analyser.analyse(thing)) for seq, key, thing in waiting]
            with catalogue.transaction() as db:
                for (_, _, found), (_, _, thing) in zip(read, waiting, strict=True):
                    said = [(one.kind, one.label, one.degree) for one in found]
                    write_readings(db, hash_of(thing.id), name, said)
            annotations.keep(read)
            yield len(read)


def _study(campaign: LoadedCampaign, catalogue: CampaignIndex, again: bool, tell: Tell) -> CorpusStatistics:
    """Return what all objects tell together, from the last time while the campaign has not grown much."""
    stored = catalogue.rows("SELECT value FROM about WHERE name = ?", (STUDY,))
    ((objects,),) = catalogue.rows("SELECT count(*) FROM written")
    if stored and not again:
        told = json.loads(stored[0][0])
        if objects <= GROWN * told["of"]:
            return CorpusStatistics.from_json(told)
    tell(f"names and topics are learned from {objects:,} objects")
    made = read_corpus(thing for site in described_collections(campaign.sites) for thing in _things(site))
    with catalogue.transaction() as db:
        row = (STUDY, json.dumps({"of": objects, **made.to_json()}))
        db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", row)
    return made


def _things(site: Path) -> Iterator[WebObject]:
    with Description.of(site) as description:
        for found in description.objects():
            yield from_json(found)


class SafeAnalyser:
    """Runs an analyser and checks its results."""

    def __init__(self, name: str, make: AnalyserFactory, context: AnalyserContext) -> None:
        self.name = name
        try:
            self._analyser: Analyser = make(context)
            self.version = str(self._analyser.version)
        except SiteseerError:
            raise
        except Exception as error:  # foreign code: whatever it raises
            raise UsageError(f"the analyser {name} cannot be made: {_told(error)}") from error

    def analyse(self, thing: WebObject) -> Sequence[Annotation]:
        """Return the valid part of what the analyser read in an object."""
        try:
            return list(self._fitting(self._analyser.analyse(thing), len(thing.text or "")))
        except SiteseerError:
            raise
        except Exception as error:
            raise UsageError(f"the analyser {self.name} failed on {thing.id[:200]}: {_told(error)}") from error

    @staticmethod
    def _fitting(found: Sequence[Annotation], length: int) -> Iterator[Annotation]:
        for one in list(found)[:MOST]:
            least = -1.0 if one.kind == "opinion" else 0.0
            if one.kind in KINDS and math.isfinite(one.degree) and math.isfinite(one.confidence):
                is_inside = one.start is not None and one.end is not None and 0 <= one.start < one.end <= length
                start, end = (one.start, one.end) if is_inside else (None, None)
                yield Annotation(
                    one.kind, _line(one.label)[:LONGEST_LABEL], min(1.0, max(least, one.degree)),
                    min(1.0, max(0.0, one.confidence)), start, end, one.quote[:LONGEST_QUOTE],
                    _line(one.sort)[:LONGEST_LABEL],
                )  # fmt: skip


def _line(text: str) -> str:
    """Return a text as one line that can be shown.

    >>> _line(" a\\x00\\nb ")
    'a b'
    """
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[:10_000]).split())


def _told(error: Exception) -> str:
    """Return an error of foreign code in one line."""
    return f"{type(error).__name__}: {_line(str(error))[:200]}"
