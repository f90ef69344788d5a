"""Many games at once as a Gymnasium vector environment. In each game, both sides move in turn."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from itertools import chain, pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from duelbook.compiled.batch import (
    Batch,
    BatchStart,
    BatchTurn,
    Bytes,
    Finals,
    Flags,
    Floats,
    Longs,
    new_batch,
    new_turn,
    random_moves,
    set_start,
    step,
)
from duelbook.compiled.show import NO_GAME, first_illegal, write_masks, write_vectors
from duelbook.envs.autoreset import AutoresetMode, as_autoreset_mode
from duelbook.envs.observation import (
    METADATA,
    Observer,
    check_count,
    check_flag,
    check_ply_limit,
    check_render_mode,
    drawn_on_reset,
    make_game,
    seeded_rng,
    state_from_numbers,
)
from duelbook.envs.starts import (
    OPENING,
    RESET_MASK,
    STATE,
    check_known,
    check_reset_mask,
    check_reset_options,
    read_starts,
)
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import telling_game_errors
from duelbook.options import draw

MAX_GAMES = 1 << 24
MIN_THREAD_GAMES = 1024  # with fewer games each, threads would mostly wait for each other

T = TypeVar("T")
StepResult = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


class DuelVectorEnv(VectorEnv[Any, Any, Any]):
    """Plays one ply in every game per step, for the player whose turn it is there."""

    metadata: dict[str, Any] = METADATA

    reset_options: tuple[str, ...] = (OPENING, STATE, RESET_MASK)
    opponent: Any = None  # the learner plays both sides
    _pool: ThreadPoolExecutor | None = None
    seat_name = "mover"  # under which an info holds the seat that an observation is for

    def __init__(
        self,
        game: str | AnyGame,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        copy: bool = True,
        mask_in_observation: bool = False,
        ply_limit: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        makers = [kind for kind in type(self).__mro__ if issubclass(kind, DuelVectorEnv)]
        self.game = make_game(game, options, *makers)
        self._drawn = drawn_on_reset(game, options)
        self.num_envs = count = check_count("num_envs", num_envs, MAX_GAMES)
        self.ply_limit = check_ply_limit(self.game, ply_limit)
        self.render_mode = check_render_mode(render_mode)
        self.autoreset_mode = as_autoreset_mode(autoreset_mode)
        self.metadata = METADATA | {"autoreset_mode": self.autoreset_mode}
        self._observer = Observer(self.game)
        self._mask_in_observation = check_flag("mask_in_observation", mask_in_observation)
        self.single_observation_space = self._observer.masked_space() if mask_in_observation else self._observer.space()
        self.single_action_space = Discrete(self.game.num_moves)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._no_moves = np.broadcast_to(np.int8(0), (count, self.game.num_moves))  # the masks after the end of a game
        self._kept_turn = None if check_flag("copy", copy) else self._empty_turn()
        self._use_threads(min(os.cpu_count() or 1, count // MIN_THREAD_GAMES))
        self._batches = self._new_batches()

    @telling_game_errors
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start all games from the same draw, if the game has one. The seed decides all that chance does.

        The options are `opening` and `state`, one for all games or a list with one for each, and `reset_mask`, an array
        that is true for the games to start. They hold for these games until their next reset.
        """
        chosen = check_reset_options(options, self.reset_options)
        games = check_reset_mask(chosen.get(RESET_MASK), self.num_envs)
        super().reset(seed=seed)
        game = self.game
        whole = RESET_MASK not in chosen
        if self._drawn and whole:
            game = draw(game, seeded_rng(self.np_random), self._drawn)
        starts = self._read_starts(game, chosen)
        if whole:
            self.game, self._observer = game, Observer(game)
            self._batches = self._new_batches()
        for batch, part in zip(self._batches, self._parts, strict=True):
            for start, numbers in starts.items():
                within = numbers[(numbers >= part.start) & (numbers < part.stop) & games[numbers]]
                set_start(batch, within - part.start, start)
        self._begin(chosen, games, seed is not None or whole)
        turn = self._new_turn()
        self._each(lambda number, part: self._show(number, turn.part(part)))
        return self._seen(turn), self._info(turn)

    @telling_game_errors
    def step(self, actions: Any) -> StepResult:
        """Play a move in each game. The reward is for the player who made the move."""
        moves, turn = self._check(actions), self._new_turn()
        restart = self.autoreset_mode is AutoresetMode.SAME_STEP

        def play(number: int, part: slice) -> tuple[Floats, Bytes]:
            finals = self._play(number, moves[part], turn.part(part), restart)
            vectors = np.empty((len(finals.rows), turn.vectors.shape[1]), np.float32)
            write_vectors(finals.rows, self._batches[number].parts, vectors, 0, len(vectors))
            return vectors, finals.movers

        vectors, movers = zip(*self._each(play), strict=True)
        info = self._info(turn)
        if any(map(len, vectors)):
            over = turn.terminated | turn.truncated
            info |= self._final(over, chain.from_iterable(vectors), np.concatenate(movers))
        return self._seen(turn), turn.rewards, turn.terminated, turn.truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return True for every legal action, one row for each game."""
        return np.concatenate([batch.legal[: batch.size] for batch in self._batches]).view(np.bool_)

    def random_moves(self) -> Longs:
        """Return a random legal move for each game."""
        chances = self.np_random.random(self.num_envs)
        moves = [random_moves(batch, chances[part]) for batch, part in zip(self._batches, self._parts, strict=True)]
        return np.concatenate(moves)

    def states(self) -> list[Any]:
        """Return the state of each game, as the rules and the solver use it."""
        initial = self.game.initial()
        rows = (row for batch in self._batches for row in batch.rows[: batch.size].tolist())
        return [state_from_numbers(initial, iter(row)) for row in rows]

    @telling_game_errors
    def render(self) -> tuple[str, ...]:
        return tuple(map(self.game.render, self.states()))

    def close_extras(self, **kwargs: Any) -> None:
        if self._pool:
            self._pool.shutdown()

    def _use_threads(self, threads: int) -> None:
        """Divide the games among so many threads."""
        count, threads = self.num_envs, max(1, threads)
        self._parts = [slice(*ends) for ends in pairwise(count * part // threads for part in range(threads + 1))]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def _read_starts(self, game: AnyGame, options: Mapping[str, Any]) -> dict[BatchStart, Longs]:
        """Return the states in which games start, each with the numbers of its games."""
        starts = {}
        for start, games in read_starts(game, options, self.num_envs).items():
            check_known(game, start, self.opponent)
            if len(start.opening) >= self.ply_limit:
                raise RefusedError(f"An opening must be shorter than the ply limit, {self.ply_limit}.")
            state = reduce(game.play, start.opening, start.state)
            starts[BatchStart(state, len(start.opening))] = np.array(games)
        return starts

    def _new_batches(self) -> list[Batch]:
        return [new_batch(self.game, part.stop - part.start, self._observer.parts) for part in self._parts]

    def _begin(self, options: Mapping[str, Any], games: Flags, seeded: bool) -> None:
        """Do what is to do before the first turn of these games, whose random numbers begin again if `seeded`."""

    def _play(self, number: int, moves: Longs, turn: BatchTurn, restart: bool) -> Finals:
        """Play the moves in a batch, and write the turn."""
        return step(self._batches[number], moves, self.ply_limit, turn, restart)

    def _show(self, number: int, turn: BatchTurn) -> None:
        """Write what is seen of a batch."""
        batch = self._batches[number]
        write_vectors(batch.rows, batch.parts, turn.vectors, 0, batch.size)
        write_masks(batch.words, turn.masks, 0, batch.size)
        turn.movers[:] = batch.movers[: batch.size]

    def _each(self, work: Callable[[int, slice], T]) -> list[T]:
        """Return what the work returns for the number of each batch and its part of the games, each in a thread."""
        first, *others = enumerate(self._parts)
        if self._pool is None:
            return [work(*first)]
        started = [self._pool.submit(work, *other) for other in others]
        return [work(*first), *(other.result() for other in started)]

    def _check(self, actions: Any) -> Longs:
        """Return the actions as moves, or raise RefusedError if one of them is not a legal move."""
        moves = self._as_moves(actions)
        for batch, part in zip(self._batches, self._parts, strict=True):
            place = first_illegal(batch.words, self.game.num_moves, moves[part])
            if place != NO_GAME:
                number = part.start + place
                raise RefusedError(f"Action {moves[number]} is not legal in game {number}. See the action mask.")
        return moves

    def _as_moves(self, actions: Any) -> Longs:
        """Return the actions as whole numbers, or raise RefusedError if a game cannot be continued."""
        moves = np.asarray(actions)
        if moves.shape != (self.num_envs,) or moves.dtype.kind not in "iu":
            raise RefusedError(f"actions must be {self.num_envs} whole numbers, one for each game.")
        if self.autoreset_mode is AutoresetMode.DISABLED:
            for batch, part in zip(self._batches, self._parts, strict=True):
                if batch.over.any():
                    number = part.start + int(batch.over.argmax())
                    raise RefusedError(f"Game {number} is over. Start it with reset(options={{'reset_mask': …}}).")
        return moves.astype(np.int64, copy=False)

    def _empty_turn(self) -> BatchTurn:
        return new_turn(self.num_envs, len(self._observer.low), self.game.num_moves)

    def _new_turn(self) -> BatchTurn:
        return self._kept_turn or self._empty_turn()

    def _seen(self, turn: BatchTurn) -> Any:
        return {"observation": turn.vectors, "action_mask": turn.masks} if self._mask_in_observation else turn.vectors

    def _info(self, turn: BatchTurn) -> dict[str, Any]:
        return {"action_mask": turn.masks, self.seat_name: turn.movers}

    def _final(self, over: Flags, last_vectors: Iterable[Floats], last_seats: Bytes) -> dict[str, Any]:
        """Return the last observations and infos of the games that ended, in the form that Gymnasium defines."""
        seen, seats = np.empty(self.num_envs, object), np.zeros(self.num_envs, np.int8)  # None for the other games
        last: Iterable[Any] = last_vectors
        if self._mask_in_observation:
            last = ({"observation": one, "action_mask": np.zeros(self.game.num_moves, np.int8)} for one in last_vectors)
        seen[over], seats[over] = np.fromiter(last, object, len(last_seats)), last_seats
        info = {"action_mask": self._no_moves, "_action_mask": over, self.seat_name: seats, f"_{self.seat_name}": over}
        return {"final_obs": seen, "_final_obs": over, "final_info": info, "_final_info": over}
