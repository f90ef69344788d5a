"""Start programs of this project without starting Python: a server that has loaded the modules forks a copy of itself.

Loading the service takes four times as long as everything else that its start does. Every process that was started
here is killed when the test process ends, however it ends.
"""

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import IO, Any, NoReturn

PRELOADED = (
    *("duelbook.cli.db", "duelbook.cli.serve", "duelbook.web.server"),
    *("httptools", "redis.asyncio", "uvloop", "websockets.asyncio.server"),
    *("sqlalchemy.dialects.postgresql.psycopg", "sqlalchemy.dialects.sqlite.pysqlite"),
)
AT_START = ("PYTHONPATH", "LD_PRELOAD")  # variables that are read when a program starts
LENGTH_BYTES = 4  # before a request, and in an answer
PASSED_FILES = 4  # standard input, output and errors, and the socket for the answers


class ForkedProcess:
    """A process that the fork server has started in a session of its own, with the methods of `subprocess.Popen`."""

    def __init__(self, pid: int, answers: socket.socket) -> None:
        self.pid, self._answers = pid, answers
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._answers], [], [], timeout)[0]:
            self.returncode = int.from_bytes(self._answers.recv(LENGTH_BYTES), signed=True)
            self._answers.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The client's end of a fork server."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._lock = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.fork_server", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the tests
            )

    def run(
        self, *arguments: str, python: str = sys.executable, environment: Mapping[str, str], output: IO[bytes]
    ) -> ForkedProcess:
        """Run a module with arguments, as `python -m` does, without input. Another Python is started."""
        answers, theirs = socket.socketpair()
        is_loaded = python == sys.executable and all(environment.get(name) == os.environ.get(name) for name in AT_START)
        program = {"arguments": arguments, "python": None if is_loaded else python, "environment": dict(environment)}
        request = json.dumps(program).encode()
        with open(os.devnull, "rb") as nothing, theirs, self._lock:
            files = [nothing.fileno(), output.fileno(), output.fileno(), theirs.fileno()]
            socket.send_fds(self._socket, [len(request).to_bytes(LENGTH_BYTES)], files)
            self._socket.sendall(request)
        return ForkedProcess(int.from_bytes(answers.recv(LENGTH_BYTES)), answers)

    def close(self) -> None:
        """Kill all processes that are left."""
        self._socket.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """Return the fork server of this process, which ends with it."""
    server = ForkServer()
    atexit.register(server.close)
    return server


def serve(control: socket.socket) -> None:
    """Start processes until the client is gone; then kill those that are left."""
    running: dict[int, socket.socket] = {}
    ended, wakeup = socket.socketpair()
    ended.setblocking(False)
    wakeup.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakeup.fileno())
    try:
        while True:
            ready, _, _ = select.select([control, ended], [], [])
            if ended in ready:
                ended.recv(1024)
                reap(running)
            if control in ready:
                length, files, _, _ = socket.recv_fds(control, LENGTH_BYTES, PASSED_FILES)
                if not length:
                    return
                request = json.loads(receive(control, int.from_bytes(length)))
                *streams, answers = files
                if (pid := os.fork()) == 0:
                    for inherited in (control, ended, wakeup, *running.values()):
                        inherited.close()
                    os.close(answers)
                    run_program(streams, **request)
                for stream in streams:
                    os.close(stream)
                running[pid] = socket.socket(fileno=answers)
                running[pid].send(pid.to_bytes(LENGTH_BYTES))
    finally:
        for pid in running:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def receive(control: socket.socket, length: int) -> bytes:
    received = b""
    while len(received) < length:
        received += control.recv(length - len(received))
    return received


def reap(running: dict[int, socket.socket]) -> None:
    """Answer how each process that has ended did so."""
    for pid in [*running]:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with suppress(OSError), running.pop(pid) as answers:  # nobody may wait for it
                answers.send(os.waitstatus_to_exitcode(status).to_bytes(LENGTH_BYTES, signed=True))


def run_program(
    streams: Sequence[int], arguments: list[str], python: str | None, environment: dict[str, str]
) -> NoReturn:
    """Become the program: run the module in this process, or with another Python, and end it."""
    code: Any = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        if python:
            os.execve(python, [python, "-m", *arguments], environment)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        sys.argv = arguments
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):  # as Python does at its end, except for what the fork server itself has open
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1 if code else 0)


if __name__ == "__main__":
    for name in PRELOADED:
        import_module(name)
    gc.freeze()  # or the first collection in a child would copy all of that
    serve(socket.socket(fileno=int(sys.argv[1])))
