"""Lists the licences of everything that Siteseer's core installs, and fails where one is a GPL or AGPL, or unknown.

    python .ci/licences.py [--extra NAME]

The requirements of pyproject.toml are followed transitively through the metadata of the installed packages. Extras are
listed on request; only the core is judged, as only the core is what everybody gets.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
COPYLEFT = re.compile(r"\bA?GPL|Affero|(?<!Lesser )(?<!Library )General Public License", re.IGNORECASE)
"""Licences that would bind whoever builds on the core; the LGPL does not."""
LESSER = re.compile(r"\bLGPL[\w.+-]*|Lesser General Public License|Library General Public License", re.IGNORECASE)
CLASSIFIER = "License :: OSI Approved :: "


def licence_of(package: Distribution) -> str:
    """Return the licence that a package states: its SPDX expression, its classifiers, or the first line of its text.

    A choice ("MIT OR GPL-2.0") is as free as its freest part.
    """
    about = package.metadata
    if expression := about.get("License-Expression"):
        return str(expression)
    named = [one.removeprefix(CLASSIFIER) for one in about.get_all("Classifier") or () if one.startswith(CLASSIFIER)]
    stated = (about.get("License") or "").strip().splitlines()
    return " AND ".join(named) or (stated[0][:80] if stated else "")


def is_copyleft(licence: str) -> bool:
    """Say whether a licence is a GPL or AGPL in every part that may be chosen.

    >>> [is_copyleft(one) for one in ("AGPL-3.0", "GPLv3", "LGPL-2.1-only", "MIT OR GPL-2.0-only", "BSD AND GPL-2.0")]
    [True, True, False, False, True]
    """
    choices = re.split(r"\bOR\b", licence)
    return all(COPYLEFT.search(LESSER.sub("", choice)) for choice in choices)


def installed(requirements: Iterable[Requirement], extra: str = "") -> dict[str, str]:
    """Return name and licence of what these requirements install, transitively; "not installed" where one is missing."""
    found: dict[str, str] = {}
    waiting = [(one, extra) for one in requirements]
    while waiting:
        requirement, wanted = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": wanted})):
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:
            found[name] = "not installed"
            continue
        found[name] = licence_of(package) or "unknown"
        for line in package.requires or ():
            waiting += [(Requirement(line), one) for one in (*requirement.extras, "")]
    return dict(sorted(found.items()))


def requirements_of(project: Path, extra: str = "") -> list[Requirement]:
    """Return what a pyproject.toml requires for the core, or for one of its extras."""
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in (about["optional-dependencies"][extra] if extra else about["dependencies"])]


def main(arguments: list[str]) -> int:
    """Print the table; return 1 where the core may not be used as it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extra", default="", help="list an extra instead; it is not judged")
    parser.add_argument("--project", type=Path, default=ROOT / "pyproject.toml")
    given = parser.parse_args(arguments)
    found = installed(requirements_of(given.project, given.extra))
    for name, licence in found.items():
        print(f"{name:30} {licence}")
    bad = [] if given.extra else [name for name, one in found.items() if one == "unknown" or is_copyleft(one)]
    missing = [name for name, one in found.items() if one == "not installed"]
    for name in bad:
        print(f"{name}: {found[name]} does not go with a core under Apache-2.0", file=sys.stderr)
    for name in missing:
        print(f"{name} is not installed: its licence cannot be told", file=sys.stderr)
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
