"""The log of exchanges with models: one JSON object per line, with the API key redacted."""

import html
import json
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field, to_builtins

from duelbook import documents
from duelbook.agents.agent import StoppedError
from duelbook.errors import RefusedError
from duelbook.files import append_atomic

MAX_TEXT_CHARACTERS = 100_000  # of a reply and of its reasoning; of a longer text the end is logged, which decides
REDACTED = "[key]"

Redact = Callable[[str], str]


class ChatMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a conversation with a model."""

    role: str
    content: str


class FunctionCall(Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a function in a model's reply, with its arguments as JSON."""

    name: str
    arguments: str


class Tokens(Struct, forbid_unknown_fields=True):
    """The tokens of one exchange."""

    read: int = 0
    written: int = 0  # including those of the reasoning
    estimated: bool = False  # the endpoint did not report them
    reasoning: int = 0  # of those written, as far as the endpoint reports them
    cached: int = 0  # of those read, as far as the endpoint reports them


class Exchange(Struct, kw_only=True, forbid_unknown_fields=True):
    """A question to a model and its reply: one line of the log (docs/agents.md)."""

    match: str
    game: str
    ply: int
    seat: str
    model: str
    seed: int
    attempt: int
    prompt: list[ChatMessage]
    parameters: dict[str, Any] = field(default_factory=dict)  # all other fields of the request, such as `temperature`
    reply: str | None = None
    reasoning: str = ""
    refusal: str = ""  # what the endpoint marks as a refusal
    calls: list[FunctionCall] = field(default_factory=list)
    in_parts: bool = False  # the endpoint sent the reply as a list of parts
    streamed: bool = False
    move: str | None = None
    time: str = ""
    request: int = field(default=0, name="try")  # the number of the request for this attempt, from 1
    status: int = 0
    seconds: float = 0.0
    answered_by: str = ""
    finish: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    result: str = ""  # `accepted`, a kind of forfeit, or `failed`; empty until the reply is read
    why: str = ""
    readings: dict[str, str] = field(default_factory=dict)  # by rule: the result under it, if there was a reply to read


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
        self._started: set[str] = set()  # the matches that `resume_match` has seen
        self._places: dict[str, list[int]] = defaultdict(list)  # by match: where its lines start
        self._end = 0  # of the lines whose places are known

    def write(self, exchange: Exchange) -> None:
        """Append the exchange, so that it survives a crash of the program and of the machine."""
        if self.path is None:
            return
        texts = {name: getattr(exchange, name) for name in ("reply", "reasoning", "refusal")}
        kept: dict[str, Any] = {
            name: text and self._redact(text)[-MAX_TEXT_CHARACTERS:] for name, text in texts.items()
        }
        kept["calls"] = [
            {name: self._redact(text) for name, text in call.items()} for call in to_builtins(exchange.calls)
        ]
        line = json.dumps(to_builtins(exchange) | kept) + "\n"
        try:
            with self._lock, self.path.open("ab", buffering=0) as file:
                append_atomic(file, line.encode())
                os.fsync(file.fileno())
        except OSError as error:
            raise StoppedError(f"Cannot write to '{self.path}': {error.strerror}.") from error

    def continue_in(self, path: Path) -> None:
        """Append to this file from now on, which a run that was interrupted may have begun."""
        self.path = path
        cut_last_line(path)

    def remember_matches(self, matches: Collection[str]) -> None:
        """Keep the replies in the file about these matches, which are not finished, for `replay`."""
        if self.path:
            self.remember(exchange for exchange in read_exchanges(self.path) if exchange.match in matches)

    def remember(self, exchanges: Iterable[Exchange]) -> None:
        """Keep the replies of an earlier run for `replay`, so that they need not be paid for again."""
        for exchange in exchanges:
            self._remember(exchange)

    def _remember(self, exchange: Exchange) -> None:
        if exchange.readings:
            self._earlier[_key(exchange.match, exchange.prompt)].append(exchange)

    def resume_match(self, match: str) -> None:
        """Keep for `replay` what is in the log about a match that starts: another process began it and was stopped."""
        with self._lock:
            if self.path is None or match in self._started or not self.path.exists():
                return
            self._started.add(match)
            try:
                self._read_match(self.path, match)
            except OSError as error:
                raise StoppedError(f"Cannot read '{self.path}': {error.strerror}.") from error
            except RefusedError as error:
                raise StoppedError(f"{self.path}, after byte {self._end}, is damaged: {error}") from error

    def _read_match(self, path: Path, match: str) -> None:
        with path.open("rb") as file:
            file.seek(self._end)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._places[_read_line(line).match].append(self._end)
                self._end += len(line)
            for place in self._places.pop(match, ()):
                file.seek(place)
                self._remember(_read_line(file.readline()))

    def replay(self, match: str, prompt: Sequence[ChatMessage]) -> Exchange | None:
        """Return an earlier exchange with the same prompt in the same match, each one once."""
        with self._lock:
            earlier = self._earlier.get(_key(match, prompt))
            return earlier.pop(0) if earlier else None


def _key(match: str, prompt: Sequence[ChatMessage]) -> tuple[str, str]:
    return match, json.dumps(to_builtins(prompt))


def cut_last_line(path: Path) -> None:
    """Remove a last line without a line end, so that the next one is not appended to it."""
    if path.exists():
        raw = path.read_bytes()
        if not raw.endswith(b"\n"):
            os.truncate(path, raw.rfind(b"\n") + 1)


def read_exchanges(path: Path) -> Iterator[Exchange]:
    """Yield the exchanges in the file. A last line without a line end is skipped: its writer was interrupted."""
    if not path.exists():
        return
    *lines, _ = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            yield _read_line(line)
        except RefusedError as error:
            raise RefusedError(f"{path}, line {number} is not an exchange: {error}") from error


def _read_line(line: bytes) -> Exchange:
    return documents.read(line, Exchange)


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
