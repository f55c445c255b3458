"""Twenty cases of `bench/chaos.py`: each command killed once, and each fault once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_twenty_cases_leave_collections_that_can_be_trusted() -> None:
    command = [sys.executable, "bench/chaos.py", "--quick", "--seed", "25"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    total = done.stdout.splitlines()[-1]
    assert total.startswith("20 cases, ") and ", 0 failed, " in total
