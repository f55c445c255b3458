"""What a crawl without failures never needs is not loaded."""

from __future__ import annotations

import subprocess
import sys


def test_the_record_learner_is_loaded_when_it_is_needed() -> None:
    asked = (
        "import siteseer.strategies.aware.adaptive_strategy, sys; "
        "print('siteseer.extract.records.learn_model' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True).stdout.strip() == "False"
