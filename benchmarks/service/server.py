"""The measured server: `duelbook serve` as one process, with its matches in a file on a disk."""

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

START_SECONDS = 60.0
NO_LIMITS = dict.fromkeys(("MOVE_LIMIT", "ADDRESS_LIMIT", "CREATE_LIMIT", "STUDY_LIMIT", "SOCKET_LIMIT"), "1000000")
C_LIBRARY = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs")


class Server:
    """A server that can be killed and started again with the same matches."""

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
        """Start the server, and wait until it accepts requests."""
        settings = {**NO_LIMITS, "DATABASE_URL": f"sqlite:///{self.database}", "LOG_LEVEL": self._log_level}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "duelbook", "serve", "--port", str(self.port)],
                env=os.environ | {f"DUELBOOK_{name}": value for name, value in settings.items()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the benchmark, which then ends the server
                preexec_fn=_end_with_us,
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"The server does not start: {self.log_tail()}")
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=START_SECONDS) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def log_tail(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def kill(self) -> None:
        """End the server as a crash would."""
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def running_server(log_level: str = "info") -> Iterator[Server]:
    """Yield a server without matches; its files are removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="duelbook-bench-", dir=_disk()))
    server = Server(folder, log_level)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


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
