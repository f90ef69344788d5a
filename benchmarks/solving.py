"""The solver: how soon a solution is there, and what a state costs from 10^5 to 10^8 states, beside OpenSpiel.

Every solve runs in a process of its own. Times are seconds on the clock; the processor time of all threads is given,
too, and the cost of a state is computed from it, because other programs do not change it much. OpenSpiel's value
iteration gets the same rules, and finds values without remoteness. The last size takes a few minutes.
"""

import importlib.util
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import duelbook
from duelbook.extras import install_command
from duelbook.game import AnyGame
from duelbook.solve import Solution
from duelbook.solve.retrograde import solve_interpreted

CACHED_SECONDS = 0.3  # for the book's Charge
FLAT = 2.0  # times the cost of a state, from the smallest to the largest size
LARGE_STATES, LARGE_SECONDS, LARGE_BYTES = 10**8, 600, 5 * 10**9
STATE_BYTES, SOLUTION_BYTES = 48, 10  # for each state, at the peak and in the solution
GOAL = 100  # times the speed of OpenSpiel

SIZES: list[dict[str, int]] = [  # of Charge, from about 10^5 to more than 10^8 states
    {"goal": 7},
    {"goal": 21},
    {"goal": 30, "charge_cards": 7, "block_cards": 3, "steal_cards": 2},
    {"goal": 60, "charge_cards": 9, "block_cards": 3, "steal_cards": 3},
]
SMALL_CHARGE = {"goal": 6, "biggest_charge": 3, "charge_cards": 2, "block_cards": 1}
CROSSING = {"size": 36}  # a game that cannot be divided into parts, with about 14 moves in each state
OPENSPIEL_GAMES = {  # OpenSpiel takes a minute and more for larger ones
    "crystal-capture": duelbook.make("crystal-capture"),
    "charge, small": duelbook.make("charge", **SMALL_CHARGE),
    "charge, with goal 8": duelbook.make("charge", **(SMALL_CHARGE | {"goal": 8})),
}
OPENSPIEL_PACKAGES = ("pyspiel", "cvxpy")  # its solver needs the second one
OPENSPIEL_PLIES = 10_000  # longer than any line without repetition; the games have cycles
RUNS = 3  # the fastest one counts


class Cost(NamedTuple):
    """What one solve took."""

    states: int
    seconds: float
    processor_seconds: float
    peak_bytes: int  # of the solver's arrays
    process_bytes: int  # of the whole process, with Python, numpy and numba
    solution_bytes: int


def measure(options: dict[str, Any]) -> Cost:
    """Solve a variant of Charge in this process."""
    return measure_game(duelbook.make("charge", **SMALL_CHARGE), duelbook.make("charge", **options))


def measure_undivided(state_bytes: int | None) -> Cost:
    """Solve a game that cannot be divided in this process, with so many bytes for each state or as many as usual."""
    from duelbook.solve import analysis
    from tests.support.games.crossing import Crossing

    if state_bytes is not None:
        analysis.STATE_BYTES, analysis.MAX_SWEEPS = state_bytes, sys.maxsize
    return measure_game(Crossing(4), Crossing(**CROSSING))


def measure_game(small: AnyGame, game: AnyGame) -> Cost:
    """Solve a game in this process, after a small one, so that compiled code is loaded already."""
    from duelbook.solve.compiled import solve_compiled
    from duelbook.solve.progress import Meter

    solve_compiled(small)
    meter = Meter()
    start, processor = time.perf_counter(), time.process_time()
    solution = solve_compiled(game, meter=meter)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    assert solution
    states = len(solution.packed()[1])
    process_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Cost(states, seconds, processor, meter.peak_bytes, process_bytes, solution.memory_bytes())


def in_process(code: str, *arguments: str) -> Any:
    """Return what a new process prints as JSON."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cached() -> None:
    """Report how soon a new process has the values of the book's Charge, imports included."""
    runs = [
        in_process(
            "import time; start = time.perf_counter()\n"
            "import duelbook, duelbook.solve; game = duelbook.make('charge')\n"
            "duelbook.solve.solved(game).moves(game.initial())\n"
            "print([time.perf_counter() - start, time.process_time()])"
        )
        for _ in range(RUNS)
    ]
    seconds, processor = map(min, zip(*runs, strict=True))
    print(
        f"Charge, cached, in a new process: {seconds:.2f} s, {processor:.2f} s of the processor"
        f" (aim: {CACHED_SECONDS} s; {processor / CACHED_SECONDS:.2f} x)"
    )


