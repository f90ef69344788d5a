"""An evaluation: one agent measured against others on several games, from both seats."""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, NamedTuple

from duelbook.agents import Agent
from duelbook.arena.playing import Played, play_match
from duelbook.game import Player
from duelbook.games import make
from duelbook.record import SEATS


@dataclass(frozen=True)
class Plan:
    """What is to be played; the same plan with the same agents gives the same matches."""

    agent: str
    games: tuple[str, ...]
    opponents: tuple[str, ...]
    pairs: int
    seed: int
    attempts: int  # answers that a language model may give for one move
    show_legal: bool  # whether a language model is told the legal moves

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def tasks(self) -> list["Task"]:
        """Answer every match to be played, in the order of the report."""
        places = product(self.games, self.opponents, range(1, self.pairs + 1), (0, 1))
        return [Task(game, opponent, pair, seat) for game, opponent, pair, seat in places]


class Task(NamedTuple):
    """One match: two of them, with the seats swapped, are a pair and have the same seed."""

    game: str
    opponent: str
    pair: int
    seat: Player  # of the agent that is evaluated

    @property
    def key(self) -> str:
        """What files call the match."""
        return f"{self.game} {self.opponent} {self.pair} {SEATS[self.seat]}"

    def seed(self, plan: Plan) -> int:
        text = f"{plan.seed} {self.game} {self.opponent} {self.pair}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])


Maker = Callable[[Task, str, str], Agent]  # answers, for the match, the agent of that name with that seed


def play_task(plan: Plan, task: Task, make_one: Maker) -> Played:
    """Play one match of the plan."""
    return play_match(
        make(task.game),
        (plan.agent, task.opponent),
        first=task.seat,
        seed=task.seed(plan),
        make=lambda name, seed: make_one(task, name, seed),
    )
