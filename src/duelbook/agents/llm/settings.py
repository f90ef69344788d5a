"""Settings for language models, by environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.settings import read_settings, setting
from duelbook.text import shorten

PREFIX = "DUELBOOK_LLM_"
RESERVED_FIELDS = ("model", "messages", "stream", "n")  # fields of a request that the settings cannot change


class Reading(StrEnum):
    """The rule by which the move is read from a reply (docs/agents.md)."""

    STRICT = "strict"  # the last line is exactly `MOVE: ` and the name of the move
    TOLERANT = "tolerant"  # also in bold, code, a box or a function call, and with text after that line


def by_variable(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings of language models by their environment variables."""
    return {PREFIX + name.upper(): value for name, value in settings.items()}


def model_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return those of the settings, given by environment variables, that are of language models, by their names."""
    return {name.removeprefix(PREFIX).lower(): value for name, value in settings.items() if name.startswith(PREFIX)}


def read_reading(text: str) -> Reading:
    """Return the rule of reading that the text names, or raise RefusedError."""
    if text not in list(Reading):
        raise RefusedError(f"reading must be {' or '.join(Reading)}, not {shorten(repr(text))}.")
    return Reading(text)


@dataclass(frozen=True)
class LlmSettings:
    """The settings for language models. Each is also an environment variable: `DUELBOOK_LLM_` and its name."""

    base_url: str = setting("", "the address of the endpoint, without `/chat/completions` at its end")
    api_key: str = setting("", "sent as a bearer token, never logged; if empty, no token is sent", secret=True)
    timeout: float = setting(60.0, "seconds for one reply, after which the attempt counts as a timeout", 0.01)
    retries: int = setting(
        4, "further tries after status 429, a server error, a lost connection or a response that is no completion", 0
    )
    backoff: float = setting(1.0, "seconds before the first retry; each pause is twice as long as the one before", 0)
    concurrency: int = setting(4, "requests at the same time", 1)
    attempts: int = setting(3, "answers that a model may give for one move before it forfeits", 1)
    show_legal: bool = setting(True, "whether the prompt lists the legal moves")
    reading: Reading = setting(Reading.TOLERANT, "the rule by which moves are read: `tolerant` or `strict`")  # noqa: RUF009 - a field
    tools: bool = setting(False, "whether requests declare a function `move` that the model may call")
    system_role: bool = setting(
        True, "whether the rules are a system message; if not, the first message begins with them"
    )
    stream: bool = setting(False, "whether replies are streamed; what has come before a timeout is then logged")
    max_calls: int = setting(0, "requests after which a run stops; 0 for no limit", 0)
    max_tokens: int = setting(0, "tokens, read and written, after which a run stops; 0 for no limit", 0)
    body: str = setting("", "a JSON object with further fields of every request; null removes a field")
    log: str = setting("", "a file for the exchanges of matches that are not recorded; by default they are not logged")

    def fields(self) -> dict[str, Any]:
        """Return the further fields of every request."""
        found: dict[str, Any] = parse(self.body.encode(errors="replace")) if self.body else {}
        return found

    def play_settings(self) -> dict[str, Any]:
        """Return the settings that affect how a model plays, by their environment variables."""
        names = ("timeout", "attempts", "show_legal", "reading", "tools", "system_role")
        return by_variable({name: getattr(self, name) for name in names} | {"body": self.fields()})


def read_llm_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> LlmSettings:
    """Return the settings, or raise RefusedError. The message never quotes the key."""
    settings = read_settings(LlmSettings, PREFIX, environment, **flags)
    _check_url(settings.base_url)
    key = settings.api_key
    if not (key.isascii() and key.isprintable()) or " " in key or "\\" in key:  # a backslash has too many spellings
        raise RefusedError(
            f"{PREFIX}API_KEY contains a space, a backslash or another character that cannot be part of a key."
        )
    _check_body(settings)
    if settings.tools and settings.reading is Reading.STRICT:
        raise RefusedError(f"{PREFIX}TOOLS needs the reading 'tolerant': the strict one accepts no calls of functions.")
    return settings


def _check_url(url: str) -> None:
    if not url:
        raise RefusedError(f"A language model needs {PREFIX}BASE_URL, for example http://localhost:8080/v1.")
    try:
        parts = urlsplit(url)
        plain = not (parts.username or parts.password or parts.query or parts.fragment) and url.isascii()
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and plain and url.isprintable():
            return
    except ValueError:
        pass
    raise RefusedError(
        f"{PREFIX}BASE_URL must be an address like http://localhost:8080/v1, without user name, password or query."
    )


def _check_body(settings: LlmSettings) -> None:
    try:
        fields = settings.fields()
    except RefusedError as error:
        raise RefusedError(f"{PREFIX}BODY: {error}") from error
    if not isinstance(fields, dict) or any(name in RESERVED_FIELDS for name in fields):
        raise RefusedError(f"{PREFIX}BODY must be a JSON object without the fields {', '.join(RESERVED_FIELDS)}.")
