"""Programs that ignore every signal that can be ignored, and tournaments that must end them all the same."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

STUBBORN = """#!/bin/sh
trap '' TERM INT HUP
echo $$ >>"$0.pids"
sleep 1000 &
echo $! >>"$0.pids"
wait
"""
PATIENCE_SECONDS = 60


def stubborn_program(folder: Path) -> tuple[Path, Path]:
    """Return a program that never answers, and the file to which it writes the numbers of its two processes."""
    program = folder / "stubborn"
    program.write_text(STUBBORN)
    program.chmod(0o755)
    return program, folder / "stubborn.pids"


def interrupt_with_stubborn_programs(folder: Path, backend: str, number: signal.Signals) -> None:
    """Interrupt a tournament of two workers while both wait for a program, and check that the programs end."""
    (program, pids), out = stubborn_program(folder), folder / "out"
    arguments = ["--games", "flag-chase", "--agents", f"random,process:{program}", "--out", str(out)]
    command = [sys.executable, "-m", "duelbook", "tournament", *arguments, "--backend", backend, "--workers", "2"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not pids.exists() or pids.read_text().count("\n") < 4:  # in both workers
        time.sleep(0.01)
    os.killpg(running.pid, number) if number == signal.SIGINT else running.send_signal(number)
    _, complaint = running.communicate(timeout=PATIENCE_SECONDS)
    if number != signal.SIGKILL:
        go_on = f"duelbook tournament --out {out} --resume --trust"
        assert complaint == f"duelbook: Stopped. Every finished match is saved. Continue with: {go_on}\n"
    assert_gone(pids.read_text().split())


def assert_gone(processes: Sequence[str]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while left := [process for process in processes if alive(process)]:
        assert time.monotonic() < end, left
        time.sleep(0.05)


def alive(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
