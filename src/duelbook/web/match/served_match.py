"""A match as the service keeps it. Rules are asked of `Match`; every step answers the change to be written."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hmac import compare_digest
from typing import Any

from duelbook.game import AnyGame, Outcome, Player, Reason, forced_pass, has_choices, random_choice, with_choices
from duelbook.games import make
from duelbook.match import Clock, Match
from duelbook.narration import Seating
from duelbook.options import write_options
from duelbook.records.record import Person, Record
from duelbook.web.db.tables import Change, MatchRow, MoveRow, SeatRow, StoredMatch
from duelbook.web.match.tokens import hashed
from duelbook.web.problems import Problem

MINUTE = 60


class ServedMatch:
    """One match, its people and its history; changes in memory, and says what to write."""

    def __init__(self, kept: StoredMatch, clock: Clock) -> None:
        self.row = kept.match
        self.seats = kept.seats
        self.moves = kept.moves
        self.undone = kept.undone
        self.clock = clock
        self.game = _game(self.row.game, self.row.options)
        self.match = self._replayed()
        self.encoded_view = (0, b"")  # of which version, and as JSON

    def _replayed(self) -> Match:
        row = self.row
        match = Match.resumed(self.record_of([move.move for move in self.moves]), clock=self.clock)
        match.start_turn(max(0.0, self.clock.seconds() - row.turn_started))
        return match

    @property
    def begun(self) -> bool:
        return self.row.started is not None

    @property
    def humans(self) -> list[Player]:
        return [seat.seat for seat in self.seats if not seat.is_agent]

    @property
    def agents(self) -> int:
        """Answer the seats that computers have, as a number: 1 is the first, 2 the second, 3 both."""
        return sum(1 << seat.seat for seat in self.seats if seat.is_agent)

    @property
    def timed_out(self) -> bool:
        """Tell whether a person's time is up; a computer's is that of its thinking, and not of its waiting for that."""
        limit, match = self.row.time_limit, self.match
        if limit is None or not self.begun or match.over or self.seats[match.mover].is_agent:
            return False
        return match.turn_seconds() > limit

    def name(self, seat: Player) -> str:
        return self.seats[seat].name or f"Player {(seat ^ self.row.creator) + 1}"

    def seating(self) -> Seating:
        """Answer who sits where: who made the match is Player 1."""
        return Seating((self.name(self.row.creator), self.name(1 - self.row.creator)), self.row.creator)

    def seat_of(self, token: str) -> Player | None:
        """Answer the seat that the token is for."""
        given = hashed(token)
        return next((seat.seat for seat in self.seats if seat.token and compare_digest(given, seat.token)), None)

    def record_of(self, moves: Sequence[str]) -> Record:
        """Answer the match with these moves as a record."""
        row = self.row
        one, two = (Person(self.name(seat), self.seats[seat].agent) for seat in (row.creator, 1 - row.creator))
        return Record(
            game=self.game,
            people=(one, two),
            first=row.creator,
            moves=tuple(moves),
            outcome=Outcome(row.outcome),
            reason=Reason(row.reason),
            seed=row.seed,
            time_limit=row.time_limit,
            started=row.started,
            ended=row.ended,
            seconds=tuple(move.seconds for move in self.moves),
        )

    # What can be done. Each answers the change, and refuses with nothing changed.

    def begin_if_full(self) -> None:
        """Start the match once both seats are taken and both have chosen what there is to choose."""
        if not all(seat.is_taken for seat in self.seats):
            return
        first, second = (seat.choice for seat in self.seats)
        if has_choices(self.game) and first and second:
            self.game = with_choices(self.game, first, second)
        self.row = replace(self.row, options=json.dumps(write_options(self.game)), started=_iso(self.clock))
        self.match = Match(self.game, clock=self.clock)
        self._pass()

    def play(self, seat: Player, move: str | int, key: str | None) -> Change:
        """Play the move, and after it the passes that are forced."""
        before, limit = len(self.match.moves), self.row.time_limit
        if limit is not None and self.match.turn_seconds() > limit:
            self.match.start_turn(limit)  # a computer that had to wait for its turn to think
        self.match.play(move)
        self._pass()
        return self._advanced(before, key)

    def _pass(self) -> None:
        match = self.match
        while not match.over and (forced := forced_pass(match.game, match.state)) is not None:
            match.play(forced)

    def resign(self, seat: Player) -> Change:
        self.match.resign(seat)
        return self._advanced(len(self.match.moves))

    def run_out_of_time(self) -> Change:
        self.match.run_out_of_time()
        return self._advanced(len(self.match.moves))

    def undo(self, seat: Player, agreed: bool) -> Change | None:
        """Ask to take the last choice back, agree or decline; against a computer it is done at once."""
        target = self._undo_target()
        asked = self.row.undo_by
        if not agreed:
            return None if asked is None else self._step(undo_by=None)
        if len(self.humans) == 2 and asked in (None, seat):
            return None if asked == seat else self._step(undo_by=seat)
        gone, self.moves = tuple(self.moves[target:]), self.moves[:target]
        self.undone = [*self.undone, *gone]
        self.match.undo_to(target)
        return replace(self._advanced(target), undone=gone)

    def _undo_target(self) -> int:
        if self.row.time_limit is not None:
            raise self.problem("no-undo", "moves are not taken back in a match with a time limit")
        target = self.match.last_choice(self.humans)
        if target is None:
            raise self.problem("no-undo", "there is no move to take back")
        return target

    def take_seat(self, seat: SeatRow) -> Change:
        """Let a person sit down; the match begins if that was the last free seat."""
        one, two = self.seats
        self.seats = (seat, two) if seat.seat == 0 else (one, seat)
        self.begin_if_full()
        return replace(self._advanced(0), seats=(seat,))

    def followed_by(self, match: str) -> Change:
        """Note the match that is the rematch of this one."""
        return self._step(rematch=match)

    def _advanced(self, ply: int, key: str | None = None) -> Change:
        """Answer the change to where the match stands now, with the moves from that ply on."""
        match, version = self.match, self.row.version + 1
        numbers = range(ply, len(match.moves))
        fresh = tuple(self._move_row(number, key if number == ply else None, version) for number in numbers)
        self.moves = [*self.moves[:ply], *fresh]
        self.row = self.standing(self.row, version=version, undo_by=None)
        return Change(self.row, moves=fresh)

    def standing(self, row: MatchRow, **changes: Any) -> MatchRow:
        """Answer the row as the match stands, with further changes."""
        match = self.match
        running = self.begun and not match.over
        return replace(
            row,
            ply=len(match.moves),
            outcome=int(match.outcome),
            reason=str(match.reason),
            ended=_iso(self.clock) if match.over else None,
            turn_started=self.clock.seconds() - match.turn_seconds(),
            agent_due=running and self.seats[match.mover].is_agent,
            touched=minutes(self.clock),
            **changes,
        )

    def _step(self, **changes: Any) -> Change:
        self.row = replace(self.row, version=self.row.version + 1, touched=minutes(self.clock), **changes)
        return Change(self.row)

    def _move_row(self, ply: int, key: str | None, version: int) -> MoveRow:
        match, state = self.match, self.match.states[ply]
        name = self.game.move_name(state, match.moves[ply])
        return MoveRow(self.row.id, ply, name, self.game.mover(state), key, match.seconds[ply], version)

    def created(self) -> Change:
        """Answer the change that brings a new match into the store."""
        self.begin_if_full()
        self.row = self.standing(self.row)
        self.moves = [self._move_row(ply, None, self.row.version) for ply in range(len(self.match.moves))]
        return Change(self.row, new=True, seats=self.seats, moves=tuple(self.moves))

    def problem(self, code: str, detail: str, **more: Any) -> Problem:
        """Answer a problem that tells where the match stands."""
        return Problem(code, detail, ply=len(self.match.moves), **more)


def agent_choice(game: AnyGame, taken: str | None, seed: int) -> str | None:
    """Answer what a computer chooses before the start, where there is something to choose."""
    return random_choice(game, [taken or ""], random.Random(seed)) if has_choices(game) else None


@lru_cache(maxsize=1024)
def _game(name: str, options: str) -> AnyGame:
    return make(name, **json.loads(options))


def minutes(clock: Clock) -> int:
    """Answer the time of day in seconds since 1970, to the minute: enough to tell who is idle."""
    return int(clock.now().timestamp()) // MINUTE * MINUTE


def _iso(clock: Clock) -> str:
    return clock.now().isoformat(timespec="seconds")
