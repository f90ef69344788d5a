"""What can be set for language models, by environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.settings import read_settings, setting

PREFIX = "DUELBOOK_LLM_"
OURS = ("model", "messages", "stream", "n")  # fields of a request that the settings cannot change


@dataclass(frozen=True)
class LlmSettings:
    """The settings for language models; each is also the environment variable `DUELBOOK_LLM_` and its name."""

    base_url: str = setting("", "where the endpoint is, up to and without `/chat/completions`")
    api_key: str = setting("", "sent as a bearer token and never logged; none is sent if there is none", secret=True)
    timeout: float = setting(60.0, "seconds for one reply, after which the attempt counts as a timeout", 0.01)
    retries: int = setting(4, "further tries after 429, a server's fault or a lost connection", 0)
    backoff: float = setting(1.0, "seconds before the first further try; each pause is twice the one before", 0)
    concurrency: int = setting(4, "requests at a time", 1)
    attempts: int = setting(3, "answers that a model may give for one move before it forfeits", 1)
    show_legal: bool = setting(True, "whether the legal moves are in the prompt")
    max_calls: int = setting(0, "requests after which a run stops; 0 is no limit", 0)
    max_tokens: int = setting(0, "tokens, read and written, after which a run stops; 0 is no limit", 0)
    body: str = setting("", "a JSON object with further fields of every request; null takes a field out")
    log: str = setting("", "a file for the exchanges of matches that are not recorded; by default they are not kept")

    def fields(self) -> dict[str, Any]:
        """Answer the further fields of every request."""
        found: dict[str, Any] = parse(self.body.encode(errors="replace")) if self.body else {}
        return found

    def deciding(self) -> dict[str, Any]:
        """Answer the settings that decide how a model plays, by their environment variables."""
        told = {"timeout": self.timeout, "attempts": self.attempts, "show_legal": self.show_legal}
        return {PREFIX + name.upper(): value for name, value in told.items()} | {f"{PREFIX}BODY": self.fields()}


def read_llm_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> LlmSettings:
    """Answer the settings, or refuse in a sentence what cannot be one; the key is never quoted."""
    settings = read_settings(LlmSettings, PREFIX, environment, **flags)
    _check_url(settings.base_url)
    key = settings.api_key
    if not (key.isascii() and key.isprintable()) or " " in key or "\\" in key:  # a backslash has endless spellings
        raise RefusedError(f"{PREFIX}API_KEY holds characters that no key has")
    _check_body(settings)
    return settings


def _check_url(url: str) -> None:
    if not url:
        raise RefusedError(f"a language model needs {PREFIX}BASE_URL, such as http://localhost:8080/v1")
    try:
        parts = urlsplit(url)
        plain = not (parts.username or parts.password or parts.query or parts.fragment) and url.isascii()
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and plain and url.isprintable():
            return
    except ValueError:
        pass
    raise RefusedError(f"{PREFIX}BASE_URL must be like http://localhost:8080/v1, without name, password or query")


def _check_body(settings: LlmSettings) -> None:
    try:
        fields = settings.fields()
    except RefusedError as error:
        raise RefusedError(f"{PREFIX}BODY: {error}") from error
    if not isinstance(fields, dict) or any(name in OURS for name in fields):
        raise RefusedError(f"{PREFIX}BODY must be a JSON object without {', '.join(OURS)}")
