"""The tree distance: agreement with the plain version, time of real pages, and how well it tells templates apart.

python bench/rtdm.py [--pairs 2000]
"""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict

from harness import run
from labelled import labelled
from tests.page.similarity.rtdm_reference import plain_distance
from tests.page.similarity.test_rtdm import random_tree

from siteseer.model import Page
from siteseer.page.similarity.page_signature import signature
from siteseer.page.similarity.rtdm import Comparison, similarity
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.similarity.shared_subtrees import SharedSubtrees


def agreement(pairs: int) -> int:
    """Return how many random pairs of trees have the same distance in both versions."""
    chance, same = random.Random(1), 0
    for _ in range(pairs):
        one, other = (random_tree(chance, chance.randint(1, 20)) for _ in range(2))
        forest = SharedSubtrees()
        same += Comparison(forest).distance(forest.plant(one), forest.plant(other)) == plain_distance(one, other)
    return same


def area(same: list[float], other: list[float]) -> float:
    """Return the chance that a pair of one template is more similar than a pair of two (AUC)."""
    return sum((a > b) + 0.5 * (a == b) for a in same for b in other) / (len(same) * len(other))


def nodes(page: Page) -> int:
    """Return the number of elements of a page that are laid out."""
    forest = SharedSubtrees()
    return forest.sizes[forest.grow(page)]


def milliseconds(pages: list[Page], chance: random.Random) -> list[float]:
    """Return the time of comparisons of real pages with 1,000 to 2,500 nodes, trees not yet made."""
    taken = []
    large = [page for page in pages if 1_000 <= nodes(page) <= 2_500][:30]
    for _ in range(30):
        one, other = chance.sample(large, 2)
        started = time.process_time()
        similarity(one, other, None)
        taken.append(1000 * (time.process_time() - started))
    return taken


def main(pairs: int = 2_000) -> None:
    print(f"agreement with the plain version: {agreement(pairs)} of {pairs}")
    chance = random.Random(2)
    sites: dict[str, list[Page]] = defaultdict(list)
    for row, page in labelled("swde"):
        if len(sites[row["site"]]) < 6:
            sites[row["site"]].append(page)
    pages = [page for found in sites.values() for page in found]
    taken = milliseconds(pages, chance)
    print(
        f"two pages of about 1,500 nodes: {statistics.median(taken):.1f} ms (wanted: below 20), worst {max(taken):.1f}"
    )
    same = [tuple(chance.sample(sites[name], 2)) for name in sites for _ in range(3) if len(sites[name]) > 1]
    names = [chance.sample(sorted(sites), 2) for _ in same]
    other = [(chance.choice(sites[one]), chance.choice(sites[two])) for one, two in names]
    for name, measure in (
        ("RTDM", similarity),
        ("signature", lambda one, two: jaccard(signature(one), signature(two))),
    ):
        scores = [[measure(one, two) for one, two in found] for found in (same, other)]
        print(f"{name:10} AUC {area(*scores):.4f} (wanted: 0.98) on {len(same)} pairs of one site, {len(other)} of two")


if __name__ == "__main__":
    run(main)
