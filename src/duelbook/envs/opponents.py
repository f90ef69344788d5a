"""The opponents of a learner in many games at once: random, greedy, by exact values, or a function on batches."""

from collections.abc import Callable
from typing import Any

import numpy as np

from duelbook.agents import Agent, make_agent
from duelbook.agents.levels import LEVELS
from duelbook.agents.registry import make_built_in
from duelbook.compiled.batch import Batch, Longs, random_moves
from duelbook.compiled.choices import chances_of, greedy_moves
from duelbook.compiled.random_numbers import RandomNumbers, next_bits
from duelbook.compiled.show import NO_GAME, first_illegal, write_masks, write_vectors
from duelbook.envs.duels import BatchOpponent
from duelbook.envs.observation import state_from_numbers
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.solve import solved, try_solve
from duelbook.text import shorten

MakeOpponent = Callable[[Batch, RandomNumbers], BatchOpponent]


class RandomOpponent:
    """Plays any legal move, each with the same probability."""

    def __init__(self, batch: Batch, randoms: RandomNumbers) -> None:
        self._batch, self._randoms = batch, randoms

    def begin(self, games: Longs) -> None:
        pass

    def see(self, games: Longs, moves: Longs) -> None:
        pass

    def choose(self, games: Longs) -> Longs:
        return random_moves(self._batch, chances_of(games, self._randoms), games)


class GreedyOpponent(RandomOpponent):
    """Plays as the agent `greedy` does."""

    def choose(self, games: Longs) -> Longs:
        batch = self._batch
        return greedy_moves(batch.game, batch.game.num_moves, games, batch.rows, batch.words, self._randoms)


COMPILED = {"random": RandomOpponent, "greedy": GreedyOpponent}


class PolicyOpponent:
    """Plays what a function returns for observations and masks, one row for each game in which it is to move."""

    def __init__(self, batch: Batch, policy: Callable[[Any, Any], Any], elements: int) -> None:
        self._batch, self._policy, self._elements = batch, policy, elements

    def begin(self, games: Longs) -> None:
        pass

    def see(self, games: Longs, moves: Longs) -> None:
        pass

    def choose(self, games: Longs) -> Longs:
        batch, num_moves = self._batch, self._batch.game.num_moves
        words = batch.words[games]
        vectors, masks = np.empty((len(games), self._elements), np.float32), np.empty((len(games), num_moves), np.int8)
        write_vectors(batch.rows[games], batch.parts, vectors, 0, len(games))
        write_masks(words, masks, 0, len(games))
        moves = np.asarray(self._policy(vectors, masks))
        if moves.shape != games.shape or moves.dtype.kind not in "iu":
            raise RefusedError(f"The opponent must return {len(games)} whole numbers, one for each row.")
        moves = moves.astype(np.int64, copy=False)
        wrong = first_illegal(words, num_moves, moves)
        if wrong != NO_GAME:
            raise RefusedError(f"The opponent's move {moves[wrong]} is not legal in game {games[wrong]}.")
        return moves


class AgentOpponent:
    """Any agent of Duelbook, interpreted: a new one for each game, which sees its match."""

    def __init__(self, batch: Batch, randoms: RandomNumbers, name: str) -> None:
        self._batch, self._randoms, self._name = batch, randoms, name
        self._agents: dict[int, Agent] = {}
        self._matches: dict[int, Match] = {}

    def begin(self, games: Longs) -> None:
        initial = self._batch.game.initial()
        for number in games.tolist():
            start = state_from_numbers(initial, iter(self._batch.rows[number].tolist()))
            self._matches[number] = Match(self._batch.game, start=start)
            self._agents[number] = make_agent(self._name, int(next_bits(self._randoms, number)))

    def see(self, games: Longs, moves: Longs) -> None:
        for number, move in zip(games.tolist(), moves.tolist(), strict=True):
            self._matches[number].play(move)

    def choose(self, games: Longs) -> Longs:
        return np.array([self._agents[number].choose(self._matches[number]) for number in games.tolist()], np.int64)


def check_opponent(opponent: Any) -> None:
    """Raise RefusedError if this cannot be the opponent in many games at once."""
    if isinstance(opponent, str):
        make_built_in(opponent).close()  # raises RefusedError for an unknown name, and for a program or a model
    elif not callable(opponent):
        allowed = "the name of an agent or a function on batches"
        raise RefusedError(f"opponent must be {allowed}, not {shorten(repr(opponent))}.")


def is_compiled(opponent: Any, game: AnyGame) -> bool:
    """Return True if the opponent is compiled, so that several threads may play its games."""
    if not isinstance(opponent, str):
        return False
    if opponent in COMPILED or (opponent != "perfect" and opponent not in LEVELS):
        return opponent in COMPILED
    from duelbook.envs.table_opponents import can_compile

    return try_solve(game) and can_compile(game)


def opponent_maker(opponent: Any, game: AnyGame, elements: int) -> MakeOpponent:
    """Return what makes the opponent for a batch of the game. An opponent that needs exact values solves the game now.

    `elements` is the length of an observation.
    """
    if not isinstance(opponent, str):
        return lambda batch, randoms: PolicyOpponent(batch, opponent, elements)
    if not is_compiled(opponent, game):
        return lambda batch, randoms: AgentOpponent(batch, randoms, opponent)
    if opponent in COMPILED:
        return COMPILED[opponent]
    from duelbook.envs.table_opponents import LevelOpponent, PerfectOpponent
    from duelbook.solve.value_table import ValueTable

    table = ValueTable.of(solved(game))
    if opponent == "perfect":
        return lambda batch, randoms: PerfectOpponent(batch, randoms, table)
    return lambda batch, randoms: LevelOpponent(batch, randoms, table, LEVELS[opponent])
