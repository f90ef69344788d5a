"""The agent that asks a language model for its moves."""

import random
from collections.abc import Sequence

from duelbook.agents import Forfeit, ForfeitKind
from duelbook.agents.llm.client import Desk, shared_desk
from duelbook.agents.llm.endpoint import check_installed
from duelbook.agents.llm.log import Exchange
from duelbook.agents.llm.prompt import Message, conversation, refusal
from duelbook.agents.llm.reply import read_move
from duelbook.agents.llm.settings import read_llm_settings
from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import name_of
from duelbook.match import MatchView
from duelbook.records.record import SEATS

KINDS = {"refused": ForfeitKind.ILLEGAL, "timeout": ForfeitKind.TIMEOUT, "garbage": ForfeitKind.ERROR}


class Model:
    """Plays what the model answers, and forfeits after too many answers that are no legal move; never guesses."""

    def __init__(self, rng: random.Random, model: str) -> None:
        check_installed()
        read_llm_settings()  # refused now rather than in the middle of a match
        self._model = model
        self._seed = rng.getrandbits(31)
        self._desk: Desk | None = None
        self._match = ""

    def sit_at(self, desk: Desk) -> None:
        """Ask at this desk instead of the process's own."""
        self._desk = desk

    def name_match(self, name: str) -> None:
        """Let the log call the match so."""
        self._match = name

    def choose(self, match: MatchView) -> Move:
        desk = self._desk = self._desk or shared_desk()
        settings = desk.settings
        prompt = conversation(match, show_legal=settings.show_legal)
        exchange: Exchange = {}
        for attempt in range(1, settings.attempts + 1):
            exchange = desk.ask(self._question(match, prompt, attempt))
            move = judge(exchange, match, desk)
            if move is not None:
                return move
            if exchange["result"] == "refused":
                prompt = [*prompt, *refusal(desk.hide(exchange["reply"]), exchange["why"])]
        tries = "answer" if settings.attempts == 1 else f"last of {settings.attempts} answers"
        raise Forfeit(KINDS[exchange["result"]], f"the model's {tries} was refused: {exchange['why']}")

    def close(self) -> None:
        pass  # the desk is shared

    def _question(self, match: MatchView, prompt: Sequence[Message], attempt: int) -> Exchange:
        return {
            "match": self._match,
            "game": name_of(match.game),
            "ply": len(match.moves),
            "seat": SEATS[match.mover],
            "model": self._model,
            "seed": self._seed,
            "attempt": attempt,
            "prompt": list(prompt),
            "reply": None,
            "move": None,
        }


def judge(exchange: Exchange, match: MatchView, desk: Desk) -> Move | None:
    """Answer the move in a reply, and log what became of it; a reply from memory is in the log already."""
    known = bool(exchange["result"])
    if known and exchange["result"] not in ("accepted", "refused"):
        desk.exchanges.write(exchange)
        return None
    said = f"MOVE: {exchange['move']}" if exchange.get("move") else exchange["reply"]  # in the log the key is hidden
    try:
        move = read_move(said, match, show_legal=desk.settings.show_legal, hide=desk.hide)
        exchange |= {"result": "accepted", "why": "", "move": match.game.move_name(match.state, move)}
    except RefusedError as error:
        move = None
        cut = ", and the reply was cut off by its length" if exchange["finish"] == "length" else ""
        exchange |= {"result": "refused", "why": f"{error}{cut}"}
    if not known:
        desk.exchanges.write(exchange)
    return move
