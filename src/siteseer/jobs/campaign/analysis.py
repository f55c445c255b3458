"""A campaign's objects in, annotated objects out: the offline phase, by analysers that plug in.

Reference: the offline processing level of ARCOMEM (Faheem's thesis, section 4.2.2): entities, topics and opinions of
the stored objects, linked with them in the RDF store.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from siteseer.analyse.guarded import Guarded
from siteseer.analyse.study import Study, study
from siteseer.analyse.with_spacy import installed_models
from siteseer.decide.focused.runs import hash_of
from siteseer.describe.annotations import Annotations
from siteseer.describe.describe import Description, folder_of
from siteseer.describe.objects import from_json
from siteseer.interfaces import Analyser, AnalyserContext
from siteseer.jobs.campaign.catalogue import Catalogue
from siteseer.jobs.campaign.gathered import Gathered
from siteseer.jobs.campaign.survey import Tell, survey, write_readings
from siteseer.model import JSON, WebObject
from siteseer.plugins import analyser_factory

GROWN = 1.5
"""Names and topics are learned anew when the campaign has so many times the objects that they were learned from."""
STUDY = "study 2"
"""Under which it is kept, with the version of how names and topics are learned."""


def analyse(campaign: Gathered, names: Sequence[str] = (), again: bool = False, tell: Tell = lambda line: None) -> JSON:
    """Annotate what was gathered since the last time; return what all objects hold now.

    `names` are analysers; without any it is the built-in one, and spaCy where it has a model. `again` learns names and
    topics anew, whatever has been done.
    """
    with Catalogue.of(campaign.folder) as catalogue:
        survey(campaign, catalogue, tell)
        context = AnalyserContext(campaign.text, _study(campaign, catalogue, again, tell).to_json())
        done: Counter[str] = Counter()
        for name in names or usual():
            analyser = Guarded(name, analyser_factory(name), context)
            done[name] = 0
            for number, site in enumerate(described(campaign.sites), 1):
                for read in _annotate(site, name, analyser, catalogue):
                    done[name] += read
                    tell(f"{name}: {done[name]:,} objects read on {number:,} sites")
        for site in described(campaign.sites):
            with Description(site) as description:
                description.settle()
        return {"campaign": campaign.definition.name, "read": dict(done), **held_now(catalogue)}


def usual() -> list[str]:
    """Return the analysers that are used where none is named."""
    return ["plain", "spacy"] if installed_models() else ["plain"]


def described(sites: Sequence[Path]) -> Iterator[Path]:
    """Return the collections that have objects."""
    return (site for site in sites if (folder_of(site) / "text.db").is_file())


def held_now(catalogue: Catalogue) -> dict[str, JSON]:
    """Return how many objects there are, and what was read in them."""
    ((objects,),) = catalogue.rows("SELECT count(*) FROM written")
    ((annotated,),) = catalogue.rows("SELECT count(DISTINCT object) FROM reading")
    kinds = dict(catalogue.rows("SELECT kind, count(*) FROM reading GROUP BY kind ORDER BY kind"))
    return {"objects": objects, "annotated": annotated, "annotations": kinds}


def _annotate(site: Path, name: str, analyser: Analyser, catalogue: Catalogue) -> Iterator[int]:
    """Let an analyser read what it has not read of a site; yield how much that was, some at a time."""
    with Annotations.at(folder_of(site) / "text.db", name, analyser.version) as annotations:
        while waiting := annotations.waiting():
            read = [(seq, key, analyser.analyse(thing)) for seq, key, thing in waiting]
            with catalogue.transaction() as db:
                for (_, _, found), (_, _, thing) in zip(read, waiting, strict=True):
                    said = [(one.kind, one.label, one.degree) for one in found]
                    write_readings(db, hash_of(thing.id), name, said)
            annotations.keep(read)
            yield len(read)


def _study(campaign: Gathered, catalogue: Catalogue, again: bool, tell: Tell) -> Study:
    """Return what all objects tell together, from the last time while the campaign has not grown much."""
    stored = catalogue.rows("SELECT value FROM about WHERE name = ?", (STUDY,))
    ((objects,),) = catalogue.rows("SELECT count(*) FROM written")
    if stored and not again:
        told = json.loads(stored[0][0])
        if objects <= GROWN * told["of"]:
            return Study.from_json(told)
    tell(f"names and topics are learned from {objects:,} objects")
    made = study(thing for site in described(campaign.sites) for thing in _things(site))
    with catalogue.transaction() as db:
        row = (STUDY, json.dumps({"of": objects, **made.to_json()}))
        db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", row)
    return made


def _things(site: Path) -> Iterator[WebObject]:
    with Description(site) as description:
        for found in description.objects():
            yield from_json(found)
