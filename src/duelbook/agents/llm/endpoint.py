"""An OpenAI-compatible endpoint over HTTP: one request, one response, limited in time and size, strictly checked."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from duelbook import documents
from duelbook.agents.agent import StoppedError
from duelbook.agents.llm.log import Message, Redact, Tokens
from duelbook.agents.llm.settings import LlmSettings
from duelbook.errors import RefusedError
from duelbook.text import shorten

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES = 2_000_000
CONNECT_SECONDS = 10.0
MAX_TOKENS = 100_000_000  # of one exchange; a larger count is ignored
CHARACTERS_PER_TOKEN = 4  # an estimate, used if the endpoint does not report tokens


class Response(NamedTuple):
    """A response, or the reason why there is none."""

    status: int = 0  # 0 if there was no response
    raw: bytes = b""
    seconds: float = 0.0
    retry_after: float = 0.0  # seconds that the endpoint asks to wait
    fault: str = ""  # `timeout`, `unreachable`, `dropped` or `too large`
    detail: str = ""


class Endpoint:
    """Sends requests from any thread. A slow response is cut off when its time is up."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._slots = threading.Semaphore(settings.concurrency)
        self._loop = asyncio.new_event_loop()
        self._client: httpx.AsyncClient | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run_loop, daemon=True, name="duelbook-llm")
        self._thread.start()

    def _run_loop(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    def post(self, body: dict[str, Any]) -> Response:
        """Send one request for a completion. Faults are part of the response and are not raised."""
        with self._slots:
            return self._run(self._send("POST", "/chat/completions", json=body))

    def probe(self) -> Response:
        """Return the response to a request that involves no model."""
        return self._run(self._send("GET", "/models"))

    def close(self) -> None:
        """Cancel the requests under way, and send no more."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            shutdown = asyncio.run_coroutine_threadsafe(self._shut_down(), self._loop)
        shutdown.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self, request: Coroutine[Any, Any, Response]) -> Response:
        with self._lock:  # so that `close` cancels every request that was started
            if self._closed:
                request.close()
                raise StoppedError("The run is being stopped.")
            future = asyncio.run_coroutine_threadsafe(request, self._loop)
        try:
            return future.result()
        except CancelledError as error:
            raise StoppedError("The run is being stopped.") from error
        except BaseException:  # Ctrl-C
            future.cancel()
            raise

    async def _shut_down(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client:
            await self._client.aclose()

    async def _send(self, method: str, path: str, **content: Any) -> Response:
        import httpx

        client = self._client = self._client or self._connect()  # takes a while, so it is not part of the time limit
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._settings.timeout):
                response = await self._exchange(client, method, path, **content)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            response = Response(fault="unreachable", detail=str(error) or "no connection in time")
        except TimeoutError:
            response = Response(fault="timeout", detail=f"No reply came within {self._settings.timeout:g} seconds.")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            response = Response(fault="dropped", detail=str(error) or type(error).__name__)
        return response._replace(seconds=round(time.monotonic() - started, 3))

    async def _exchange(self, client: "httpx.AsyncClient", method: str, path: str, **content: Any) -> Response:
        async with client.stream(method, self._settings.base_url.rstrip("/") + path, **content) as response:
            raw = b""
            async for chunk in response.aiter_raw():
                raw += chunk
                if len(raw) > MAX_RESPONSE_BYTES:
                    detail = f"The reply is larger than {MAX_RESPONSE_BYTES:,} bytes."
                    return Response(response.status_code, fault="too large", detail=detail)
            wait = _retry_after(response.headers.get("retry-after", ""))
            return Response(response.status_code, raw, retry_after=wait)

    def _connect(self) -> "httpx.AsyncClient":
        import httpx

        key = self._settings.api_key
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        limits = httpx.Limits(max_connections=None)
        return httpx.AsyncClient(headers=headers, limits=limits, timeout=httpx.Timeout(None, connect=CONNECT_SECONDS))


def _retry_after(header: str) -> float:
    """Return the seconds that a Retry-After header asks for, given as a number or as a date."""
    try:
        if header.strip().isdecimal():
            return float(header)
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0


class Completion(NamedTuple):
    """One reply of a model, and what it cost."""

    text: str
    model: str  # as the endpoint names it
    finish: str  # why the model stopped
    tokens: Tokens


class _Reply(Struct):
    content: str | None


class _Choice(Struct):
    message: _Reply
    finish_reason: Any = None


class _Document(Struct):
    """The part of a chat completion that is used. Endpoints differ in the rest, so nothing else is checked."""

    choices: Annotated[list[_Choice], Meta(min_length=1)]
    model: Any = None
    usage: Any = None


def read_completion(raw: bytes, prompt: Sequence[Message], redact: Redact = str) -> Completion:
    """Return the completion in the bytes, or raise RefusedError. Only its text may still contain the key."""
    try:
        document = documents.read(raw, _Document)
    except RefusedError as error:
        text = raw.decode(errors="replace")
        if redact(text) != text:  # the reason may quote a part of the key
            raise RefusedError(f"The response is not a chat completion: {shorten(redact(text))}") from None
        raise RefusedError(f"The response is not a chat completion. {error}") from error
    choice = document.choices[0]
    text = choice.message.content or ""
    model, finish = (
        shorten(redact(name)) if isinstance(name, str) else "" for name in (document.model, choice.finish_reason)
    )
    return Completion(text, model, finish, _tokens(document.usage, prompt, text))


def _tokens(usage: Any, prompt: Sequence[Message], reply: str) -> Tokens:
    """Return the tokens that the endpoint reports, or an estimate from the length of the texts."""
    known = usage if isinstance(usage, dict) else {}
    read, written = known.get("prompt_tokens"), known.get("completion_tokens")
    if type(read) is type(written) is int and 0 <= min(read, written) <= max(read, written) <= MAX_TOKENS:
        return Tokens(read, written)
    return Tokens(sum(_estimate(message.content) for message in prompt), _estimate(reply), True)


def _estimate(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def read_error(raw: bytes, redact: Redact = str) -> str:
    """Return in one line what the endpoint says went wrong."""
    try:
        error = documents.parse(raw)["error"]
        return shorten(redact(str(error["message"] if isinstance(error, dict) else error)))
    except (RefusedError, LookupError, TypeError):
        return shorten(redact(raw.decode(errors="replace")))
