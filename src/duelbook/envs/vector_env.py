"""Many games at once as a Gymnasium vector environment. In each game, both sides move in turn."""

import os
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from duelbook.compiled.batch import (
    NO_GAME,
    Batch,
    Bytes,
    Flags,
    Floats,
    Longs,
    Turn,
    first_illegal,
    new_batch,
    new_turn,
    random_moves,
    step,
    write_masks,
    write_vectors,
)
from duelbook.envs.observation import Observer, check_count, check_ply_limit, seeded_rng, state_from_numbers
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import telling_game_errors
from duelbook.options import draw

MAX_GAMES = 1 << 24
MIN_THREAD_GAMES = 1024  # with fewer games each, threads would mostly wait for each other

T = TypeVar("T")
StepResult = tuple[Floats, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class DuelVectorEnv(VectorEnv[Any, Any, Any]):
    """Plays one ply in every game per step. A game that ends starts again in the same step."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012

    render_mode = "ansi"
    single_observation_space: Box[np.float32]

    def __init__(self, game: AnyGame, count: int, ply_limit: int | None = None, drawn: Collection[str] = ()) -> None:
        self.game = game
        self._drawn = drawn
        self.num_envs = count = check_count("count", count, MAX_GAMES)
        self.ply_limit = check_ply_limit(game, ply_limit)
        self._observer = Observer(game)
        self.single_observation_space = self._observer.space()
        self.single_action_space = Discrete(game.num_moves)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._no_moves = np.broadcast_to(np.int8(0), (count, game.num_moves))  # the masks after the end of a game
        threads = max(1, min(os.cpu_count() or 1, count // MIN_THREAD_GAMES))
        self._parts = [slice(*ends) for ends in pairwise(count * part // threads for part in range(threads + 1))]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._batches = self._new_batches()

    @telling_game_errors
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start all games from the same draw, if the game has one. The seed decides it, and `random_moves`."""
        super().reset(seed=seed)
        if self._drawn:
            self.game = draw(self.game, seeded_rng(self.np_random), self._drawn)
        self._batches = self._new_batches()
        turn = self._new_turn()
        for batch, part in zip(self._batches, self._parts, strict=True):
            write_vectors(batch.rows, batch.parts, turn.vectors[part], 0, part.stop - part.start)
            write_masks(batch.words, turn.masks[part], 0, part.stop - part.start)
            turn.movers[part] = batch.movers[:-1]
        return turn.vectors, {"action_mask": turn.masks, "mover": turn.movers}

    @telling_game_errors
    def step(self, actions: Any) -> StepResult:
        """Play a move in each game. The reward is for the player who made the move."""
        moves, turn = self._check(actions), self._new_turn()

        def play(batch: Batch, part: slice) -> tuple[Floats, Bytes]:
            finals = step(batch, moves[part], self.ply_limit, turn.part(part))
            vectors = np.empty((len(finals.rows), turn.vectors.shape[1]), np.float32)
            write_vectors(finals.rows, batch.parts, vectors, 0, len(vectors))
            return vectors, finals.movers

        vectors, movers = zip(*self._each(play), strict=True)
        info = {"action_mask": turn.masks, "mover": turn.movers}
        if any(map(len, vectors)):
            info |= self._final(
                turn.terminated | turn.truncated, [*chain.from_iterable(vectors)], np.concatenate(movers)
            )
        return turn.vectors, turn.rewards, turn.terminated, turn.truncated, info

    def random_moves(self) -> Longs:
        """Return a random legal move for each game."""
        chances = self.np_random.random(self.num_envs)
        return np.concatenate(self._each(lambda batch, part: random_moves(batch, chances[part])))

    def states(self) -> list[Any]:
        """Return the state of each game, as the rules and the solver use it."""
        initial = self.game.initial()
        rows = (row for batch in self._batches for row in batch.rows[:-1].tolist())
        return [state_from_numbers(initial, iter(row)) for row in rows]

    @telling_game_errors
    def render(self) -> tuple[str, ...]:
        return tuple(map(self.game.render, self.states()))

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool:
            self._pool.shutdown()

    def _new_batches(self) -> list[Batch]:
        return [new_batch(self.game, part.stop - part.start, self._observer.parts) for part in self._parts]

    def _each(self, work: Callable[[Batch, slice], T]) -> list[T]:
        """Return what the work returns for each batch and its part of the games. Of several, each has a thread."""
        first, *others = zip(self._batches, self._parts, strict=True)
        if self._pool is None:
            return [work(*first)]
        started = [self._pool.submit(work, *other) for other in others]
        return [work(*first), *(other.result() for other in started)]

    def _check(self, actions: Any) -> Longs:
        """Return the actions as moves, or raise RefusedError if one of them is not a legal move."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise RefusedError(f"actions must be {self.num_envs} whole numbers, one for each game.")
        moves = moves.astype(np.int64, copy=False)
        for batch, part in zip(self._batches, self._parts, strict=True):
            place = first_illegal(batch.words, self.game.num_moves, moves[part])
            if place != NO_GAME:
                number = part.start + place
                raise RefusedError(f"Action {moves[number]} is not legal in game {number}. See the action mask.")
        return moves

    def _new_turn(self) -> Turn:
        return new_turn(self.num_envs, len(self._observer.low), self.game.num_moves)

    def _final(self, over: Flags, last_vectors: list[Floats], last_movers: Bytes) -> dict[str, Any]:
        """Return the last vectors and infos of the games that ended, in the form that Gymnasium defines."""
        vectors, movers = np.full(self.num_envs, None, object), np.zeros(self.num_envs, np.int8)
        vectors[over], movers[over] = np.fromiter(last_vectors, object, len(last_vectors)), last_movers
        info = {"action_mask": self._no_moves, "_action_mask": over, "mover": movers, "_mover": over}
        return {"final_obs": vectors, "_final_obs": over, "final_info": info, "_final_info": over}
