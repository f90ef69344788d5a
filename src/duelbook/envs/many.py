"""Many games at once in the shape of Gymnasium's vector environments, each played by both sides in turn."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from duelbook.batch import NONE, Batch, Ends, Floats, Longs, Start, first_illegal, observe, started, step
from duelbook.compiled import NumbaError
from duelbook.envs.border import as_count, check_ply_limit
from duelbook.envs.observer import Observer, mask_of
from duelbook.envs.spaces import box_of
from duelbook.game import AnyGame, Outcome, RefusedError, between
from duelbook.games import name_of

MOST = 1 << 24  # games
REWARDS = np.array([[1, -1, 0, 0], [-1, 1, 0, 0]], np.float64)  # by the seat of the mover and the outcome

Told = tuple[Floats, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class ManyEnv(VectorEnv[Any, Any, Any]):
    """Steps all games by one ply; a game that ends starts anew in the same step."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, game: AnyGame, count: int, ply_limit: int | None = None) -> None:
        between("the number of games", as_count("the number of games", count), 1, MOST)
        self.game = game
        self.num_envs = count
        self.ply_limit = check_ply_limit(game, ply_limit)
        self._observer = Observer(game)
        self.single_observation_space = box_of(self._observer)
        self.single_action_space = Discrete(game.num_moves)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._start = self._started(game.initial())

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start all games anew; there is no chance in them, so the seed changes nothing."""
        super().reset(seed=seed)
        self._batch = started(self._start, self.num_envs)
        return self._seen(self._batch.rows), self._info()

    def step(self, actions: Any) -> Told:
        """Play a move in each game; the reward is that of the player who made it."""
        moves = self._checked(actions)
        movers = self._batch.movers.copy()
        ends = self._play(moves)
        stopped = ends.stopped.astype(np.bool_)
        terminated = ends.outcomes != Outcome.UNDECIDED
        info = self._info() | self._final(terminated | stopped, ends)
        return self._seen(self._batch.rows), REWARDS[movers, ends.outcomes], terminated, stopped, info

    def _started(self, state: Any) -> Start:
        legal = mask_of(self.game, self.game.legal_moves(state))
        return Start(self._observer.row(state), self.game.mover(state), legal)

    def _checked(self, actions: Any) -> Longs:
        """Answer the actions as moves, or refuse them and change nothing."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise RefusedError(f"actions must be {self.num_envs} whole numbers, one for each game")
        moves = moves.astype(np.int64, copy=False)
        number = first_illegal(self._batch.legal, moves)
        if number != NONE:
            raise RefusedError(f"action {moves[number]} is not legal in game {number}; see the action mask")
        return moves

    def _play(self, moves: Longs) -> Ends:
        try:
            return step(self.game, self._batch, moves, self._observer.held, self.ply_limit, self._start)
        except NumbaError:
            raise RefusedError(f"the rules of {name_of(self.game)} cannot be compiled") from None

    def _seen(self, rows: Longs) -> Floats:
        observer, seen = self._observer, np.empty((len(rows), *self.single_observation_space.shape), np.float32)
        observe(rows, observer.numbers, observer.shifts, observer.masks, observer.symbols, seen)
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.legal.copy(), "mover": self._batch.movers.copy()}

    def _final(self, over: npt.NDArray[np.bool_], ends: Ends) -> dict[str, Any]:
        """Answer the last vectors of the games that have ended."""
        if not over.any():
            return {}
        final = np.zeros((self.num_envs, *self.single_observation_space.shape), np.float32)
        final[over] = self._seen(ends.rows[over])
        return {"final_obs": final, "_final_obs": over}
