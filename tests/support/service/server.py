"""A real server that tests run as a child process. It keeps its port, and always ends with the test process."""

import ctypes
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Self

PATIENCE = 60.0  # seconds for a server to start or to end
TRIES = 3
PR_SET_PDEATHSIG = 1
MEMORY = Path("/dev/shm")  # on Linux: files in memory, which survive every crash of a program, and are written at once
MIN_FREE_BYTES = 1 << 30  # what must be free there
C_LIBRARY = ctypes.CDLL(None)
SPAWNER = ThreadPoolExecutor(1)  # a child ends with the *thread* that started it; this one lives as long as the process


class Missing(Exception):  # noqa: N818
    """No program of this kind works here; the message lists those that were tried."""


class Failed(Exception):  # noqa: N818
    """This program does not work; another one may."""


def new_folder(name: str) -> Path:
    """Return a new folder that an unprivileged user can reach, in memory if there is room."""
    in_memory = [MEMORY] if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MIN_FREE_BYTES else []
    places = [*in_memory, Path(tempfile.gettempdir()).resolve(), Path("/tmp"), Path("/var/tmp")]
    reachable = (place for place in places if all(part.stat().st_mode & 0o001 for part in (place, *place.parents)))
    return Path(tempfile.mkdtemp(prefix=f"duelbook-{name}-", dir=next(reachable, places[0])))


def on_path(*names: str) -> Iterator[Path]:
    return (Path(found) for found in map(shutil.which, names) if found)


def in_package(package: str, pattern: str) -> list[Path]:
    """Return the files of an installed package in reverse order; the package is not imported."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return sorted((found for place in places or () for found in Path(place).glob(pattern)), reverse=True)


class ReservedPort:
    """A free port that is kept from others even while its server is stopped: it is bound, but nobody listens."""

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.number: int = self._socket.getsockname()[1]
        # Set only after bind, which must fail if somebody uses the port. From now on a server may bind to it as well.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "linux":  # other systems do not share a port
            self._socket.close()

    def close(self) -> None:
        self._socket.close()


class Server:
    """A server program on a loopback port, with a folder of its own."""

    wanted: str  # what the test run lacks if there is no such program
    ending: signal.Signals  # ends the program at once

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.user: pwd.struct_passwd | None = None  # the user to run it as, if not ourselves
        self.process: subprocess.Popen[bytes] | None = None
        self.choose_port()

    @classmethod
    def programs(cls) -> Iterator[Path]:
        """Yield the programs to try, in order."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Fill the folder before the first start."""

    def command(self) -> Sequence[str | Path]:
        """Return the command that runs the server in the foreground."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Return True if the server accepts requests."""
        raise NotImplementedError

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Return a running server of the first program that works."""
        reasons = []
        for program in dict.fromkeys(cls.programs()):
            server = cls(program, folder)
            try:
                server.first_start()
            except (Failed, OSError, subprocess.SubprocessError) as error:
                server.reserved.close()
                reasons.append(f"{program} does not work: {error}")
            else:
                return server
        raise Missing(f"No {cls.wanted} was found: {'; '.join(reasons) or 'no such program is installed'}.")

    def first_start(self) -> None:
        """Start on a free port; if another program listens there first, on another one."""
        self.prepare()
        for _ in range(TRIES - 1):
            with suppress(Failed):
                return self.start_again()
            self.reserved.close()
            self.choose_port()
        return self.start_again()

    def choose_port(self) -> None:
        self.reserved = ReservedPort()
        self.port = self.reserved.number

    def start_again(self) -> None:
        """Start the server on its port and with its data, and wait until it accepts requests."""
        self.process = self.spawn(self.command())
        end = time.monotonic() + PATIENCE
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise Failed(self.log_tail())
            time.sleep(0.03)

    def spawn(self, command: Sequence[str | Path]) -> "subprocess.Popen[bytes]":
        """Start a child that ends with this process."""
        return SPAWNER.submit(self.popen, command).result()

    def popen(self, command: Sequence[str | Path]) -> "subprocess.Popen[bytes]":
        """Start a child, as its user, that ends with this thread."""
        # preexec_fn runs after the change of user, which would clear the signal.
        end_with_us = partial(C_LIBRARY.prctl, PR_SET_PDEATHSIG, self.ending) if sys.platform == "linux" else None
        uid, gid, groups = (self.user.pw_uid, self.user.pw_gid, ()) if self.user else (None, None, None)
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests, which then end the child
                user=uid,
                group=gid,
                extra_groups=groups,
                preexec_fn=end_with_us,
            )

    def log_tail(self) -> str:
        """Return the end of the log of the last child, on one line."""
        return " / ".join((self.folder / "log").read_text(errors="replace").split("\n")[-4:]).strip(" /")

    def stop(self) -> None:
        """End the server at once, as a crash would."""
        if self.process:
            self.process.send_signal(self.ending)
            self.process.wait(PATIENCE)
            self.process = None

    def close(self) -> None:
        self.stop()
        self.reserved.close()
        shutil.rmtree(self.folder)
