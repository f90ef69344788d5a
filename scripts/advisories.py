"""Known faults of the pinned packages: `python -m scripts.advisories` (`make audit`).

pip-audit asks the package index for the advisories of every pinned version. An index that is only a mirror has none.
What was then looked up by hand, and when, is in `advisories.toml`, which must name the pinned version of every package
that pyproject.toml and scripts/setup ask for.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("advisories.toml")
CONSTRAINTS = ROOT / "constraints.txt"
PIP_AUDIT = ["pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]


@dataclass
class Answer:
    """What the package index says: faults as sentences, how many packages it knows, or why it says nothing."""

    problem: str = ""
    faults: list[str] = field(default_factory=list)
    known: int = 0


def pinned() -> dict[str, set[str]]:
    """Return the pinned versions of every package; some have one for each Python."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in CONSTRAINTS.read_text().splitlines():
        name, _, version = line.partition(";")[0].strip().partition("==")
        found[name].add(version)
    return found


def package_name(requirement: str) -> str:
    """Return the name of a package as indexes spell it."""
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def direct() -> dict[str, set[str]]:
    """Return the versions of the packages that Duelbook asks for itself, and of the page's tools."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(name for extra in project["optional-dependencies"].values() for name in extra)]
    names = {package_name(text) for text in asked}
    tools = re.search(r'page_tools="(.*)"', (ROOT / "scripts/setup").read_text())
    assert tools
    pins = pinned()
    return {name: pins[name] for name in names} | {
        name: {version} for name, _, version in (tool.rpartition("@") for tool in tools[1].split())
    }


def outdated() -> list[str]:
    """Return a sentence for every difference between the list and what is pinned."""
    listed: dict[str, Any] = tomllib.loads(LIST.read_text())
    wanted = direct()
    missing = [f"{name} is not listed." for name in sorted(wanted.keys() - listed.keys())]
    removed = [f"{name} is listed, but not used." for name in sorted(listed.keys() - wanted.keys())]
    changed = [
        f"{name} is listed with version {listed[name]['version']}, but {' and '.join(sorted(versions))} is pinned."
        for name, versions in sorted(wanted.items())
        if name in listed and {*listed[name]["version"].split(", ")} != versions
    ]
    return [*missing, *removed, *changed]


def ask_index() -> Answer:
    """Return what the package index knows of the pinned versions."""
    if find_spec("pip_audit") is None:
        return Answer("pip-audit is not installed; install it with: scripts/setup audit")
    command = [sys.executable, "-m", *PIP_AUDIT, "--requirement", str(CONSTRAINTS)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return read_answer(ended.stdout, ended.stderr)


def read_answer(text: str, errors: str = "") -> Answer:
    """Return what pip-audit has printed; a package that the index has no advisories for is skipped in it."""
    answer = Answer()
    try:
        packages = json.loads(text)["dependencies"]
    except ValueError:  # the index cannot be reached
        last = (errors.strip().splitlines() or ["pip-audit printed nothing"])[-1]
        return Answer(f"the package index cannot be asked: {last}")
    for package in packages:
        answer.known += "vulns" in package
        for fault in package.get("vulns", ()):
            fixed = ", ".join(fault["fix_versions"]) or "none"
            answer.faults.append(f"{package['name']} {package['version']}: {fault['id']}, fixed in {fixed}.")
    return answer if answer.known else Answer("the package index has advisories of none of the packages")


def main() -> int:
    """Print what is known; return 1 unless the index was asked, knows no fault, and the list is up to date."""
    answer = ask_index()
    problems = [*answer.faults, *outdated()]
    for problem in problems:
        print(problem)
    if outdated():
        print(f"Look up the advisories of these packages, and write the result to {LIST.relative_to(ROOT)}.")
    if not answer.problem:
        print(f"The package index has the advisories of {answer.known} packages: {len(answer.faults)} known faults.")
    else:
        listed: dict[str, Any] = tomllib.loads(LIST.read_text())
        dates = sorted(entry["checked"] for entry in listed.values() if "checked" in entry)
        print(
            f"Nobody was asked for advisories: {answer.problem}.\n"
            f"{len(dates)} of {len(listed)} packages were looked up by hand from {dates[0]} to {dates[-1]}; "
            f"{LIST.relative_to(ROOT)} has the results. What became known since then is not in it."
        )
    return 1 if problems or answer.problem else 0


if __name__ == "__main__":
    sys.exit(main())
