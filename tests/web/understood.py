"""A collection with an understood form: the demo shop searched, and what there is to be understood of it, stored."""

from __future__ import annotations

import json
from pathlib import Path

from siteseer.deepweb.understanding_model import (
    ClassMatch,
    Column,
    Dependency,
    FieldMeaning,
    InstanceMatch,
    Proposal,
    Record,
    RelationMatch,
    Round,
    SearchBehaviour,
    Understanding,
)
from siteseer.demo import Site
from siteseer.demo.ontology import make_ontology

SCHEMA = "http://ontology.example.org/schema#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
PATHS = {
    "title": (LABEL,),
    "author": (f"{SCHEMA}created~", LABEL),
    "category": (f"{SCHEMA}hasGenre", LABEL),
    "year": (f"{SCHEMA}publicationYear",),
}
MEANINGS = {"title": "text", "author": "text", "category": "option", "min": "lowest", "max": "highest"}


def understood_shop(site: Site, origin: str, said: str = "") -> Understanding:
    """Return what is true of the first form of the demo shop; `said` is added to every text that comes from pages."""
    search = site.truth.search
    assert search is not None
    texts = [text for text in site.truth.texts if text.page in search.reachable]
    records = [
        Record(
            origin + text.page,
            f"{origin}/search?title=the",
            {name: (value + said,) for name, value in (("title", text.title), *text.fields)},
            origin + text.page,
        )
        for text in texts
    ]
    columns = [
        Column(name, name, name.title() + said, "text", "p[1]", 1.0, 9, (f"one {name}{said}",))
        for name in search.listed
    ]
    same = make_ontology("shop", site.truth.seed).same
    relations = [RelationMatch(name, path, 0.98, 40) for name, path in PATHS.items()]
    fields = [
        FieldMeaning(
            name, name.title() + said, "select" if attribute == "category" else "text", MEANINGS[name], (attribute,),  # type: ignore[arg-type]
            PATHS.get(attribute, ()), "", 0.9, f"values of {attribute} come back{said}",
        )
        for name, attribute in search.fields
    ]  # fmt: skip
    new = [record for record, text in zip(records, texts, strict=True) if text.page not in same]
    proposals = [
        Proposal("instance", one.id, LABEL, one.values["title"][0], True, 0.95, f"no instance is like it{said}")
        for one in new
    ]
    return Understanding(
        f"{origin}/",
        {"method": "GET", "action": f"{origin}/search{said}"},
        tuple(fields),
        tuple(columns),
        tuple(records),
        tuple(relations),
        tuple(InstanceMatch(origin + text.page, same[text.page], 0.97) for text in texts if text.page in same),
        (ClassMatch(f"{SCHEMA}Book", 1.0),),
        (Dependency("subject", "category", {f"nature{said}": (f"birds{said}",)}, f"a list is asked for{said}"),),
        SearchBehaviour("nothing", "yes", "phrase", "yes", "no", said),
        tuple(proposals),
        (Round(20, 40, 3, 0.8), Round(47, len(records), len(relations), 0.98)),
        47,
    )


def store(collection: Path, found: Understanding) -> None:
    """Keep an understanding where a run keeps it."""
    (collection / "siteseer").mkdir(parents=True, exist_ok=True)
    path = collection / "siteseer" / "understanding.json"
    path.write_text(json.dumps(found.as_json()), encoding="utf-8")
