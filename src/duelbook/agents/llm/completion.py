"""What a chat-completions endpoint sends back, read with distrust."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.agents.llm.prompt import Message
from duelbook.agents.llm.secret import Hide
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.text import shorten

MOST_TOKENS = 100_000_000  # of one exchange; more is a lie
PER_TOKEN = 4  # characters that make about one token, where the endpoint does not count


class Completion(NamedTuple):
    """One reply of a model, and what it cost."""

    text: str
    model: str  # which the endpoint says it was
    finish: str  # why the model stopped
    read: int  # tokens of the prompt
    written: int  # tokens of the reply
    estimated: bool  # the endpoint did not count


def read_completion(raw: bytes, prompt: Sequence[Message], hide: Hide = str) -> Completion:
    """Answer the completion that the bytes hold, or refuse what is none; only its text may still hold the key."""
    document = _parsed(raw, hide)
    try:
        choice = document["choices"][0]
        text = choice["message"]["content"]
    except (LookupError, TypeError) as error:
        raise RefusedError(_no_completion(raw, hide)) from error
    if text is not None and not isinstance(text, str):
        raise RefusedError("not a chat completion: its content is no text")
    text = text or ""
    usage = document.get("usage")
    read, written = (_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
    estimated = read is None or written is None
    if read is None or written is None:
        read, written = _about(*(message["content"] for message in prompt)), _about(text)
    model, finish = _name(document, "model", hide), _name(choice, "finish_reason", hide)
    return Completion(text, model, finish, read, written, estimated)


def read_fault(raw: bytes, hide: Hide = str) -> str:
    """Answer in a line what the endpoint says went wrong."""
    try:
        document = parse(raw)
        error = document["error"]
        return shorten(hide(str(error["message"] if isinstance(error, dict) else error)))
    except (RefusedError, LookupError, TypeError):
        return shorten(hide(raw.decode(errors="replace")))


def _parsed(raw: bytes, hide: Hide) -> Any:
    """Answer the document, or refuse the bytes with the reason, unless that may quote a part of the key."""
    try:
        return parse(raw)
    except RefusedError as error:
        text = raw.decode(errors="replace")
        raise RefusedError(str(error) if hide(text) == text else _no_completion(raw, hide)) from error


def _no_completion(raw: bytes, hide: Hide) -> str:
    return f"not a chat completion: {shorten(hide(raw.decode(errors='replace')))}"


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and 0 <= count <= MOST_TOKENS else None


def _about(*texts: str) -> int:
    return sum(-(-len(text) // PER_TOKEN) for text in texts)


def _name(document: Any, key: str, hide: Hide) -> str:
    value = document.get(key)
    return shorten(hide(value)) if isinstance(value, str) else ""
