"""The nginx of the page about operation, with the ports and the certificate of a test."""

import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx
import pytest

from tests.support.service.server import PATIENCE, ReservedPort, Server, new_folder, on_path

PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # folders for temporary files
CERTIFICATE = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=play.example -days 2 -keyout key.pem -out cert.pem"


class Nginx(Server):
    """nginx as a proxy with TLS in front of a service."""

    wanted = "nginx"
    ending = signal.SIGTERM

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__(program, folder)
        self.plain = ReservedPort()

    @classmethod
    def programs(cls) -> Iterator[Path]:
        yield from on_path("nginx")
        yield from filter(Path.exists, [Path("/usr/sbin/nginx")])

    @classmethod
    @contextmanager
    def running(cls, page: str, services: Mapping[str, int]) -> Iterator[Self]:
        """Run nginx with the configuration of the page; a test is skipped where there is none."""
        program = next(cls.programs(), None)
        if program is None:
            pytest.skip("nginx is not installed")
        proxy = cls(program, new_folder("nginx"))
        try:
            proxy.prepare()
            proxy.configure(page, services)
            proxy.start_again()
            yield proxy
        finally:
            proxy.close()

    def client(self, address: str = "127.0.0.1") -> httpx.Client:
        """Return a client that connects from the address."""
        transport = httpx.HTTPTransport(verify=False, local_address=address)
        base = f"https://127.0.0.1:{self.port}"
        return httpx.Client(base_url=base, transport=transport, headers={"Host": "play.example"})

    def prepare(self) -> None:
        subprocess.run(CERTIFICATE.split(), cwd=self.folder, check=True, capture_output=True, timeout=PATIENCE)

    def command(self) -> Sequence[str | Path]:
        return [self.program, "-e", "stderr", "-p", self.folder, "-c", self.folder / "nginx.conf"]

    def configure(self, page: str, services: Mapping[str, int]) -> None:
        for shown, here in {
            "listen 80;": f"listen 127.0.0.1:{self.plain.number};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            **{address: f"127.0.0.1:{port}" for address, port in services.items()},
            "/etc/letsencrypt/live/play.example/fullchain.pem": str(self.folder / "cert.pem"),
            "/etc/letsencrypt/live/play.example/privkey.pem": str(self.folder / "key.pem"),
        }.items():
            assert shown in page, shown
            page = page.replace(shown, here)
        places = "\n".join(f"{name}_temp_path {self.folder / name};" for name in PLACES)
        head = "daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log stderr;\nevents {}\n"
        (self.folder / "nginx.conf").write_text(f"{head}http {{\naccess_log off;\n{places}\n{page}}}\n")

    def is_ready(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        super().close()
        self.plain.close()
