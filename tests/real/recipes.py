"""The recipes of `sites/live/catalogue.py` on loopback: dishes behind a form, with their truth and half an ontology."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE
from tests.real.captures import SITES

CATALOGUE = SITES / "live" / "catalogue.py"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
OWN = "http://kitchen.example/"


@dataclass(frozen=True)
class Recipes:
    """A running site: its address, the path of each record page with its values, and what was asked for."""

    url: str
    records: dict[str, dict[str, str]]
    log: Path

    @property
    def asked(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [json.loads(line)["path"] for line in self.log.read_text().splitlines()]


@contextmanager
def served(folder: Path, seed: int, count: int = 90) -> Iterator[Recipes]:
    """Serve the recipes of a seed until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(CATALOGUE), "recipes", "--records", str(count), "--seed", str(seed)]
    said = subprocess.run([*command, "--truth"], check=True, capture_output=True, text=True).stdout
    records = {one["path"]: one for one in map(json.loads, said.splitlines())}
    log = folder / f"recipes-{seed}.jsonl"
    server = subprocess.Popen([*command, "--port", str(port), "--log", str(log)], stdout=subprocess.DEVNULL)
    try:
        _wait(port)
        yield Recipes(f"http://127.0.0.1:{port}", records, log)
    finally:
        server.terminate()
        server.wait()


def _wait(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")


def half_ontology(records: dict[str, dict[str, str]]) -> list[Fact]:
    """Return what an ontology says that knows every other dish, its kitchen and its minutes."""
    facts: list[Fact] = []
    for number, one in enumerate(records.values()):
        kitchen = f"{OWN}kitchen/{one['kitchen']}"
        facts += [Fact(kitchen, TYPE, f"{OWN}Kitchen"), Fact(kitchen, LABEL, one["kitchen"], True)]
        if number % 2:
            continue
        dish = f"{OWN}dish/{number}"
        facts += [
            Fact(dish, TYPE, f"{OWN}Dish"),
            Fact(dish, LABEL, one["title"], True),
            Fact(dish, f"{OWN}cuisine", kitchen),
            Fact(dish, f"{OWN}minutes", one["minutes"], True),
        ]
    return list(dict.fromkeys(facts))
