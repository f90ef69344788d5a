"""Tournaments from the command line: the same files everywhere, whatever is interrupted, dies or is damaged."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from duelbook.agents import AGENTS, Kind
from duelbook.agents.chance import Chance
from duelbook.agents.forfeit import StoppedError
from duelbook.arena.backends.pool import Done
from duelbook.arena.backends.ray import RayPool
from duelbook.arena.backends.serial import SerialPool
from duelbook.arena.folder import RESULTS, Results
from duelbook.arena.manifest import load_manifest
from duelbook.arena.tournament import play, prepared, publish
from duelbook.arena.work import work
from duelbook.game import Move
from duelbook.match import MatchView
from duelbook.recordjson import from_json
from tests.arena.conftest import Call, files, serial
from tests.arena.odd import TRACE, mortal_work
from tests.keyboard import piped, session, without_colour

SMALL = ("--games", "crystal-capture", "--agents", "random,greedy,perfect", "--pairs", "20", "--seed", "5")
SLEEPY = ("--games", "flag-chase", "--agents", "sleepy,random", "--pairs", "40", "--seed", "3")
ODD = [sys.executable, "-m", "tests.arena.odd", "tournament"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small tournament that was played in one process."""
    return serial(tmp_path_factory.mktemp("small") / "out", *SMALL)


@pytest.fixture(scope="module")
def sleepy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament that takes long enough to be interrupted."""
    return serial(tmp_path_factory.mktemp("sleepy") / "out", *SLEEPY)


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_give_the_same_files(small: Path, tmp_path: Path, workers: int) -> None:
    done = piped(["tournament", *SMALL, "--workers", str(workers), "--out", str(tmp_path / "out")])
    assert (done.returncode, done.stderr) == (0, "")
    assert files(tmp_path / "out") == files(small)


def test_ray_gives_the_same_files_though_a_worker_dies(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    monkeypatch.setenv(TRACE, str(tmp_path / "died"))
    plan = load_manifest(small / "manifest.json")
    with closing(RayPool(prepared(plan), 2, None, mortal_work)) as pool, Results(tmp_path / "out", plan) as results:
        results.begin()
        play(results, pool, lambda count: None)
        publish(results)
    assert (tmp_path / "died").exists()
    assert files(tmp_path / "out") == files(small)


def test_every_match_replays_in_the_order_of_the_games(small: Path) -> None:
    plan = load_manifest(small / "manifest.json")
    lines = (small / "matches.jsonl").read_text().splitlines()
    records = [from_json(json.loads(line)) for line in lines]
    assert [record.seed for record in records] == [plan.seed_of(number) for number in range(plan.total)]
    assert [record.first for record in records[:4]] == [0, 1, 0, 1]
    timings = [json.loads(line) for line in (small / "timings.jsonl").read_text().splitlines()]
    for record, timing in zip(records, timings, strict=True):
        assert len(record.moves) == len(timing["first"]) + len(timing["second"])


def test_the_standings_add_up(small: Path) -> None:
    document = json.loads((small / "standings.json").read_text())
    assert document["matches"] == 120
    [game] = document["games"]
    for table in (document["overall"], game):
        rows = table["standings"]
        assert [row["agent"] for row in rows] == ["perfect", "greedy", "random"]
        assert sum(row["points"] for row in rows) == 120
        assert sum(table["seats"].values()) == 120
        for row, cells in zip(rows, table["cross"], strict=True):
            assert row["matches"] == row["wins"] + row["draws"] + row["ply_limit"] + row["losses"] == 80
            assert row["points"] == sum(cell["points"] for cell in cells if cell)
            assert row["as_first"]["matches"] == row["as_second"]["matches"] == 40
            assert row["low"] <= row["rating"] <= row["high"]
        assert rows[0]["accuracy"] == 1
        assert rows[0]["regret"] == 0
        assert rows[0]["as_first"]["wins"] == 40
        assert rows[2]["accuracy"] < rows[1]["accuracy"] < 1
    assert sum(game["lengths"].values()) == 120


def test_a_manifest_plays_the_tournament_again(small: Path, tmp_path: Path, call: Call) -> None:
    arguments = ["--manifest", small / "manifest.json", "--out", tmp_path / "out"]
    assert call("tournament", *arguments, "--seed", 1).err.startswith("duelbook: --games, --agents, --pairs, --seed")
    assert call("tournament", *arguments, "--backend", "serial").code == 0
    assert files(tmp_path / "out") == files(small)


@pytest.mark.parametrize("backend", ["serial", "process"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_tournament_goes_on_and_gives_the_same_files(
    sleepy: Path, tmp_path: Path, call: Call, backend: str, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    command = [*ODD, *SLEEPY, "--backend", backend, "--out", out]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (out / RESULTS).exists() or (out / RESULTS).read_bytes().count(b"\n") < 8:
        time.sleep(0.01)
    workers = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    if number == signal.SIGINT:
        os.killpg(running.pid, number)  # as a terminal does
    else:
        running.kill()
    _, complaint = running.communicate(timeout=60)
    assert not (out / "matches.jsonl").exists()
    if number == signal.SIGINT:
        assert running.returncode == 130
        assert complaint == (
            f"duelbook: stopped; every finished game is kept, go on with: duelbook tournament --out {out} --resume\n"
        )
    kept = (out / RESULTS).read_bytes()
    assert 8 <= kept.count(b"\n") < 80
    assert call("tournament", "--out", out, "--resume", "--backend", "serial").code == 0
    assert files(out) == files(sleepy)
    assert (out / RESULTS).read_bytes().startswith(kept[: kept.rindex(b"\n") + 1]), (
        "what was finished is not played again"
    )
    assert not [worker for worker in workers if alive(worker)]


def alive(process: str) -> bool:
    """Tell whether the process still runs; one that nobody waits for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_workers_end_with_the_tournament_even_in_the_middle_of_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRACE, str(tmp_path / "thinks"))
    games = ("--games", "flag-chase", "--agents", "endless,random", "--pairs", "1", "--workers", "1")
    with subprocess.Popen([*ODD, *games, "--out", tmp_path / "out"]) as running:
        while not (tmp_path / "thinks").exists():
            time.sleep(0.01)
        workers = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.kill()
    deadline = time.monotonic() + 10
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert workers
    assert not any(map(alive, workers))


