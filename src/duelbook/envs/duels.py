"""Many games of a learner against an opponent: between two turns of the learner, the opponent moves."""

from typing import NamedTuple, Protocol

import numpy as np

from duelbook.compiled.batch import UNDECIDED, Batch, BatchTurn, Bytes, Finals, Longs, check_step
from duelbook.compiled.duels import STOPPED, accept_any_in, play_some, start_some, write_results
from duelbook.compiled.random_numbers import RandomNumbers
from duelbook.compiled.show import write_masks, write_vectors
from duelbook.envs.observation import ALWAYS_OVER, MAX_SKIPPED
from duelbook.errors import RefusedError


class BatchOpponent(Protocol):
    """A player of many games at once. It gets the numbers of the games that it is about."""

    def begin(self, games: Longs) -> None:
        """Forget what happened in these games, which start again."""
        ...

    def see(self, games: Longs, moves: Longs) -> None:
        """Take note of what is played in these games, by whomever."""
        ...

    def choose(self, games: Longs) -> Longs:
        """Return a legal move for each of these games."""
        ...


class LearnerSeats(NamedTuple):
    """Where the learner sits in each game, and what chance decides there."""

    wanted: Bytes  # the learner's seat, or ANY_SEAT
    seats: Bytes  # the learner's seat now
    randoms: RandomNumbers

    def part(self, games: slice) -> "LearnerSeats":
        """Return the seating of these games, which shares its memory."""
        return LearnerSeats(self.wanted[games], self.seats[games], self.randoms[games])


class Duels:
    """Games of a learner against an opponent. Outside of its methods, each game waits for the learner or is over."""

    def __init__(
        self, batch: Batch, seating: LearnerSeats, opponent: BatchOpponent, ply_limit: int, skips_early_ends: bool
    ) -> None:
        self.batch, self.seating = batch, seating
        self._opponent = opponent
        self._ply_limit = ply_limit
        self._skips = skips_early_ends
        self.results = np.full(batch.size, UNDECIDED, np.int8)  # the outcomes, or STOPPED
        self._waiting = np.empty(batch.size, np.int64)  # games in which the opponent is to move

    def begin(self, games: Longs) -> None:
        """Start these games, and let the opponent move where it is first.

        A game that the opponent ends before the learner's first turn is skipped, or shown as it is: its next step plays
        no move, whatever it is, and reports the end.
        """
        batch = self.batch
        arrays = batch.rows, batch.movers, batch.plies, batch.words, batch.choices, batch.starts
        for _ in range(MAX_SKIPPED):
            batch.over[games] = False
            count = start_some(games, *arrays, *self.seating, self.results, self._waiting)
            self._opponent.begin(games)
            self._reply(count)
            games = games[self.results[games] != UNDECIDED]
            if not len(games):
                return
            if not self._skips:
                self._accept_any(games)
                return
        raise RefusedError(ALWAYS_OVER)

    def step(self, moves: Longs, illegal: Longs, turn: BatchTurn, restart: bool) -> Finals:
        """Play the learner's moves and the opponent's replies. The games with `illegal` moves only lose a ply.

        Games that are over start again: those that end now if `restart` is true, or else those that ended before.
        Return the last states of the former, with the learner's seats.
        """
        batch, before = self.batch, np.flatnonzero(self.batch.over)
        live = (self.results == UNDECIDED) & ~batch.over
        live[illegal] = False
        games = np.flatnonzero(live)
        self._reply(self._play(games, moves[games]))
        batch.plies[illegal] += 1
        self.results[illegal[batch.plies[illegal] >= self._ply_limit]] = STOPPED
        write_results(
            self.results, batch.over, self.seating.seats, turn.rewards, turn.outcomes, turn.terminated, turn.truncated
        )
        ended = np.flatnonzero(turn.terminated | turn.truncated)
        finals = Finals(batch.rows[ended], self.seating.seats[ended])
        self.begin(ended if restart else before)
        if restart:
            return finals
        batch.over[ended] = True
        self._accept_any(ended)
        return Finals(finals.rows[:0], finals.movers[:0])

    def show(self, turn: BatchTurn) -> None:
        """Write what the learner sees."""
        batch = self.batch
        write_vectors(batch.rows, batch.parts, turn.vectors, 0, batch.size)
        write_masks(batch.words, turn.masks, 0, batch.size)
        turn.movers[:] = self.seating.seats

    def _play(self, games: Longs, moves: Longs) -> int:
        """Play a move in each of these games; return in how many of them the opponent is to move."""
        batch, game = self.batch, self.batch.game
        arrays = batch.rows, batch.movers, batch.plies, batch.words, batch.choices, batch.shown_options, batch.run
        self._opponent.see(games, moves)
        results = self._ply_limit, self.seating.seats, self.results, self._waiting
        return check_step(game, play_some(game, game.num_moves, games, moves, *arrays, *results))

    def _reply(self, count: int) -> None:
        """Let the opponent move in that many of the games that wait for it, until none does."""
        while count:
            games = self._waiting[:count].copy()
            count = self._play(games, self._opponent.choose(games))

    def _accept_any(self, games: Longs) -> None:
        accept_any_in(games, self.batch.words, self.batch.choices, self.batch.game.num_moves)
