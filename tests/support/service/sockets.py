"""The live socket as tests use it: send messages, and wait for answers, views and presence."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support.service.harness import Player, RunningServer

TOO_MUCH = 1000  # views of Word Clash, of 4 kB each, that fill every buffer on the way to a client that does not read
ANSWERED = 'duelbook_socket_messages_total{answer="accepted",type="view"}'
PATIENCE = 20.0  # seconds to wait for a message

Message = dict[str, Any]


def hear(live: ClientConnection, seconds: float = PATIENCE) -> Message:
    while True:
        message: Message = json.loads(live.recv(seconds))
        if message["type"] != "presence":
            return message


def next_presence(live: ClientConnection, seconds: float = PATIENCE) -> tuple[bool, bool]:
    """Return which players are present, as the next message must say."""
    message: Message = json.loads(live.recv(seconds))
    assert message.keys() == {"type", "present"}, message
    assert message["type"] == "presence"
    return there(message)


def there(message: Message) -> tuple[bool, bool]:
    assert message["present"].keys() == {"first", "second"}, message
    return message["present"]["first"], message["present"]["second"]


def next_view(live: ClientConnection, seconds: float = PATIENCE) -> Message:
    message = hear(live, seconds)
    assert message["type"] == "view", message
    assert (message["version"], message["ply"]) == (message["match"]["version"], message["match"]["ply"])
    return message


def hear_until(live: ClientConnection, done: Callable[[list[Message]], bool]) -> list[Message]:
    """Return the messages until the condition holds."""
    heard: list[Message] = []
    while not done(heard):
        heard.append(hear(live))
    return heard


def views_until(live: ClientConnection, version: int, seconds: float = PATIENCE) -> list[Message]:
    """Return the views up to that version, each newer than the one before."""
    views: list[Message] = []
    while not views or views[-1]["version"] < version:
        views.append(next_view(live, seconds))
    numbers = [view["version"] for view in views]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == version
    return views


def answers(live: ClientConnection, count: int) -> Iterator[Message]:
    while count:
        message = hear(live)
        if message["type"] != "view":
            yield message
            count -= 1


def answer_to(live: ClientConnection, text: str | bytes) -> Message:
    """Send the message and return its answer."""
    live.send(text)
    (answer,) = answers(live, 1)
    return answer


def ask(live: ClientConnection, kind: str, **more: Any) -> Message:
    """Send a message with an id and return its answer, which must have the same id."""
    answer = answer_to(live, json.dumps({"type": kind, "id": f"my {kind}", **more}))
    assert answer.pop("id") == f"my {kind}"
    return answer


def is_quiet(live: ClientConnection, seconds: float = 0.3) -> bool:
    """Return True if nothing but presence comes for that long."""
    try:
        hear(live, seconds)
    except TimeoutError:
        return True
    return False


@contextmanager
def slow_reader(player: Player) -> Iterator[ClientConnection]:
    """Open a socket with small buffers, ask for more than fits, and read nothing."""
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", player.server.port))
        url = f"ws://127.0.0.1:{player.server.port}/api/matches/{player.match}/live"
        with connect(url, sock=narrow, max_queue=1, ping_interval=None, close_timeout=0.1) as live:
            before = figure(player.server, ANSWERED)
            for _ in range(TOO_MUCH):
                live.send('{"type": "view"}')
            wait_until_stuck(player.server, before)
            yield live


def figure(server: RunningServer, name: str) -> float:
    found = [line.split()[-1] for line in server.http.get("/metrics").text.splitlines() if line.startswith(name)]
    return float(found[0]) if found else 0.0


def wait_until_stuck(server: RunningServer, before: float) -> None:
    """Wait until the server answers no more messages, although some are open."""
    answered, end = -1.0, time.monotonic() + PATIENCE
    while answered < (answered := figure(server, ANSWERED) - before) or (not answered and time.monotonic() < end):
        time.sleep(0.3)
    assert 0 < answered < TOO_MUCH
