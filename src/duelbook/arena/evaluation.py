"""An evaluation: one agent measured against others on several games, from both seats."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from duelbook.agents import Agent
from duelbook.arena.plan import Entry, derived, opening
from duelbook.arena.playing import Played, play_match
from duelbook.game import SEAT_NAMES, AnyGame, Player


@dataclass(frozen=True)
class Plan:
    """What is to be played; the same plan with the same agents gives the same matches."""

    agent: str
    entries: tuple[Entry, ...]
    opponents: tuple[str, ...]
    pairs: int
    seed: int
    attempts: int  # answers that a language model may give for one move
    show_legal: bool  # whether a language model is told the legal moves
    body: dict[str, Any] = field(default_factory=dict)  # further fields of every request to a language model

    @property
    def games(self) -> list[str]:
        return [entry.label for entry in self.entries]

    def to_json(self) -> dict[str, Any]:
        """Answer the plan as a JSON document."""
        told = {"pairs": self.pairs, "seed": self.seed, "attempts": self.attempts, "show_legal": self.show_legal}
        return {"agent": self.agent, "games": self.games, "opponents": [*self.opponents], **told, "body": self.body}

    def tasks(self) -> list["Task"]:
        """Answer every match to be played, in the order of the report."""
        places = product(self.games, self.opponents, range(1, self.pairs + 1), (0, 1))
        return [Task(game, opponent, pair, seat) for game, opponent, pair, seat in places]

    def opening(self, task: "Task") -> AnyGame:
        """Answer the game of a match, with what chance decides before the first move."""
        entry = next(entry for entry in self.entries if entry.label == task.game)
        return opening(entry, self.seed, task.pair)

    def seed_of(self, task: "Task") -> int:
        return derived(self.seed, task.game, task.opponent, task.pair)


class Task(NamedTuple):
    """One match: two of them, with the seats swapped, are a pair and have the same seed."""

    game: str  # as it is asked for: `charge:goal=21`
    opponent: str
    pair: int
    seat: Player  # of the agent that is evaluated

    @property
    def key(self) -> str:
        """What files call the match."""
        return f"{self.game} {self.opponent} {self.pair} {SEAT_NAMES[self.seat]}"


Maker = Callable[[str, str], Agent]  # answers the agent of that name with that seed


def play_task(plan: Plan, task: Task, make_one: Maker) -> Played:
    """Play one match of the plan."""
    return play_match(
        plan.opening(task),
        (plan.agent, task.opponent),
        first=task.seat,
        seed=plan.seed_of(task),
        name=task.key,
        make=make_one,
    )
