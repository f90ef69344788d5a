"""A played game as data: the moves, who played them, and how the match ended. States are recomputed, never stored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, IllegalMoveError, Move, Outcome, Player, Reason, outcome_name, parse_move
from duelbook.tables import Row, data_frame, html_picture, html_table, paragraph, side_by_side

if TYPE_CHECKING:
    from duelbook.board import Drawing

HUMAN = "human"
ONLINE = "online"  # a person at another computer, as in `online:Bob`
MAX_SEED = 2**63 - 1
MAX_TURN_SECONDS = 86_400  # one day
MAX_NOTE_CHARACTERS = 400  # of the text of a note
MAX_DEPTH = 1_000_000
GIFT_SECONDS = 15  # that a player gives the opponent at once
MAX_GIVEN_SECONDS = 60  # for one turn


class RecordError(RefusedError):
    """A record is not acceptable; the message names the field or the move."""


@dataclass(frozen=True)
class Person:
    """Player 1 or Player 2: a name, and `human` or the agent that plays."""

    name: str
    agent: str = HUMAN


class Note(NamedTuple):
    """What a program said about a move of its own. At least one of the last three is given."""

    move: int  # the number of the move, from 1
    evaluation: float | None = None  # what the program expects: from -1, it loses, to 1, it wins
    depth: int | None = None  # how many moves it has looked ahead
    text: str | None = None

    def __str__(self) -> str:
        """Return the note in one line, to follow the player's name: `expects +0.25 at depth 7: careful now`."""
        expects = "" if self.evaluation is None else f"expects {self.evaluation:+z.2f}"
        depth = "" if self.depth is None else f"at depth {self.depth}" if expects else f"reached depth {self.depth}"
        head = " ".join(filter(None, (expects, depth)))
        return f"{head}: {self.text}" if head and self.text else head or f"says: {self.text}"


class Gift(NamedTuple):
    """The time that a player gave the opponent for a turn, besides the limit (ALL-9)."""

    move: int  # the number of the move of that turn, from 1
    seconds: int


def only_person(people: tuple[Person, Person]) -> int | None:
    """Return the only person of a game: 0 for Player 1, 1 for Player 2, or None if there are two or none."""
    found = [number for number, one in enumerate(people) if one.agent == HUMAN]
    return found[0] if len(found) == 1 else None


def is_online(agent: str) -> bool:
    """Return True if the agent of a record is a person at another computer, as in `online:Bob`."""
    return agent.startswith(f"{ONLINE}:")


def players_text(people: tuple[Person, Person]) -> str:
    """Return who plays: `Ann against Player 2 (easy)`."""
    return f"{player_text(people[0])} against {player_text(people[1])}"


def player_text(person: Person) -> str:
    """Return the name, and of an agent also which one it is: `Player 2 (easy)`."""
    return person.name if person.agent == HUMAN or is_online(person.agent) else f"{person.name} ({person.agent})"


@dataclass(frozen=True)
class Record:
    """A played game, finished or not."""

    game: AnyGame
    people: tuple[Person, Person]  # Player 1 and Player 2
    first: int  # which of them moves first: 0 or 1
    moves: tuple[str, ...]  # by name
    outcome: Outcome
    reason: Reason
    seed: int | None = None
    time_limit: float | None = None  # seconds for each turn
    started: str | None = None  # ISO 8601, UTC
    ended: str | None = None
    seconds: tuple[float, ...] = ()  # what each move took; empty if not measured
    opening: int = 0  # how many of the first moves were drawn, not chosen by the players
    notes: tuple[Note, ...] = ()  # what programs said about their moves, in the order of the moves
    given: tuple[Gift, ...] = ()  # one for each turn for which time was given, in the order of the moves

    def names(self) -> tuple[str, str]:
        """Return the names of the first and of the second player."""
        one, two = self.people[self.first].name, self.people[1 - self.first].name
        return one, two

    def picture(self, ply: int | None = None) -> "Drawing":
        """Return the board after so many moves, by default after all."""
        from duelbook.board import history_of, picture_of

        moves = [move for move, _ in replay(self.game, self.moves[:ply])]
        state, history = history_of(self.game, moves)
        return picture_of(self.game, state, history, self.names())

    def rows(self) -> list[Row]:
        """Return a row for each move: its number, who made it, and whether it was drawn as part of the opening."""
        state, rows = self.game.initial(), []
        for ply, (name, (_, following)) in enumerate(zip(self.moves, replay(self.game, self.moves), strict=True), 1):
            seat = self.game.mover(state)
            rows.append(
                {
                    "ply": ply,
                    "seat": SEAT_NAMES[seat],
                    "player": self.names()[seat],
                    "move": name,
                    "drawn": ply <= self.opening,
                }
            )
            state = following
        return rows

    def table(self) -> Any:
        """Return the moves as a table (see `duelbook.tables.data_frame`)."""
        return data_frame(self.rows())

    def result_text(self) -> str:
        """Return who won and why, as in `greedy wins (rules)`."""
        winner = f"{self.names()[self.outcome]} wins" if self.outcome in (0, 1) else outcome_name(self.outcome)
        return f"{winner} ({self.reason})"

    def _repr_html_(self) -> str:
        board = html_picture(self.picture().document(), "the last position")
        return paragraph(self.result_text()) + side_by_side(board, html_table(self.rows()))


def check_time_limit(name: str, seconds: float) -> None:
    """Raise RefusedError unless a turn may be limited to this many seconds."""
    if not 0 < seconds <= MAX_TURN_SECONDS:
        raise RefusedError(f"{name} must be more than 0 and at most {MAX_TURN_SECONDS} seconds, not {seconds:.15g}.")


def replay(game: AnyGame, names: Iterable[str], state: Any = None) -> Iterator[tuple[Move, Any]]:
    """Return each move with the state after it, or raise RecordError at the first illegal move.

    The moves begin at the given state, or else at the initial one.
    """
    state = game.initial() if state is None else state
    for number, name in enumerate(names, 1):
        try:
            move = parse_move(game, state, name)
        except IllegalMoveError as error:
            raise RecordError(f"Move {number}: {error}") from error
        state = game.play(state, move)
        yield move, state


def state_after(game: AnyGame, names: Iterable[str]) -> Any:
    """Return the state after the named moves, or raise RecordError at the first illegal one."""
    state = game.initial()
    for _, following in replay(game, names):
        state = following
    return state


def check_result(record: Record) -> None:
    """Raise RecordError unless the result follows from the moves and the reason."""
    state = state_after(record.game, record.moves)
    by_rules = record.game.outcome(state)
    if not _is_consistent(record, by_rules, record.game.mover(state)):
        raise RecordError(
            f"result cannot be '{outcome_name(record.outcome)}' with the reason '{record.reason}': "
            f"by the rules, the moves lead to '{outcome_name(by_rules)}'."
        )


def _is_consistent(record: Record, by_rules: Outcome, mover: Player) -> bool:
    match record.reason:
        case Reason.RULES:
            return record.outcome == by_rules != Outcome.UNDECIDED
        case Reason.RESIGNATION:
            return by_rules == Outcome.UNDECIDED and record.outcome in (0, 1)
        case (
            Reason.TIME | Reason.FORFEIT | Reason.ABSENCE
        ):  # only the mover's time runs, and only the mover can fail to move
            return by_rules == Outcome.UNDECIDED and record.outcome == 1 - mover
        case Reason.PLY_LIMIT | Reason.UNFINISHED:
            return by_rules == record.outcome == Outcome.UNDECIDED
