"""Many games of one learner against an opponent as a Gymnasium vector environment."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from duelbook.compiled.batch import BatchTurn, Finals, Flags, Longs
from duelbook.compiled.duels import ANY_SEAT
from duelbook.compiled.random_numbers import new_random_numbers
from duelbook.compiled.show import is_illegal
from duelbook.envs.duels import Duels, LearnerSeats
from duelbook.envs.observation import ON_EARLY_END, ON_ILLEGAL, check_choice, check_penalty
from duelbook.envs.opponents import check_opponent, is_compiled, opponent_maker
from duelbook.envs.starts import RESET_MASK, SEAT, read_seat, read_seats
from duelbook.envs.vector_env import DuelVectorEnv, StepResult
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Player

NOTHING = np.empty(0, np.int64)


class LearnerVectorEnv(DuelVectorEnv):
    """Plays the learner's move and the opponent's reply in every game per step."""

    reset_options = (*DuelVectorEnv.reset_options, SEAT)
    seat_name = "seat"

    def __init__(
        self,
        game: str | AnyGame,
        num_envs: int = 1,
        *,
        opponent: Any = "random",
        seat: str | Player = "random",
        on_illegal: str = "raise",
        penalty: float = 1.0,
        on_early_end: str = "report",
        **settings: Any,
    ) -> None:
        super().__init__(game, num_envs, **settings)
        check_opponent(opponent)
        self.opponent = opponent
        wanted = read_seat("seat", seat)
        self._raises = check_choice("on_illegal", on_illegal, ON_ILLEGAL) == "raise"
        self._penalty = check_penalty(penalty)
        self._skips = check_choice("on_early_end", on_early_end, ON_EARLY_END) == "skip"
        if not is_compiled(opponent, self.game):
            self._use_threads(1)
            self._batches = self._new_batches()
        self._default_seat = ANY_SEAT if wanted is None else wanted
        self._seating = self._no_seating()
        self._duels: list[Duels] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all games, as without an opponent. A further option is `seat`, one for all games or one for each."""
        if options and SEAT in options:
            read_seats(options[SEAT], self.num_envs)  # raises RefusedError before anything changes
        return super().reset(seed=seed, options=options)

    def step(self, actions: Any) -> StepResult:
        """Play the learner's move and the opponent's reply in each game. The reward is the learner's."""
        if not self._duels:
            raise RefusedError("No episode is running. Call reset() first.")
        return super().step(actions)

    def _begin(self, options: Mapping[str, Any], games: Flags, seeded: bool) -> None:
        """Seat the learner, and let the opponent move where it is first."""
        whole = RESET_MASK not in options or not self._duels
        if whole:
            self._seating = self._no_seating()
        if SEAT in options:
            seats = [ANY_SEAT if seat is None else seat for seat in read_seats(options[SEAT], self.num_envs)]
            self._seating.wanted[games] = np.array(seats, np.int8)[games]
        if seeded:
            self._seating.randoms[games] = new_random_numbers(self.np_random, int(games.sum()))
        if whole:
            self._duels = self._new_duels()
        self._each(lambda number, part: self._duels[number].begin(np.flatnonzero(games[part])))

    def _new_duels(self) -> list[Duels]:
        make_opponent = opponent_maker(self.opponent, self.game, len(self._observer.low))
        duels = []
        for batch, part in zip(self._batches, self._parts, strict=True):
            seating = self._seating.part(part)
            opponent = make_opponent(batch, seating.randoms)
            duels.append(Duels(batch, seating, opponent, self.ply_limit, self._skips))
        return duels

    def _no_seating(self) -> LearnerSeats:
        count = self.num_envs
        wanted = np.full(count, self._default_seat, np.int8)
        return LearnerSeats(wanted, np.zeros(count, np.int8), np.zeros(count, np.uint64))

    def _check(self, actions: Any) -> Longs:
        """Return the actions as moves. Raise RefusedError if one of them is not legal, unless that costs a penalty."""
        return super()._check(actions) if self._raises else self._as_moves(actions)

    def _play(self, number: int, moves: Longs, turn: BatchTurn, restart: bool) -> Finals:
        duels, illegal = self._duels[number], NOTHING
        if not self._raises:
            illegal = np.flatnonzero(is_illegal(duels.batch.words, self.game.num_moves, moves))
        finals = duels.step(moves, illegal, turn, restart)
        turn.rewards[illegal] = -self._penalty
        duels.show(turn)
        return finals

    def _show(self, number: int, turn: BatchTurn) -> None:
        self._duels[number].show(turn)
