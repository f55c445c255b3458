"""The day of publication: exact-day accuracy, cross-validated by site, beside htmldate in the same run; speed; calibration.

    python bench/dates.py [--shuffles 5] [--folds site]

No page is answered by weights, nor its confidence estimated by a calibration, that saw another page of its site.

Both are given the address and the same last possible day. CPU times are means over all pages, each page parsed anew; they come first, since htmldate
remembers strings that it has read. What the bench itself holds is kept from the garbage collector meanwhile: it is no cost of either.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal

from harness import run
from htmldate import find_date
from train_dates import SETS, Example, examples, is_label_wrong, unseen_answers

from siteseer.extract.timestamps.day_model import Answer, answer
from siteseer.model import Page

WANTED = {"htmldate_eval": 0.94, "newspaper424": 0.90}
ALL_WANTED, SURE, SURE_WANTED = 0.925, 0.9, 0.97
EDGES = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 1.01)


def main(shuffles: int = 5, folds: Literal["site"] = "site") -> int:
    data = examples()
    speed(data)
    runs = [unseen_answers(data, seed) for seed in range(shuffles)]
    print(
        f"\n{'set':15} {'pages':>5} {'wanted':>7} {'siteseer':>9} {'(lowest-highest)':>17} {'htmldate ext.':>14} {'fast':>6} {'ceiling':>8}"
    )
    for name in SETS:
        accuracy(name, data, runs)
    for names in ([*SETS], *([name] for name in SETS)):
        chosen = [(e, best) for e, best in zip(data, runs[0], strict=True) if e.set in names]
        calibration(" and ".join(names), *zip(*chosen, strict=True))
    missed = over_all(data, runs, folds)
    sound = [(e, best) for e, best in zip(data, runs[0], strict=True) if not is_label_wrong(e)]
    calibration("both, without the labels of another year than the page", *zip(*sound, strict=True))
    return missed


def over_all(data: list[Example], runs: list[list[Answer]], folds: str) -> int:
    """Print what holds over all sets and shuffles; return how many of the wanted figures are missed."""
    pairs = [(best, e) for answers in runs for best, e in zip(answers, data, strict=True)]
    right = sum(best.day == e.gold for best, e in pairs) / len(pairs)
    sure = [(best.day == e.gold, is_label_wrong(e)) for best, e in pairs if best.confidence >= SURE]
    share, kept = sum(one for one, _ in sure) / len(sure), [one for one, is_wrong in sure if not is_wrong]
    print(
        f"\nall sets, folds by {folds}: right {right:.4f} (wanted {ALL_WANTED}); {len(sure) / len(pairs):.1%} answered with {SURE} or more, of them "
        f"right {share:.4f} (wanted {SURE_WANTED}), {sum(kept) / len(kept):.4f} without the labels of another year"
    )
    return int(right < ALL_WANTED) + int(share < SURE_WANTED)


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
    for way, date_one in ways.items():
        cells = []
        for name in SETS:
            times = []
            for e in (one for one in data if one.set == name):
                start = time.process_time()
                date_one(e)
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
    run(main)
