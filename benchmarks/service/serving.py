"""The server that is measured: `duelbook serve` as one process, with its matches in a file on a disk."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0  # seconds for the server to be ready
GENEROUS = dict.fromkeys(("MOVE_LIMIT", "ADDRESS_LIMIT", "CREATE_LIMIT", "STUDY_LIMIT", "SOCKET_LIMIT"), "1000000")
C_LIBRARY = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
IN_MEMORY = ("tmpfs", "ramfs")


class Server:
    """A server that is started, killed and started again with the same matches."""

    def __init__(self, folder: Path, log_level: str) -> None:
        self.folder = folder
        self.port = _free_port()
        self._log_level = log_level
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def database(self) -> Path:
        return self.folder / "matches.sqlite"

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        settings = {**GENEROUS, "DATABASE_URL": f"sqlite:///{self.database}", "LOG_LEVEL": self._log_level}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "duelbook", "serve", "--port", str(self.port)],
                env=os.environ | {f"DUELBOOK_{name}": value for name, value in settings.items()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the benchmark, which then ends it
                preexec_fn=_die_with_us,
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while not self._is_ready():
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the server does not start: {self.last_words()}")
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=PATIENCE) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def last_words(self) -> str:
        """Answer the end of the log."""
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def serving(log_level: str = "info") -> Iterator[Server]:
    """Answer a server with no matches yet, which is gone afterwards with all it has written."""
    folder = Path(tempfile.mkdtemp(prefix="duelbook-bench-", dir=_disk()))
    server = Server(folder, log_level)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _die_with_us() -> None:
    """Have this process, which is about to become the server, killed when the benchmark ends in whatever way."""
    C_LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def durable_writes(number: int = 50) -> list[float]:
    """Answer the seconds that it takes to make a little text durable where the server keeps its matches."""
    seconds = []
    with tempfile.TemporaryFile(dir=_disk()) as file:
        for _ in range(number):
            start = time.perf_counter()
            os.write(file.fileno(), b"a move" * 100)
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - start)
    return seconds


def _disk() -> Path:
    """Answer a folder for temporary files that is on a disk, if there is one."""
    places = [Path(tempfile.gettempdir()), Path("/var/tmp"), Path.cwd()]
    return next((place for place in places if file_system(place) not in IN_MEMORY), places[0])


def file_system(place: Path) -> str:
    """Answer the kind of file system that the place is on."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    above = {str(folder) for folder in (place.resolve(), *place.resolve().parents)}
    return max((len(point), kind) for point, kind in mounts if point in above)[1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
