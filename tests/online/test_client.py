"""The client with servers that answer in other ways than the service does."""

import json
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from duelbook.online.address import read_server
from duelbook.online.client import MAX_PAUSE_SECONDS, PAUSE_SPREAD, ServiceClient, pauses
from duelbook.online.errors import OnlineError, ProblemError, UnreachableError
from tests.support.service.proxy import CERTIFICATE

CODE = "0123456789abcdef01234567"
JSON = "application/json"


@contextmanager
def answering(
    status: int, body: bytes, headers: dict[str, str], certificate: Path | None = None
) -> Iterator[tuple[ServiceClient, list[str]]]:
    """Yield a client of a server that always gives this answer, and the list of the requests that reach the server."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(f"{self.command} {self.path} {self.headers.get('Authorization')}")
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        scheme = "https" if certificate else "http"
        client = ServiceClient(read_server(f"{scheme}://127.0.0.1:{server.server_port}"))
        yield client, seen
        client.close()
        server.shutdown()


def problem(code: str, detail: str) -> bytes:
    return json.dumps({"type": f"urn:duelbook:{code}", "status": 0, "code": code, "detail": detail}).encode()


@pytest.mark.parametrize(
    ("status", "body", "headers", "part"),
    [
        (200, b"<html>", {"Content-Type": "text/html"}, "answers, but not as a Duelbook service does"),
        (404, b"<html>", {"Content-Type": "text/html"}, "answers, but not as a Duelbook service does"),
        (200, b"{", {"Content-Type": JSON}, "answers, but not as a Duelbook service does"),
        (500, b"[]", {"Content-Type": JSON}, "answers, but not as a Duelbook service does"),
        (200, b"{}", {"Content-Type": JSON}, "is of a version that does not fit to this one"),
        (200, b" " * 3_000_000, {"Content-Type": JSON}, "answers, but not as a Duelbook service does"),
        (302, b"", {"Location": "https://other.example/x"}, "leads to 'https://other.example'."),
        (502, b"<html>", {"Content-Type": "text/html"}, "is not available now"),
    ],
)
def test_an_answer_of_something_else_is_an_error_in_a_sentence(
    status: int, body: bytes, headers: dict[str, str], part: str
) -> None:
    with answering(status, body, headers) as (client, _), pytest.raises(OnlineError) as failed:
        client.view(CODE)
    assert part in str(failed.value)
    assert not isinstance(failed.value, UnreachableError) or status == 502


def test_a_refusal_has_its_code_its_sentence_and_its_pause() -> None:
    body = problem("too-many", "Too many requests; try again in 7 seconds.")
    answer = {"Content-Type": "application/problem+json", "Retry-After": "7"}
    with answering(429, body, answer) as (client, _), pytest.raises(ProblemError) as failed:
        client.create({"game": "charge", "opponent": "friend"})
    assert (failed.value.code, failed.value.retry_after) == ("too-many", 7.0)
    assert str(failed.value) == "Too many requests; try again in 7 seconds."
    assert failed.value.is_temporary


def test_a_token_is_sent_to_its_server_and_follows_no_redirect() -> None:
    with answering(200, b"{}", {"Content-Type": JSON}) as (other, reached):
        away = f"{other.server.origin}/api/matches/{CODE}/actions"
        with answering(307, b"", {"Location": away}) as (client, seen), pytest.raises(OnlineError, match="leads to"):
            client.act(CODE, "secret", "resign")
    assert seen == [f"POST /api/matches/{CODE}/actions Bearer secret"]
    assert reached == []


def test_a_certificate_that_is_not_trusted_is_an_error_and_no_token_is_sent(tmp_path: Path) -> None:
    subprocess.run(CERTIFICATE.split(), cwd=tmp_path, check=True, capture_output=True, timeout=60)
    with (
        answering(200, b"{}", {"Content-Type": JSON}, tmp_path) as (client, seen),
        pytest.raises(OnlineError) as failed,
    ):
        client.act(CODE, "secret", "resign")
    assert "The certificate of https://127.0.0.1" in str(failed.value)
    assert "is not trusted: self-signed certificate." in str(failed.value)
    assert not isinstance(failed.value, UnreachableError)
    assert seen == []


def test_a_server_that_is_not_there_may_be_there_later() -> None:
    with pytest.raises(UnreachableError, match=r"Cannot reach http://127\.0\.0\.1:1: Connection refused\."):
        ServiceClient(read_server("127.0.0.1:1")).view(CODE)


def test_a_server_that_never_answers_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.online.client.ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = read_server(f"127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(UnreachableError) as failed:
            ServiceClient(server).create({"game": "charge", "opponent": "friend"})
        silent.accept()
        silent.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent.accept()
    assert str(failed.value) == f"{server.origin} does not answer. Check the address, or try again later."


def test_pauses_grow_up_to_a_limit_and_are_a_little_random() -> None:
    several = [list(islice(pauses(), 12)) for _ in range(20)]
    assert len({round(one[0], 6) for one in several}) > 1
    for one in several:
        assert 4 * one[0] < one[4]
        assert max(one) <= MAX_PAUSE_SECONDS * (1 + PAUSE_SPREAD)
