"""A measured server as a child process: started, killed and started again with the same files."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

START_SECONDS = 60.0
C_LIBRARY = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs")


class StartError(RuntimeError):
    """The server does not start."""


class ServerProcess:
    """A server that can be killed and started again with the same files."""

    ready_path = "/"  # answers 200 once the server accepts requests

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str | Path]:
        """Return the command that runs the server in the foreground."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """Return the environment variables of the server, besides those of the benchmark."""
        return {}

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def start(self, output: int | None = None) -> None:
        """Start the server, and wait until it accepts requests. It writes to the descriptor, or else to its log."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                env=os.environ | self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output or log,
                stderr=output or log,
                start_new_session=True,  # Ctrl-C is for the benchmark, which then ends the server
                preexec_fn=_end_with_us,
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                raise StartError(f"The server does not start: {self.log_tail()}")
            time.sleep(0.02)

    def is_ready(self) -> bool:
        """Return True if the server accepts requests."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.ready_path}", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def log_tail(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def kill(self) -> None:
        """End the server and its processes as a crash would."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


Kind = TypeVar("Kind", bound=ServerProcess)


@contextmanager
def new_folder() -> Iterator[Path]:
    """Yield a folder on a disk, which is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="duelbook-bench-", dir=_disk()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(server: Kind) -> Iterator[Kind]:
    """Run the server during the block."""
    try:
        server.start()
        yield server
    finally:
        server.kill()


def _end_with_us() -> None:
    """Have the system kill this process, which becomes the server, when the benchmark ends for any reason."""
    C_LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def durable_writes(number: int = 50) -> list[float]:
    """Return the seconds that single durable writes of a little text take where the server keeps its matches."""
    seconds = []
    with tempfile.TemporaryFile(dir=_disk()) as file:
        for _ in range(number):
            start = time.perf_counter()
            os.write(file.fileno(), b"a move" * 100)
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - start)
    return seconds


def _disk() -> Path:
    """Return a folder for temporary files, on a disk if possible."""
    places = [Path(tempfile.gettempdir()), Path("/var/tmp"), Path.cwd()]
    return next((place for place in places if file_system(place) not in MEMORY_FILE_SYSTEMS), places[0])


def file_system(place: Path) -> str:
    """Return the kind of file system that the folder is on."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    above = {str(folder) for folder in (place.resolve(), *place.resolve().parents)}
    return max((len(point), kind) for point, kind in mounts if point in above)[1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
