"""Random playouts: our rules interpreted and compiled, and OpenSpiel's Python games, in one run.

Prints moves per second on one core and the ratio to OpenSpiel's tic-tac-toe written in Python.
"""

import importlib.util
import random
import time
from collections.abc import Callable

import duelbook
from duelbook.game import AnyGame, Outcome

SECONDS = 1.0
GOALS = {"charge": 400_000, "crystal-capture": 300_000}  # interpreted moves per second, on the reference machine
PEER_GOAL = 5  # times an OpenSpiel game written in Python


def moves_per_second(play_games: Callable[[int], int]) -> float:
    """Answer the speed of a function that plays so many games and answers the number of moves."""
    games = 10
    while True:
        start = time.perf_counter()
        moves = play_games(games)
        seconds = time.perf_counter() - start
        if seconds >= SECONDS:
            return moves / seconds
        games = max(games * 2, int(games * 1.2 * SECONDS / max(seconds, 1e-6)))


def interpreted(game: AnyGame) -> Callable[[int], int]:
    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            state = game.initial()
            while game.outcome(state) is Outcome.UNDECIDED:
                legal = list(game.legal_moves(state))
                state = game.play(state, legal[int(chance() * len(legal))])
                moves += 1
        return moves

    return play_games


def compiled(game: AnyGame) -> Callable[[int], int]:
    from duelbook.compiled import playouts

    playouts(game, 1, seed=1)
    return lambda games: playouts(game, games, seed=1).moves


def openspiel_in_python() -> Callable[[int], int]:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - registers the game

    game = pyspiel.load_game("python_tic_tac_toe")

    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                moves += 1
        return moves

    return play_games


def main() -> None:
    peer = 0.0
    if importlib.util.find_spec("pyspiel"):
        peer = moves_per_second(openspiel_in_python())
        print(f"{'OpenSpiel python_tic_tac_toe':32} {peer:14,.0f} moves/s")
    else:
        print("OpenSpiel is not installed: pip install open_spiel, or make bench")
    for name in duelbook.GAMES:
        game = duelbook.make(name)
        speed = moves_per_second(interpreted(game))
        goal = f"   goal {GOALS[name]:,} and {PEER_GOAL} x" if name in GOALS else ""
        print(f"{name + ', interpreted':32} {speed:14,.0f} moves/s{ratio(speed, peer)}{goal}")
        if importlib.util.find_spec("numba"):
            speed = moves_per_second(compiled(game))
            print(f"{name + ', compiled':32} {speed:14,.0f} moves/s{ratio(speed, peer)}")


def ratio(speed: float, peer: float) -> str:
    return f" {speed / peer:8.1f} x" if peer else ""


if __name__ == "__main__":
    main()
