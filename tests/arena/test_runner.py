"""Runs that are interrupted, or whose workers die: no finished match is lost, and the rest is played."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from duelbook.agents import KINDS, AgentKind, StoppedError
from duelbook.agents.random_agent import RandomAgent
from duelbook.arena import TournamentPlan, load_manifest
from duelbook.arena.manifest import write_manifest
from duelbook.arena.results import ResultsFolder
from duelbook.arena.results_log import LOG
from duelbook.arena.runner import play_missing, prepare, work
from duelbook.arena.workers import BatchResult, Job, SerialPool
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from tests.arena.conftest import SLEEPY, TOURNAMENT, Call, files, serial
from tests.arena.stubborn import alive, assert_gone, interrupt_with_stubborn_programs, stubborn_program
from tests.support.odd_agents import SLEEP, TRACE


@pytest.mark.parametrize(
    ("backend", "number"),
    [
        ("process", signal.SIGINT),
        ("process", signal.SIGKILL),
        ("serial", signal.SIGTERM),
        pytest.param("process", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("serial", signal.SIGINT, marks=pytest.mark.long),
        pytest.param("serial", signal.SIGKILL, marks=pytest.mark.long),
    ],
)
def test_an_interrupted_tournament_can_be_resumed_and_gives_the_same_files(
    sleepy: Path, tmp_path: Path, call: Call, backend: str, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    command = [*TOURNAMENT, *SLEEPY, "--backend", backend, "--out", str(out)]
    slowly = os.environ | {SLEEP: "0.01"}  # so that the first matches are soon over, and the last one is not
    running = subprocess.Popen(command, env=slowly, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (out / LOG).exists() or (out / LOG).read_bytes().count(b"\n") < 8:
        time.sleep(0.01)
    workers = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    if number == signal.SIGINT:
        os.killpg(running.pid, number)  # as a terminal does
    else:
        running.send_signal(number)
    _, complaint = running.communicate(timeout=60)
    assert not (out / "matches.jsonl").exists()
    if number != signal.SIGKILL:
        assert running.returncode == 130
        assert complaint == (
            "duelbook: Stopped. Every finished match is saved. "
            f"Continue with: duelbook tournament --out {out} --resume\n"
        )
    kept = (out / LOG).read_bytes()
    assert 8 <= kept.count(b"\n") < 80
    assert call("tournament", "--out", out, "--resume", "--backend", "serial").code == 0
    assert files(out) == files(sleepy)
    assert (out / LOG).read_bytes().startswith(kept[: kept.rindex(b"\n") + 1]), "finished matches are not played again"
    assert not [worker for worker in workers if alive(worker)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_program_outlives_an_interrupted_tournament(tmp_path: Path, number: signal.Signals) -> None:
    interrupt_with_stubborn_programs(tmp_path, "process", number)


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("match --game flag-chase --p2 random --p1", signal.SIGINT),
        ("match --game flag-chase --p2 random --p1", signal.SIGKILL),
        ("eval --games flag-chase --agent", signal.SIGTERM),
    ],
)
def test_no_program_outlives_an_interrupted_command(tmp_path: Path, command: str, number: signal.Signals) -> None:
    program, pids = stubborn_program(tmp_path)
    arguments = [*command.split(), f"process:{program}"]
    running = subprocess.Popen([sys.executable, "-m", "duelbook", *arguments], cwd=tmp_path, stderr=subprocess.PIPE)
    while not pids.exists() or pids.read_text().count("\n") < 2:
        time.sleep(0.01)
    running.send_signal(number)
    _, complaint = running.communicate(timeout=60)
    code = -signal.SIGKILL if number == signal.SIGKILL else 130
    assert (running.returncode, b"Traceback" in complaint) == (code, False)
    assert_gone(pids.read_text().split())


@pytest.mark.usefixtures("with_odd_agents")
def test_workers_end_with_the_tournament_even_during_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRACE, str(tmp_path / "thinks"))
    games = ("--games", "flag-chase", "--agents", "endless,random", "--pairs", "1", "--workers", "1")
    with subprocess.Popen([*TOURNAMENT, *games, "--out", tmp_path / "out"]) as running:
        while not (tmp_path / "thinks").exists():
            time.sleep(0.01)
        workers = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.kill()
    assert workers
    assert_gone(workers)


@pytest.mark.usefixtures("with_odd_agents")
def test_a_dead_worker_is_replaced_and_its_matches_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = ("--games", "flag-chase", "--agents", "mortal,random", "--pairs", "10")
    monkeypatch.setenv(TRACE, str(tmp_path / "died"))
    command = [*TOURNAMENT, *games, "--workers", "2", "--out", str(tmp_path / "dying")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "died").exists()
    assert files(tmp_path / "dying") == files(serial(tmp_path / "living", *games))


@pytest.mark.usefixtures("with_odd_agents")
def test_a_match_that_kills_every_worker_is_reported_in_one_line(tmp_path: Path) -> None:
    games = ("--games", "flag-chase", "--agents", "random,deadly,greedy", "--pairs", "3")
    command = [*TOURNAMENT, *games, "--workers", "1", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("duelbook: Match ")
    assert " crashed 3 workers. It was flag-chase, " in done.stderr
    assert "deadly" in done.stderr
    assert done.stderr.count("\n") == 1


def test_finished_matches_are_kept_when_an_agent_is_stopped(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "random", AgentKind(Stopping, "plays one match"))
    job = Job(write_manifest(load_manifest(small / "manifest.json", TournamentPlan)))
    monkeypatch.setattr(Stopping, "matches", 100)
    work(job, range(1))  # a worker makes every agent once when it reads the manifest
    monkeypatch.setattr(Stopping, "matches", 3)
    assert len(work(job, range(9), seconds=60)) == 3
    with pytest.raises(StoppedError):
        work(job, range(3, 9))


class Stopping(RandomAgent):
    """Plays some matches, then is stopped."""

    matches = 0

    def choose(self, match: ReadOnlyMatch) -> Move:
        if self.matches <= 0:
            raise StoppedError("Enough.")
        return super().choose(match)

    def close(self) -> None:
        type(self).matches -= 1


def test_results_of_workers_are_kept_after_an_interrupt(small: Path, tmp_path: Path) -> None:
    plan = load_manifest(small / "manifest.json", TournamentPlan)
    job = Job(write_manifest(prepare(plan)))

    class Interrupted(SerialPool):
        """Two batches are under way at Ctrl-C, and one of them ends in time."""

        slots = 2
        max_batch = 200
        begun: ClassVar[list[Sequence[int]]] = []
        interrupted = False

        def start(self, numbers: Sequence[int]) -> None:
            self.begun.append(numbers)

        def wait(self, timeout: float | None = None) -> list[BatchResult]:
            if not self.interrupted:
                self.interrupted = True
                raise KeyboardInterrupt
            return (
                [BatchResult(numbers, work(job, numbers)) for numbers in (self.begun.pop(),)]
                if len(self.begun) > 1
                else []
            )

    with ResultsFolder(tmp_path / "out", plan) as results:
        results.begin()
        with pytest.raises(KeyboardInterrupt):
            play_missing(results, Interrupted(job, work), lambda count: None)
        assert len(results) == 23, "the second batch: a quarter of those that the first one left"


def test_results_that_come_with_an_error_are_kept(small: Path, tmp_path: Path) -> None:
    plan = load_manifest(small / "manifest.json", TournamentPlan)
    job = Job(write_manifest(prepare(plan)))

    class Failing(SerialPool):
        """Two workers end at the same moment, and the first of them has failed."""

        slots = 2

        def start(self, numbers: Sequence[int]) -> None:
            self._numbers = [*self._numbers, *numbers]

        def wait(self, timeout: float | None = None) -> list[BatchResult]:
            numbers, self._numbers = self._numbers, ()
            bad, good = ([number] for number in numbers)
            return [BatchResult(bad, error=StoppedError("The budget is spent.")), BatchResult(good, work(job, good))]

    with ResultsFolder(tmp_path / "out", plan) as results:
        results.begin()
        with pytest.raises(StoppedError, match="The budget is spent"):
            play_missing(results, Failing(job, work), lambda count: None)
        assert [result.number for result in results] == [1]
