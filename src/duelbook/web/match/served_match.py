"""A match as the service keeps it. The rules are those of `Match`; every action returns the change to write."""

import json
import random
from functools import lru_cache
from hmac import compare_digest
from typing import Any

from msgspec.structs import replace

from duelbook.game import (
    AnyGame,
    Move,
    Outcome,
    Player,
    Reason,
    forced_pass,
    has_choices,
    move_names,
    random_choice,
    with_choices,
)
from duelbook.games import make
from duelbook.match import Clock, Match
from duelbook.narration import Seating
from duelbook.options import write_options
from duelbook.play.actions import ActionName
from duelbook.play.table import Table
from duelbook.records.record import Person, Record
from duelbook.web.db.move_hashes import check_hashes, hash_after, hash_before
from duelbook.web.db.tables import Change, MatchRow, MoveRow, SeatRow, StoredMatch
from duelbook.web.db.writer import COMMIT_SECONDS
from duelbook.web.match.tokens import token_hash
from duelbook.web.problems import Problem


class ServedMatch(Table):
    """One match with its players and its history. Actions change it in memory and return what to write."""

    is_remote = True

    def __init__(self, stored: StoredMatch, clock: Clock) -> None:
        self.row = stored.match
        self.seats = stored.seats
        self.moves = stored.moves
        self.last_undone = stored.last_undone
        self.clock = clock
        check_hashes(hash_before(self.row), self.moves)
        self.game = stored_game(self.row.game, self.row.options)
        people = [seat.seat for seat in self.seats if not seat.is_agent]
        super().__init__(Match.resumed(self.record(), clock=clock), people, self.row.time_limit)
        self.asking = self.row.undo_by
        self._begins_turn = False  # the change that is being written begins a turn
        self._resume_turn()
        self.encoded_view = (0, b"")  # the version that was encoded last, and its view as JSON
        self._legal: tuple[Any, dict[str, Move]] = (None, {})  # a state, and its legal moves by name
        self.clock_stops: set[tuple[int, str]] = set()  # the plies at which the clock was stopped, and for what

    def _resume_turn(self) -> None:
        """Continue a turn that another process began, or this one some time ago.

        Its move was stored later than it was played. Nobody knows how much later; but it is stored now.
        """
        spent = max(0.0, self.clock.seconds() - self.row.turn_started)
        self.match.start_turn(spent)
        self._grace = min(spent, COMMIT_SECONDS)  # seconds that the mover may have more than is shown
        if self.row.stopped_until is not None:
            self.match.turn_started = self.row.turn_started  # which may be in the future

    def change_is_durable(self) -> None:
        """Start the turn that the last change began. It starts only now, so that nobody pays for a slow store."""
        if self._begins_turn:
            self.start_turn(self.clock.seconds())

    def start_turn(self, at: float) -> None:
        """Start the turn at that uptime, at which its move was durable."""
        self.match.turn_started = at
        self._grace, self._begins_turn = 0.0, False

    def catch_up(self, later: StoredMatch) -> bool:
        """Play what other processes have played; `later` has the moves from the last one that is known here.

        Return False, and change nothing, if more than that has changed. If it raises, the match cannot be used.
        Moves are only ever taken back from the end, and a version is never used twice: if the last known move is still
        there, so are those before it. Seats and options do not change after the first move.
        """
        row, known = later.match, self.moves[-1]
        if row.version < self.row.version or row.options != self.row.options or not later.moves:
            return False
        first = later.moves[0]
        if (first.ply, first.hash) != (known.ply, known.hash) or first.ply + len(later.moves) != row.ply:
            return False
        check_hashes(known.hash, later.moves[1:])
        self.row, self.last_undone = row, later.last_undone
        self.moves = [*self.moves, *later.moves[1:]]
        self.match.follow(self.record())
        self.asking = row.undo_by
        self._resume_turn()
        return True

    @property
    def begun(self) -> bool:
        return self.row.started is not None

    @property
    def agents(self) -> int:
        """The seats that agents have, as a bit mask: 1 is the first seat, 2 the second."""
        return sum(1 << seat.seat for seat in self.seats if seat.is_agent)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the mover runs out of time (negative: since then), or None if no person's clock is running.

        An agent's time is measured while it thinks, not while it waits for a worker.
        """
        limit, match = self.turn_limit, self.match
        if limit is None or not self.begun or match.over or self.seats[match.mover].is_agent:
            return None
        return limit - match.turn_seconds()

    @property
    def stopped_seconds(self) -> float:
        """Seconds until the mover's clock runs again; 0 if it does not stand still."""
        return max(0.0, (self.row.stopped_until or 0.0) - self.clock.seconds())

    @property
    def turn_seconds(self) -> float:
        """Seconds that the mover has spent on the turn, without those in which the clock stands still."""
        return max(self.clock.seconds(), self.row.stopped_until or 0.0) - self.match.turn_started

    @property
    def claim_seconds_left(self) -> float | None:
        """Seconds until the win can be claimed against the absent mover, or None if nobody waits for that."""
        return None if self.row.claim_at is None else max(0.0, self.row.claim_at - self.clock.seconds())

    @property
    def is_out_of_time(self) -> bool:
        left = self.seconds_left
        return left is not None and left + self._grace < 0

    @property
    def legal(self) -> dict[str, Move]:
        """The legal moves by name. They are found once for a view and for the move that follows it."""
        state, legal = self._legal
        if state is not self.match.state:
            legal = move_names(self.game, self.match.state)
            self._legal = (self.match.state, legal)
        return legal

    def name(self, seat: Player) -> str:
        return self.seats[seat].name or f"Player {(seat ^ self.row.creator) + 1}"

    def seating(self) -> Seating:
        """Return who has which seat. The player who created the match is Player 1."""
        return Seating((self.name(self.row.creator), self.name(1 - self.row.creator)), self.row.creator)

    def seat_of(self, token: str) -> Player | None:
        """Return the seat that the token is for, or None."""
        hashed = token_hash(token)
        for seat in self.seats:
            if seat.token is not None and compare_digest(hashed, seat.token):
                return seat.seat
        return None

    def record(self) -> Record:
        row = self.row
        one, two = (Person(self.name(seat), self.seats[seat].agent) for seat in (row.creator, 1 - row.creator))
        return Record(
            game=self.game,
            people=(one, two),
            first=row.creator,
            moves=tuple(move.move for move in self.moves),
            outcome=Outcome(row.outcome),
            reason=Reason(row.reason),
            seed=row.seed,
            time_limit=row.time_limit,
            started=row.started,
            ended=row.ended,
            seconds=tuple(move.seconds for move in self.moves),
            given=self.row.gifts,
        )

    def problem(self, code: str, detail: str, **more: Any) -> Problem:
        """Return a problem that includes the current ply of the match."""
        return Problem(code, detail, ply=len(self.match.moves), **more)

    def actions(self, seat: Player) -> list[ActionName]:
        """Return what the player on this seat may do now."""
        return super().actions(seat) if self.begun else []

    # Changes, which are possible now. Each returns what to write, or raises and changes nothing.

    def act(self, action: ActionName, seat: Player, value: Any = None, key: str | None = None) -> Change | None:
        """Let the player on this seat do something; None if that changes nothing."""
        stored, ply = self.row, self.apply(action, seat, value)
        if ply is None:
            given = self._given()
            if (self.asking, given) == (stored.undo_by, stored.given):
                return None
            return self._change_row(action, seat, undo_by=self.asking, given=given, due=self._due())
        is_told = action != "play" and not self.match.over
        change = self._advance(ply, key, action if is_told else None, seat if is_told else None)
        advanced = replace(stored, version=self.row.version, ply=self.row.ply, turn_started=self.row.turn_started)
        return replace(change, advances=advanced == self.row)

    def create(self) -> Change:
        """Begin the new match if both seats are taken, and return the change that puts it into the store."""
        self._begin_if_full()
        self._begins_turn = not self.match.over
        self.row = self.current_row()
        self.moves = self._move_rows(0, None, self.row.version)
        return Change(self.row, new=True, seats=self.seats, moves=tuple(self.moves))

    def take_seat(self, seat: SeatRow) -> Change:
        """Fill a free seat. The match begins if it was the last one."""
        one, two = self.seats
        self.seats = (seat, two) if seat.seat == 0 else (one, seat)
        self.row = replace(self.row, open=False)
        self._begin_if_full()
        return replace(self._advance(0), seats=(seat,))

    def _begin_if_full(self) -> None:
        """Begin once both seats are taken, with what the players chose if the game has choices."""
        if not all(seat.is_taken for seat in self.seats):
            return
        first, second = (seat.choice for seat in self.seats)
        if has_choices(self.game) and first and second:
            self.game = with_choices(self.game, first, second)
        self.row = replace(self.row, options=options_text(self.game), started=_iso(self.clock))
        self.match = Match(self.game, clock=self.clock)
        self._play_forced_passes()

    def _play(self, seat: Player, value: str | int) -> int | None:
        """Play the move, and after it the passes that are forced."""
        limit = self.turn_limit
        spent = 0.0 if limit is None else self.turn_seconds
        ply = super()._play(seat, self.legal.get(value, value) if isinstance(value, str) else value)
        if limit is not None:  # an agent that had to wait for a worker used no more than its time
            self.match.seconds[-1] = min(round(spent, 3), limit)
        self._play_forced_passes()
        return ply

    def _play_forced_passes(self) -> None:
        match = self.match
        while not match.over and (forced := forced_pass(match.game, match.state)) is not None:
            match.play(forced)

    def run_out_of_time(self) -> Change:
        self.match.run_out_of_time()
        return self._advance(len(self.match.moves))

    def offer(self, is_open: bool) -> Change:
        """Offer the free seat to everybody, or no longer."""
        return self._change_row(open=is_open)

    def warn(self, seat: Player, seconds: float) -> Change:
        """Let the player of the seat claim the win after so many seconds, unless the mover comes back."""
        return self._change_row("claim", seat, claim_by=seat, claim_at=self.clock.seconds() + seconds)

    def drop_claim(self) -> Change:
        """Note that the mover has come back."""
        return self._change_row(claim_by=None, claim_at=None)

    def lose_by_absence(self) -> Change:
        self.match.lose_by_absence()
        return self._advance(len(self.match.moves))

    def stop_clock(self, seconds: float) -> Change:
        """Stop the mover's clock for these seconds from now, also if it stands still already.

        The turn counts as begun later, so that its time is up as much later as the clock stands still.
        """
        until = self.clock.seconds() + seconds
        self.match.turn_started = until - self.turn_seconds
        return self._change_row(turn_started=self.match.turn_started, due=self._due(), stopped_until=until)

    def set_rematch(self, match: str) -> Change:
        """Link the match to its rematch."""
        return self._change_row(rematch=match)

    # Rows

    def _advance(
        self,
        ply: int,
        key: str | None = None,
        last_action: ActionName | None = None,
        last_by: Player | None = None,
    ) -> Change:
        """Return the change to the current state, with the moves from that ply on, and without those taken back."""
        version = self.row.version + 1
        removed, fresh = tuple(self.moves[ply:]), self._move_rows(ply, key, version)
        self.moves[ply:] = fresh
        if removed:
            self.last_undone = removed[-1].version
        self._begins_turn = not self.match.over
        self.asking = None
        self.row = self.current_row(
            version=version,
            undo_by=None,
            last_action=last_action,
            last_by=last_by,
            claim_by=None,
            claim_at=None,
            stopped_until=None,
        )
        return Change(self.row, moves=tuple(fresh), undone=removed)

    def current_row(self, **columns: Any) -> MatchRow:
        """Return the row with these columns, and with those that follow from the current state of the match."""
        match = self.match
        return replace(
            self.row,
            ply=len(match.moves),
            outcome=int(match.outcome),
            reason=str(match.reason),
            ended=_iso(self.clock) if match.over else None,
            turn_started=match.turn_started,
            agent_due=self.begun and not match.over and self.seats[match.mover].is_agent,
            due=self._due(),
            given=self._given(),
            active_at=uptime_minute(self.clock),
            **columns,
        )

    def _due(self) -> float | None:
        """Return when the agent's turn began, or when the person's time is up; None if neither is waited for."""
        match, limit = self.match, self.turn_limit
        if not self.begun or match.over:
            return None
        if self.seats[match.mover].is_agent:
            return match.turn_started
        return None if limit is None else match.turn_started + limit

    def _given(self) -> str | None:
        """Return the time that was given, as it is stored."""
        return json.dumps(self.match.given) if self.match.given else None

    def _change_row(self, action: ActionName | None = None, by: Player | None = None, **columns: Any) -> Change:
        """Return the change to these columns, by the action of a player if it is one."""
        version, active_at = self.row.version + 1, uptime_minute(self.clock)
        self.row = replace(self.row, version=version, active_at=active_at, last_action=action, last_by=by, **columns)
        return Change(self.row)

    def _move_rows(self, ply: int, key: str | None, version: int) -> list[MoveRow]:
        """Return the rows of the moves from that ply on; only the first of them was sent with the key."""
        rows, match, game = list[MoveRow](), self.match, self.game
        before = self.moves[ply - 1].hash if ply else hash_before(self.row)
        for number in range(ply, len(match.moves)):
            state = match.states[number]
            name, seat, seconds = game.move_name(state, match.moves[number]), game.mover(state), match.seconds[number]
            before = hash_after(before, number, name, seat, key, seconds, version)
            rows.append(MoveRow(self.row.id, number, name, seat, key, seconds, version, before))
            key = None
        return rows


def agent_choice(game: AnyGame, taken: str | None, seed: int) -> str | None:
    """Return an agent's choice before the start, or None if the game has no choices."""
    return random_choice(game, [taken or ""], random.Random(seed)) if has_choices(game) else None


@lru_cache(maxsize=1024)
def options_text(game: AnyGame) -> str:
    """Return the options of the game as they are stored."""
    return json.dumps(write_options(game))


@lru_cache(maxsize=1024)
def stored_game(name: str, options: str) -> AnyGame:
    """Return the game of a match that is stored."""
    return make(name, **json.loads(options))


def unix_minute(clock: Clock) -> int:
    """Return the Unix time, rounded down to the minute."""
    return int(clock.now().timestamp()) // 60 * 60


def uptime_minute(clock: Clock) -> int:
    """Return the uptime, rounded down to the minute: precise enough to find idle matches, and it changes rarely."""
    return int(clock.seconds()) // 60 * 60


def _iso(clock: Clock) -> str:
    return clock.now().isoformat(timespec="seconds")
