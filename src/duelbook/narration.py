"""What is said at the table. A narration answers texts; showing them and reading answers is not its business.

`Narration` is the general dialogue: it works for any game from its move names and `render`. A game with
words of its own has a `narration.py` whose class `Narration` overrides what differs.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from duelbook.game import PASS, AnyGame, Move, Outcome, Player, move_names

Dialogue = Generator[str, str, str]  # prompts and refusals come out, answers go in, a move's name is the result
State = TypeVar("State")
GameT = TypeVar("GameT", bound=AnyGame)


class Refusal(str):
    """What a dialogue yields to say what was wrong with an answer; the next prompt follows."""


class Command(NamedTuple):
    """A command that only one game has: what it is for, and what it answers."""

    about: str
    answer: Callable[[Any], str]


@dataclass(frozen=True)
class Table:
    """Who sits where. The rules know seats; people are Player 1 and Player 2, whoever moves first."""

    names: tuple[str, str] = ("Player 1", "Player 2")
    first: int = 0  # which of the two people moves first
    humans: tuple[bool, bool] = (True, True)

    def person(self, seat: Player) -> int:
        return seat ^ self.first

    def seat(self, person: int) -> Player:
        return person ^ self.first

    def seats(self) -> tuple[Player, Player]:
        """Answer the seats of Player 1 and Player 2."""
        return self.seat(0), self.seat(1)

    def name(self, seat: Player) -> str:
        return self.names[self.person(seat)]

    def is_human(self, seat: Player) -> bool:
        return self.humans[self.person(seat)]


class Turn(NamedTuple, Generic[State]):
    """One move and what it changed."""

    before: State
    move: Move
    after: State
    earlier: Sequence[Move]  # all moves before it


class Narration(Generic[GameT, State]):
    """What is said at the table about one game."""

    separator: ClassVar[str] = ""  # stands between two turns
    starter: ClassVar[str] = "1"  # who moves first unless told: `1`, `2` or `random` (ALL-1)

    def __init__(self, game: GameT, table: Table) -> None:
        self.game = game
        self.table = table

    def greeting(self) -> str:
        """Answer what opens the session."""
        return self.board(self.game.initial())

    def board(self, state: State) -> str:
        """Answer the state as text, with people in the place of seats."""
        return self.game.render(state)

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        """Answer what stands above the question for a move."""
        return f"{self.mover(state)}'s turn."

    def ask(self, state: State) -> Dialogue:
        """Ask for a move."""
        answer = yield "Enter your move: "
        return answer

    def why(self, state: State, answer: str) -> str:
        """Answer what is wrong with an answer that is no legal move, if there is more to say than that."""
        return ""

    def announce(self, turn: Turn[State]) -> str:
        """Answer what is said of a move just made."""
        name = self.game.move_name(turn.before, turn.move)
        deed = "passes" if name == PASS else f"plays {name}"
        return f"{self.mover(turn.before)} {deed}.\n\n{self.board(turn.after)}"

    def pause(self) -> str:
        """Answer the question that ends a turn when people share a keyboard; none by default."""
        return ""

    def ending(self, state: State, moves: Sequence[Move]) -> str:
        """Answer what is said once the rules have decided the game."""
        outcome = self.game.outcome(state)
        return "The game is a draw." if outcome == Outcome.DRAW else f"{self.table.name(outcome)} wins!"

    def result(self, state: State, moves: Sequence[Move]) -> str:
        """Answer who has won by the rules and why, in one line of a sentence or two."""
        return " ".join(self.ending(state, moves).split())

    def legal(self, state: State) -> str:
        """Answer the command `moves`: what is legal now."""
        return f"Legal moves: {', '.join(move_names(self.game, state))}"

    def commands(self) -> dict[str, Command]:
        """Answer the commands that only this game has."""
        return {}

    def mover(self, state: State) -> str:
        return self.table.name(self.game.mover(state))

    def you(self, state: State) -> bool:
        """Tell whether the mover is a person, who is addressed as you."""
        return self.table.is_human(self.game.mover(state))


AnyNarration = Narration[Any, Any]
