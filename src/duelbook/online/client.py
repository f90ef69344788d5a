"""Requests to the service over HTTP. Every way to fail is an error whose message is a sentence."""

import json
import random
import secrets
import ssl
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urljoin

from duelbook import __version__, documents
from duelbook.errors import RefusedError
from duelbook.online.address import Server
from duelbook.online.errors import OnlineError, ProblemError, UnreachableError
from duelbook.online.views import ProblemDetails, RemoteAdvice, RemoteMatch, RemoteValues, Seated
from duelbook.records.document import from_json
from duelbook.records.record import Record
from duelbook.text import shorten

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES = 2_000_000
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 12.0  # a service reports after a second how far it is with what takes longer
FIRST_PAUSE_SECONDS = 0.25
MAX_PAUSE_SECONDS = 8.0
PAUSE_SPREAD = 0.25  # a pause is longer or shorter by up to this part, so that not all clients come back at once
MAX_TRIES = 3  # of a request that takes a seat, if its answer gets lost
GATEWAY_STATUSES = (502, 503, 504)  # of a proxy, while the service behind it is down

T = TypeVar("T")


def pauses() -> Iterator[float]:
    """Yield the seconds to wait before each further try: more and more, each a little random."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        yield pause * random.uniform(1 - PAUSE_SPREAD, 1 + PAUSE_SPREAD)
        pause = min(2 * pause, MAX_PAUSE_SECONDS)


def new_key() -> str:
    """Return a secret for a request that may have to be sent again: the service carries it out once."""
    return secrets.token_hex(24)


class ServiceClient:
    """Asks one server. It follows no redirect, so that a token reaches no other host. Not for several threads."""

    def __init__(self, server: Server) -> None:
        self.server = server

    @cached_property
    def ssl_context(self) -> ssl.SSLContext:
        """The certificates that the system trusts."""
        return ssl.create_default_context()

    @cached_property
    def _http(self) -> "httpx.Client":
        import httpx

        return httpx.Client(
            base_url=self.server.origin,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            verify=self.ssl_context if self.server.is_encrypted else True,
            headers={"User-Agent": f"duelbook/{__version__}", "Accept-Encoding": "identity"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # the token is sent only where it is needed
        )

    def close(self) -> None:
        if "_http" in self.__dict__:
            self._http.close()

    # Matches

    def create(self, request: dict[str, Any], wait: Callable[[float], None] = time.sleep) -> Seated:
        """Create a match and take a seat in it. While the service prepares its computer, `wait` a few seconds."""
        body = {**request, "key": new_key()}
        return self._surely(lambda: self._ask("POST", "/api/matches", Seated, body, wait=wait))

    def view(self, match: str) -> RemoteMatch:
        return self._ask("GET", f"/api/matches/{match}", RemoteMatch)

    def join(self, match: str, request: dict[str, Any]) -> Seated:
        """Take the free seat of a match."""
        body = {**request, "key": new_key()}
        return self._surely(lambda: self._ask("POST", f"/api/matches/{match}/join", Seated, body))

    def act(
        self,
        match: str,
        token: str,
        action: str,
        *,
        ply: int | None = None,
        move: str | None = None,
        key: str | None = None,
    ) -> RemoteMatch:
        """Do something in a match. A move with the same key is played once, however often it is sent."""
        fields = {"action": action, "ply": ply, "move": move, "key": key}
        body = {name: value for name, value in fields.items() if value is not None}
        return self._ask("POST", f"/api/matches/{match}/actions", RemoteMatch, body, token)

    def hint(self, match: str, token: str, ply: int) -> RemoteAdvice:
        """Return help in a position of the match. The player's clock stands still until it is found."""
        return self._ask("POST", f"/api/matches/{match}/hint", RemoteAdvice, {"ply": ply}, token)

    def solution(self, match: str, token: str, ply: int) -> RemoteValues:
        """Return the values in a position of the match. The player's clock stands still until they are found."""
        return self._ask("POST", f"/api/matches/{match}/solution", RemoteValues, {"ply": ply}, token)

    def rematch(self, match: str, token: str) -> Seated:
        """Ask for the next game, or take the seat in it."""
        return self._ask("POST", f"/api/matches/{match}/rematch", Seated, {}, token)

    def record(self, match: str) -> Record:
        """Return the record of a match that has begun. Its game must be installed here, with the same word list."""
        document = self._ask("GET", f"/api/matches/{match}/record", dict[str, Any])
        try:
            return from_json(document)
        except RefusedError as error:
            raise OnlineError(f"This match cannot be shown here: {error}") from error

    # Requests and answers

    def _surely(self, ask: Callable[[], T]) -> T:
        """Ask again if the answer gets lost. The request has a key, so it is carried out once."""
        for pause, last in zip(pauses(), [*[False] * (MAX_TRIES - 1), True], strict=False):
            try:
                return ask()
            except UnreachableError as error:
                cause = type(error.__cause__).__name__
                if last or not error.__cause__ or "Connect" in cause or "Timeout" in cause:
                    raise
                time.sleep(pause)
        raise AssertionError

    def _ask(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: dict[str, Any] | None = None,
        token: str = "",
        wait: Callable[[float], None] = time.sleep,
    ) -> T:
        while True:
            response, raw = self._send(method, path, body, token)
            if response.status_code != 202:
                return self._read(response, raw, kind)
            wait(retry_after(response.headers))

    def _send(self, method: str, path: str, body: dict[str, Any] | None, token: str) -> "tuple[httpx.Response, bytes]":
        import httpx

        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        raw = b""
        try:
            with self._http.stream(method, path, headers=headers, content=content) as response:
                for chunk in response.iter_raw():
                    raw += chunk
                    if len(raw) > MAX_RESPONSE_BYTES:
                        raise self.not_a_service()
        except httpx.TimeoutException as error:
            raise UnreachableError(
                f"{self.server.origin} does not answer. Check the address, or try again later."
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise self.unreachable(error) from error
        except ImportError as error:  # for a proxy that httpx alone cannot use
            raise OnlineError(f"Cannot reach {self.server.origin}: {error}") from error
        return response, raw

    def _read(self, response: "httpx.Response", raw: bytes, kind: type[T]) -> T:
        """Return the answer as a value of that type, or raise the error that it means."""
        status = response.status_code
        is_json = response.headers.get("content-type", "").startswith(("application/json", "application/problem+json"))
        if not is_json or 300 <= status < 400:
            raise self.strange_answer(status, response.headers.get("location", ""))
        try:
            value = documents.parse(raw)
        except RefusedError as error:
            raise self.not_a_service() from error
        if status >= 400:
            raise self.problem(value, retry_after(response.headers))
        return self.read_answer(value, kind)

    def read_answer(self, value: Any, kind: type[T]) -> T:
        """Return a parsed answer as a value of that type. One that does not fit comes from another version."""
        try:
            return documents.convert(value, kind)
        except RefusedError as error:
            raise OnlineError(
                f"The service at {self.server.origin} is of a version that does not fit to this one ({__version__}): "
                f"{error}"
            ) from error

    def problem(self, value: Any, wait: float = 0.0) -> OnlineError:
        """Return the error that a problem document means."""
        try:
            problem = documents.convert(value, ProblemDetails)
        except RefusedError:
            return self.not_a_service()
        return ProblemError(problem.code, problem.detail, wait)

    def strange_answer(self, status: int, location: str) -> OnlineError:
        """Return the error that an answer means which is no JSON: of a proxy, or of something else than the service."""
        if status in GATEWAY_STATUSES:
            return UnreachableError(f"The service at {self.server.origin} is not available now. Try again later.")
        if 300 <= status < 400 and location:
            target = shorten(urljoin(urljoin(self.server.origin, location), "/").rstrip("/"))
            return OnlineError(f"{self.server.origin} leads to '{target}'. If you trust that, use its address instead.")
        return self.not_a_service()

    def not_a_service(self) -> OnlineError:
        return OnlineError(f"{self.server.origin} answers, but not as a Duelbook service does. Check the address.")

    def unreachable(self, error: BaseException) -> OnlineError:
        """Return the error for a connection that failed."""
        if certificate := next((one for one in _causes(error) if isinstance(one, ssl.SSLCertVerificationError)), None):
            why = certificate.verify_message.rstrip(".") or "it cannot be verified"
            return OnlineError(f"The certificate of {self.server.origin} is not trusted: {why}.")
        if any(isinstance(one, ssl.SSLError) for one in _causes(error)):
            return OnlineError(f"{self.server.origin} does not speak TLS as https:// needs it. Check the address.")
        system = next((one for one in _causes(error) if isinstance(one, OSError) and one.strerror), None)
        why = str(system.strerror if system else error).rstrip(".") or "no connection"
        return UnreachableError(f"Cannot reach {self.server.origin}: {why}. Check the address and your connection.")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def retry_after(headers: Any) -> float:
    """Return the seconds after which the service wants to be asked again."""
    text = str(headers.get("retry-after", ""))
    return min(float(text), 600.0) if text.isdecimal() else 1.0 if text else 0.0
