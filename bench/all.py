"""All benchmarks, one after the other: each prints a table and a ratio against a named peer or its slow twin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness import Names, run

HERE = Path(__file__).parent
BENCHES = tuple(
    "warc crawl aware detect records mutations adaptation search read compare interface acebot learned learned_variants articles "
    "article_feeds dates changes rates revisit forms pagination examples rtdm induce wrappers shelves".split()
)


def run_benches(names: Names = BENCHES, /) -> None:
    """Run benchmarks by name."""
    for name in names:
        print(f"\n── bench/{name}.py", flush=True)
        subprocess.run([sys.executable, str(HERE / f"{name}.py")], cwd=HERE.parent, check=False)


if __name__ == "__main__":
    run(run_benches)
