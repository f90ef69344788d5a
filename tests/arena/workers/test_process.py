"""Matches in other processes: what workers run again, and what they know."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import RefusedError, make, tournament
from duelbook.agents import AGENTS
from duelbook.agents.greedy import GreedyAgent
from duelbook.games import GAMES
from duelbook.lab import lab

SCRIPT = """
from duelbook.arena import plan_tournament, run_tournament
from duelbook.lab import plan_lab, run_lab

print("begun")
standings = run_tournament(plan_tournament("flag-chase", "greedy,random", pairs=2), "tournament", workers=2)
print(standings["matches"])
print(len(run_lab(plan_lab("flag-chase", ["cells=5,7"], pairs=1), "lab", workers=2)))
"""


@pytest.mark.parametrize("from_file", [True, False])
def test_workers_do_not_run_the_script_again(from_file: bool, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="PyArrow is not installed (extra lab)")
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py" if from_file else "-"],
        input="" if from_file else SCRIPT,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("begun\n4\n2\n", "")


@pytest.mark.parametrize("backend", ["process", "ray"])
def test_what_only_this_process_knows_is_not_given_to_others(
    backend: str, tmp_path: Path, use_agents: Callable[[str], None], use_games: Callable[[str], None]
) -> None:
    use_agents("")
    use_games("")
    AGENTS.add("eager", GreedyAgent)
    GAMES.add("run", type("Run", (type(make("flag-chase")),), {}))
    only = "Only this process knows the {} '{}'; other processes do not. Use the back end serial, "
    with pytest.raises(RefusedError, match=only.format("agent", "eager")):
        tournament("flag-chase", ["eager", "random"], folder=tmp_path / "out", backend=backend)
    with pytest.raises(RefusedError, match=only.format("game", "run")):
        tournament("flag-chase,run", ["greedy", "random"], folder=tmp_path / "out", backend=backend)
    with pytest.raises(RefusedError, match=only.format("game", "run")):
        lab("run", "cells=5,7", folder=tmp_path / "out", backend=backend)
    assert not (tmp_path / "out").exists()
