"""Solving: our rules interpreted and compiled, and OpenSpiel's value iteration on the same rules, in one run.

Prints undecided states per second on one core and the ratio to OpenSpiel, which answers values without remoteness.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from functools import partial

import duelbook
from duelbook.game import AnyGame
from duelbook.solve import STATE_LIMIT, Solution, retrograde

GOAL = 20  # times OpenSpiel, with the extra `fast`
RUNS = 3  # of which the fastest counts
PEER_LIMIT = 20_000  # states that OpenSpiel is given: it takes some 20 seconds for each 100,000
SHRUNKEN = {"goal": "6", "biggest_charge": "3", "charge_cards": "2", "block_cards": "1"}
GAMES = {
    "crystal-capture": duelbook.make("crystal-capture"),
    "charge, shrunken": duelbook.make("charge", **SHRUNKEN),
    "charge": duelbook.make("charge"),
}


def fastest(solve: Callable[[], object]) -> float:
    """Answer the seconds of the best run."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        solve()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compiled(game: AnyGame) -> Callable[[], object]:
    from duelbook.solve.compiled import solve_compiled

    solve_compiled(game, STATE_LIMIT)  # compiles, or loads what was compiled before
    return partial(solve_compiled, game, STATE_LIMIT)


def openspiel(game: AnyGame, expected: Solution) -> Callable[[], object]:
    from open_spiel.python.algorithms.value_iteration import value_iteration

    from benchmarks.spiel import PlainGame

    def solve() -> None:
        values = value_iteration(PlainGame(game), depth_limit=-1, threshold=0.01, cyclic_game=True)
        assert values[str(game.initial())] == expected.value(game.initial())

    return solve


def main() -> None:
    sys.setrecursionlimit(100_000)  # OpenSpiel walks through a game by recursion
    has_peer = importlib.util.find_spec("pyspiel") and importlib.util.find_spec("cvxpy")
    if not has_peer:
        print("OpenSpiel is not installed: pip install open_spiel cvxpy, or make bench")
    for name, game in GAMES.items():
        solution = retrograde.solve(game)
        states = solution.states()
        print(f"{name}: {states:,} undecided states")
        peer = fastest(openspiel(game, solution)) if has_peer and states <= PEER_LIMIT else 0.0
        if peer:
            report("OpenSpiel, value iteration", states, peer, peer)
        report("interpreted", states, fastest(partial(retrograde.solve, game)), peer)
        if importlib.util.find_spec("numba"):
            report("compiled", states, fastest(compiled(game)), peer, f"   goal {GOAL} x" if peer else "")


def report(solver: str, states: int, seconds: float, peer: float, goal: str = "") -> None:
    ratio = f" {peer / seconds:8.1f} x" if peer else ""
    print(f"  {solver:28} {seconds:9.4f} s {states / seconds:12,.0f} states/s{ratio}{goal}")


if __name__ == "__main__":
    main()
