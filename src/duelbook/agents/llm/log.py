"""The log of exchanges with models: one JSON object per line, with the API key redacted."""

import html
import json
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field, to_builtins

from duelbook import documents
from duelbook.agents.agent import StoppedError
from duelbook.errors import RefusedError
from duelbook.files import append_atomic

MAX_REPLY_CHARACTERS = 100_000  # the end of a longer reply is logged, since it names the move
REDACTED = "[key]"

Redact = Callable[[str], str]


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a conversation with a model."""

    role: str
    content: str


class Tokens(Struct, forbid_unknown_fields=True):
    """The tokens of one exchange."""

    read: int = 0
    written: int = 0
    estimated: bool = False  # the endpoint did not report them


class Exchange(Struct, kw_only=True, forbid_unknown_fields=True):
    """A question to a model and its reply: one line of the log (docs/agents.md)."""

    match: str
    game: str
    ply: int
    seat: str
    model: str
    seed: int
    attempt: int
    prompt: list[Message]
    reply: str | None = None
    move: str | None = None
    time: str = ""
    request: int = field(default=0, name="try")  # the number of the request for this attempt, from 1
    status: int = 0
    seconds: float = 0.0
    answered_by: str = ""
    finish: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    result: str = ""  # accepted, refused, timeout, garbage or failed; empty until the reply is read
    why: str = ""


def log_beside(record: Path) -> Path:
    """Return the file for the exchanges of a recorded match."""
    return record.with_name(f"{record.stem}.exchanges.jsonl")


class ExchangeLog:
    """Appends exchanges to a file, and replays those of a run that was interrupted."""

    def __init__(self, path: Path | None, redact: Redact = str) -> None:
        self.path = path
        self._redact = redact
        self._lock = threading.Lock()
        self._earlier: dict[tuple[str, str], list[Exchange]] = defaultdict(list)

    def write(self, exchange: Exchange) -> None:
        """Append the exchange, so that it survives a crash of the program."""
        if self.path is None:
            return
        reply = exchange.reply and self._redact(exchange.reply)[-MAX_REPLY_CHARACTERS:]
        line = json.dumps(to_builtins(exchange) | {"reply": reply}) + "\n"
        try:
            with self._lock, self.path.open("ab", buffering=0) as file:
                append_atomic(file, line.encode())
        except OSError as error:
            raise StoppedError(f"Cannot write to '{self.path}': {error.strerror}.") from error

    def remember(self, exchanges: Iterable[Exchange]) -> None:
        """Keep the replies of an earlier run for `replay`, so that they need not be paid for again."""
        for exchange in exchanges:
            if exchange.result in ("accepted", "refused"):
                self._earlier[_key(exchange.match, exchange.prompt)].append(exchange)

    def replay(self, match: str, prompt: Sequence[Message]) -> Exchange | None:
        """Return an earlier exchange with the same prompt in the same match, each one once."""
        with self._lock:
            earlier = self._earlier.get(_key(match, prompt))
            return earlier.pop(0) if earlier else None


def _key(match: str, prompt: Sequence[Message]) -> tuple[str, str]:
    return match, json.dumps(to_builtins(prompt))


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """Yield the exchanges in the file. A last line without a line end is skipped: its writer was interrupted."""
    if not path.exists():
        return
    *lines, _ = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            yield documents.read(line, Exchange)
        except RefusedError as error:
            raise RefusedError(f"{path}, line {number} is not an exchange: {error}") from error


def redactor(key: str) -> Redact:
    """Return a function that replaces the key in a text. Redact a text before shortening it."""
    if not key:
        return str
    spelt = "".join(map(_spellings, key))
    pattern = re.compile(f"{re.escape(REDACTED)}|{spelt}")  # a redacted text stays as it is even if the key is `e`
    return lambda text: pattern.sub(REDACTED, text)


def _spellings(character: str) -> str:
    """Return a pattern for the character: plain, and as JSON, URLs and HTML may escape it."""
    code = ord(character)
    plain = rf"\\{{0,3}}(?:{re.escape(character)}|(?i:u{code:04x}))"  # also JSON within JSON
    return rf"(?:{re.escape(html.escape(character))}|{plain}|(?i:%{code:02x}|&#(?:{code}|x{code:x});))"
