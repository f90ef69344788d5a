"""The perfect agent: how soon it answers, and that it never gives up value in many games.

`python -m benchmarks.perfect 10000` plays so many games of each game, from each seat, against each of the random
and the greedy agent (half of them each); without a number it plays 500.
"""

import statistics
import subprocess
import sys
import time

import duelbook
from duelbook.agents import make_agent
from duelbook.match import Match, ply_limit
from duelbook.solve import solved

FIRST_ANSWER = """
import sys, time
start = time.perf_counter()
sys.modules["numba"] = None  # as on an install without the extra
from duelbook import make
from duelbook.agents import make_agent
from duelbook.match import Match
match = Match(make(sys.argv[1]))
make_agent("perfect", 1).choose(match)
print(time.perf_counter() - start)
"""


def first_answer(name: str) -> float:
    """Answer the seconds from an import to the first perfect move, without compiled code."""
    done = subprocess.run([sys.executable, "-c", FIRST_ANSWER, name], capture_output=True, text=True, check=True)
    return float(done.stdout)


def play(name: str, games: int) -> tuple[int, int, list[float]]:
    """Answer how many moves the perfect agent made, how many gave value away, and the seconds each took."""
    game = duelbook.make(name)
    solution, lost, seconds = solved(game), 0, []
    for number in range(games):
        match = Match(game, ply_limit=ply_limit(game))
        perfect = make_agent("perfect", f"{number} perfect")
        other = make_agent("greedy" if number % 2 else "random", f"{number} other")
        while not match.over:
            if match.mover != number // 2 % 2:
                match.play(other.choose(match))
                continue
            start = time.perf_counter()
            move = perfect.choose(match)
            seconds.append(time.perf_counter() - start)
            scored = solution.moves(match.state)
            lost += next(found.value for found in scored if found.move == move) != scored[0].value
            match.play(move)
    return len(seconds), lost, seconds


def main() -> None:
    games = 2 * int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in duelbook.GAMES:
        start = first_answer(name)
        moves, lost, seconds = play(name, games)
        typical, slow = statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]
        print(
            f"{name:16} first answer {start:.2f} s (goal 1), then {typical * 1000:.2f} ms, "
            f"99 % within {slow * 1000:.1f} ms (goal 5); {games:,} games, {moves:,} moves, {lost} gave value away",
            flush=True,
        )


if __name__ == "__main__":
    main()
