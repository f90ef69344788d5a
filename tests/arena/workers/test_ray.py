"""Ray clusters that cannot be used."""

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.arena.conftest import SMALL, Call

PATIENCE = 120.0  # for the cluster of another test to end


def test_an_address_without_ray_is_not_waited_for_long(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    monkeypatch.setattr("duelbook.arena.workers.ray.CLUSTER_SECONDS", 5.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        said = call("tournament", *SMALL, "--out", tmp_path / "out", "--backend", "ray", "--ray-address", address)
    assert said == (2, "", f"duelbook: No Ray cluster answers at {address} within 5 seconds.\n")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", "No Ray cluster answers at 127.0.0.1:9: "),
        ("nonsense", "--ray-address must be HOST:PORT or auto, not 'nonsense'."),
    ],
)
def test_an_unreachable_ray_cluster_is_reported_in_one_line(
    tmp_path: Path, call: Call, address: str, message: str
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    out = tmp_path / "out"
    said = call("tournament", *SMALL, "--out", out, "--backend", "ray", "--ray-address", address)
    assert said.err.startswith(f"duelbook: {message}")
    assert (said.out, said.err.count("\n"), said.code) == ("", 1, 2)
    assert not out.exists()


def test_a_search_for_a_cluster_where_none_runs_is_reported_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    out = tmp_path / "out"
    search = [sys.executable, "-m", "duelbook", "tournament", *SMALL, "--out", str(out)]
    search += ["--backend", "ray", "--ray-address", "auto"]
    message = "duelbook: Cannot use the Ray cluster at auto: ConnectionError: Could not find any running Ray instance."
    deadline = time.monotonic() + PATIENCE
    while True:  # in a process of its own, which dies with the cluster of a test that runs beside this one
        said = subprocess.run(search, capture_output=True, text=True, check=False)
        if said.stderr.startswith(message) or time.monotonic() > deadline:
            break
        shutil.rmtree(out, ignore_errors=True)
        time.sleep(2)
    assert said.stderr.startswith(message)
    assert (said.stdout, said.stderr.count("\n"), said.returncode) == ("", 1, 2)
    assert not out.exists()
