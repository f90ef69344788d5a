"""Many games at once in the shape of Gymnasium's vector environments, each played by both sides in turn."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from duelbook.compiled.batch import NO_GAME, Ends, Floats, Longs, first_illegal, new_batch, observe, random_moves, step
from duelbook.compiled.kernel import NumbaError
from duelbook.envs.border import as_count, check_ply_limit
from duelbook.envs.observer import Observer, state_of
from duelbook.envs.spaces import box_of
from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, Outcome
from duelbook.games import name_of

MOST = 1 << 24  # games
REWARDS = np.array([[1, -1, 0, 0], [-1, 1, 0, 0]], np.float64)  # by the seat of the mover and the outcome

Told = tuple[Floats, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class ManyEnv(VectorEnv[Any, Any, Any]):
    """Steps all games by one ply; a game that ends starts anew in the same step."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012

    render_mode = "ansi"
    single_observation_space: Box[np.float32]

    def __init__(self, game: AnyGame, count: int, ply_limit: int | None = None) -> None:
        count = as_count("the number of games", count)
        check_range("the number of games", count, 1, MOST)
        self.game = game
        self.num_envs = count
        self.ply_limit = check_ply_limit(game, ply_limit)
        self._observer = Observer(game)
        self.single_observation_space = box_of(self._observer)
        self.single_action_space = Discrete(game.num_moves)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._batch = new_batch(game, count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin all games anew; there is no chance in them, so the seed is only that of `random_moves`."""
        super().reset(seed=seed)
        self._batch = new_batch(self.game, self.num_envs)
        return self._seen(self._batch.rows[:-1]), self._info()

    def step(self, actions: Any) -> Told:
        """Play a move in each game; the reward is that of the player who made it."""
        moves = self._checked(actions)
        movers = self._batch.movers[:-1].copy()
        ends = self._play(moves)
        terminated = ends.outcomes != Outcome.UNDECIDED
        info = self._info() | self._final(ends)
        rewards = REWARDS[movers, ends.outcomes]
        return self._seen(self._batch.rows[:-1]), rewards, terminated, ends.over & ~terminated, info

    def any_legal(self) -> Longs:
        """Answer a legal move for each game, by chance."""
        return random_moves(self._batch, self.np_random.random(self.num_envs))

    def states(self) -> list[Any]:
        """Answer how the games stand, for the rules, the solver, or a look at them."""
        initial = self.game.initial()
        return [state_of(initial, iter(row)) for row in self._batch.rows[:-1].tolist()]

    def render(self) -> tuple[str, ...]:
        return tuple(map(self.game.render, self.states()))

    def _checked(self, actions: Any) -> Longs:
        """Answer the actions as moves, or refuse them and change nothing."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise RefusedError(f"actions must be {self.num_envs} whole numbers, one for each game")
        moves = moves.astype(np.int64, copy=False)
        number = first_illegal(self._batch.legal, moves)
        if number != NO_GAME:
            raise RefusedError(f"action {moves[number]} is not legal in game {number}; see the action mask")
        return moves

    def _play(self, moves: Longs) -> Ends:
        try:
            return step(self.game, self._batch, moves, self.ply_limit)
        except NumbaError:
            raise RefusedError(f"the rules of {name_of(self.game)} cannot be compiled") from None

    def _seen(self, rows: Longs) -> Floats:
        observer, seen = self._observer, np.empty((len(rows), len(self._observer.low)), np.float32)
        observe(rows, observer.numbers, observer.shifts, observer.masks, observer.symbols, seen)
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.legal[:-1].copy(), "mover": self._batch.movers[:-1].copy()}

    def _final(self, ends: Ends) -> dict[str, Any]:
        """Answer the last vectors and infos of the games that are over, in the form that Gymnasium gives them."""
        if not len(ends.rows):
            return {}
        over, ended = ends.over, np.flatnonzero(ends.over)
        final, movers = np.full(self.num_envs, None, object), np.zeros(self.num_envs, np.int8)
        final[ended] = list(self._seen(ends.rows))
        movers[ended] = ends.movers
        mask = np.zeros((self.num_envs, self.game.num_moves), np.int8)  # nothing is legal any more
        info = {"action_mask": mask, "_action_mask": over, "mover": movers, "_mover": over}
        return {"final_obs": final, "_final_obs": over, "final_info": info, "_final_info": over}
