"""Whom a learner meets, from which seat, and what becomes of illegal actions."""

import math
from numbers import Real
from typing import Any, NamedTuple

from duelbook.agents import Agent, make_agent
from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.text import shorten

SEATS: dict[str, Player | None] = {"first": 0, "second": 1, "random": None}
ON_ILLEGAL = ("raise", "penalty")


class Settings(NamedTuple):
    """The settings of an environment for one learner, checked."""

    agent: str | Agent
    fixed_seat: Player | None
    raises: bool
    penalty: float

    @classmethod
    def checked(cls, agent: str | Agent, seat: Any, on_illegal: Any, penalty: Any) -> "Settings":
        """Answer the settings, or refuse what they cannot be."""
        if isinstance(agent, str):
            make_agent(agent).close()
        elif not hasattr(agent, "choose"):
            raise RefusedError(f"opponent must be the name of an agent or an agent, not {shorten(repr(agent))}")
        for name, value, valid in (("seat", seat, tuple(SEATS)), ("on_illegal", on_illegal, ON_ILLEGAL)):
            if value not in valid:
                raise RefusedError(f"{name} cannot be {shorten(repr(value))}; valid: {', '.join(valid)}")
        return cls(agent, SEATS[seat], on_illegal == "raise", checked_penalty(penalty))

    def opponent(self, seed: int) -> Agent:
        """Answer the opponent of one episode."""
        return make_agent(self.agent, seed) if isinstance(self.agent, str) else self.agent

    def seat(self, drawn: Player) -> Player:
        """Answer the learner's seat: that which is set, or the one drawn."""
        return drawn if self.fixed_seat is None else self.fixed_seat


def checked_penalty(penalty: Any) -> float:
    """Answer what an illegal action costs."""
    wrong = isinstance(penalty, bool) or not isinstance(penalty, Real)
    if wrong or not (math.isfinite(penalty) and penalty >= 0):
        raise RefusedError(f"penalty must be a number from 0 up, not {shorten(repr(penalty))}")
    return float(penalty)
