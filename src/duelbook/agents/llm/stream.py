"""Streamed replies: server-sent events, put together to the chat completion that would have come without streaming."""

import re
from collections.abc import Iterator
from typing import Any

from duelbook import documents
from duelbook.errors import RefusedError

DONE = "[DONE]"
LAST_EVENT = re.compile(rb"(?:\A|[\r\n])data: ?\[DONE\]\s*\Z")
LINE_END = re.compile(r"\r\n|\n|\r")
TEXT_FIELDS = ("reasoning_content", "reasoning", "thinking", "refusal")


def is_stream(raw: bytes | bytearray) -> bool:
    """Return True if the bytes begin as a stream of events does. No JSON document and no page begins so."""
    return raw.lstrip()[:6].startswith((b"data:", b"event:", b":", b"id:", b"retry:"))


def is_finished(raw: bytes | bytearray) -> bool:
    """Return True if the stream says that it is complete. An endpoint may leave the connection open after that."""
    return LAST_EVENT.search(raw[-64:]) is not None


class Assembly:
    """The chat completion of a stream, as far as it has come."""

    def __init__(self) -> None:
        self.complete = False  # the model has said why it stopped, or the stream that it ends
        self.error: Any = None  # what the endpoint reports in the middle of the stream
        self._content: list[Any] = []
        self._texts: dict[str, str] = {}
        self._details: list[Any] = []
        self._calls: dict[Any, dict[str, str]] = {}
        self._finish: Any = None
        self._outside: dict[str, Any] = {}

    def document(self) -> dict[str, Any]:
        """Return the chat completion as a document."""
        whole = all(isinstance(piece, str) for piece in self._content)
        parts = [{"type": "text", "text": piece} if isinstance(piece, str) else piece for piece in self._content]
        message: dict[str, Any] = {"content": "".join(self._content) if whole else parts, **self._texts}
        message["tool_calls"] = [{"function": call} for call in self._calls.values()]
        message["reasoning_details"] = self._details
        return {"choices": [{"message": message, "finish_reason": self._finish}], **self._outside}

    def add(self, chunk: Any) -> None:
        """Add the next chunk, or raise RefusedError if it is none."""
        if not isinstance(chunk, dict):
            raise RefusedError("A part of the stream is not an object.")
        self.error = self.error or chunk.get("error")
        for name in ("model", "usage", "usageMetadata"):
            if chunk.get(name) is not None:
                self._outside[name] = chunk[name]
        for choice in chunk.get("choices") or []:
            if isinstance(choice, dict) and choice.get("index") in (0, None):
                self._add_choice(choice)

    def _add_choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise RefusedError("A part of the stream has no message.")
        content = delta.get("content")
        self._content += content if isinstance(content, list) else [content] * isinstance(content, str)
        for name in TEXT_FIELDS:
            if isinstance(delta.get(name), str):
                self._texts[name] = self._texts.get(name, "") + delta[name]
        self._details += delta["reasoning_details"] if isinstance(delta.get("reasoning_details"), list) else []
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            self._add_call(call)
        if choice.get("finish_reason"):
            self._finish, self.complete = choice["finish_reason"], True

    def _add_call(self, call: Any) -> None:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            raise RefusedError("A part of the stream has a call without a function.")
        place = call.get("index", len(self._calls) if call.get("id") else max(len(self._calls) - 1, 0))
        so_far = self._calls.setdefault(place, {"name": "", "arguments": ""})
        for name in so_far:
            so_far[name] += function[name] if isinstance(function.get(name), str) else ""


def assemble(raw: bytes) -> Assembly:
    """Return the completion of the stream so far. A part that is cut off at the end is left out."""
    assembly = Assembly()
    for data in _events(raw):
        if data == DONE:
            assembly.complete = True
            break
        assembly.add(documents.parse(data.encode()))
    return assembly


def _events(raw: bytes) -> Iterator[str]:
    """Yield the data of every event that has come whole. Comments and other fields are passed over."""
    lines = LINE_END.split(raw.decode(errors="replace"))
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data and (data[-1] == DONE or _is_whole("\n".join(data))):  # the last event may lack its empty line
        yield "\n".join(data)


def _is_whole(data: str) -> bool:
    try:
        documents.parse(data.encode())
    except RefusedError:
        return False
    return True
