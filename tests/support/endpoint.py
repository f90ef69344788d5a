"""An endpoint for language models: a real HTTP server whose behaviour a test decides."""

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from duelbook.agents.agent import Forfeit
from duelbook.agents.llm import LlmAgent, ModelClient
from duelbook.match import Match

KEY = "test-key-3f9c1a"  # no key of anything


@dataclass
class Reply:
    """What the server sends in response to one request, and how."""

    raw: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds before anything is sent
    drip: float = 0.0  # seconds before each byte of the body
    drop: bool = False  # close the connection without a response
    hold: float = 0.0  # seconds after the body in which the connection stays open, as if more came


Behaviour = Callable[[dict[str, Any], int], Reply]


def say(text: Any, usage: Any = "counted", **more: Any) -> Reply:
    counted = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    document = {
        "id": "x",
        "object": "chat.completion",
        "model": "small-model-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": counted if usage == "counted" else usage,
    }
    return Reply(json.dumps(document).encode(), **more)


def answer(message: dict[str, Any], finish: str = "stop", **document: Any) -> Reply:
    """Return a chat completion with any message and any further fields."""
    return Reply(json.dumps({"choices": [{"message": message, "finish_reason": finish}], **document}).encode())


def stream(
    *deltas: dict[str, Any], finish: str | None = "stop", end: bytes = b"data: [DONE]\n\n", **more: Any
) -> Reply:
    """Return a streamed chat completion: an event for each delta, one that ends the reply, and one with its tokens."""
    chunks: list[dict[str, Any]] = [
        {"model": "small-model-1", "choices": [{"index": 0, "delta": one}]} for one in deltas
    ]
    if finish:
        chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        chunks.append({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}})
    events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks]
    return Reply(b": waiting\n\n" + b"".join(events) + end, headers={"Content-Type": "text/event-stream"}, **more)


def streamed_legal(body: dict[str, Any], number: int) -> Reply:
    return stream({"content": "I have thought.\nMO"}, {"content": f"VE: {legal(body)[-1]}"})


def fail(status: int, message: str = "try later", **headers: str) -> Reply:
    raw = json.dumps({"error": {"message": message, "type": "test"}}).encode()
    return Reply(raw, status, {name.replace("_", "-"): value for name, value in headers.items()})


def legal(body: dict[str, Any]) -> list[str]:
    found = re.search(r"^Legal moves: (.*)$", body["messages"][1]["content"], re.MULTILINE)
    return found.group(1).split(", ") if found else []


def last_legal(body: dict[str, Any], number: int) -> Reply:
    return say(f"I have thought about it.\nMOVE: {legal(body)[-1]}")


def in_turn(*replies: Reply) -> Behaviour:
    """Send these replies one after another, then reply with legal moves."""
    return lambda body, number: replies[number] if number < len(replies) else last_legal(body, number)


def always(reply: Reply) -> Behaviour:
    return lambda body, number: reply


class Endpoint:
    """The server, and the requests that it got."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.models = Reply(b'{"object": "list", "data": []}')  # the response to GET /models
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def environment(self, **changes: object) -> dict[str, str]:
        """Return the settings for this endpoint, with short pauses and few retries."""
        given = {"base_url": self.url, "api_key": KEY, "timeout": 60, "backoff": 0.01, "retries": 2} | changes
        return {f"DUELBOOK_LLM_{name.upper()}": str(value) for name, value in given.items()} | {"NO_PROXY": "127.0.0.1"}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                time.sleep(endpoint.models.delay)
                self.send(endpoint.models)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = endpoint.take(body, self.headers.get("Authorization"))
                time.sleep(reply.delay)
                endpoint.leave()  # before the client has the reply and can send its next request
                try:
                    self.send(reply)
                except OSError:  # the client did not wait
                    self.close_connection = True

            def send(self, reply: Reply) -> None:
                if reply.drop:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(reply.status)
                promised = len(reply.raw) + bool(reply.hold)
                for name, value in ({"Content-Length": str(promised)} | reply.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                step = 1 if reply.drip else len(reply.raw) or 1
                for start in range(0, len(reply.raw), step):
                    time.sleep(reply.drip)
                    self.wfile.write(reply.raw[start : start + step])
                time.sleep(reply.hold)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def take(self, body: dict[str, Any], authorization: str | None) -> Reply:
        with self._lock:
            number = len(self.bodies)
            self.bodies.append(body)
            self.keys.append(authorization)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        return self.behave(body, number)

    def leave(self) -> None:
        with self._lock:
            self._at_once -= 1

    @contextmanager
    def serving(self) -> Iterator["Endpoint"]:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


@contextmanager
def endpoint(behave: Behaviour = last_legal) -> Iterator[Endpoint]:
    with Endpoint(behave).serving() as serving:
        yield serving


def entries(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


class ServedModel(NamedTuple):
    """A model that plays through an endpoint of the tests."""

    agent: LlmAgent
    client: ModelClient
    endpoint: Endpoint
    file: Path

    def log(self) -> list[dict[str, Any]]:
        return entries(self.file)

    def results(self) -> list[str]:
        return [entry["result"] for entry in self.log()]

    def forfeits(self, match: Match) -> tuple[str, str]:
        """Return the kind and detail of the forfeit when the model must move."""
        with pytest.raises(Forfeit) as caught:
            self.agent.choose(match)
        return caught.value.kind, str(caught.value)
