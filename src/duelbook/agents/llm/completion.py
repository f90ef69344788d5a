"""A chat completion as endpoints send it: the reply, its reasoning, calls of functions, why it ended, what it cost."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from duelbook import documents
from duelbook.agents.llm.log import ChatMessage, FunctionCall, Redact, Tokens
from duelbook.agents.llm.stream import assemble, is_stream
from duelbook.agents.llm.usage import read_usage
from duelbook.errors import RefusedError
from duelbook.text import shorten

PAGE = re.compile(rb"\s*(?:<!doctype html|<html|<head|<body|<h1)", re.IGNORECASE)
FAILED_FINISH = ("error", "insufficient_system_resource", "network_error")  # the endpoint's fault, not the model's
REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


class Completion(NamedTuple):
    """One reply of a model, and what it cost."""

    text: str
    model: str  # as the endpoint names it
    finish: str  # why the model stopped
    tokens: Tokens
    reasoning: str = ""
    refusal: str = ""
    calls: tuple[FunctionCall, ...] = ()
    in_parts: bool = False
    streamed: bool = False


class _Message(Struct):
    content: str | list[Any] | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    thinking: Any = None
    reasoning_details: Any = None
    refusal: Any = None
    tool_calls: Any = None
    function_call: Any = None


class _CompletionChoice(Struct):
    message: _Message
    finish_reason: Any = None


class _Completion(Struct):
    """The part of a chat completion that is used. Endpoints differ in the rest, so nothing else is checked."""

    choices: Annotated[list[_CompletionChoice], Meta(min_length=1)]
    model: Any = None
    usage: Any = None
    usageMetadata: Any = None  # noqa: N815 - Gemini's name


def read_completion(raw: bytes, prompt: Sequence[ChatMessage], redact: Redact = str) -> Completion:
    """Return the completion in the bytes, streamed or not, or raise RefusedError: then the endpoint is at fault.

    Only the texts and the calls may still contain the key.
    """
    if PAGE.match(raw):
        page = shorten(redact(raw.decode(errors="replace")))
        raise RefusedError(f"The response is an HTML page, not a chat completion: {page}")
    try:
        completion = _read(raw, prompt, redact, partial=False)
    except RefusedError as error:
        text = raw.decode(errors="replace")
        if redact(text) != text:  # the reason may quote a part of the key
            raise RefusedError(f"The response is not a chat completion: {shorten(redact(text))}") from None
        raise RefusedError(f"The response is not a chat completion. {error}") from error
    if completion.finish.casefold() in FAILED_FINISH:
        raise RefusedError(f"The model stopped with '{completion.finish}'.")
    return completion


def read_partial(raw: bytes, prompt: Sequence[ChatMessage], redact: Redact = str) -> Completion | None:
    """Return what had come of a streamed reply that was cut off; None if nothing had."""
    try:
        found = _read(raw, prompt, redact, partial=True) if is_stream(raw) else None
    except RefusedError:
        return None
    return found if found and (found.text or found.reasoning or found.calls) else None


def _read(raw: bytes, prompt: Sequence[ChatMessage], redact: Redact, *, partial: bool) -> Completion:
    streamed = is_stream(raw)
    if streamed:
        assembly = assemble(raw)
        if assembly.error and not partial:
            raise RefusedError(f"The endpoint reports: {_error_text(assembly.error)}")
        if not (assembly.complete or partial):
            raise RefusedError("The stream ended before the reply did.")
        given = assembly.document()
    else:
        given = documents.parse(raw)
        if isinstance(given, dict) and given.get("error") and not given.get("choices"):
            raise RefusedError(f"The endpoint reports: {_error_text(given['error'])}")
    document = documents.convert(given, _Completion)
    choice, message = document.choices[0], document.choices[0].message
    text, thoughts, refusals = _texts(message.content)
    named = next((value for name in REASONING_FIELDS if (value := _text(getattr(message, name)))), "")
    reasoning = named or thoughts or "".join(_details(message.reasoning_details))
    calls = tuple(_calls(message))
    written = "".join([reasoning, text, *(call.arguments for call in calls)])
    model, finish = (
        shorten(redact(name)) if isinstance(name, str) else "" for name in (document.model, choice.finish_reason)
    )
    tokens = read_usage(document.usage or document.usageMetadata, prompt, written)
    in_parts = isinstance(message.content, list)
    refusal = _text(message.refusal) or refusals
    return Completion(text, model, finish, tokens, reasoning, refusal, calls, in_parts, streamed)


def _texts(content: str | list[Any] | None) -> tuple[str, str, str]:
    """Return the text of a message, and the reasoning and the refusals that are parts of its content."""
    if not isinstance(content, list):
        return content or "", "", ""
    found = {"text": "", "reasoning": "", "refusal": ""}
    for part in content:
        if isinstance(part, str):
            found["text"] += part
        elif not isinstance(part, dict):
            raise RefusedError("content must be text or a list of parts.")
        elif part.get("type") in ("thinking", "reasoning"):
            found["reasoning"] += _text(part.get("thinking")) or _text(part.get("reasoning")) or _text(part.get("text"))
        elif part.get("type") == "refusal":
            found["refusal"] += _text(part.get("refusal"))
        else:
            found["text"] += _text(part.get("text"))
    return found["text"], found["reasoning"], found["refusal"]


def _text(value: Any) -> str:
    """Return a text, or the texts of a list of parts. Anything else is no text."""
    if isinstance(value, list):
        return "".join(_text(part.get("text") if isinstance(part, dict) else part) for part in value)
    return value if isinstance(value, str) else ""


def _details(details: Any) -> Iterator[str]:
    for detail in details if isinstance(details, list) else []:
        if isinstance(detail, dict):
            yield _text(detail.get("text")) or _text(detail.get("summary"))


def _calls(message: _Message) -> Iterator[FunctionCall]:
    """Yield the calls of functions. Endpoints send arguments as JSON or as an object."""
    calls = message.tool_calls if isinstance(message.tool_calls, list) else []
    functions = [call.get("function") for call in calls if isinstance(call, dict)]
    for function in [*functions, message.function_call]:
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            yield FunctionCall(function["name"], arguments if isinstance(arguments, str) else json.dumps(arguments))


def read_error(raw: bytes, redact: Redact = str) -> str:
    """Return in one line what the endpoint says went wrong."""
    try:
        error = documents.parse(raw)["error"]
        return shorten(redact(str(error["message"] if isinstance(error, dict) else error)))
    except (RefusedError, LookupError, TypeError):
        return shorten(redact(raw.decode(errors="replace")))


def _error_text(error: Any) -> str:
    return shorten(str(error.get("message", error) if isinstance(error, dict) else error)).removesuffix(".") + "."