def sizes() -> None:
    """Report the cost of a state in ever larger variants."""
    print("states          seconds  processor  µs/state  ratio   bytes/state  solution  process")
    costs = []
    for options in SIZES:
        code = "import json, sys, benchmarks.solving as b; print(json.dumps(b.measure(json.loads(sys.argv[1]))))"
        costs.append(cost := Cost(*in_process(code, json.dumps(options))))
        each = cost.processor_seconds / cost.states
        ratio = each / (costs[0].processor_seconds / costs[0].states)
        print(
            f"{cost.states:<14,} {cost.seconds:8.1f} {cost.processor_seconds:10.1f} {each * 1e6:9.2f} {ratio:5.2f} x"
            f" {cost.peak_bytes / cost.states:12.1f} {cost.solution_bytes / cost.states:9.1f}"
            f" {cost.process_bytes / 1e9:6.2f} GB",
            flush=True,
        )
    each_seconds = [cost.processor_seconds / cost.states for cost in costs]
    peak, solution = (
        max(getattr(cost, name) / cost.states for cost in costs) for name in ("peak_bytes", "solution_bytes")
    )
    largest = costs[-1]
    print(f"cost of a state, dearest to cheapest: {max(each_seconds) / min(each_seconds):.2f} x (aim: {FLAT} x)")
    print(
        f"bytes for each state: {peak:.1f} at the peak (aim: {STATE_BYTES}), "
        f"{solution:.1f} in the solution (aim: {SOLUTION_BYTES})"
    )
    print(
        f"largest, against its aims: {largest.states / LARGE_STATES:.2f} x the states,"
        f" {largest.seconds / LARGE_SECONDS:.2f} x the time, {largest.process_bytes / LARGE_BYTES:.2f} x the memory"
    )


def undivided() -> None:
    """Report the cost of a state in a game with many moves that cannot be divided, by the memory that it may take."""
    print("a game that cannot be divided  processor  µs/state  ratio   bytes/state")
    code = "import json, sys, benchmarks.solving as b; print(json.dumps(b.measure_undivided(json.loads(sys.argv[1]))))"
    first = 0.0
    for name, state_bytes in (("all moves stored", 1000), ("as usual", None), ("no move stored", 0)):
        cost = Cost(*in_process(code, json.dumps(state_bytes)))
        first = first or cost.processor_seconds
        each, memory = cost.processor_seconds / cost.states, cost.peak_bytes / cost.states
        print(
            f"  {name:28} {cost.processor_seconds:10.1f} {each * 1e6:9.2f} {cost.processor_seconds / first:5.2f} x"
            f" {memory:12.1f}{f' (aim: {STATE_BYTES})' if state_bytes is None else ''}",
            flush=True,
        )


def fastest(solve: Callable[[], object]) -> float:
    """Return the processor seconds of all threads in the fastest run."""
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        solve()
        seconds.append(time.process_time() - start)
    return min(seconds)


def compiled(game: AnyGame) -> Callable[[], object]:
    """Return the compiled solver of the game, ready to run."""
    from duelbook.solve.compiled import solve_compiled

    solve_compiled(game)  # compiles, or loads what was compiled before
    return partial(solve_compiled, game)


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


def beside_openspiel() -> None:
    """Report the speed beside OpenSpiel's, on games that it can solve."""
    if missing := [name for name in OPENSPIEL_PACKAGES if not importlib.util.find_spec(name)]:
        names, command = ", ".join(missing), install_command("bench")
        print(f"OpenSpiel is not measured, since this is not installed: {names}. Install it with: {command}")
        return
    sys.setrecursionlimit(100_000)  # OpenSpiel walks through a game by recursion
    for name, game in OPENSPIEL_GAMES.items():
        solution = solve_interpreted(game)
        theirs = fastest(openspiel(game, solution))
        print(f"{name}: {solution.states():,} undecided states")
        for solver, seconds in (
            ("OpenSpiel, value iteration", theirs),
            ("interpreted", fastest(partial(solve_interpreted, game))),
            ("compiled", fastest(compiled(game))),
        ):
            aim = f"   aim {GOAL} x" if solver == "compiled" else ""
            rate = solution.states() / seconds
            print(f"  {solver:28} {seconds:9.4f} s {rate:12,.0f} states/s {theirs / seconds:8.1f} x{aim}", flush=True)


def main() -> None:
    cached()
    beside_openspiel()
    if importlib.util.find_spec("numba"):
        undivided()
        sizes()
    else:
        print("The extra 'fast' is not installed, so only the interpreted solver was measured.")


if __name__ == "__main__":
    main()
