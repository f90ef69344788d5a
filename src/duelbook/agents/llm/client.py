"""The desk that all models of a run share: the endpoint, what may be spent, and the log."""

import os
import random
import threading
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from duelbook.agents import Forfeit, ForfeitKind, StoppedError
from duelbook.agents.llm.budget import SHARED, Spending
from duelbook.agents.llm.completion import read_completion, read_fault
from duelbook.agents.llm.endpoint import Answer, Endpoint
from duelbook.agents.llm.log import Exchange, Exchanges
from duelbook.agents.llm.secret import hider
from duelbook.agents.llm.settings import LlmSettings, read_llm_settings
from duelbook.errors import RefusedError

LONGEST_WAIT = 60.0  # seconds for which an endpoint may ask; a run that has to wait longer stops
PASSING = (408, 425, 429)  # besides 5xx: what another try may mend
OWN = (400, 413, 422)  # what may be the fault of one request alone


class Desk:
    """Asks the endpoint, tries again where that helps, and stops the run where nothing does."""

    def __init__(self, settings: LlmSettings, log: Path | None = None) -> None:
        self.settings = settings
        self.spending = Spending(settings.max_calls, settings.max_tokens, os.environ.get(SHARED))
        self.hide = hider(settings.api_key)
        self.exchanges = Exchanges(log or (Path(settings.log).expanduser() if settings.log else None), self.hide)
        self._endpoint = Endpoint(settings)
        self._fields = settings.fields()
        self._answered = False
        self._closing = threading.Event()
        self._jitter = random.Random()  # moves nothing but the clock

    def check(self) -> None:
        """Refuse in a sentence an endpoint that cannot be reached or does not know the key."""
        answer = self._endpoint.look()
        if answer.fault or answer.status in (401, 403):
            raise StoppedError(self._why(answer))

    def keep(self, log: Path) -> None:
        """Log exchanges in that file from now on."""
        self.exchanges.path = log

    def ask(self, exchange: Exchange) -> Exchange:
        """Answer the exchange with the model's reply in it, from memory or from the endpoint.

        A reply that is none has the result `timeout` or `garbage`; an endpoint that cannot serve stops the run.
        """
        known = self.exchanges.recall(exchange["match"], exchange["prompt"])
        if known:
            return known
        body = _body(exchange, self._fields)
        for number in range(1, self.settings.retries + 2):
            self.spending.take_call()
            answer = self._endpoint.post(body)
            self._read(exchange, answer, number)
            if exchange["result"] != "failed":
                return exchange
            self.exchanges.write(exchange)
            if not _is_passing(answer):
                self._give_up(answer)
            if number <= self.settings.retries:
                self._pause(answer, number)
        raise StoppedError(self._why(answer))

    def close(self) -> None:
        """Break off what is being asked; whoever waits for an answer is told that the run stops."""
        self._closing.set()
        self._endpoint.close()

    def _read(self, exchange: Exchange, answer: Answer, number: int) -> None:
        """Write into the exchange what came of the request; `result` is empty where a reply is to be judged."""
        exchange |= {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "try": number,
            "status": answer.status,
            "seconds": answer.seconds,
            "reply": answer.raw.decode(errors="replace") or None,
            "answered_by": "",
            "finish": "",
            "tokens": {"read": 0, "written": 0, "estimated": False},
        }
        result, why = "", ""
        if answer.fault in ("timeout", "too large"):
            result, why = ("timeout" if answer.fault == "timeout" else "garbage"), answer.detail
        elif answer.status != 200:
            result, why = "failed", self._why(answer)
        else:
            try:
                self._read_reply(exchange, answer)
            except RefusedError as error:
                result, why = "garbage", str(error)
        exchange |= {"result": result, "why": why}

    def _read_reply(self, exchange: Exchange, answer: Answer) -> None:
        self._answered = True
        found = read_completion(answer.raw, exchange["prompt"], self.hide)
        self.spending.add_tokens(found.read + found.written)
        exchange |= {
            "reply": found.text,
            "answered_by": found.model,
            "finish": found.finish,
            "tokens": {"read": found.read, "written": found.written, "estimated": found.estimated},
        }

    def _give_up(self, answer: Answer) -> None:
        """Stop the run, or lose the match where only this request is at fault: others have been answered."""
        if self._answered and answer.status in OWN:
            raise Forfeit(ForfeitKind.ERROR, self._why(answer))
        raise StoppedError(self._why(answer))

    def _pause(self, answer: Answer, number: int) -> None:
        if answer.wait > LONGEST_WAIT:
            raise StoppedError(f"the endpoint asks to wait {answer.wait:,.0f} seconds")
        pause = self.settings.backoff * 2 ** (number - 1) * self._jitter.uniform(1, 1.5)
        self._closing.wait(min(max(pause, answer.wait), LONGEST_WAIT))

    def _why(self, answer: Answer) -> str:
        happened = f"answered {answer.status}: {read_fault(answer.raw, self.hide) or 'nothing more'}"
        if answer.fault:
            what = "cannot be reached" if answer.fault == "unreachable" else "did not answer"
            happened = f"{what}: {self.hide(answer.detail)}"
        return f"the endpoint {self.hide(self.settings.base_url)} {happened}"


def _body(exchange: Exchange, fields: dict[str, Any]) -> dict[str, Any]:
    body = {"model": exchange["model"], "messages": exchange["prompt"], "seed": exchange["seed"]} | fields
    return {name: value for name, value in body.items() if value is not None}


def _is_passing(answer: Answer) -> bool:
    """Tell whether another try may go better."""
    return answer.fault in ("unreachable", "dropped") or answer.status in PASSING or answer.status >= 500


def shared_desk() -> Desk:
    """Answer the desk of this process, by the settings of its environment."""
    return _desk(read_llm_settings(), os.getpid(), os.environ.get(SHARED))


@lru_cache(maxsize=8)
def _desk(settings: LlmSettings, process: int, run: str | None) -> Desk:
    return Desk(settings)
