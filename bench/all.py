"""All benchmarks, one after the other: each prints a table and a ratio against a named peer or its slow twin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    for name in (
        "warc",
        "crawl",
        "aware",
        "detect",
        "records",
        "search",
        "read",
        "mutations",
        "acebot",
        "articles",
        "article_feeds",
        "compare",
        "forms",
        "pagination",
    ):
        if (HERE / f"{name}.py").exists():
            print(f"\n── bench/{name}.py", flush=True)
            subprocess.run([sys.executable, str(HERE / f"{name}.py")], cwd=HERE.parent, check=False)


if __name__ == "__main__":
    main()
