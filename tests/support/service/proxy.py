"""The nginx of the page about operation, with the ports and the certificate of a test."""

import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.service.server import PATIENCE, ReservedPort, Server, on_path

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
        """Yield the programs of the PATH and of Debian."""
        yield from on_path("nginx")
        yield from filter(Path.exists, [Path("/usr/sbin/nginx")])

    def prepare(self) -> None:
        """Create the certificate."""
        subprocess.run(CERTIFICATE.split(), cwd=self.folder, check=True, capture_output=True, timeout=PATIENCE)

    def command(self) -> Sequence[str | Path]:
        """Return the command of the server; the configuration is written by `configure`."""
        return [self.program, "-e", "stderr", "-p", self.folder, "-c", self.folder / "nginx.conf"]

    def configure(self, page: str, service: int) -> None:
        """Write the configuration of the page, with the ports and files of the test."""
        for shown, here in {
            "listen 80;": f"listen 127.0.0.1:{self.plain.number};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "127.0.0.1:8000": f"127.0.0.1:{service}",
            "/etc/letsencrypt/live/play.example/fullchain.pem": str(self.folder / "cert.pem"),
            "/etc/letsencrypt/live/play.example/privkey.pem": str(self.folder / "key.pem"),
        }.items():
            assert shown in page, shown
            page = page.replace(shown, here)
        places = "\n".join(f"{name}_temp_path {self.folder / name};" for name in PLACES)
        head = "daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log stderr;\nevents {}\n"
        (self.folder / "nginx.conf").write_text(f"{head}http {{\naccess_log off;\n{places}\n{page}}}\n")

    def is_ready(self) -> bool:
        """Return True if it accepts connections."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """End the server and remove its folder."""
        super().close()
        self.plain.close()
