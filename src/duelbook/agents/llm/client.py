"""The client that all models of a run share: the endpoint, retries, the budget, and the log of exchanges."""

import os
import random
import threading
from collections import defaultdict
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from duelbook.agents.agent import Forfeit, ForfeitKind, OtherSettingsError, StoppedError
from duelbook.agents.llm.budget import SHARED_FILE, Budget
from duelbook.agents.llm.completion import Completion, read_completion, read_error, read_partial
from duelbook.agents.llm.endpoint import Endpoint, Response
from duelbook.agents.llm.log import Exchange, ExchangeLog, Tokens, redactor
from duelbook.agents.llm.prompt import MOVE_TOOL
from duelbook.agents.llm.reading import MOVE_FUNCTION
from duelbook.agents.llm.settings import PREFIX, LlmSettings, read_llm_settings
from duelbook.errors import RefusedError

MAX_WAIT_SECONDS = 60.0  # an endpoint that asks for a longer pause stops the run
RESUME_LOG = "DUELBOOK_LLM_RESUME_LOG"  # environment variable: the log is that of this run alone, and may be resumed
TRANSIENT_STATUS = (408, 425, 429)  # besides 5xx: another try may succeed
REQUEST_STATUS = (400, 413, 422)  # the fault may be in this one request


class ModelClient:
    """Sends requests to the endpoint, retries those that may succeed later, and stops the run if all retries fail."""

    def __init__(self, settings: LlmSettings, log: Path | None = None) -> None:
        self.settings = settings
        self.budget = Budget(settings.max_calls, settings.max_tokens, os.environ.get(SHARED_FILE))
        self.redact = redactor(settings.api_key)
        self.log = ExchangeLog(log or (Path(settings.log).expanduser() if settings.log else None), self.redact)
        self._endpoint = Endpoint(settings)
        self._fields = _request_fields(settings)
        self.readings: defaultdict[str, list[dict[str, str]]] = defaultdict(list)  # by model: those of every reply read
        self._resumes = RESUME_LOG in os.environ
        self._answered = False
        self._closing = threading.Event()
        self._jitter = random.Random()  # affects only the length of pauses

    @property
    def declares_move(self) -> bool:
        """Whether requests declare the function by which a model may move, also by `DUELBOOK_LLM_BODY`."""
        tools = self._fields.get("tools")
        functions = (
            [tool.get("function") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        )
        return any(isinstance(function, dict) and function.get("name") == MOVE_FUNCTION for function in functions)

    def check(self) -> None:
        """Raise StoppedError if the endpoint cannot be reached or rejects the key."""
        response = self._endpoint.probe()
        if response.fault or response.status in (401, 403):
            raise StoppedError(self._explanation(response))

    def ask(self, exchange: Exchange) -> Exchange:
        """Return the exchange with the model's reply, replayed from the log of an earlier run or from the endpoint.

        `result` is empty if there is a new reply to read, which the caller then logs. Without a reply it is `timeout`
        or `error`, and the exchange is logged. An endpoint that cannot serve stops the run.
        """
        if self._resumes:
            self.log.resume_match(exchange.match)
        replayed = self.log.replay(exchange.match, exchange.prompt)
        if replayed:
            return replayed
        exchange.parameters = {"seed": exchange.seed} | self._fields
        exchange.parameters = {name: value for name, value in exchange.parameters.items() if value is not None}
        body = {"model": exchange.model, "messages": to_builtins(exchange.prompt)} | exchange.parameters
        for number in range(1, self.settings.retries + 2):
            self.budget.take_call()
            response = self._endpoint.post(body)
            self._take(exchange, response, number)
            if exchange.result:
                self.log.write(exchange)
            if exchange.result != "failed":
                return exchange
            if not _is_transient(response):
                self._give_up(response, exchange.why)
            if number <= self.settings.retries:
                self._pause(response, number)
        raise StoppedError(exchange.why)

    def finish(self) -> None:
        """Send no more requests. Those under way are answered and logged; whoever asks then gets a StoppedError."""
        self._endpoint.finish()
        self._closing.set()

    def close(self) -> None:
        """Cancel the requests under way. Threads that wait for one get a StoppedError."""
        self._closing.set()
        self._endpoint.close()

    def _take(self, exchange: Exchange, response: Response, number: int) -> None:
        """Store the outcome of the request in the exchange. `result` stays empty if there is a reply to read."""
        exchange.time = datetime.now(UTC).isoformat(timespec="seconds")
        exchange.request = number
        exchange.status, exchange.seconds = response.status, response.seconds
        self._store(exchange, Completion("", "", "", Tokens()))
        exchange.reply, exchange.result, exchange.why = None, "", ""
        if response.fault == "too large":
            exchange.result, exchange.why = "error", response.detail
        elif response.fault or response.status != 200:
            exchange.result, exchange.why = "failed", self._explanation(response)
            exchange.reply = response.raw.decode(errors="replace") or None
            if partial := read_partial(response.raw, exchange.prompt, self.redact):
                self._store(exchange, partial)
            if response.fault == "timeout":
                exchange.result, exchange.why = "timeout", response.detail
        else:
            try:
                self._store(exchange, read_completion(response.raw, exchange.prompt, self.redact))
                self._answered = True
            except RefusedError as error:
                exchange.reply = response.raw.decode(errors="replace")
                exchange.result, exchange.why = "failed", self._explanation(response, f"answered 200. {error}")

    def _store(self, exchange: Exchange, completion: Completion) -> None:
        exchange.reply, exchange.tokens = completion.text, completion.tokens
        exchange.answered_by, exchange.finish = completion.model, completion.finish
        exchange.reasoning, exchange.refusal = completion.reasoning, completion.refusal
        exchange.calls, exchange.in_parts = list(completion.calls), completion.in_parts
        exchange.streamed = completion.streamed
        self.budget.add_tokens(completion.tokens.read + completion.tokens.written)

    def _give_up(self, response: Response, why: str) -> None:
        """Stop the run. If earlier requests succeeded and only this one is at fault, forfeit the match instead."""
        if self._answered and response.status in REQUEST_STATUS:
            raise Forfeit(ForfeitKind.ERROR, why)
        raise OtherSettingsError(why) if self._refuses_roles(response) else StoppedError(why)

    def _refuses_roles(self, response: Response) -> bool:
        """Return True if the endpoint seems to know no system role."""
        said = read_error(response.raw, self.redact)
        return response.status in REQUEST_STATUS and self.settings.system_role and "system" in said.casefold()

    def _pause(self, response: Response, number: int) -> None:
        if response.retry_after > MAX_WAIT_SECONDS:
            raise StoppedError(
                f"The endpoint asks to wait {response.retry_after:,.0f} seconds, more than {MAX_WAIT_SECONDS:.0f}."
            )
        pause = self.settings.backoff * 2 ** (number - 1) * self._jitter.uniform(1, 1.5)
        self._closing.wait(min(max(pause, response.retry_after), MAX_WAIT_SECONDS))

    def _explanation(self, response: Response, what: str = "") -> str:
        """Return in one or two sentences what the endpoint did wrong."""
        if not what:
            said = read_error(response.raw, self.redact) or "(no text)"
            what = f"answered {response.status}: {said}"
            if self._refuses_roles(response):
                what = f"{what.removesuffix('.')}. If it knows no system role, set {PREFIX}SYSTEM_ROLE=no"
        if response.fault:
            verb = "cannot be reached" if response.fault == "unreachable" else "did not answer"
            what = f"{verb}: {self.redact(response.detail)}"
        return f"The endpoint {self.redact(self.settings.base_url)} {what.removesuffix('.')}."


def _request_fields(settings: LlmSettings) -> dict[str, Any]:
    """Return the fields of every request besides the model, the messages and the seed. None removes a field."""
    fields: dict[str, Any] = {"tools": [MOVE_TOOL]} if settings.tools else {}
    if settings.stream:
        fields |= {"stream": True, "stream_options": {"include_usage": True}}
    return fields | settings.fields()


def _is_transient(response: Response) -> bool:
    """Return True if another try may succeed. With status 200 the response was no chat completion."""
    unusable = response.status in (*TRANSIENT_STATUS, 200) or response.status >= 500
    return response.fault in ("unreachable", "dropped") or unusable


def shared_client() -> ModelClient:
    """Return the client that this process shares, with the settings of the environment."""
    return _shared_client(read_llm_settings(), os.getpid(), os.environ.get(SHARED_FILE))


@lru_cache(maxsize=8)
def _shared_client(settings: LlmSettings, process: int, run: str | None) -> ModelClient:
    return ModelClient(settings)
