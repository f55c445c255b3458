"""The day of publication: exact-day accuracy, cross-validated by site, beside htmldate in the same run; speed; calibration.

    python bench/dates.py [--shuffles 5]

Both are given the address and the same last possible day. CPU times are means over all pages, each page parsed anew; they come first, since htmldate
remembers strings that it has read. What the bench itself holds is kept from the garbage collector meanwhile: it is no cost of either.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

from htmldate import find_date
from train_dates import SETS, Example, cross, examples, is_label_wrong

from siteseer.changes.timestamps.model import Answer, answer, shipped_weights
from siteseer.model import Page

WANTED = {"htmldate_eval": 0.94, "newspaper424": 0.90}
EDGES = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 1.01)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shuffles", type=int, default=5)
    shuffles = arguments.parse_args().shuffles
    data = examples()
    speed(data)
    runs = [[best for best, _ in cross(data, seed, dict(shipped_weights().confidence))] for seed in range(shuffles)]
    print(
        f"\n{'set':15} {'pages':>5} {'wanted':>7} {'siteseer':>9} {'(lowest-highest)':>17} {'htmldate ext.':>14} {'fast':>6} {'ceiling':>8}"
    )
    for name in SETS:
        accuracy(name, data, runs)
    for names in ([*SETS], *([name] for name in SETS)):
        chosen = [(e, best) for e, best in zip(data, runs[0], strict=True) if e.set in names]
        calibration(" and ".join(names), *zip(*chosen, strict=True))
    sound = [(e, best) for e, best in zip(data, runs[0], strict=True) if not is_label_wrong(e)]
    calibration("both, without the labels of another year than the page", *zip(*sound, strict=True))


def accuracy(name: str, data: list[Example], runs: list[list[Answer]]) -> None:
    own = [number for number, e in enumerate(data) if e.set == name]
    shares = [sum(run[number].day == data[number].gold for number in own) / len(own) for run in runs]
    peers = [sum(peer(data[n], extensive) == data[n].gold for n in own) / len(own) for extensive in (True, False)]
    ceiling = sum(any(row.day == data[n].gold for row in data[n].rows) for n in own) / len(own)
    wrong = sum(is_label_wrong(data[n]) for n in own)
    spread = f"{min(shares):.3f}-{max(shares):.3f}"
    print(
        f"{name:15} {len(own):5} {WANTED[name]:7.2f} {sum(shares) / len(shares):9.3f} {spread:>17} {peers[0]:14.3f} {peers[1]:6.3f} {ceiling:8.3f}"
        f"   ({wrong} labels of another year than the page)"
    )


def peer(e: Example, extensive: bool) -> date | None:
    try:
        found = find_date(
            e.page.body.decode("utf-8", "replace"), url=e.page.url, extensive_search=extensive, original_date=True,
            max_date=e.latest.isoformat(),
        )  # fmt: skip
    except (ValueError, TypeError):
        return None
    return date.fromisoformat(found) if found else None


def speed(data: Sequence[Example]) -> None:
    print(f"{'CPU ms/page':24}" + "".join(f"{name:>28}" for name in SETS))
    ways: dict[str, Callable[[Example], object]] = {
        "siteseer": lambda e: answer(Page(e.page.url, 200, e.page.headers, e.page.body), e.latest),
        "htmldate extensive": lambda e: peer(e, True),
        "htmldate fast": lambda e: peer(e, False),
    }
    gc.collect()
    gc.freeze()
    for way, run in ways.items():
        cells = []
        for name in SETS:
            times = []
            for e in (one for one in data if one.set == name):
                start = time.process_time()
                run(e)
                times.append((time.process_time() - start) * 1000)
            times.sort()
            cells.append(f"mean {sum(times) / len(times):6.2f} median {times[len(times) // 2]:6.2f}")
        print(f"{way:24}" + "".join(f"{cell:>28}" for cell in cells))
    gc.unfreeze()
    quick = sum(e.quick is not None for e in data) / len(data)
    print(
        f"answered without parsing: {quick:.1%}, right {sum(e.quick == e.gold for e in data if e.quick) / max(1, sum(e.quick is not None for e in data)):.3f}"
    )


def calibration(name: str, data: Sequence[Example], answers: Sequence[Answer]) -> None:
    print(f"\n{name}\n{'confidence':12} {'pages':>5} {'mean':>6} {'accuracy':>9}")
    pairs = [(best.confidence, best.day == e.gold) for e, best in zip(data, answers, strict=True)]
    error = 0.0
    for low, high in pairwise(EDGES):
        inside = [(c, right) for c, right in pairs if low <= c < high]
        if inside:
            mean, share = sum(c for c, _ in inside) / len(inside), sum(right for _, right in inside) / len(inside)
            error += abs(mean - share) * len(inside) / len(pairs)
            print(f"{low:.2f}-{min(high, 1):.2f}   {len(inside):5} {mean:6.3f} {share:9.3f}")
    pairs.sort(key=lambda pair: -pair[0])
    for coverage in (0.5, 0.7, 0.8, 0.9, 0.95, 1.0):
        kept = pairs[: round(len(pairs) * coverage)]
        print(
            f"precision at {coverage:4.0%} coverage {sum(right for _, right in kept) / len(kept):.3f}"
            + ("   (wanted 0.97)" if coverage == 0.9 else "")
        )
    print(f"expected calibration error {error:.3f}")


if __name__ == "__main__":
    main()
