"""Programs end with the process that started them: closed or forgotten, interrupted or killed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from duelbook import make
from duelbook.agents.process import child
from duelbook.match import Match
from tests.support.programs import ANSWER, program, shell


def is_running(file: Path) -> bool:
    try:
        state = Path(f"/proc/{int(file.read_text())}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def ends(file: Path) -> bool:
    end = time.monotonic() + 60
    while is_running(file) and time.monotonic() < end:
        time.sleep(0.005)
    return not is_running(file)


def written(file: Path) -> Path:
    while not (file.exists() and file.read_text()):
        time.sleep(0.005)
    return file


@pytest.mark.parametrize("stubborn", ["trap '' TERM; ", ""])
def test_every_process_that_a_program_started_ends_with_it(tmp_path: Path, stubborn: str) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    script = (
        f"{stubborn}echo $$ >{outer}; sh -c '{stubborn}echo $$ >{inner}; while :; do sleep 0.1; done' &"
        f" {ANSWER}; while :; do sleep 0.1; done"
    )
    with program(script) as agent:
        agent.choose(Match(make("charge")))
        while not (inner.exists() and inner.read_text()):
            time.sleep(0.01)
        assert is_running(inner)
        assert is_running(outer)
        started = time.monotonic()
        agent.close()
        assert time.monotonic() - started < 20
    assert ends(outer)
    assert ends(inner)


def test_a_program_that_ends_with_its_input_gets_no_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_SECONDS", 60.0)  # a busy machine takes its time
    last = tmp_path / "last"
    with program(f"trap 'echo told >>{last}' TERM; {ANSWER}; echo bye >>{last}") as agent:
        agent.choose(Match(make("charge")))
    assert last.read_text() == "bye\n"


def test_a_program_that_is_never_closed_ends_with_duelbook(tmp_path: Path) -> None:
    number = tmp_path / "number"
    script = (
        "from duelbook import make; from duelbook.agents import make_agent; from duelbook.match import Match\n"
        f"agent = make_agent({'process:' + shell(f'echo $$ >{number}; {ANSWER}; sleep 600')!r}, 1)\n"
        "agent.choose(Match(make('charge')))"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert ends(number)


def test_a_program_ends_when_the_process_that_started_it_is_killed(tmp_path: Path) -> None:
    number, first = tmp_path / "number", tmp_path / "first"
    script = (
        "import time; from duelbook.agents.process.child import Child\n"
        f"a = Child(['sh', '-c', 'trap \"\" TERM HUP; echo $$ >{first}; while :; do sleep 0.1; done'])\n"
        "a.close()\n"
        f"b = Child(['sh', '-c', 'trap \"\" TERM HUP; echo $$ >{number}; while :; do sleep 0.1; done'])\n"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as running:
        assert is_running(written(number))
        assert not is_running(first)
        running.kill()
    assert ends(number)


INTERRUPTED = """
import os, signal, subprocess, sys, time
from duelbook.agents.process.child import Child

class Interrupted(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        open(sys.argv[1], "w").write(str(self.pid))
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

subprocess.Popen = Interrupted
Child(["sh", "-c", "trap '' TERM HUP; touch $0; while :; do sleep 0.1; done", sys.argv[2]])
"""


def test_an_interrupt_during_the_start_leaves_no_program(tmp_path: Path) -> None:
    number, program = tmp_path / "number", tmp_path / "program"
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, number, program], stderr=subprocess.PIPE, check=False)
    assert b"KeyboardInterrupt" in done.stderr
    assert ends(number)
    assert not program.exists()
