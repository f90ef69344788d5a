"""The live socket as tests use it: what is heard over it, and what is asked."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from websockets.sync.client import ClientConnection

PATIENCE = 20.0  # seconds for a message to come

Message = dict[str, Any]


def hear(live: ClientConnection, seconds: float = PATIENCE) -> Message:
    """Answer the next message, whatever it is."""
    message: Message = json.loads(live.recv(seconds))
    return message


def next_view(live: ClientConnection, seconds: float = PATIENCE) -> Message:
    """Answer the next message, which is to be a view."""
    message = hear(live, seconds)
    assert message["type"] == "view", message
    assert (message["version"], message["ply"]) == (message["match"]["version"], message["match"]["ply"])
    return message


def hear_until(live: ClientConnection, done: Callable[[list[Message]], bool]) -> list[Message]:
    """Answer the messages up to where enough has been heard."""
    heard: list[Message] = []
    while not done(heard):
        heard.append(hear(live))
    return heard


def views_until(live: ClientConnection, version: int, seconds: float = PATIENCE) -> list[Message]:
    """Answer the views up to that version, each newer than the one before."""
    views: list[Message] = []
    while not views or views[-1]["version"] < version:
        views.append(next_view(live, seconds))
    numbers = [view["version"] for view in views]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == version
    return views


def answers(live: ClientConnection, count: int) -> Iterator[Message]:
    """Answer the next answers, without the views that come between them."""
    while count:
        message = hear(live)
        if message["type"] != "view":
            yield message
            count -= 1


def answer_to(live: ClientConnection, text: str | bytes) -> Message:
    """Send the message and answer its answer."""
    live.send(text)
    (answer,) = answers(live, 1)
    return answer


def ask(live: ClientConnection, kind: str, **more: Any) -> Message:
    """Send a message with an id and answer its answer, which has the same."""
    answer = answer_to(live, json.dumps({"type": kind, "id": f"my {kind}", **more}))
    assert answer.pop("id") == f"my {kind}"
    return answer


def is_quiet(live: ClientConnection, seconds: float = 0.3) -> bool:
    """Tell whether nothing comes for so long."""
    try:
        live.recv(seconds)
    except TimeoutError:
        return True
    return False
