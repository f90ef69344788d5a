"""An OpenAI-compatible endpoint over HTTP: one request, one response, limited in time and size."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.agents.agent import StoppedError
from duelbook.agents.llm.settings import LlmSettings
from duelbook.agents.llm.stream import is_finished, is_stream
from duelbook.text import seconds_text

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES = 2_000_000
MAX_STREAM_BYTES = 60_000_000  # every token of a stream comes in some hundred bytes
CONNECT_SECONDS = 10.0


class Response(NamedTuple):
    """A response, or the reason why there is none."""

    status: int = 0  # 0 if there was no response
    raw: bytes = b""  # what had come, if the response was cut off
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
        self._closed = self._finishing = False
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

    def finish(self) -> None:
        """Send no more requests. Those under way go on."""
        self._finishing = True

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
            if self._closed or self._finishing:
                request.close()
                raise StoppedError("The run is being stopped.")
            future = asyncio.run_coroutine_threadsafe(request, self._loop)
        try:
            response = future.result()
            if response.fault and self._closed:
                raise StoppedError("The run is being stopped.")  # `close` has cut it off
            return response
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
        started, raw = time.monotonic(), bytearray()
        try:
            async with asyncio.timeout(self._settings.timeout):
                response = await self._exchange(client, raw, method, path, **content)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            response = Response(fault="unreachable", detail=str(error) or "no connection in time")
        except TimeoutError:
            detail = f"No {'complete ' if raw else ''}reply came within {seconds_text(self._settings.timeout)}."
            response = Response(raw=bytes(raw), fault="timeout", detail=detail)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            response = Response(raw=bytes(raw), fault="dropped", detail=str(error) or type(error).__name__)
        return response._replace(seconds=round(time.monotonic() - started, 3))

    async def _exchange(
        self, client: "httpx.AsyncClient", raw: bytearray, method: str, path: str, **content: Any
    ) -> Response:
        """Return the response, and collect in `raw` what has come of it."""
        async with client.stream(method, self._settings.base_url.rstrip("/") + path, **content) as response:
            async for chunk in response.aiter_raw():
                raw += chunk
                streamed = is_stream(raw[:64])
                limit = MAX_STREAM_BYTES if streamed else MAX_RESPONSE_BYTES
                if len(raw) > limit:
                    detail = f"The reply is larger than {limit:,} bytes."
                    return Response(response.status_code, fault="too large", detail=detail)
                if streamed and is_finished(raw):
                    break
            wait = _retry_after(response.headers.get("retry-after", ""))
            return Response(response.status_code, bytes(raw), retry_after=wait)

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
