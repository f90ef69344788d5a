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


def test_the_versions_on_the_page_are_those_that_are_installed() -> None:
    listed = {script: version for version, script in re.findall(r"\| ([\d.]+) \| \[(\w+)\.py\]", PAGE)}
    pinned, for_rllib = pins("requirements.txt"), pins("requirements-rllib.txt")
    both = for_rllib | pinned
    assert listed == {script: both[package] for script, package in LIBRARIES.items()}
    assert f"with Gymnasium {pinned['gymnasium']} and PettingZoo {pinned['pettingzoo']}; RLlib asks" in PAGE
    assert f"RLlib asks for Gymnasium {for_rllib['gymnasium']}," in PAGE
