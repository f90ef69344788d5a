"""Ray: the same files as without it, nothing left after an interrupt, and clusters that cannot be used.

Every test that starts a cluster is in this file, so that no two of them run at the same time.
"""

import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.conftest import SMALL, Call, files
from tests.arena.stubborn import interrupt_with_stubborn_programs
from tests.support.games import TOYS
from tests.support.odd_agents import TRACE

pytest.importorskip("ray", reason="Ray is not installed (extra ray)")


def test_games_and_agents_from_outside_give_the_same_files_though_a_worker_dies(
    tmp_path: Path, call: Call, use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_games(TOYS[0])
    monkeypatch.setenv(TRACE, str(tmp_path / "died"))
    plan = ("--games", "crystal-capture,pits", "--agents", "mortal,random,greedy", "--pairs", "4", "--seed", "5")
    assert call("tournament", *plan, "--out", tmp_path / "ray", "--backend", "ray", "--workers", "2").code == 0
    assert (tmp_path / "died").exists()
    assert call("tournament", *plan, "--out", tmp_path / "serial", "--backend", "serial").code == 0
    assert files(tmp_path / "ray") == files(tmp_path / "serial")


def test_no_program_outlives_an_interrupted_tournament(tmp_path: Path) -> None:
    interrupt_with_stubborn_programs(tmp_path, "ray", signal.SIGTERM)


def test_an_address_without_ray_is_not_waited_for_long(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.arena.workers.ray.CLUSTER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        said = call("tournament", *SMALL, "--out", tmp_path / "out", "--backend", "ray", "--ray-address", address)
    assert said == (2, "", f"duelbook: No Ray cluster answers at {address} within 0.5 seconds.\n")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", "No Ray cluster answers at 127.0.0.1:9: "),
        ("nonsense", "--ray-address must be HOST:PORT or auto, not 'nonsense'."),
        ("auto", "Cannot use the Ray cluster at auto: ValueError: Invalid address format: here."),
    ],
)
def test_an_unreachable_ray_cluster_is_reported_in_one_line(
    tmp_path: Path, call: Call, address: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "here")  # where `auto` looks, or it would find any cluster of this machine
    monkeypatch.setattr("duelbook.arena.workers.ray.CLUSTER_SECONDS", 600)  # importing Ray takes long on a busy machine
    out = tmp_path / "out"
    said = call("tournament", *SMALL, "--out", out, "--backend", "ray", "--ray-address", address)
    assert said.err.startswith(f"duelbook: {message}")
    assert (said.out, said.err.count("\n"), said.code) == ("", 1, 2)
    assert not out.exists()
