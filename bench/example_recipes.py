"""The recipes of `sites/live/catalogue.py`, whose dishes only a search form lists: by `form probe` and `form understand`.

python bench/examples.py --parts recipes

Wanted: precision 1.0 and recall at least 0.99 of the record pages. *Searches* counts submissions and further pages of
answers. Understanding is given an ontology of half the dishes; *new* is how many of the others it proposes, and how many
proposals are wrong.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import harness  # noqa: F401 - makes tests importable
from tests.real.recipes import Recipes, half_ontology, served

from siteseer.crawler.run import crawl
from siteseer.deepweb.ontology.ontology_paths import TYPE
from siteseer.deepweb.run import understand
from siteseer.settings import CrawlOptions

SEEDS = (1, 2, 3)


def table_recipes(seeds: tuple[int, ...] = SEEDS) -> None:
    """Print what both commands find of the recipes, and what it costs."""
    print("Recipes behind a form: record pages (wanted: precision 1.000, recall at least 0.990)")
    print(f"{'seed':>4} {'by':13} {'precision':>9} {'recall':>6} {'requests':>8} {'searches':>8}  new")
    for seed in seeds:
        with tempfile.TemporaryDirectory() as name:
            for how in (by_probe, by_understanding):
                folder = Path(name) / how.__name__
                folder.mkdir()
                with served(folder, seed) as site:
                    found, new = how(site, folder / "collection")
                    asked = site.asked
                right = found & site.records.keys()
                searches = sum(path.startswith("/find") for path in asked)
                print(
                    f"{seed:4} {how.__name__.removeprefix('by_'):13} {len(right) / max(1, len(found)):9.3f} "
                    f"{len(right) / len(site.records):6.3f} {len(asked):8} {searches:8}  {new}",
                    flush=True,
                )


def by_probe(site: Recipes, collection: Path) -> tuple[set[str], str]:
    """Return the paths of the pages that a probe calls records."""
    crawl(CrawlOptions((site.url + "/",), collection, "probe", delay=0.0, assets="none", browser="never"))
    lines = (collection / "pages" / "pages.jsonl").read_text().splitlines()[1:]
    pages = [json.loads(line) for line in lines]
    return {urlsplit(page["url"]).path for page in pages if page.get("level") == "record"}, ""


def by_understanding(site: Recipes, collection: Path) -> tuple[set[str], str]:
    """Return the paths of the records that understanding finds, and how many new ones it proposes rightly and wrongly."""
    options = CrawlOptions(
        (site.url + "/",), collection, "understand", delay=0.0, assets="none", browser="never", scope="host"
    )
    found, _ = understand(options, half_ontology(site.records))
    paths = {record.id: urlsplit(record.permalink).path for record in found.records}
    unknown = set(list(site.records)[1::2])
    proposed = {paths.get(one.subject, one.subject) for one in found.proposals if one.predicate == TYPE}
    return set(paths.values()), f"{len(proposed & unknown)} of {len(unknown)}, {len(proposed - unknown)} wrong"
