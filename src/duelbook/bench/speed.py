"""The speed of the rules in random moves per second, interpreted and compiled."""

import os
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from duelbook.bench.peers import PEERS, PlayGames
from duelbook.game import AnyGame, Outcome, finds_moves
from duelbook.games import make
from duelbook.match import ply_limit
from duelbook.options import draw
from duelbook.solve.budget import has_fast

BATCH_GAMES = 4096  # games that move together


class Figure(NamedTuple):
    """One measured speed. `duelbook bench --json` prints these fields."""

    name: str
    way: str  # interpreted, compiled, or how the other library plays
    cores: int
    speed: float  # moves a second
    goal: float | None = None


def measure(games: list[str], seconds: float, cores: int) -> Iterator[Figure]:
    """Measure the installed libraries and the games, each for `seconds`, and yield each figure at once."""
    for name, peer in PEERS.items():
        if peer.installed:
            yield Figure(name, peer.way, 1, moves_per_second(peer.player(), seconds))
    for name in games:
        game = draw(make(name), random.Random(1))
        yield Figure(name, "interpreted", 1, moves_per_second(interpreted(game), seconds))
        if has_fast():
            package = sys.modules.get(type(game).__module__.rpartition(".")[0])
            goal = getattr(package, "GOAL_MOVES_PER_SECOND", None)  # which few games have
            yield Figure(name, "compiled", 1, moves_per_second(compiled(game, 1), seconds), goal)
            yield Figure(name, "compiled, batched", 1, moves_per_second(batched(game), seconds), goal)
            if cores > 1:
                yield Figure(name, "compiled", cores, moves_per_second(compiled(game, cores), seconds))


def missing_peers() -> list[str]:
    """Return the other libraries that are not installed."""
    return [name for name, peer in PEERS.items() if not peer.installed]


def bench_json(figures: list[Figure]) -> dict[str, Any]:
    """Return the figures as a JSON value, each with its ratios to the other libraries and to one core."""
    peers = {figure.name: figure.speed for figure in figures if figure.name in PEERS}
    one_core = {figure.name: figure.speed for figure in figures if figure.way == "compiled" and figure.cores == 1}
    return {
        "cores": os.cpu_count(),
        "figures": [
            {
                **figure._asdict(),
                "ratios": {peer: figure.speed / speed for peer, speed in peers.items() if peer != figure.name},
                "scaling": figure.speed / one_core[figure.name] if figure.cores > 1 else None,
            }
            for figure in figures
        ],
    }


def moves_per_second(play_games: PlayGames, seconds: float) -> float:
    """Return the speed, measured for at least `seconds`."""
    games = 10
    while True:
        start = time.perf_counter()
        moves = play_games(games)
        spent = time.perf_counter() - start
        if spent >= seconds:
            return moves / spent
        games = max(games * 2, int(games * 1.2 * seconds / max(spent, 1e-6)))


def interpreted(game: AnyGame) -> PlayGames:
    """Return a function that plays the rules as they are written."""

    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            state = game.initial()
            while game.outcome(state) is Outcome.UNDECIDED:
                if finds_moves(game):
                    move = game.nth_legal(state, int(chance() * game.count_legal(state)))
                else:
                    legal = list(game.legal_moves(state))
                    move = legal[int(chance() * len(legal))]
                state = game.play(state, move)
                moves += 1
        return moves

    return play_games


def compiled(game: AnyGame, cores: int) -> PlayGames:
    """Return a function that plays the compiled rules on `cores` cores."""
    from duelbook.compiled import playouts

    playouts(game, 1, seed=1)  # compiles the rules
    return lambda games: playouts(game, games, seed=1, threads=cores).moves


def batched(game: AnyGame) -> PlayGames:
    """Return a function that chooses a move in each of many games and plays all of them in one compiled call."""
    import numpy as np

    from duelbook.compiled import new_batch, new_turn, random_moves, step

    batch, turn, rng = new_batch(game, BATCH_GAMES), new_turn(BATCH_GAMES), np.random.default_rng(1)
    limit = ply_limit(game)

    def play_games(games: int) -> int:
        over = moves = 0
        while over < games:
            over += len(step(batch, random_moves(batch, rng.random(BATCH_GAMES)), limit, turn).rows)
            moves += BATCH_GAMES
        return moves

    play_games(1)  # compiles the rules
    return play_games
