"""The page of compatible libraries lists the scripts and versions that `make clients` runs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "examples/clients"
PAGE = (ROOT / "docs/compatibility.md").read_text()
LIBRARIES = {  # a script, and the package whose version stands beside it
    "sb3_maskable_ppo": "sb3-contrib",
    "cleanrl_ppo": "torch",
    "torchrl_ppo": "torchrl",
    "rllib_ppo": "ray[rllib]",
    "tianshou_dqn": "tianshou",
    "openspiel_mcts": "open_spiel",
    "supersuit_wrappers": "supersuit",
    "inspect_positions": "inspect_ai",
}


def pins(name: str) -> dict[str, str]:
    return dict(line.split("==") for line in (CLIENTS / name).read_text().split())


def test_every_script_is_on_the_page_and_short() -> None:
    scripts = {path.name: path for path in CLIENTS.glob("*.py")}
    assert set(re.findall(r"^\|.*\(\.\./examples/clients/(\w+\.py)\)", PAGE, re.MULTILINE)) == set(scripts)
    assert all(len(path.read_text().splitlines()) <= 80 for path in scripts.values())


def test_the_versions_on_the_page_are_those_that_are_installed() -> None:
    listed = {script: version for version, script in re.findall(r"\| ([\d.]+) \| \[(\w+)\.py\]", PAGE)}
    pinned, for_rllib = pins("requirements.txt"), pins("requirements-rllib.txt")
    both = for_rllib | pinned
    assert listed == {script: both[package] for script, package in LIBRARIES.items()}
    assert f"with Gymnasium {pinned['gymnasium']} and PettingZoo {pinned['pettingzoo']}; RLlib asks" in PAGE
    assert f"RLlib asks for Gymnasium {for_rllib['gymnasium']}," in PAGE


def test_the_project_itself_asks_for_no_deep_learning_library_of_the_clients() -> None:
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert not pinned & {"torch", "torchrl", "tensordict", "sb3-contrib", "stable-baselines3", "supersuit", "tianshou"}
