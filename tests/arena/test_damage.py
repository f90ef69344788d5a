"""Tournaments that cannot go on: damaged files and wrong usage are one line, and nothing is written over."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook.arena.folder import RESULTS, Results
from duelbook.arena.manifest import load_manifest
from tests.arena.conftest import SMALL, Call, files


class TestDamage:
    """What is in the folder already, whole or not."""

    @pytest.fixture
    def folder(self, small: Path, tmp_path: Path) -> Path:
        """The small tournament, stopped after 50 games."""
        folder = tmp_path / "out"
        folder.mkdir()
        for name in ("manifest.json", RESULTS):
            (folder / name).write_bytes((small / name).read_bytes())
        lines = (folder / RESULTS).read_bytes().splitlines(keepends=True)
        (folder / RESULTS).write_bytes(b"".join(lines[:50]))
        return folder

    def resumed(self, call: Call, folder: Path) -> str:
        """Go on, see that it is refused and nothing has changed, and answer what was said."""
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        said = call("tournament", "--out", folder, "--resume", "--backend", "serial")
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        return said.err

    @pytest.mark.parametrize("said", ["--pairs 6", "--seed 5", "--games charge", "--ply-limit 9"])
    def test_going_on_takes_nothing_else_without_the_agents(self, folder: Path, call: Call, said: str) -> None:
        done = call("tournament", "--out", folder, "--resume", *said.split())
        message = "--resume continues the plan in the folder. Leave out --games, --pairs, --seed and --ply-limit, "
        assert (done.code, done.err) == (2, f"duelbook: {message}or repeat the whole plan with --agents.\n")

    def test_a_half_written_line_is_played_again(self, small: Path, folder: Path, call: Call) -> None:
        with (folder / RESULTS).open("ab") as file:
            file.write((small / RESULTS).read_bytes().splitlines()[50][:99])
        assert call("tournament", "--out", folder, "--resume", "--backend", "serial").code == 0
        assert files(folder) == files(small)

    def test_a_damaged_line_is_refused_with_its_number(self, folder: Path, call: Call) -> None:
        whole = (folder / RESULTS).read_bytes()
        at = whole.index(b'"moves":["', 9000) + 10
        (folder / RESULTS).write_bytes(whole[:at] + b"9" + whole[at + 1 :])
        line = whole[:at].count(b"\n") + 1
        assert f"{RESULTS}, line {line}: damaged, its checksum is wrong; nothing was changed" in self.resumed(
            call, folder
        )

    def test_anything_else_is_refused(self, small: Path, folder: Path, call: Call) -> None:
        whole = (folder / RESULTS).read_bytes()
        (folder / RESULTS).write_bytes(b"hello\n" + whole)
        assert "line 1: damaged" in self.resumed(call, folder)
        (folder / RESULTS).write_bytes(whole + whole.splitlines(keepends=True)[0])
        assert "line 51: game 0 is there twice" in self.resumed(call, folder)
        other = (folder / "manifest.json").read_text().replace('"seed": 5', '"seed": 6')
        (folder / "manifest.json").write_text(other)
        assert "line 1: not of a game of this tournament" in self.resumed(call, folder)
        (folder / "manifest.json").write_text("{")
        assert "manifest.json: line 1: not JSON" in self.resumed(call, folder)

    def test_a_folder_at_which_another_process_works_is_refused(self, folder: Path, call: Call) -> None:
        with Results(folder, load_manifest(folder / "manifest.json")):
            assert "another process is at work in" in self.resumed(call, folder)

    def test_a_tournament_is_not_overwritten(self, folder: Path, call: Call) -> None:
        before = (folder / RESULTS).read_bytes()
        for arguments, message in (
            ([*SMALL], "holds a tournament already; go on with it by --resume, or give another folder"),
            ([*SMALL, "--pairs", "21", "--resume"], "holds another tournament: its pairs are not what was asked for"),
            ([*SMALL, "--seed", "6", "--resume"], "holds another tournament: its seed is not what was asked for"),
        ):
            said = call("tournament", *arguments, "--out", folder)
            assert said.err == f"duelbook: '{folder}' {message}\n"
            assert said.code == 2
        assert (folder / RESULTS).read_bytes() == before

    def test_a_folder_with_other_files_is_left_alone(self, tmp_path: Path, call: Call) -> None:
        (tmp_path / "thesis.tex").touch()
        said = call("tournament", *SMALL, "--out", tmp_path)
        assert said.err.endswith("holds other files (thesis.tex); give a new or an empty folder\n")
        assert os.listdir(tmp_path) == ["thesis.tex"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "random,gredy"], "Unknown agent 'gredy'. Agents: random, "),
        (["--agents", "random"], "a tournament needs at least two agents"),
        (["--agents", "random,random"], "agent 'random' is given twice"),
        (["--games", "charge"], "a tournament needs at least two agents"),
        (["--agents", "random,greedy", "--games", "go"], "Unknown game 'go'. Games: "),
        (["--agents", "random,greedy", "--games", "charge,charge"], "game 'charge' is given twice"),
        (["--agents", "random,greedy", "--games", "charge:goal=99"], "goal must be from 1 to 60, not 99"),
        (["--agents", "random,greedy", "--games", "charge:gaol"], "An option must be given as KEY=VALUE, not 'gaol'"),
        (["--agents", "random,greedy", "--backend", "cloud"], "unknown back end 'cloud'; valid: serial, process, ray"),
        (["--agents", "random,greedy", "--ray-address", "x:1"], "--ray-address goes with --backend ray"),
        (
            ["--agents", "random,greedy", "--backend", "serial", "--workers", "2"],
            "--workers goes with --backend process",
        ),
        (["--agents", "random,greedy", "--pairs", "0"], "Invalid value for '--pairs'"),
        (["--agents", "random,greedy,club", "--pairs", "999999"], "29,999,970 games are too many for a tournament"),
        (["--manifest", "/no/where"], "/no/where: No such file or directory"),
        (["--resume"], "'{out}' holds no tournament to go on with; give --games and --agents, or --manifest"),
        ([], "'{out}' holds no tournament to go on with"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    tmp_path: Path, call: Call, arguments: list[str], message: str
) -> None:
    out = tmp_path / "out"
    said = call("tournament", *arguments, "--out", out)
    assert said.err.startswith(f"duelbook: {message.format(out=out)}")
    assert (said.out, said.err.count("\n"), said.code) == ("", 1, 2)
    assert not out.exists()


def test_an_address_where_something_else_than_ray_listens_is_not_waited_for_long(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    monkeypatch.setattr("duelbook.arena.workers.ray.LONGEST_WELCOME", 5.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        said = call("tournament", *SMALL, "--out", tmp_path / "out", "--backend", "ray", "--ray-address", address)
    assert said == (2, "", f"duelbook: no Ray cluster answers at {address} within 5 seconds\n")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", "no Ray cluster answers at 127.0.0.1:9: "),
        ("nonsense", "--ray-address must be HOST:PORT or auto, not 'nonsense'"),
        ("auto", "the Ray cluster at auto cannot be used: ConnectionError: Could not find any running Ray instance."),
    ],
)
def test_a_ray_cluster_that_cannot_be_reached_is_one_line(
    tmp_path: Path, call: Call, address: str, message: str
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    out = tmp_path / "out"
    said = call("tournament", *SMALL, "--out", out, "--backend", "ray", "--ray-address", address)
    assert said.err.startswith(f"duelbook: {message}")
    assert (said.out, said.err.count("\n"), said.code) == ("", 1, 2)
    assert not out.exists()


@pytest.mark.parametrize(
    "command", ["tournament --agents greedy,random --workers 2", "eval --agent greedy --opponent random"]
)
def test_a_full_disk_is_one_line_loses_nothing_and_is_gone_on_from(tmp_path: Path, command: str) -> None:
    words = [sys.executable, "-m", "duelbook", *command.split()]
    words += ["--games", "flag-chase,charge", "--pairs", "40", "--out", str(tmp_path / "out")]
    small = ["sh", "-c", 'ulimit -f 20 && exec "$@"', "sh"]
    full = subprocess.run([*small, *words], capture_output=True, text=True, check=False)
    assert (full.returncode, full.stderr.count("\n")) == (2, 1)
    assert "File too large" in full.stderr
    assert "--resume" in full.stderr
    done = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "out/matches.jsonl").read_bytes().splitlines()) == 160
