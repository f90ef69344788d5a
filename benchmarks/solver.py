"""The solver: our rules interpreted and compiled, beside OpenSpiel's value iteration on the same rules, in one run.

Prints undecided states per second on one core, and the ratio to OpenSpiel, which finds values without remoteness.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from functools import partial

import duelbook
from duelbook.game import AnyGame
from duelbook.solve import Solution
from duelbook.solve.retrograde import solve_interpreted

GOAL = 20  # times the speed of OpenSpiel, with the extra `fast`
RUNS = 3  # the fastest one counts
OPENSPIEL_STATE_LIMIT = 20_000  # OpenSpiel takes about 20 seconds for 100,000 states
OPENSPIEL_PLIES = 10_000  # longer than any line without repetition; the games have cycles
SMALL_CHARGE = {"goal": "6", "biggest_charge": "3", "charge_cards": "2", "block_cards": "1"}
GAMES = {
    "crystal-capture": duelbook.make("crystal-capture"),
    "charge, small": duelbook.make("charge", **SMALL_CHARGE),
    "charge": duelbook.make("charge"),
}


def fastest(solve: Callable[[], object]) -> float:
    """Return the seconds of the fastest run."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        solve()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compiled(game: AnyGame) -> Callable[[], object]:
    """Return the compiled solver of the game, ready to run."""
    from duelbook.solve.compiled import solve_compiled

    limit = 10_000_000
    solve_compiled(game, limit)  # compiles, or loads what was compiled before
    return partial(solve_compiled, game, limit)


def openspiel(game: AnyGame, expected: Solution) -> Callable[[], object]:
    """Return OpenSpiel's solver of the game, ready to run."""
    from open_spiel.python.algorithms.value_iteration import value_iteration

    from duelbook.envs.openspiel import SpielGame, SpielState, game_type

    class PlainGame(SpielGame):
        def new_initial_state(self) -> SpielState:
            return PlainState(self)

    class PlainState(SpielState):
        def __str__(self) -> str:  # OpenSpiel tells states apart by their texts, so a short one is fair to it
            return str(self.snapshot.state)

    def solve() -> None:
        spiel_game = PlainGame(game_type("plain", {}), game, {}, OPENSPIEL_PLIES)
        values = value_iteration(spiel_game, depth_limit=-1, threshold=0.01, cyclic_game=True)
        assert values[str(game.initial())] == expected.value(game.initial())

    return solve


def main() -> None:
    sys.setrecursionlimit(100_000)  # OpenSpiel walks through a game by recursion
    has_openspiel = importlib.util.find_spec("pyspiel") and importlib.util.find_spec("cvxpy")
    if not has_openspiel:
        print("OpenSpiel is not installed. Install it with: pip install 'duelbook[bench]'")
    for name, game in GAMES.items():
        solution = solve_interpreted(game)
        states = solution.states()
        print(f"{name}: {states:,} undecided states")
        with_openspiel = has_openspiel and states <= OPENSPIEL_STATE_LIMIT
        theirs = fastest(openspiel(game, solution)) if with_openspiel else 0.0
        if theirs:
            report("OpenSpiel, value iteration", states, theirs, theirs)
        report("interpreted", states, fastest(partial(solve_interpreted, game)), theirs)
        if importlib.util.find_spec("numba"):
            report("compiled", states, fastest(compiled(game)), theirs, f"   goal {GOAL} x" if theirs else "")


def report(solver: str, states: int, seconds: float, theirs: float, goal: str = "") -> None:
    ratio = f" {theirs / seconds:8.1f} x" if theirs else ""
    print(f"  {solver:28} {seconds:9.4f} s {states / seconds:12,.0f} states/s{ratio}{goal}")


if __name__ == "__main__":
    main()
