"""A match: one game being played. Everything else about a game is immutable."""

import time
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from duelbook.errors import check_range
from duelbook.game import (
    AnyGame,
    IllegalMoveError,
    Move,
    Outcome,
    Player,
    Reason,
    forced_pass,
    illegal_number,
    parse_move,
    won_by,
)
from duelbook.records.record import GIFT_SECONDS, Gift, Note, Person, Record, replay

if TYPE_CHECKING:
    from duelbook.board import Drawing


class Clock:
    """The clock of a match. Tests and servers pass their own."""

    def seconds(self) -> float:
        """Return monotonic seconds, to measure turns."""
        return time.monotonic()

    def now(self) -> datetime:
        """Return the current time, for records."""
        return datetime.now(UTC)


class ReadOnlyMatch(Protocol):
    """A match as an agent sees it: read-only."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def state(self) -> Any: ...

    @property
    def states(self) -> Sequence[Any]: ...

    @property
    def moves(self) -> Sequence[Move]: ...

    @property
    def mover(self) -> Player: ...


class Match:
    """A game being played: moves are checked, timed and undone here, and the outcome has a reason."""

    def __init__(
        self, game: AnyGame, *, clock: Clock | None = None, ply_limit: int | None = None, start: Any = None
    ) -> None:
        """Start a match from the state `start`, which must be an undecided one of the game (default: the initial)."""
        self.game = game
        self.moves: list[Move] = []
        self.seconds: list[float] = []
        self.notes: list[Note] = []
        self.given: list[Gift] = []
        self.outcome = Outcome.UNDECIDED
        self.reason = Reason.UNFINISHED
        self._states = [game.initial() if start is None else start]
        self._clock = clock or Clock()
        self.started: str | None = _iso(self._clock)
        self._ply_limit = ply_limit
        self.start_turn()

    @classmethod
    def resumed(cls, record: Record, *, clock: Clock | None = None, ply_limit: int | None = None) -> "Match":
        """Return a match that continues where the record stops."""
        match = cls(record.game, clock=clock, ply_limit=ply_limit)
        match.follow(record)
        match.started = record.started
        return match

    def follow(self, record: Record) -> None:
        """Continue to where the record stops. It must begin with the moves so far."""
        for move, state in replay(self.game, record.moves[len(self.moves) :], self.state):
            self.moves.append(move)
            self._states.append(state)
        self.seconds = list(record.seconds or [0.0] * len(record.moves))
        self.notes = list(record.notes)
        self.given = [gift for gift in record.given if gift.move <= len(self.moves) + 1]
        self.outcome, self.reason = record.outcome, record.reason

    @property
    def state(self) -> Any:
        """The current state."""
        return self._states[-1]

    @property
    def states(self) -> Sequence[Any]:
        """Every state so far, the first one first: one more than there are moves."""
        return self._states

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.game.mover(self.state)

    @property
    def over(self) -> bool:
        """True once the match has ended, for whatever reason."""
        return self.reason is not Reason.UNFINISHED

    def start_turn(self, spent: float = 0.0) -> None:
        """Start the mover's time, of which `spent` seconds have already passed."""
        self.turn_started = self._clock.seconds() - spent

    def turn_seconds(self) -> float:
        """Return how many seconds the mover has spent on this turn."""
        return self._clock.seconds() - self.turn_started

    @property
    def given_seconds(self) -> int:
        """The time that the mover was given for this turn."""
        return self.given[-1].seconds if self.given and self.given[-1].move == len(self.moves) + 1 else 0

    def give_time(self) -> None:
        """Give the mover more time for this turn (ALL-9)."""
        seconds = self.given_seconds + GIFT_SECONDS
        self.given = [*self._given_before(), Gift(len(self.moves) + 1, seconds)]

    def _given_before(self) -> list[Gift]:
        """Return what was given for the turns of the moves so far."""
        return [gift for gift in self.given if gift.move <= len(self.moves)]

    def play(self, move: Move | str) -> Move:
        """Play a legal move, given by number or by name, or raise IllegalMoveError and change nothing."""
        if self.over:
            raise IllegalMoveError(str(move), ())
        if isinstance(move, str):
            move = parse_move(self.game, self.state, move)
        elif move not in self.game.legal_moves(self.state):
            raise illegal_number(self.game, self.state, move)
        self._states.append(self.game.play(self.state, move))
        self.moves.append(move)
        now = self._clock.seconds()
        self.seconds.append(round(now - self.turn_started, 3))
        self.turn_started = now
        self._update_outcome()
        return move

    def add_note(self, note: Note) -> None:
        """Keep what a program said about the last move."""
        self.notes.append(note._replace(move=len(self.moves)))

    def _update_outcome(self) -> None:
        self.outcome = self.game.outcome(self.state)
        if self.outcome is not Outcome.UNDECIDED:
            self.reason = Reason.RULES
        elif self._ply_limit and len(self.moves) >= self._ply_limit:
            self.reason = Reason.PLY_LIMIT

    def last_choice(self, players: Collection[Player]) -> int | None:
        """Return the ply of the last move that one of these players chose, or None. A forced pass is no choice."""
        for ply in range(len(self.moves) - 1, -1, -1):
            state = self._states[ply]
            if self.game.mover(state) in players and forced_pass(self.game, state) is None:
                return ply
        return None

    def undo_to(self, ply: int) -> None:
        """Take back every move from this ply on."""
        while len(self.moves) > ply:
            self.undo()

    def undo(self) -> None:
        """Take back the last move. A match that was over continues."""
        if not self.moves:
            raise IllegalMoveError("undo", ())
        for history in (self.moves, self.seconds, self._states):
            history.pop()
        self.notes = [note for note in self.notes if note.move <= len(self.moves)]
        self.given = self._given_before()
        self.outcome, self.reason = Outcome.UNDECIDED, Reason.UNFINISHED
        self.start_turn()

    def resign(self, player: Player) -> None:
        """End the match: the player gives up, no matter whose turn it is."""
        self._lose(player, Reason.RESIGNATION)

    def run_out_of_time(self) -> None:
        """End the match: the mover's time is up (ALL-3)."""
        self._lose(self.mover, Reason.TIME)

    def lose_by_absence(self) -> None:
        """End the match: the mover stayed away, and the other player claimed the win."""
        self._lose(self.mover, Reason.ABSENCE)

    def forfeit(self) -> None:
        """End the match: the mover, an agent, did not make a legal move."""
        self._lose(self.mover, Reason.FORFEIT)

    def _lose(self, player: Player, reason: Reason) -> None:
        if self.over:
            raise IllegalMoveError(str(reason), ())
        self.outcome, self.reason = won_by(1 - player), reason

    def picture(self, ply: int | None = None) -> "Drawing":
        """Return the board after so many moves, by default after all so far."""
        from duelbook.board import history_of, picture_of

        if ply is not None:
            check_range("ply", ply, 0, len(self.moves))
        state, history = history_of(self.game, self.moves[:ply])
        return picture_of(self.game, state, history)

    def _repr_svg_(self) -> str:
        """Return the board as notebooks show it."""
        return self.picture()._repr_svg_()

    def record(
        self, people: tuple[Person, Person], first: int, *, seed: int | None = None, time_limit: float | None = None
    ) -> Record:
        """Return the match so far as a record."""
        names = zip(self._states, self.moves, strict=False)
        return Record(
            game=self.game,
            people=people,
            first=first,
            moves=tuple(self.game.move_name(state, move) for state, move in names),
            outcome=self.outcome,
            reason=self.reason,
            seed=seed,
            time_limit=time_limit,
            started=self.started,
            ended=_iso(self._clock) if self.over else None,
            seconds=tuple(self.seconds),
            notes=tuple(self.notes),
            given=tuple(self.given),
        )


def named_moves(match: ReadOnlyMatch) -> list[tuple[Player, str]]:
    """Return every move so far as the player who made it and its name."""
    game, played = match.game, zip(match.states, match.moves, strict=False)
    return [(game.mover(state), game.move_name(state, move)) for state, move in played]


def ply_limit(game: AnyGame) -> int:
    """Return the number of moves after which a match between two agents stops (ALL-5)."""
    return max(200, 20 * getattr(game, "goal", 0))


def _iso(clock: Clock) -> str:
    return clock.now().isoformat(timespec="seconds")
