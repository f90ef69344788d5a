"""Addresses that people type: a server, the link to a match, or the code of a match."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from duelbook.errors import RefusedError
from duelbook.text import plural, shorten

CODE_LENGTH = 24
MATCH_ID = re.compile(f"[0-9a-f]{{{CODE_LENGTH}}}")
EXAMPLE = "https://play.example"
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Server:
    """A server by its scheme, host and port. Equal ones are the same server."""

    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """The address of the server, as in `https://play.example`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}")

    @property
    def is_local(self) -> bool:
        """True if the server is on this machine."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_encrypted(self) -> bool:
        return self.scheme == "https"

    def link(self, match: str) -> str:
        """Return the link to a match, which a browser opens and `--join` takes."""
        return f"{self.origin}/match/{match}"


def read_server(text: str) -> Server:
    """Return the server that the text names, or raise RefusedError. Without a scheme it is https, or http if local."""
    parts = _split(text)
    server = _server(text, parts)
    if parts.path.strip("/") or parts.query or parts.fragment:
        if parts.path.startswith("/match/"):
            read_match(text)
            raise RefusedError(f"'{shorten(text)}' is the link to a match. Use it with --join or --watch.")
        raise RefusedError(f"'{shorten(text)}' is not the address of a server. Use only its beginning: {server.origin}")
    return server


def read_match(text: str) -> tuple[Server | None, str]:
    """Return the server, if it is a link, and the code of the match that the text names, or raise RefusedError."""
    code = re.sub(r"[\s-]", "", text).lower()
    if MATCH_ID.fullmatch(code):
        return None, code
    if "/" not in text:
        raise RefusedError(
            f"'{shorten(text)}' is neither the link to a match, such as {EXAMPLE}/match/…, "
            f"nor the code of one, which has {CODE_LENGTH} digits and letters from a to f.{_length_text(code)}"
        )
    parts = _split(text)
    place, _, code = parts.path.rstrip("/").rpartition("/")
    if place != "/match":
        raise RefusedError(f"'{shorten(text)}' is not the link to a match. Such a link looks like {EXAMPLE}/match/…")
    if not MATCH_ID.fullmatch(code.lower()):
        raise RefusedError(
            f"'{shorten(text)}' is not the link to a match: it must end with a code of {CODE_LENGTH} digits and "
            f"letters from a to f.{_length_text(code)}"
        )
    return _server(text, parts), code.lower()


def _length_text(code: str) -> str:
    """Return how long a code is, as a sentence that follows another one, if its length is wrong."""
    length = len(code)
    return f" This one has {plural(length, 'character')}." if length not in (0, CODE_LENGTH) else ""


def _split(text: str) -> SplitResult:
    try:
        return urlsplit(text.strip() if "://" in text else f"//{text.strip()}")
    except ValueError as error:
        raise _not_an_address(text) from error


def _server(text: str, parts: SplitResult) -> Server:
    try:
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _not_an_address(text) from error
    if not host or not re.fullmatch(r"[\w.:-]+", host, re.ASCII) or port == 0:
        raise _not_an_address(text)
    if parts.scheme not in ("", *DEFAULT_PORTS):
        raise RefusedError(f"'{shorten(text)}' must begin with https:// or http://, not with {parts.scheme}://")
    if "@" in parts.netloc:
        raise RefusedError("An address with a name and a password is not supported. Leave out what stands before '@'.")
    scheme = parts.scheme or ("http" if Server("http", host, 80).is_local else "https")
    return Server(scheme, host, port or DEFAULT_PORTS[scheme])


def _not_an_address(text: str) -> RefusedError:
    return RefusedError(f"'{shorten(text)}' is not an address. It looks like {EXAMPLE} or 127.0.0.1:8000")
