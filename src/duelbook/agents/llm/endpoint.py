"""An OpenAI-compatible endpoint over HTTP: one request, one answer, in a bounded time and size."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.agents import StoppedError
from duelbook.agents.llm.settings import LlmSettings
from duelbook.errors import RefusedError

if TYPE_CHECKING:
    import httpx

LARGEST = 2_000_000  # bytes of an answer that are read
CONNECT_SECONDS = 10.0


class Answer(NamedTuple):
    """What came back, or why nothing did."""

    status: int = 0  # 0 where no answer came
    raw: bytes = b""
    seconds: float = 0.0
    wait: float = 0.0  # seconds that the endpoint asks to wait
    fault: str = ""  # `timeout`, `unreachable`, `dropped` or `too large`
    detail: str = ""


class Endpoint:
    """Sends requests from any thread; a reply that drips in is cut off when its time is up."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._slots = threading.Semaphore(settings.concurrency)
        self._loop = asyncio.new_event_loop()
        self._client: httpx.AsyncClient | None = None
        self._closed = False
        self._lock = threading.Lock()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="duelbook-llm").start()

    def post(self, body: dict[str, Any]) -> Answer:
        """Send one request; whatever happens is part of the answer."""
        with self._slots:
            return self._run(self._send("POST", "/chat/completions", json=body))

    def look(self) -> Answer:
        """Tell whether anybody answers at all, without asking a model anything."""
        return self._run(self._send("GET", "/models"))

    def close(self) -> None:
        """Break off what is being asked, and ask no more."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            shut = asyncio.run_coroutine_threadsafe(self._shut(), self._loop)
        shut.result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        with self._lock:  # what is begun before the end is ended by it
            if self._closed:
                work.close()
                raise StoppedError("the run is being stopped")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError as error:
            raise StoppedError("the run is being stopped") from error
        except BaseException:  # Ctrl-C
            future.cancel()
            raise

    async def _shut(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client:
            await self._client.aclose()

    async def _send(self, method: str, path: str, **content: Any) -> Answer:
        import httpx

        client = self._client = self._client or self._connect()  # which takes a while, at no model's expense
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._settings.timeout):
                answer = await self._exchange(client, method, path, **content)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            answer = Answer(fault="unreachable", detail=str(error) or "no connection in time")
        except TimeoutError:
            answer = Answer(fault="timeout", detail=f"no reply within {self._settings.timeout:g} seconds")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            answer = Answer(fault="dropped", detail=str(error) or type(error).__name__)
        return answer._replace(seconds=round(time.monotonic() - started, 3))

    async def _exchange(self, client: "httpx.AsyncClient", method: str, path: str, **content: Any) -> Answer:
        async with client.stream(method, self._settings.base_url.rstrip("/") + path, **content) as response:
            raw = b""
            async for chunk in response.aiter_raw():
                raw += chunk
                if len(raw) > LARGEST:
                    return Answer(response.status_code, fault="too large", detail=f"more than {LARGEST:,} bytes")
            return Answer(response.status_code, raw, wait=_wait(response.headers.get("retry-after", "")))

    def _connect(self) -> "httpx.AsyncClient":
        import httpx

        key = self._settings.api_key
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {key}"} if key else {})
        limits = httpx.Limits(max_connections=None)
        return httpx.AsyncClient(headers=headers, limits=limits, timeout=httpx.Timeout(None, connect=CONNECT_SECONDS))


def check_installed() -> None:
    """Refuse in a sentence where the part that only language models need is missing."""
    if find_spec("httpx") is None:
        raise RefusedError("this needs the extra `llm`, which is not installed (httpx is missing)")


def _wait(header: str) -> float:
    """Answer the seconds that a Retry-After header asks for, given as a number or as a date."""
    try:
        if header.strip().isdecimal():
            return float(header)
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0
