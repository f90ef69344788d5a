"""The agent that asks a language model for its moves."""

import random
from collections.abc import Sequence
from typing import Any

from duelbook.agents.agent import Forfeit, ForfeitKind
from duelbook.agents.llm.client import ModelClient, shared_client
from duelbook.agents.llm.log import ChatMessage, Exchange
from duelbook.agents.llm.prompt import refusal, turn_prompt
from duelbook.agents.llm.reading import ModelReply, ReplyVerdict, read_reply
from duelbook.agents.llm.settings import Reading, read_llm_settings
from duelbook.extras import require_extra
from duelbook.game import SEAT_NAMES, AnyGame, Move, parse_move
from duelbook.games import label
from duelbook.match import ReadOnlyMatch


class LlmAgent:
    """Plays the moves that the model names. Forfeits after too many replies without a legal move; never guesses."""

    def __init__(self, rng: random.Random, model: str) -> None:
        require_extra("llm")
        read_llm_settings()  # so that bad settings fail now and not in the middle of a match
        self._model = model
        self._seed = rng.getrandbits(31)
        self._client: ModelClient | None = None
        self._match = ""

    def use_client(self, client: ModelClient) -> None:
        """Send requests through this client instead of the one that the process shares."""
        self._client = client

    def name_match(self, name: str) -> None:
        """Set the name of the match in the log of exchanges."""
        self._match = name

    def choose(self, match: ReadOnlyMatch) -> Move:
        client = self._client = self._client or shared_client()
        settings = client.settings
        prompt = turn_prompt(
            match, show_legal=settings.show_legal, tools=settings.tools, system_role=settings.system_role
        )
        for attempt in range(1, settings.attempts + 1):
            exchange = client.ask(self._question(match, prompt, attempt))
            if not exchange.result:
                read_exchange(exchange, match.game, match.state, client)
                client.log.write(exchange)
            if exchange.move is not None:
                return parse_move(match.game, match.state, exchange.move)
            if exchange.readings:
                prompt = [*prompt, *refusal(match.game, _quoted(exchange, client), exchange.why)]
        which = (
            "The model's answer" if settings.attempts == 1 else f"The last of the model's {settings.attempts} answers"
        )
        raise Forfeit(ForfeitKind(exchange.result), f"{which} was not accepted. {exchange.why}")

    def close(self) -> None:
        pass  # the client is shared

    def _question(self, match: ReadOnlyMatch, prompt: Sequence[ChatMessage], attempt: int) -> Exchange:
        return Exchange(
            match=self._match,
            game=label(match.game),
            ply=len(match.moves),
            seat=SEAT_NAMES[match.mover],
            model=self._model,
            seed=self._seed,
            attempt=attempt,
            prompt=list(prompt),
        )


def read_exchange(exchange: Exchange, game: AnyGame, state: Any, client: ModelClient) -> ReplyVerdict:
    """Read the reply under both rules, store what they say in the exchange, and return what the chosen one says."""
    calls = exchange.calls if client.declares_move else []
    reply = ModelReply(exchange.reply or "", exchange.finish, exchange.refusal, calls, exchange.in_parts)
    settings = client.settings
    verdicts = {
        rule: read_reply(reply, game, state, rule, show_legal=settings.show_legal, redact=client.redact)
        for rule in Reading
    }
    chosen = verdicts[settings.reading]
    exchange.readings = {str(rule): verdict.result for rule, verdict in verdicts.items()}
    client.readings[exchange.model].append(exchange.readings)
    exchange.result, exchange.why = chosen.result, chosen.why
    exchange.move = None if chosen.move is None else game.move_name(state, chosen.move)
    return chosen


def _quoted(exchange: Exchange, client: ModelClient) -> str:
    """Return what the model is reminded of: its reply, or else its refusal or its calls, without the key."""
    said = exchange.reply or exchange.refusal or "\n".join(f"{call.name}({call.arguments})" for call in exchange.calls)
    return client.redact(said)