def test_a_worker_that_dies_is_replaced_and_its_games_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = ("--games", "flag-chase", "--agents", "mortal,random", "--pairs", "10")
    monkeypatch.setenv(TRACE, str(tmp_path / "died"))
    command = [*ODD, *games, "--workers", "2", "--out", str(tmp_path / "dying")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "died").exists()
    assert files(tmp_path / "dying") == files(serial(tmp_path / "living", *games))


def test_a_game_that_ends_every_worker_is_one_clear_line(tmp_path: Path) -> None:
    games = ("--games", "flag-chase", "--agents", "random,deadly,greedy", "--pairs", "3")
    command = [*ODD, *games, "--workers", "2", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("duelbook: the worker died 3 times over game ")
    assert "deadly" in done.stderr
    assert done.stderr.count("\n") == 1


def test_forfeits_of_every_kind_are_losses_and_shown_apart(tmp_path: Path, call: Call) -> None:
    out = tmp_path / "out"
    games = ("--games", "charge", "--agents", "random,illegal,late,broken", "--pairs", "2")
    assert call("tournament", *games, "--backend", "serial", "--out", out).code == 0
    document = json.loads((out / "standings.json").read_text())
    rows = {row["agent"]: row for row in document["overall"]["standings"]}
    for agent, kind in (("illegal", "illegal"), ("late", "timeout"), ("broken", "error")):
        lost = {name: count for name, count in rows[agent]["forfeits"].items() if count}
        assert lost == {kind: rows[agent]["losses"]}
        assert rows[agent]["losses"] >= 8
    assert rows["random"]["wins"] == 12
    assert len(document["forfeits"]) == 24
    records = [from_json(json.loads(line)) for line in (out / "matches.jsonl").read_text().splitlines()]
    assert {str(record.reason) for record in records} == {"forfeit"}
    page = (out / "report.html").read_text()
    assert "RuntimeError: &lt;script&gt;" in page
    assert "<script" not in page


def test_a_match_at_the_ply_limit_is_half_a_point_and_shown_apart(tmp_path: Path, call: Call) -> None:
    games = ("--games", "charge", "--agents", "random,greedy", "--pairs", "2", "--ply-limit", "2")
    assert call("tournament", *games, "--backend", "serial", "--out", tmp_path / "out").code == 0
    document = json.loads((tmp_path / "out/standings.json").read_text())
    for row in document["overall"]["standings"]:
        assert (row["ply_limit"], row["draws"], row["points"], row["rating"]) == (4, 0, 2, 0)
    assert "4 matches stopped at the ply limit" in (tmp_path / "out/report.html").read_text()


def test_a_game_too_large_to_be_solved_is_played_without_judgement(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.arena.judging.is_too_large", lambda game: True)
    games = ("--games", "flag-chase", "--pairs", "1", "--backend", "serial", "--out", tmp_path / "out")
    said = call("tournament", *games, "--agents", "random,perfect")
    assert said.err == "duelbook: perfect plays by exact values, and flag-chase is too large to be solved\n"
    assert (said.code, (tmp_path / "out").exists()) == (2, False)
    said = call("tournament", *games, "--agents", "random,greedy")
    note = "flag-chase is too large to be solved: 2 of its matches have no accuracy and regret"
    assert f"Note: {note}.\n" in said.out
    document = json.loads((tmp_path / "out/standings.json").read_text())
    assert document["notes"] == [note]
    assert {row["accuracy"] for row in document["overall"]["standings"]} == {None}


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
        (["--agents", "random,gredy"], "unknown agent 'gredy'; valid: random, "),
        (["--agents", "random"], "a tournament needs at least two agents"),
        (["--agents", "random,random"], "agent 'random' is given twice"),
        (["--games", "charge"], "a tournament needs at least two agents"),
        (["--agents", "random,greedy", "--games", "go"], "unknown game 'go'; valid: "),
        (["--agents", "random,greedy", "--games", "charge,charge"], "game 'charge' is given twice"),
        (["--agents", "random,greedy", "--games", "charge:goal=99"], "goal must be from 1 to 60, not 99"),
        (["--agents", "random,greedy", "--games", "charge:gaol"], "an option is given as KEY=VALUE, not 'gaol'"),
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


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", "no Ray cluster answers at 127.0.0.1:9: "),
        ("nonsense", "--ray-address must be HOST:PORT or auto, not 'nonsense'"),
        ("auto", "Ray cannot be used: Could not find any running Ray instance."),
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


def test_a_bar_shows_games_rate_and_time_left_on_a_terminal(tmp_path: Path) -> None:
    games = "--games flag-chase --agents random,greedy --pairs 10 --backend serial"
    screen, code = session(f"tournament {games} --out {tmp_path / 'out'}", "", TERM="xterm-256color")
    assert code == 0
    assert "Playing" in screen
    assert "/20" in without_colour(screen)
    assert "/s" in without_colour(screen)
    assert "20 games; the report is" in screen


def test_what_is_finished_is_kept_when_an_agent_is_stopped_through_no_fault_of_its_own(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(AGENTS, "random", Kind(Stopping, "plays one match"))
    job = prepared(load_manifest(small / "manifest.json"))
    monkeypatch.setattr(Stopping, "matches", 3)
    assert len(work(job, range(9))) == 3
    with pytest.raises(StoppedError):
        work(job, range(3, 9))


class Stopping(Chance):
    """Plays some matches, and is stopped then."""

    matches = 0

    def choose(self, match: MatchView) -> Move:
        if self.matches <= 0:
            raise StoppedError("enough")
        return super().choose(match)

    def close(self) -> None:
        type(self).matches -= 1


def test_the_worked_example_is_what_happens(tmp_path: Path, call: Call) -> None:
    page = (Path(__file__).parents[2] / "docs/research.md").read_text()
    shown = page.split("    $ duelbook tournament ")[1].split("\n\n")[0].replace("\n    ", "\n")
    arguments, table = shown.split("\n", 1)
    said = call("tournament", *arguments.removesuffix("results").split(), tmp_path / "out", "--backend", "serial")
    assert said.out.startswith(f"{table}\n\n480 games; the report is ")
    rows = json.loads((tmp_path / "out/standings.json").read_text())["overall"]["standings"]
    assert (rows[0]["as_first"]["losses"], rows[0]["as_second"]["losses"]) == (0, 27)


def test_what_workers_have_finished_is_kept_at_an_interrupt(small: Path, tmp_path: Path) -> None:
    plan = load_manifest(small / "manifest.json")
    job = prepared(plan)

    class Interrupted(SerialPool):
        """Two batches are under way when Ctrl-C is pressed, and one of them ends in time."""

        slots = 2
        begun: ClassVar[list[Sequence[int]]] = []

        def start(self, numbers: Sequence[int]) -> None:
            self.begun.append(numbers)

        def wait(self, timeout: float | None = None) -> list[Done]:
            if timeout is None:
                raise KeyboardInterrupt
            return [Done(numbers, work(job, numbers)) for numbers in (self.begun.pop(),)] if len(self.begun) > 1 else []

    with Results(tmp_path / "out", plan) as results:
        results.begin()
        with pytest.raises(KeyboardInterrupt):
            play(results, Interrupted(job), lambda count: None)
        assert len(results) == 23, "the second batch: a quarter of those that the first one left"
