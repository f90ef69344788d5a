"""The agent that asks a language model for its moves."""

import random
from collections.abc import Sequence

from duelbook.agents.agent import Forfeit, ForfeitKind
from duelbook.agents.llm.client import ModelClient, shared_client
from duelbook.agents.llm.log import Exchange, Message
from duelbook.agents.llm.prompt import read_move, refusal, turn_prompt
from duelbook.agents.llm.settings import read_llm_settings
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.game import SEAT_NAMES, Move
from duelbook.games import label
from duelbook.match import ReadOnlyMatch

FORFEIT_KINDS = {"refused": ForfeitKind.ILLEGAL, "timeout": ForfeitKind.TIMEOUT, "garbage": ForfeitKind.ERROR}


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
        attempts, show_legal = client.settings.attempts, client.settings.show_legal
        prompt = turn_prompt(match, show_legal=show_legal)
        for attempt in range(1, attempts + 1):
            exchange = client.ask(self._question(match, prompt, attempt))
            move = _read_reply(exchange, match, client)
            if move is not None:
                return move
            if exchange.result == "refused":
                prompt = [*prompt, *refusal(client.redact(exchange.reply or ""), exchange.why)]
        which = "The model's answer" if attempts == 1 else f"The last of the model's {attempts} answers"
        raise Forfeit(FORFEIT_KINDS[exchange.result], f"{which} was not accepted. {exchange.why}")

    def close(self) -> None:
        pass  # the client is shared

    def _question(self, match: ReadOnlyMatch, prompt: Sequence[Message], attempt: int) -> Exchange:
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


def _read_reply(exchange: Exchange, match: ReadOnlyMatch, client: ModelClient) -> Move | None:
    """Return the move in the reply, if any, and log the exchange. A replayed exchange is in the log already."""
    replayed = bool(exchange.result)
    if replayed and exchange.result not in ("accepted", "refused"):
        client.log.write(exchange)
        return None
    reply = f"MOVE: {exchange.move}" if exchange.move else exchange.reply or ""  # the log has the key redacted
    move: Move | None = None
    try:
        move = read_move(reply, match, show_legal=client.settings.show_legal, redact=client.redact)
        exchange.result, exchange.why, exchange.move = "accepted", "", match.game.move_name(match.state, move)
    except RefusedError as error:
        cut_off = " The reply was cut off at the length limit." if exchange.finish == "length" else ""
        exchange.result, exchange.why = "refused", f"{error}{cut_off}"
    if not replayed:
        client.log.write(exchange)
    return move
