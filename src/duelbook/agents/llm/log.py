"""The log of exchanges with models: one JSON object a line, kept beside the record, without the key."""

import json
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from duelbook.agents import StoppedError
from duelbook.agents.llm.prompt import Message
from duelbook.agents.llm.secret import Hide
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.files import append_whole
from duelbook.text import shorten

LONGEST_REPLY = 100_000  # characters of a reply that are logged: its end, which names the move

Exchange = dict[str, Any]


def log_beside(record: Path) -> Path:
    """Answer the file for the exchanges of a recorded match."""
    return record.with_name(f"{record.stem}.exchanges.jsonl")


class Exchanges:
    """Appends exchanges to a file, and recalls those of a run that was stopped."""

    def __init__(self, path: Path | None, hide: Hide = str) -> None:
        self.path = path
        self._hide = hide
        self._lock = threading.Lock()
        self._remembered: dict[tuple[str, str], list[Exchange]] = defaultdict(list)

    def write(self, exchange: Exchange) -> None:
        """Append the exchange, so that it outlasts a crash of the program."""
        if self.path is None:
            return
        line = json.dumps(exchange | {"reply": self._kept(exchange["reply"])}) + "\n"
        try:
            with self._lock, self.path.open("ab", buffering=0) as file:
                append_whole(file, line.encode())
        except OSError as error:
            raise StoppedError(f"cannot write to '{shorten(str(self.path))}': {error.strerror}") from error

    def _kept(self, reply: str | None) -> str | None:
        return reply and self._hide(reply)[-LONGEST_REPLY:]

    def remember(self, exchanges: Sequence[Exchange]) -> None:
        """Keep the replies of earlier, so that they need not be paid for again."""
        for exchange in exchanges:
            if exchange["result"] in ("accepted", "refused"):
                self._remembered[_key(exchange["match"], exchange["prompt"])].append(exchange)

    def recall(self, match: str, prompt: Sequence[Message]) -> Exchange | None:
        """Answer what the model replied to the very same question of the same match, once each."""
        with self._lock:
            found = self._remembered.get(_key(match, prompt))
            return found.pop(0) if found else None


def _key(match: str, prompt: Sequence[Message]) -> tuple[str, str]:
    return match, json.dumps(prompt)


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """Answer the exchanges in the file; a last line that was cut off in the middle is left out."""
    if not path.exists():
        return
    *lines, _ = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            exchange = parse(line)
            _check(exchange)
        except (RefusedError, LookupError, TypeError) as error:
            raise RefusedError(f"{path}: line {number} is no exchange") from error
        yield exchange


def _check(exchange: Any) -> None:
    """Raise LookupError or TypeError where a field is missing or of another kind that others count on."""
    texts = (exchange["match"], exchange["seat"], exchange["result"], exchange["reply"] or "")
    counts = (exchange["tokens"]["read"], exchange["tokens"]["written"], exchange["status"], exchange["seconds"])
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(count, int | float) for count in counts):
        raise TypeError
    for message in exchange["prompt"]:
        message["role"], message["content"]
    exchange["tokens"]["estimated"], exchange["why"], exchange["finish"]
