"""A real server that the tests start as a child: it keeps its port, and ends with the test process in any case."""

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

PATIENCE = 60.0  # seconds in which a server is ready, or has ended
TRIES = 3
PR_SET_PDEATHSIG = 1
C_LIBRARY = ctypes.CDLL(None)
SPAWNER = ThreadPoolExecutor(1)  # a child dies with the *thread* that started it; this one lives as long as the process


class Missing(Exception):  # noqa: N818
    """No program that works is there; the message says what was looked at."""


class Failed(Exception):  # noqa: N818
    """One program does not work; another may."""


def new_folder(name: str) -> Path:
    """Answer a new folder that a user without rights can reach."""
    places = [Path(tempfile.gettempdir()).resolve(), Path("/tmp"), Path("/var/tmp")]
    reachable = (place for place in places if all(part.stat().st_mode & 0o001 for part in (place, *place.parents)))
    return Path(tempfile.mkdtemp(prefix=f"duelbook-{name}-", dir=next(reachable, places[0])))


def on_path(*names: str) -> Iterator[Path]:
    """Answer the programs of these names that the PATH leads to."""
    return (Path(found) for found in map(shutil.which, names) if found)


def in_package(package: str, pattern: str) -> list[Path]:
    """Answer the files of an installed package, last name first; the package is not imported."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return sorted((found for place in places or () for found in Path(place).glob(pattern)), reverse=True)


class Server:
    """A server program on a loopback port, with a folder of its own."""

    wanted: str  # what is missing where there is no such program
    ending: signal.Signals  # what ends the program at once

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.user: pwd.struct_passwd | None = None  # whom to become, if we may not run it as ourselves
        self.process: subprocess.Popen[bytes] | None = None
        self.choose_port()

    @classmethod
    def programs(cls) -> Iterator[Path]:
        """Answer the programs to try, in order."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Fill the folder before the first start."""

    def command(self) -> Sequence[str | Path]:
        """Answer the command that runs the server in the foreground."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Answer whether the server serves."""
        raise NotImplementedError

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Answer a ready server of the first program that works."""
        reasons = []
        for program in dict.fromkeys(cls.programs()):
            server = cls(program, folder)
            try:
                server.first_start()
            except (Failed, OSError, subprocess.SubprocessError) as error:
                server.held.close()
                reasons.append(f"{program} does not work: {error}")
            else:
                return server
        raise Missing(f"no {cls.wanted} was found: {'; '.join(reasons) or 'no such program is installed'}")

    def first_start(self) -> None:
        """Start on a free port; someone may be quicker to listen there, and then on another."""
        self.prepare()
        for _ in range(TRIES - 1):
            with suppress(Failed):
                return self.start_again()
            self.held.close()
            self.choose_port()
        return self.start_again()

    def choose_port(self) -> None:
        """Choose a port and hold it to the end, also while the server is stopped: bound, but not listening."""
        self.held = socket.socket()
        self.held.bind(("127.0.0.1", 0))
        self.port: int = self.held.getsockname()[1]
        # Only after bind, which is to find nobody there: from now on a server may join.
        self.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "linux":  # other systems share no port
            self.held.close()

    def start_again(self) -> None:
        """Start the server, on the same port as before and with the data that is there, and wait until it serves."""
        self.process = self.spawn(self.command())
        end = time.monotonic() + PATIENCE
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise Failed(self.last_words())
            time.sleep(0.01)

    def spawn(self, command: Sequence[str | Path]) -> "subprocess.Popen[bytes]":
        """Start a child that dies with us."""
        return SPAWNER.submit(self.popen, command).result()

    def popen(self, command: Sequence[str | Path]) -> "subprocess.Popen[bytes]":
        """Start a child that dies with this thread, as the user it is to be."""
        # preexec_fn runs after the change of user, which would clear the signal.
        die_with_us = partial(C_LIBRARY.prctl, PR_SET_PDEATHSIG, self.ending) if sys.platform == "linux" else None
        uid, gid, groups = (self.user.pw_uid, self.user.pw_gid, ()) if self.user else (None, None, None)
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests, which then end it
                user=uid,
                group=gid,
                extra_groups=groups,
                preexec_fn=die_with_us,
            )

    def last_words(self) -> str:
        """Answer the end of what the last child said, on one line."""
        return " / ".join((self.folder / "log").read_text(errors="replace").split("\n")[-4:]).strip(" /")

    def stop(self) -> None:
        """End the server at once, as a crash would."""
        if self.process:
            self.process.send_signal(self.ending)
            self.process.wait(PATIENCE)
            self.process = None

    def restart(self) -> None:
        """Stop at once and start again."""
        self.stop()
        self.start_again()

    def close(self) -> None:
        """End the server and leave nothing behind."""
        self.stop()
        self.held.close()
        shutil.rmtree(self.folder)
